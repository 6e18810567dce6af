// Arguments of a launch that are the same memory although a parameter is __restrict__: whether the launch depends on
// it.
#include "kernels/runtime/simulator/restrict_copies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace warpwright::simulator {
namespace {

/// A piece of memory that the launch touched, with the record of an access.
struct Piece {
  std::size_t begin = 0, end = 0;
  bool is_stored = false;
  AccessRecord by = {};
};

std::vector<Piece> touched(const MemoryState& memory, std::size_t number) {
  std::vector<Piece> pieces;
  memory.shadows[number].for_each_cell([&](std::size_t offset, std::size_t size, const Cell& cell) {
    const auto is_now = [&](const AccessRecord& record) { return memory.detector.is_of_this_launch(record); };
    const bool is_stored = is_now(cell.writer);
    if (!is_stored && !is_now(cell.reader) && !is_now(cell.other_reader)) return;
    pieces.push_back({.begin = offset,
                      .end = offset + size,
                      .is_stored = is_stored,
                      .by = is_stored             ? cell.writer
                            : is_now(cell.reader) ? cell.reader
                                                  : cell.other_reader});
  });
  return pieces;
}

/// Two accesses of the same bytes, of which the first one stores.
struct Clash {
  std::size_t offset = 0;
  AccessRecord store, other;
  bool other_stores = false;
};

std::optional<Clash> clash_of(const std::vector<Piece>& one, const std::vector<Piece>& other) {
  for (auto a = one.begin(), b = other.begin(); a != one.end() && b != other.end();) {
    if (a->begin < b->end && b->begin < a->end && (a->is_stored || b->is_stored)) {
      const Piece& store = a->is_stored ? *a : *b;
      const Piece& rest = a->is_stored ? *b : *a;
      return Clash{std::max(a->begin, b->begin), store.by, rest.by, rest.is_stored};
    }
    (a->end < b->end ? a : b)++;
  }
  return std::nullopt;
}

std::string named(const std::vector<KernelParameter>& parameters, std::size_t i) {
  return parameters[i].name.empty() ? fmt::format("parameter {}", i + 1) : parameters[i].name;
}

}  // namespace

RestrictCopies::RestrictCopies(const Plan& plan, const Module& module)
    : buffers_(plan.buffers), plan_buffers_(plan.buffers.size()) {
  add(plan.steps, plan, module);
  for (const auto& [launch, all] : launches_)
    for (const Copied& one : all) by_argument_[one.argument] = &one;
}

void RestrictCopies::add(const std::vector<Step>& steps, const Plan& plan, const Module& module) {
  for (const Step& step : steps) {
    if (const auto* launch = std::get_if<Launch>(&step.what)) add(*launch, plan, module);
    if (const auto* repeat = std::get_if<Repeat>(&step.what)) add(repeat->steps, plan, module);
  }
}

void RestrictCopies::add(const Launch& launch, const Plan& plan, const Module& module) {
  std::map<std::string, std::vector<std::size_t>> by_buffer;
  for (std::size_t i = 0; i < launch.arguments.size(); ++i)
    if (const auto* pointer = std::get_if<BufferArgument>(&launch.arguments[i]))
      by_buffer[pointer->buffer].push_back(i);
  std::erase_if(by_buffer, [](const auto& one) { return one.second.size() < 2; });
  if (by_buffer.empty()) return;
  const auto parameters = module.declared_parameters(launch.entry, launch.arguments.size());
  if (parameters.empty()) return;
  std::vector<Copied> all;
  for (auto& [name, places] : by_buffer) {
    const auto of = std::ranges::find(plan.buffers, name, &Buffer::name);
    if (of == plan.buffers.end() || of->role == Role::in) continue;
    // One of them keeps the memory itself.
    if (std::ranges::all_of(places, [&](std::size_t i) { return parameters[i].is_restrict; })) places.pop_back();
    for (const std::size_t i : places) {
      if (!parameters[i].is_restrict) continue;
      const auto number = static_cast<std::size_t>(of - plan.buffers.begin());
      const auto known =
          static_cast<std::size_t>(std::ranges::count_if(all, [&](const Copied& one) { return one.of == number; }));
      // Launches share their copies.
      std::size_t copy = plan_buffers_;
      for (std::size_t passed = 0; copy < buffers_.size(); ++copy)
        if (buffers_[copy].name == name && passed++ == known) break;
      if (copy == buffers_.size()) {
        buffers_.push_back(*of);
        buffers_.back().self_restoring = false;
      }
      std::string others;
      for (std::size_t k = 0; k < launch.arguments.size(); ++k)
        if (const auto* pointer = std::get_if<BufferArgument>(&launch.arguments[k]);
            k != i && pointer != nullptr && pointer->buffer == name)
          others += (others.empty() ? "" : " or ") + named(parameters, k);
      all.push_back({.argument = std::get_if<BufferArgument>(&launch.arguments[i]),
                     .of = number,
                     .number = copy,
                     .parameter = named(parameters, i),
                     .others = others});
    }
  }
  if (!all.empty()) launches_[&launch] = std::move(all);
}

std::size_t RestrictCopies::number_for(const BufferArgument& argument, std::size_t number) const {
  const auto found = by_argument_.find(&argument);
  return found == by_argument_.end() || found->second->of != number ? number : found->second->number;
}

void RestrictCopies::begin(const Launch& launch, MemoryState& memory) const {
  const auto found = launches_.find(&launch);
  if (found == launches_.end()) return;
  for (const Copied& one : found->second) {
    const Region& from = memory.global.region(one.of);
    if (from.bytes() == 0) continue;
    std::memcpy(memory.global.region(one.number).data(), from.data(), from.bytes());
    Shadow& shadow = memory.shadows[one.number];
    shadow.set_all_written(memory.shadows[one.of].all_written());
    if (!shadow.all_written()) shadow.copy_written(memory.shadows[one.of], 0, 0, from.bytes());
  }
}

void RestrictCopies::end(const Launch& launch, Engine& engine) const {
  const auto found = launches_.find(&launch);
  if (found == launches_.end() || engine.stopped()) return;
  MemoryState& memory = engine.memory();
  for (const Copied& one : found->second) {
    const std::vector<Piece> own = touched(memory, one.number);
    std::vector<std::size_t> others{one.of};
    for (const Copied& other : found->second)
      if (other.of == one.of && other.number < one.number) others.push_back(other.number);
    for (const std::size_t other : others)
      if (const auto clash = clash_of(own, touched(memory, other))) {
        engine.report_restrict(
            memory.global.region(one.of), clash->offset, clash->store, clash->other,
            fmt::format("{} of {} is __restrict__, and {} is the same memory: byte {} of buffer '{}' is stored through "
                        "one and {} through the other, which a compiler may exchange",
                        one.parameter, launch.entry, one.others, clash->offset, memory.global.region(one.of).name,
                        clash->other_stores ? "stored" : "loaded"));
        return;
      }
  }
  for (const Copied& one : found->second) {
    const Region& to = memory.global.region(one.of);
    for (const Touched& piece : memory.touched_by_launch(one.number)) {
      if (!piece.writes) continue;
      std::memcpy(to.data() + piece.begin, memory.global.region(one.number).data() + piece.begin,
                  piece.end - piece.begin);
      memory.shadows[one.of].copy_written(memory.shadows[one.number], piece.begin, piece.begin,
                                          piece.end - piece.begin);
    }
  }
}

}  // namespace warpwright::simulator
