// Choosing GPUs.
#include "kernels/runtime/client/gpu_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace warpwright::worker {
namespace {

constexpr int kMostGpus = 1024;

}  // namespace

GpuChoice::GpuChoice(const std::string& text) : first_(text == "first") {
  if (first_ || text == "all") return;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const char* const last = text.data() + end;
    int index = -1;
    const auto [stop, error] = std::from_chars(text.data() + begin, last, index);
    if (error != std::errc() || stop != last || index < 0 || index >= kMostGpus)
      throw std::invalid_argument(
          fmt::format("'{}' names no GPUs: --devices takes all, or indices as nvidia-smi counts, e.g. 1 or 0,1", text));
    if (std::ranges::find(indices_, index) != indices_.end())
      throw std::invalid_argument(fmt::format("--devices {} names GPU {} twice", text, index));
    indices_.push_back(index);
    begin = end + 1;
  }
}

std::vector<gpu::GpuInfo> GpuChoice::among(std::vector<gpu::GpuInfo> found, const std::string& of_what) const {
  if (first_ && !found.empty()) found.resize(1);
  if (indices_.empty()) return found;
  for (const int wanted : indices_)
    if (std::ranges::find(found, wanted, &gpu::GpuInfo::index) == found.end())
      throw std::runtime_error(fmt::format("this machine has no GPU {} of {}: see nvidia-smi -L", wanted, of_what));
  std::erase_if(found,
                [&](const gpu::GpuInfo& info) { return std::ranges::find(indices_, info.index) == indices_.end(); });
  return found;
}

}  // namespace warpwright::worker
