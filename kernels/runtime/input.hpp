// The contents of a problem's in and inout buffers: generic data, and buffers generated on the CPU.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/model/pattern.hpp"
#include "kernels/model/program.hpp"

namespace warpwright {

/// Names of the kinds of generic data, in the order of generate::spread: exact, uniform, normal, ...
const std::vector<std::string_view>& generic_kinds();

/// The kinds of generic data that suit any array, as inputs of checks: exact first, then those that need rounding.
/// `all_are_exact` is for patterns that only move, count or compare values. It leaves out kinds that only test
/// rounding.
std::vector<InputKind> generic_inputs(bool all_are_exact = false);

/// The fill of a buffer of that type with generic data. Throws std::invalid_argument for an unknown kind.
Fill generic_fill(ElementType type, std::string_view kind);

/// generic_fill for every in and inout buffer.
std::vector<Fill> generic_fills(const std::vector<Buffer>& buffers, std::string_view kind);

/// The seed of the random stream for buffer number `index` of a problem.
std::uint64_t buffer_seed(const Input& input, std::size_t index);

/// The fills of a problem's in and inout buffers, in order. Throws std::invalid_argument for an unknown kind.
std::vector<Fill> fills_of(const Pattern& pattern, const Problem& problem, const Input& input);

/// The contents of the in and inout buffers, in order. Each buffer has a random stream of its own. Those that functions
/// fill are left empty.
std::vector<Bytes> generate_inputs(const Pattern& pattern, const Problem& problem, const Input& input);

/// Calls the functions that fill buffers. These are the `out` buffers of the plan. It has no steps if there are none.
Plan function_fill_plan(const Pattern& pattern, const Problem& problem, const Input& input);

/// Fills all in and inout buffers on a GPU, as a plan: they are its `out` buffers.
Plan fill_plan(const Pattern& pattern, const Problem& problem, const Input& input, const Device& device);

/// The program for the launches of such plans. Like on the CPU, every operation is rounded separately (no FMA).
Program fill_program(const std::vector<Plan>& plans, const std::vector<Fill>& fills);

}  // namespace warpwright
