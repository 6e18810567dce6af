// The contents of a problem's in and inout buffers: generic data, and buffers made on the host.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/model/pattern.hpp"
#include "kernels/model/program.hpp"

namespace warpwright {

/// Names of the kinds that generic_fill knows, in the order of generate::spread: exact, uniform, normal, ...
const std::vector<std::string_view>& generic_kinds();

/// Those of them that make sense for any array, as inputs of checks: exact first, then those that are rounded.
/// `all_are_exact`: for patterns that only move, count or compare; without those that are there for rounding alone.
std::vector<InputKind> generic_inputs(bool all_are_exact = false);

/// Fills a buffer of that type with generic data; throws std::invalid_argument for an unknown kind.
Fill generic_fill(ElementType type, std::string_view kind);

/// generic_fill for every in and inout buffer.
std::vector<Fill> generic_fills(const std::vector<Buffer>& buffers, std::string_view kind);

/// The stream that buffer number `index` of a problem is drawn from.
std::uint64_t buffer_seed(const Input& input, std::size_t index);

/// Fills of the in and inout buffers of a problem, in order; throws std::invalid_argument for a kind that it has not.
std::vector<Fill> fills_of(const Pattern& pattern, const Problem& problem, const Input& input);

/// The contents of the in and inout buffers, in order; each drawn from its own stream.
std::vector<Bytes> generate_inputs(const Pattern& pattern, const Problem& problem, const Input& input);

/// The same on a GPU: one launch for each buffer, which are `out` buffers of this plan.
Plan fill_plan(const Pattern& pattern, const Problem& problem, const Input& input, const Device& device);

/// What the launches of such plans are compiled from: every operation rounded by itself, as on the host.
Program fill_program(const std::vector<Plan>& plans, const std::vector<Fill>& fills);

}  // namespace warpwright
