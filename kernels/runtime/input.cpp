// Fills buffers on the CPU, with the same generator as on a GPU.
#include "kernels/runtime/input.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <stdexcept>

#include "kernels/runtime/generate.cuh"
#include "kernels/runtime/storage.hpp"

namespace warpwright {
namespace {

/// A buffer of a problem as an output of a plan that fills it.
Buffer filled_by_plan(Buffer buffer) {
  buffer.role = Role::out;
  buffer.where = Where::device;
  return buffer;
}

/// Calls the function, and copies what it filled.
void add_call(Plan& plan, const FillFunction& function, const Buffer& filled, const Input& input) {
  for (Buffer buffer : function.buffers) {
    buffer.role = Role::scratch;
    buffer.where = Where::pageable;
    plan.buffers.push_back(std::move(buffer));
  }
  plan.steps.push_back({.what = function.call(input.seed)});
  plan.steps.push_back({.what = Copy{.from = function.filled, .to = filled.name, .bytes = filled.bytes()}});
}

}  // namespace

const std::vector<std::string_view>& generic_kinds() {
  static const std::vector<std::string_view> kinds{
      "exact",     "uniform",        "normal",   "position",   "alternating", "few_values",
      "all_equal", "sorted",         "reversed", "special",    "permutation", "exact_factor",
      "factor",    "special_factor", "absorbed", "infinities", "huge",        "tiny"};
  return kinds;
}

std::vector<InputKind> generic_inputs(bool all_are_exact) {
  std::vector<InputKind> inputs;
  for (const std::string_view kind : {"exact", "uniform", "normal", "position", "alternating", "few_values",
                                      "all_equal", "sorted", "reversed", "special"})
    inputs.push_back({.name = std::string(kind),
                      .exact = all_are_exact || kind == "exact",
                      .same_sign = !all_are_exact && kind == "all_equal"});
  if (!all_are_exact) inputs.push_back({.name = "absorbed", .same_sign = true});
  return inputs;
}

Fill generic_fill(ElementType type, std::string_view kind) {
  const auto& known = generic_kinds();
  const auto found = std::ranges::find(known, kind);
  if (found == known.end())
    throw std::invalid_argument(fmt::format("no generic data '{}'; there are {}", kind, fmt::join(known, ", ")));
  const auto spread = static_cast<generate::spread>(found - known.begin());
  return with_storage_of(type, [&]<class T>(T) {
    return make_fill("kernels/runtime/generate.cuh",
                     fmt::format("warpwright::generate::generic<{}>", storage_name(type)),
                     generate::generic<T>{spread});
  });
}

std::vector<Fill> generic_fills(const std::vector<Buffer>& buffers, std::string_view kind) {
  std::vector<Fill> fills;
  for (const Buffer& buffer : buffers)
    if (buffer.is_input()) fills.push_back(generic_fill(buffer.type, kind));
  return fills;
}

std::uint64_t buffer_seed(const Input& input, std::size_t index) {
  return input.seed * 64 + index;
}

std::vector<Fill> fills_of(const Pattern& pattern, const Problem& problem, const Input& input) {
  return pattern.fills(problem, input_kind(pattern, problem, input.kind).name);
}

std::vector<Bytes> generate_inputs(const Pattern& pattern, const Problem& problem, const Input& input) {
  const std::vector<Fill> fills = fills_of(pattern, problem, input);
  const std::vector<Buffer> buffers = pattern.buffers(problem);
  std::vector<Bytes> inputs;
  for (std::size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].is_input()) {
      const Fill& fill = fills.at(inputs.size());
      inputs.push_back(fill.function ? Bytes{} : fill.on_host(buffers[i].count, buffer_seed(input, i)));
    }
  return inputs;
}

Plan function_fill_plan(const Pattern& pattern, const Problem& problem, const Input& input) {
  const std::vector<Fill> fills = fills_of(pattern, problem, input);
  Plan plan;
  std::size_t next = 0;
  for (const Buffer& buffer : pattern.buffers(problem))
    if (buffer.is_input())
      if (const Fill& fill = fills.at(next++); fill.function) {
        plan.buffers.push_back(filled_by_plan(buffer));
        if (buffer.count > 0) add_call(plan, *fill.function, buffer, input);
      }
  return plan;
}

Plan fill_plan(const Pattern& pattern, const Problem& problem, const Input& input, const Device& device) {
  constexpr std::int64_t kBlock = 256;
  const std::vector<Fill> fills = fills_of(pattern, problem, input);
  const std::vector<Buffer> buffers = pattern.buffers(problem);
  Plan plan;
  std::size_t next = 0;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    if (!buffers[i].is_input()) continue;
    const Fill& fill = fills.at(next++);
    plan.buffers.push_back(filled_by_plan(buffers[i]));
    if (buffers[i].count == 0) continue;
    if (fill.function) {
      add_call(plan, *fill.function, buffers[i], input);
      continue;
    }
    const std::int64_t blocks =
        std::min<std::int64_t>((buffers[i].count + kBlock - 1) / kBlock, std::int64_t{device.sm_count} * 16);
    plan.steps.push_back({.what = Launch{.entry = fmt::format("warpwright::support::fill<{}, {}>",
                                                              storage_name(buffers[i].type), fill.functor.type),
                                         .grid = {.x = static_cast<std::uint32_t>(blocks)},
                                         .block = {.x = kBlock},
                                         .arguments = {pointer_to(buffers[i].name), fill.functor,
                                                       value(buffer_seed(input, i)), value(buffers[i].count)}}});
  }
  return plan;
}

Program fill_program(const std::vector<Plan>& plans, const std::vector<Fill>& fills) {
  Program program{.source = "kernels/runtime/cuda/fill.cuh", .contraction = false};
  for (const Plan& plan : plans) program += program_of(plan, program.source);
  for (const Fill& fill : fills)
    if (!fill.function && std::ranges::find(program.with, fill.source) == program.with.end())
      program.with.push_back(fill.source);
  return program;
}

}  // namespace warpwright
