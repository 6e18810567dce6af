// Runs the steps of a plan on the SIMT executor.
#include "kernels/runtime/host/executor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <stdexcept>

#include "kernels/runtime/host/machine.hpp"

namespace warpwright::host {
namespace {

constexpr int scratch_poison = 0xff;

class PlanRun {
 public:
  PlanRun(const Plan& plan, const Module& module, std::span<std::vector<std::byte>> buffers,
          const ExecuteOptions& options)
      : plan_(plan), module_(module), buffers_(buffers), options_(options), machine_(Machine::of_this_thread()) {
    if (buffers.size() != plan.buffers.size()) {
      throw std::invalid_argument(fmt::format("{} buffers for a plan of {}", buffers.size(), plan.buffers.size()));
    }
    for (std::size_t i = 0; i < buffers.size(); ++i) {
      const Buffer& buffer = plan.buffers[i];
      const bool optional = buffer.role == Role::scratch && buffers[i].empty();
      if (buffer.count < 0 || (!optional && buffers[i].size() != static_cast<std::size_t>(buffer.bytes()))) {
        throw std::invalid_argument(
            fmt::format("buffer '{}' has {} bytes, not the plan's {}", buffer.name, buffers[i].size(), buffer.bytes()));
      }
    }
  }

  Execution run() {
    Execution execution;
    machine_.memory().place(plan_.buffers);
    machine_.begin(module_, options_, execution);
    copy_in();
    run_steps(plan_.steps);
    if (!machine_.stopped() && options_.check_initialised) look_for_locals();
    machine_.end();
    copy_out();
    return execution;
  }

 private:
  void copy_in() {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      const Region& region = machine_.memory().region(i);
      const Buffer& buffer = plan_.buffers[i];
      const bool defined = buffer.role == Role::in || buffer.role == Role::inout || buffer.zeroed;
      machine_.shadow(i).set_all_written(defined || !options_.check_initialised);
      if (buffer.role == Role::scratch) {
        std::memset(region.data(), buffer.zeroed ? 0 : scratch_poison, region.bytes());
      } else if (region.bytes() != 0) {
        std::memcpy(region.data(), buffers_[i].data(), region.bytes());
      }
    }
  }

  /// Integers may rightly have any value; a float of that pattern, -1.7e38, comes from an input or from a local.
  void look_for_locals() {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      const Buffer& buffer = plan_.buffers[i];
      const bool is_float = buffer.type == ElementType::f32 || buffer.type == ElementType::f64;
      if (!is_float || (buffer.role != Role::out && buffer.role != Role::inout)) continue;
      const Region& region = machine_.memory().region(i);
      const std::size_t at = find_pattern({region.data(), region.bytes()}, size_of(buffer.type));
      if (at == region.bytes() || given_pattern()) continue;
      machine_.uninitialised_local(region, at);
    }
  }

  /// Where the first element of nothing but uninitialised bytes is; the end when there is none.
  static std::size_t find_pattern(std::span<const std::byte> data, std::size_t element) {
    std::array<std::byte, 8> pattern;
    pattern.fill(std::byte{uninitialised_byte});
    for (std::size_t at = 0; at + element <= data.size(); at += element) {
      if (std::memcmp(&data[at], pattern.data(), element) == 0) return at;
    }
    return data.size();
  }

  /// Whether some buffer came with such an element.
  bool given_pattern() const {
    for (const auto& given : buffers_) {
      if (find_pattern(given, sizeof(float)) < given.size() / sizeof(float) * sizeof(float)) return true;
    }
    return false;
  }

  void copy_out() {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      const Region& region = machine_.memory().region(i);
      if (!buffers_[i].empty()) std::memcpy(buffers_[i].data(), region.data(), region.bytes());
    }
  }

  const Region& region_of(const std::string& name) const {
    for (std::size_t i = 0; i < plan_.buffers.size(); ++i) {
      if (plan_.buffers[i].name == name) return machine_.memory().region(i);
    }
    throw std::invalid_argument(fmt::format("the plan has no buffer '{}'", name));
  }

  Shadow& shadow_of(const std::string& name) { return machine_.shadow(region_of(name).number); }

  void run_steps(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      if (machine_.stopped()) return;
      std::visit([this](const auto& what) { run_step(what); }, step.what);
    }
  }

  void run_step(const Repeat& repeat) {
    for (std::int64_t i = 0; i < repeat.times && !machine_.stopped(); ++i) run_steps(repeat.steps);
  }

  bool fits(const std::string& step, const std::string& buffer, std::int64_t bytes) {
    const auto room = static_cast<std::int64_t>(region_of(buffer).bytes());
    if (bytes >= 0 && bytes <= room) return true;
    machine_.report(FindingKind::out_of_bounds, step,
                    fmt::format("{} of {} bytes in buffer '{}' of {} bytes", step, bytes, buffer, room));
    return false;
  }

  bool may_write(const std::string& step, const std::string& buffer) {
    if (!region_of(buffer).read_only) return true;
    machine_.report(FindingKind::input_written, step, fmt::format("{} to input buffer '{}'", step, buffer));
    return false;
  }

  void run_step(const Memset& set) {
    const std::size_t size = size_of(set.value.type);
    const std::int64_t bytes = set.count * static_cast<std::int64_t>(size);
    if (!fits("memset", set.buffer, bytes) || !may_write("memset", set.buffer)) return;
    std::byte* const data = region_of(set.buffer).data();
    shadow_of(set.buffer).set_range_written(0, static_cast<std::size_t>(bytes));
    for (std::int64_t i = 0; i < set.count; ++i) std::memcpy(data + i * size, set.value.bytes.data(), size);
  }

  void run_step(const Copy& copy) {
    if (!fits("copy", copy.from, copy.bytes) || !fits("copy", copy.to, copy.bytes) || !may_write("copy", copy.to)) {
      return;
    }
    shadow_of(copy.to).copy_written(shadow_of(copy.from), static_cast<std::size_t>(copy.bytes));
    std::memmove(region_of(copy.to).data(), region_of(copy.from).data(), static_cast<std::size_t>(copy.bytes));
  }

  void run_step(const ConstantUpload& upload) {
    const ModuleConstant* const constant = module_.constant(upload.symbol);
    if (constant == nullptr) {
      machine_.report(FindingKind::unknown_entry, upload.symbol,
                      fmt::format("the module has no constant '{}'", upload.symbol));
      return;
    }
    if (!fits("constant upload", upload.buffer, upload.bytes)) return;
    if (static_cast<unsigned long long>(upload.bytes) > constant->bytes) {
      machine_.report(
          FindingKind::out_of_bounds, upload.symbol,
          fmt::format("upload of {} bytes to constant '{}' of {} bytes", upload.bytes, upload.symbol, constant->bytes));
      return;
    }
    std::memcpy(constant->address, region_of(upload.buffer).data(), static_cast<std::size_t>(upload.bytes));
  }

  void run_step(const Launch& launch) {
    const ModuleEntry* const entry = module_.entry(launch.entry);
    if (entry == nullptr) {
      machine_.report(FindingKind::unknown_entry, launch.entry,
                      fmt::format("the module has no kernel '{}'", launch.entry));
      return;
    }
    std::vector<std::array<std::byte, 8>> values(launch.arguments.size());
    std::vector<void*> arguments(launch.arguments.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      arguments[i] = values[i].data();
      if (const auto* const value = std::get_if<ValueArgument>(&launch.arguments[i])) {
        values[i] = value->bytes;
      } else {
        const auto& pointer = std::get<BufferArgument>(launch.arguments[i]);
        const std::byte* const address = region_of(pointer.buffer).data() + pointer.byte_offset;
        std::memcpy(values[i].data(), &address, sizeof(address));
      }
    }
    machine_.launch(*entry, launch, arguments.data());
  }

  const Plan& plan_;
  const Module& module_;
  std::span<std::vector<std::byte>> buffers_;
  const ExecuteOptions& options_;
  Machine& machine_;
};

}  // namespace

AccessCounts& AccessCounts::operator+=(const AccessCounts& other) {
  global_load_requests += other.global_load_requests;
  global_load_sectors += other.global_load_sectors;
  global_store_requests += other.global_store_requests;
  global_store_sectors += other.global_store_sectors;
  global_load_bytes += other.global_load_bytes;
  global_store_bytes += other.global_store_bytes;
  shared_load_requests += other.shared_load_requests;
  shared_load_wavefronts += other.shared_load_wavefronts;
  shared_store_requests += other.shared_store_requests;
  shared_store_wavefronts += other.shared_store_wavefronts;
  shared_least_wavefronts += other.shared_least_wavefronts;
  global_atomics += other.global_atomics;
  shared_atomics += other.shared_atomics;
  barriers += other.barriers;
  warp_operations += other.warp_operations;
  branches += other.branches;
  divergent_branches += other.divergent_branches;
  return *this;
}

double AccessCounts::sector_use() const {
  constexpr double sector_bytes = 32;
  const auto sectors = static_cast<double>(global_load_sectors + global_store_sectors);
  const auto bytes = static_cast<double>(global_load_bytes + global_store_bytes);
  return sectors == 0 ? 1 : bytes / (sectors * sector_bytes);
}

Execution execute(const Plan& plan, const Module& module, std::span<std::vector<std::byte>> buffers,
                  const ExecuteOptions& options) {
  return PlanRun(plan, module, buffers, options).run();
}

}  // namespace warpwright::host
