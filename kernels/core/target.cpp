// The table of architectures, and the names of targets.
#include "kernels/core/target.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <map>
#include <stdexcept>

namespace warpwright {
namespace {

constexpr std::string_view kHost = "host";
constexpr std::string_view kHostPrefix = "host/";
constexpr int kib = 1024;

/// One compute capability. Source: CUDA C++ Programming Guide 13.0, "Compute Capabilities" (technical specifications);
/// blocks per SM are those in the toolkit's cuda_occupancy.h.
struct Architecture {
  int compute_capability;
  int threads_per_sm, blocks_per_sm, shared_kib_per_sm, reserved;
};

constexpr Architecture architectures[] = {
    {75, 1024, 16, 64, 0},      {80, 2048, 32, 164, 1024},  {86, 1536, 16, 100, 1024},  {87, 1536, 16, 164, 1024},
    {88, 1536, 16, 100, 1024},  {89, 1536, 24, 100, 1024},  {90, 2048, 32, 228, 1024},  {100, 2048, 32, 228, 1024},
    {103, 2048, 32, 228, 1024}, {110, 1536, 24, 228, 1024}, {120, 1536, 24, 100, 1024}, {121, 1536, 24, 100, 1024},
};

std::map<std::string, Device, std::less<>> make_host_devices() {
  std::map<std::string, Device, std::less<>> devices;
  for (const int capability : supported_architectures()) {
    Device device = architecture_limits(capability);
    device.model = kHost;
    device.sm_count = 3;
    device.l2_bytes = 1 << 20;
    devices.emplace(host_target(capability), std::move(device));
  }
  return devices;
}

}  // namespace

std::vector<int> supported_architectures() {
  std::vector<int> result;
  for (const Architecture& architecture : architectures) result.push_back(architecture.compute_capability);
  return result;
}

std::string supported_architectures_text() {
  std::vector<std::string> names;
  for (const int capability : supported_architectures()) names.push_back(fmt::format("sm_{}", capability));
  return fmt::format("supported are {}", fmt::join(names, ", "));
}

int parse_arch(std::string_view text) {
  std::string digits;
  for (const char c : text) digits += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (digits.starts_with("sm_")) digits.erase(0, 3);
  if (const std::size_t dot = digits.find('.'); dot != std::string::npos && dot + 2 == digits.size()) {
    digits.erase(dot, 1);
  }
  int capability = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), capability);
  const std::vector<int> known = supported_architectures();
  if (error != std::errc() || end != digits.data() + digits.size() ||
      std::find(known.begin(), known.end(), capability) == known.end()) {
    throw std::invalid_argument(fmt::format("unknown architecture '{}'; {}", text, supported_architectures_text()));
  }
  return capability;
}

Device architecture_limits(int compute_capability) {
  for (const Architecture& architecture : architectures) {
    if (architecture.compute_capability != compute_capability) continue;
    Device device;
    device.compute_capability = compute_capability;
    device.sm_count = 0;
    device.max_threads_per_sm = architecture.threads_per_sm;
    device.max_blocks_per_sm = architecture.blocks_per_sm;
    device.shared_per_sm = architecture.shared_kib_per_sm * kib;
    device.shared_reserved_per_block = architecture.reserved;
    device.shared_per_block_optin = device.shared_per_sm - architecture.reserved;
    device.fp32_lanes_per_sm = lanes_per_sm(compute_capability).fp32;
    device.fp64_lanes_per_sm = lanes_per_sm(compute_capability).fp64;
    return device;
  }
  throw std::invalid_argument(
      fmt::format("unknown architecture sm_{}; {}", compute_capability, supported_architectures_text()));
}

std::string host_target(int compute_capability) {
  return fmt::format("{}sm_{}", kHostPrefix, compute_capability);
}

bool is_host(std::string_view target) {
  return target.starts_with(kHostPrefix);
}

std::string parse_target(std::string_view text) {
  if (text == kHost) return host_target();
  return is_host(text) ? host_target(architecture_of(text)) : std::string(text);
}

int architecture_of(std::string_view target) {
  return parse_arch(is_host(target) ? target.substr(kHostPrefix.size()) : target);
}

const Device& host_device(std::string_view target) {
  static const std::map<std::string, Device, std::less<>> devices = make_host_devices();
  const auto found = devices.find(target);
  if (found == devices.end())
    throw std::invalid_argument(
        fmt::format("'{}' is no target of the simulator; {}", target, supported_architectures_text()));
  return found->second;
}

}  // namespace warpwright
