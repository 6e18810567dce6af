// Runs single steps of a plan in the simulator: launches, memsets, copies, uploads, and host functions.
#include "kernels/runtime/simulator/step_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "kernels/runtime/common/tensor_map.cuh"

namespace warpwright::simulator {
namespace {

/// Adds up a launch and its repetitions. Their busiest lines are taken to be the same line.
void add_up(std::vector<AtomicCounts>& sums, const std::vector<AtomicCounts>& more) {
  for (const AtomicCounts& one : more) {
    const auto known = std::ranges::find(sums, one.buffer, &AtomicCounts::buffer);
    if (known == sums.end()) {
      sums.push_back(one);
    } else {
      known->updates += one.updates;
      known->busiest_line += one.busiest_line;
    }
  }
}

// Fills bytes that a function must neither read nor change, since it has not declared them.
constexpr std::byte undeclared_byte{0xe7};
/// Guards before and after each buffer that is passed to a function on the CPU.
constexpr std::ptrdiff_t guard_bytes = 4096;

tensor_map described_map(const TensorMap& map, const std::byte* first) {
  detail::simulated_tensor_map contents{.mark = detail::kTensorMapMark,
                                        .first = reinterpret_cast<const char*>(first),
                                        .extents = {map.columns, map.rows},
                                        .pitches = {map.pitch * map.element_bytes},
                                        .box = {map.box_columns, map.box_rows},
                                        .dimensions = std::min(map.dimensions(), 2),
                                        .element_bytes = map.element_bytes,
                                        .swizzle = map.swizzle};
  for (const TensorLayers& layers : map.outer) {
    contents.extents[contents.dimensions] = layers.count;
    contents.pitches[contents.dimensions - 1] = layers.pitch * map.element_bytes;
    contents.box[contents.dimensions++] = layers.box;
  }
  tensor_map described{};
  std::memcpy(&described, &contents, sizeof contents);
  return described;
}

std::size_t size_of_bytes(std::int64_t bytes) {
  return static_cast<std::size_t>(bytes);
}

}  // namespace

class StepRunner::Arguments {
 public:
  void add(const void* from, std::size_t bytes) {
    const std::size_t chunks = (bytes + sizeof(Chunk) - 1) / sizeof(Chunk);
    auto& place = values_.emplace_back(std::max<std::size_t>(chunks, 1));
    std::memcpy(place.data(), from, bytes);
    places_.push_back(place.data());
  }
  void** places() { return places_.data(); }

 private:
  /// The largest alignment that a parameter may have.
  struct alignas(64) Chunk {
    std::byte bytes[64];
  };
  std::vector<std::vector<Chunk>> values_;
  std::vector<void*> places_;
};

StepRunner::StepRunner(const Plan& plan, const Module& module, const SimulationOptions& options,
                       const HostFunctions* host_functions, Engine& engine, Execution& execution,
                       const RestrictCopies* copies)
    : module_(module),
      options_(options),
      host_functions_(host_functions),
      engine_(engine),
      execution_(execution),
      copies_(copies) {
  for (std::size_t i = 0; i < plan.buffers.size(); ++i) names[plan.buffers[i].name] = i;
  number_launches(plan.steps);
  execution.launches.resize(numbers_.size());
  execution.launch_threads.resize(numbers_.size());
  execution.launch_atomics.resize(numbers_.size());
}

void StepRunner::number_launches(const std::vector<Step>& steps) {
  for (const Step& step : steps) {
    if (const auto* launch = std::get_if<Launch>(&step.what)) numbers_.emplace(launch, numbers_.size());
    if (const auto* repeat = std::get_if<Repeat>(&step.what))
      if (repeat->times > 0) number_launches(repeat->steps);
  }
}

std::size_t StepRunner::number_of(const std::string& name) const {
  const auto found = names.find(name);
  if (found == names.end()) throw std::invalid_argument(fmt::format("the plan has no buffer '{}'", name));
  return found->second;
}

const Region& StepRunner::region_of(const std::string& name) const {
  return engine_.memory().global.region(number_of(name));
}

Shadow& StepRunner::shadow_of(const std::string& name) {
  return engine_.memory().shadows[number_of(name)];
}

void StepRunner::run(const Step& step, StepPart part) {
  if (part == StepPart::stage) return stage(std::get<Copy>(step.what));
  if (part == StepPart::unstage) return unstage(std::get<Copy>(step.what));
  if (part == StepPart::whole) std::visit([this](const auto& what) { run_step(what); }, step.what);
}

std::vector<std::pair<std::size_t, Touched>> StepRunner::touched(const Step& step, StepPart part) const {
  std::vector<std::pair<std::size_t, Touched>> all;
  const auto add = [&](const std::string& buffer, std::int64_t offset, std::int64_t bytes, bool writes) {
    const auto begin = size_of_bytes(offset);
    all.push_back({number_of(buffer), {.begin = begin, .end = begin + size_of_bytes(bytes), .writes = writes}});
  };
  if (const auto* launch = std::get_if<Launch>(&step.what)) {
    if (module_.entry(launch->entry) == nullptr) return all;
    std::vector<std::size_t> seen;
    for (const Argument& argument : launch->arguments)
      for (const BufferArgument* const pointer : pointers_of(argument)) {
        const std::size_t number = number_of(pointer->buffer);
        if (std::ranges::find(seen, number) != seen.end()) continue;
        seen.push_back(number);
        for (const Touched& one : engine_.memory().touched_by_launch(number)) all.emplace_back(number, one);
      }
    const ModuleMemory& variables = engine_.memory().variables();
    for (std::size_t i = 0; i < variables.count(); ++i) {
      if (variables.variable(i).is_constant) continue;
      const std::size_t number = engine_.memory().shadow_of_variable(i);
      for (const Touched& one : engine_.memory().touched_by_launch(number)) all.emplace_back(number, one);
    }
  } else if (const auto* set = std::get_if<Memset>(&step.what)) {
    add(set->buffer, 0, set->count * static_cast<std::int64_t>(set->value.bytes.size()), true);
  } else if (const auto* upload = std::get_if<ConstantUpload>(&step.what)) {
    add(upload->buffer, 0, upload->bytes, false);
  } else if (const auto* filled = std::get_if<TextureUpload>(&step.what)) {
    add(filled->texture.buffer, 0, filled->texture.bytes(), false);
  } else if (const auto* copy = std::get_if<Copy>(&step.what)) {
    if (part == StepPart::whole || part == StepPart::stage) add(copy->from, copy->from_offset, copy->bytes, false);
    if (part == StepPart::whole || part == StepPart::unstage) add(copy->to, copy->to_offset, copy->bytes, true);
  } else if (const auto* work = std::get_if<HostWork>(&step.what)) {
    for (const HostAccess& one : work->accesses) add(one.buffer, one.byte_offset, one.bytes, one.writes);
  }
  return all;
}

bool StepRunner::fits(const std::string& step, const std::string& buffer, std::int64_t offset, std::int64_t bytes) {
  const auto room = static_cast<std::int64_t>(region_of(buffer).bytes());
  if (offset >= 0 && bytes >= 0 && offset <= room && bytes <= room - offset) return true;
  engine_.report(
      FindingKind::out_of_bounds, step,
      fmt::format("{} of {} bytes from byte {} on in buffer '{}' of {} bytes", step, bytes, offset, buffer, room));
  return false;
}

bool StepRunner::may_write(const std::string& step, const std::string& buffer) {
  if (!region_of(buffer).read_only) return true;
  engine_.report(FindingKind::input_written, step, fmt::format("{} to input buffer '{}'", step, buffer));
  return false;
}

void StepRunner::run_step(const Repeat&) {
  throw std::logic_error("a repeat is run by its steps");
}

void StepRunner::run_step(const Memset& set) {
  const std::size_t size = set.value.bytes.size();
  const std::int64_t bytes = set.count * static_cast<std::int64_t>(size);
  if (!fits("memset", set.buffer, 0, bytes) || !may_write("memset", set.buffer)) return;
  std::byte* const data = region_of(set.buffer).data();
  shadow_of(set.buffer).set_range_written(0, size_of_bytes(bytes));
  for (std::int64_t i = 0; i < set.count; ++i) std::memcpy(data + i * size, set.value.bytes.data(), size);
}

void StepRunner::run_step(const Copy& copy) {
  if (!fits("copy", copy.from, copy.from_offset, copy.bytes) || !fits("copy", copy.to, copy.to_offset, copy.bytes) ||
      !may_write("copy", copy.to)) {
    return;
  }
  shadow_of(copy.to).copy_written(shadow_of(copy.from), size_of_bytes(copy.from_offset), size_of_bytes(copy.to_offset),
                                  size_of_bytes(copy.bytes));
  std::memmove(region_of(copy.to).data() + copy.to_offset, region_of(copy.from).data() + copy.from_offset,
               size_of_bytes(copy.bytes));
}

void StepRunner::stage(const Copy& copy) {
  if (!fits("copy", copy.from, copy.from_offset, copy.bytes)) return;
  const auto bytes = size_of_bytes(copy.bytes);
  Staged& staged = staged_[&copy];
  staged.bytes.resize(bytes);
  staged.shadow.resize(bytes, false);
  staged.shadow.set_all_written(false);
  staged.shadow.copy_written(shadow_of(copy.from), size_of_bytes(copy.from_offset), 0, bytes);
  if (bytes != 0) std::memcpy(staged.bytes.data(), region_of(copy.from).data() + copy.from_offset, bytes);
}

void StepRunner::unstage(const Copy& copy) {
  const auto staged = staged_.find(&copy);
  if (staged == staged_.end()) return;  // Its fault was reported when it was staged.
  if (!fits("copy", copy.to, copy.to_offset, copy.bytes) || !may_write("copy", copy.to)) return;
  const auto bytes = size_of_bytes(copy.bytes);
  shadow_of(copy.to).copy_written(staged->second.shadow, 0, size_of_bytes(copy.to_offset), bytes);
  if (bytes != 0) std::memcpy(region_of(copy.to).data() + copy.to_offset, staged->second.bytes.data(), bytes);
}

void StepRunner::run_step(const Prefetch& prefetch) {
  fits("prefetch", prefetch.buffer, prefetch.byte_offset, prefetch.bytes);
}

void StepRunner::run_step(const ConstantUpload& upload) {
  const ModuleConstant* const constant = module_.constant(upload.symbol);
  if (constant == nullptr) {
    engine_.report(FindingKind::unknown_entry, upload.symbol,
                   fmt::format("the module has no constant '{}'", upload.symbol));
    return;
  }
  if (!fits("constant upload", upload.buffer, 0, upload.bytes)) return;
  if (static_cast<unsigned long long>(upload.bytes) > constant->bytes) {
    engine_.report(
        FindingKind::out_of_bounds, upload.symbol,
        fmt::format("upload of {} bytes to constant '{}' of {} bytes", upload.bytes, upload.symbol, constant->bytes));
    return;
  }
  engine_.memory().upload(*constant, region_of(upload.buffer), size_of_bytes(upload.bytes));
}

/// Nothing is stored: fetches, which would read it, are not modelled.
void StepRunner::run_step(const TextureUpload& upload) {
  fits("texture upload", upload.texture.buffer, 0, upload.texture.bytes());
}

template <class AddressOf>
StepRunner::Arguments StepRunner::arguments_of(const std::vector<Argument>& given, AddressOf address_of) const {
  Arguments arguments;
  for (const Argument& argument : given) {
    const auto address = [&](const BufferArgument& pointer) -> const std::byte* {
      return address_of(pointer) + pointer.byte_offset;
    };
    if (const auto* const value = std::get_if<ValueArgument>(&argument)) {
      const Bytes bytes = bytes_with_addresses(*value, address);
      arguments.add(bytes.data(), bytes.size());
    } else if (const auto* const pointer = std::get_if<BufferArgument>(&argument)) {
      const std::byte* const to = address(*pointer);
      arguments.add(&to, sizeof to);
    } else if (std::holds_alternative<TextureArgument>(argument)) {
      const std::uint64_t object = 1;  // No fetch reads it: a thread that fetches ends the launch.
      arguments.add(&object, sizeof(object));
    } else if (const auto* const tiled = std::get_if<TensorMapArgument>(&argument)) {
      const tensor_map described = described_map(tiled->map, address(tiled->matrix));
      arguments.add(&described, sizeof described);
    } else {
      arguments.add(&iteration, sizeof(iteration));
    }
  }
  return arguments;
}

void StepRunner::run_step(const Launch& launch) {
  const ModuleEntry* const entry = module_.entry(launch.entry);
  if (entry == nullptr) {
    engine_.report(FindingKind::unknown_entry, launch.entry,
                   fmt::format("the module has no kernel '{}'", launch.entry));
    return;
  }
  Arguments arguments = arguments_of(launch.arguments, [this](const BufferArgument& pointer) {
    const std::size_t own = number_of(pointer.buffer);
    return engine_.memory().global.region(copies_ == nullptr ? own : copies_->number_for(pointer, own)).data();
  });
  if (copies_ != nullptr) copies_->begin(launch, engine_.memory());
  const std::size_t number = numbers_.at(&launch);
  const AccessCounts before = engine_.counts();
  const std::uint64_t threads = execution_.threads;
  engine_.launch(*entry, launch, arguments.places());
  if (copies_ != nullptr) copies_->end(launch, engine_);
  execution_.launch_threads[number] += execution_.threads - threads;
  execution_.launches[number] += engine_.counts() -= before;
  add_up(execution_.launch_atomics[number], engine_.take_atomics());
}

/// Copies of the buffers that the function may access. They contain only the ranges that it declares to read, and those
/// that it declares to write, since it may leave some of these unwritten. Nothing if a declared range is wrong.
std::optional<StepRunner::Contents> StepRunner::declared_contents(const HostWork& work) {
  Contents given;
  for (const HostAccess& one : work.accesses) {
    if (!fits("host access", one.buffer, one.byte_offset, one.bytes)) return {};
    if (one.writes && !may_write("host access", one.buffer)) return {};
    given.try_emplace(one.buffer, region_of(one.buffer).bytes(), undeclared_byte);
  }
  // Bytes that the function does not write keep their contents.
  for (const HostAccess& one : work.accesses) {
    const std::byte* const begin = region_of(one.buffer).data() + one.byte_offset;
    if (one.writes) std::copy(begin, begin + one.bytes, given.at(one.buffer).begin() + one.byte_offset);
  }
  for (const HostAccess& one : work.accesses) {
    const auto begin = size_of_bytes(one.byte_offset);
    const std::size_t end = begin + size_of_bytes(one.bytes);
    if (one.writes || begin == end) continue;
    const Region& region = region_of(one.buffer);
    if (const std::size_t at = shadow_of(one.buffer).first_unwritten(begin, end - begin);
        options_.check_initialised && at < end)
      engine_.report_at(
          FindingKind::uninitialised_read, region, at,
          fmt::format("{} reads byte {} of buffer '{}', which nobody wrote", work.function, at, one.buffer));
    std::copy(region.data() + begin, region.data() + end, given.at(one.buffer).begin() + one.byte_offset);
  }
  return given;
}

/// Calls the function with guards around each copy, and reports writes to these. Returns the copies as it left them.
StepRunner::Contents StepRunner::call_on_copies(const HostWork& work, const Contents& given) {
  Contents guarded = given;
  for (auto& [name, bytes] : guarded) {
    bytes.insert(bytes.begin(), guard_bytes, undeclared_byte);
    bytes.insert(bytes.end(), guard_bytes, undeclared_byte);
  }
  Arguments arguments = arguments_of(
      work.arguments, [&](const BufferArgument& pointer) { return guarded.at(pointer.buffer).data() + guard_bytes; });
  host_functions_->call(work.function, arguments.places());
  Contents left = given;
  for (auto& [name, bytes] : left) {
    const std::vector<std::byte>& after = guarded.at(name);
    const auto begin = after.begin() + guard_bytes, end = after.end() - guard_bytes;
    std::copy(begin, end, bytes.begin());
    const auto is_changed = [](std::byte one) { return one != undeclared_byte; };
    if (std::any_of(end, after.end(), is_changed))
      engine_.report(
          FindingKind::out_of_bounds, work.function,
          fmt::format("{} writes past the end of buffer '{}' of {} bytes", work.function, name, bytes.size()));
    if (std::any_of(after.begin(), begin, is_changed))
      engine_.report(FindingKind::out_of_bounds, work.function,
                     fmt::format("{} writes before the beginning of buffer '{}'", work.function, name));
  }
  return left;
}

/// Copies the ranges that the function declares to write back to the buffers, and reports other changes.
void StepRunner::copy_back(const HostWork& work, const Contents& left, Contents given) {
  for (const HostAccess& one : work.accesses) {
    if (!one.writes) continue;
    const auto begin = left.at(one.buffer).begin() + one.byte_offset;
    std::copy(begin, begin + one.bytes, region_of(one.buffer).data() + one.byte_offset);
    shadow_of(one.buffer).set_range_written(size_of_bytes(one.byte_offset), size_of_bytes(one.bytes));
    std::copy(begin, begin + one.bytes, given.at(one.buffer).begin() + one.byte_offset);
  }
  for (const auto& [name, bytes] : left) {
    const auto changed = std::ranges::mismatch(bytes, given.at(name)).in1;
    if (changed == bytes.end()) continue;
    const auto at = static_cast<std::size_t>(changed - bytes.begin());
    engine_.report(FindingKind::out_of_bounds, work.function,
                   fmt::format("{} writes byte {} of buffer '{}', which it does not say", work.function, at, name));
  }
}

void StepRunner::run_step(const HostWork& work) {
  if (host_functions_ == nullptr || host_functions_->signature(work.function) == nullptr) {
    engine_.report(FindingKind::unknown_entry, work.function,
                   fmt::format("there is no host function '{}'", work.function));
    return;
  }
  std::optional<Contents> given = declared_contents(work);
  if (!given) return;
  const Contents left = call_on_copies(work, *given);
  copy_back(work, left, std::move(*given));
}

}  // namespace warpwright::simulator
