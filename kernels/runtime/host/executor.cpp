// Runs the steps of a plan on the SIMT executor.
#include "kernels/runtime/host/executor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <map>
#include <stdexcept>

#include "kernels/model/signature.hpp"
#include "kernels/runtime/host/machine.hpp"

namespace warpwright::host {
namespace {

constexpr int scratch_poison = 0xff;

constexpr std::array counters{&AccessCounts::global_load_requests,    &AccessCounts::global_load_sectors,
                              &AccessCounts::global_store_requests,   &AccessCounts::global_store_sectors,
                              &AccessCounts::global_load_bytes,       &AccessCounts::global_store_bytes,
                              &AccessCounts::shared_load_requests,    &AccessCounts::shared_load_wavefronts,
                              &AccessCounts::shared_store_requests,   &AccessCounts::shared_store_wavefronts,
                              &AccessCounts::shared_least_wavefronts, &AccessCounts::global_atomics,
                              &AccessCounts::shared_atomics,          &AccessCounts::barriers,
                              &AccessCounts::warp_operations,         &AccessCounts::branches,
                              &AccessCounts::divergent_branches};
static_assert(sizeof(AccessCounts) == counters.size() * sizeof(std::uint64_t), "every counter is added up");

/// The values of a launch's parameters where the kernel finds them.
class ArgumentBlock {
 public:
  /// Puts them down one after the other.
  void* add(const void* from, std::size_t bytes) {
    const std::size_t chunks = (bytes + sizeof(Chunk) - 1) / sizeof(Chunk);
    auto& place = values_.emplace_back(std::max<std::size_t>(chunks, 1));
    std::memcpy(place.data(), from, bytes);
    return place.data();
  }

 private:
  /// As large an alignment as a parameter may have.
  struct alignas(64) Chunk {
    std::byte bytes[64];
  };
  std::vector<std::vector<Chunk>> values_;
};

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
    execution_ = &execution;
    number_launches(plan_.steps);
    execution.launches.resize(numbers_.size());
    execution.launch_threads.resize(numbers_.size());
    for (std::size_t i = 0; i < buffers_.size(); ++i) bound_[plan_.buffers[i].name] = i;
    machine_.memory().place(plan_.buffers);
    machine_.begin(module_, options_, execution);
    copy_in();
    if (std::string wrong = argument_mismatch(plan_, std::bind_front(&Module::signature, &module_)); !wrong.empty())
      machine_.report(FindingKind::wrong_arguments, "", std::move(wrong));
    else
      run_steps(plan_.steps);
    if (!machine_.stopped()) {
      if (options_.check_initialised) look_for_locals();
      look_for_stale_scratch();
    }
    machine_.end();
    copy_out();
    return execution;
  }

 private:
  /// In the order of launches_of.
  void number_launches(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      if (const auto* launch = std::get_if<Launch>(&step.what)) numbers_.emplace(launch, numbers_.size());
      if (const auto* repeat = std::get_if<Repeat>(&step.what))
        if (repeat->times > 0) number_launches(repeat->steps);
    }
  }

  void copy_in() {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      const Region& region = machine_.memory().region(i);
      const Buffer& buffer = plan_.buffers[i];
      const bool defined = buffer.is_input() || buffer.self_restoring;
      machine_.shadow(i).set_all_written(defined || !options_.check_initialised);
      if (buffer.role == Role::scratch) {
        std::memset(region.data(), buffer.self_restoring ? 0 : scratch_poison, region.bytes());
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
      if (!is_float || !buffer.is_output()) continue;
      const Region& region = machine_.memory().region(i);
      const std::size_t at = find_pattern({region.data(), region.bytes()}, size_of(buffer.type));
      if (at == region.bytes() || given_pattern()) continue;
      machine_.report_at(FindingKind::uninitialised_local, region, at,
                         fmt::format("byte {} of buffer '{}' was given the value of a local that nobody initialised",
                                     at, region.name));
    }
  }

  void look_for_stale_scratch() {
    for (std::size_t i = 0; i < buffers_.size(); ++i) {
      if (!plan_.buffers[i].self_restoring) continue;
      const Region& region = machine_.memory().region(i);
      const std::byte* const end = region.data() + region.bytes();
      const std::byte* const stale = std::find_if(region.data(), region.data() + region.bytes(),
                                                  [](std::byte byte) { return byte != std::byte{0}; });
      if (stale == end) continue;
      const auto at = static_cast<std::size_t>(stale - region.data());
      machine_.report_at(FindingKind::scratch_not_restored, region, at,
                         fmt::format("byte {} of the self-restoring scratch '{}' is {:#x}, not 0, after the run", at,
                                     region.name, std::to_integer<unsigned>(*stale)));
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

  /// What the name means where the plan is.
  const Region& region_of(const std::string& name) const {
    const auto found = bound_.find(name);
    if (found == bound_.end()) throw std::invalid_argument(fmt::format("the plan has no buffer '{}'", name));
    return machine_.memory().region(found->second);
  }

  Shadow& shadow_of(const std::string& name) { return machine_.shadow(region_of(name).number); }

  void run_steps(const std::vector<Step>& steps) {
    for (const Step& step : steps) {
      if (machine_.stopped()) return;
      std::visit([this](const auto& what) { run_step(what); }, step.what);
    }
  }

  void run_step(const Repeat& repeat) {
    const auto outside = bound_;
    const int outer = iteration_;
    for (std::int64_t i = 0; i < repeat.times && !machine_.stopped(); ++i) {
      iteration_ = static_cast<int>(i);
      run_steps(repeat.steps);
      for (const auto& [first, second] : repeat.swaps) std::swap(bound_.at(first), bound_.at(second));
    }
    bound_ = outside;
    iteration_ = outer;
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
    const std::size_t size = set.value.bytes.size();
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
    machine_.upload(*constant, region_of(upload.buffer), static_cast<std::size_t>(upload.bytes));
  }

  void run_step(const Launch& launch) {
    const ModuleEntry* const entry = module_.entry(launch.entry);
    if (entry == nullptr) {
      machine_.report(FindingKind::unknown_entry, launch.entry,
                      fmt::format("the module has no kernel '{}'", launch.entry));
      return;
    }
    ArgumentBlock values;
    std::vector<void*> arguments;
    for (const Argument& argument : launch.arguments) {
      if (const auto* const value = std::get_if<ValueArgument>(&argument)) {
        arguments.push_back(values.add(value->bytes.data(), value->bytes.size()));
      } else if (const auto* const pointer = std::get_if<BufferArgument>(&argument)) {
        const std::byte* const address = region_of(pointer->buffer).data() + pointer->byte_offset;
        arguments.push_back(values.add(&address, sizeof(address)));
      } else {
        arguments.push_back(values.add(&iteration_, sizeof(iteration_)));
      }
    }
    const std::size_t number = numbers_.at(&launch);
    const AccessCounts before = machine_.counts();
    const std::uint64_t threads = execution_->threads;
    machine_.launch(*entry, launch, arguments.data());
    execution_->launch_threads[number] += execution_->threads - threads;
    execution_->launches[number] += machine_.counts() -= before;
  }

  const Plan& plan_;
  const Module& module_;
  std::span<std::vector<std::byte>> buffers_;
  const ExecuteOptions& options_;
  Machine& machine_;
  Execution* execution_ = nullptr;
  std::map<std::string, std::size_t> bound_;  ///< which buffer each name means
  std::map<const Launch*, std::size_t> numbers_;
  int iteration_ = 0;  ///< of the innermost repeat
};

}  // namespace

AccessCounts& AccessCounts::operator+=(const AccessCounts& other) {
  for (const auto counter : counters) this->*counter += other.*counter;
  return *this;
}

AccessCounts& AccessCounts::operator-=(const AccessCounts& earlier) {
  for (const auto counter : counters) this->*counter -= earlier.*counter;
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
