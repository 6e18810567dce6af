// How results of the compact pattern are checked: the oracle, observations, and reference kernels.
#pragma once

#include "kernels/model/pattern.hpp"

namespace warpwright::compact {

/// Whether the problem's predicate keeps each element of `in`.
std::vector<bool> kept_of(const Problem& problem, const Bytes& in);

/// The observation of a correct result.
Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs);

/// The observation: for a selection its defined head, the count, and how many bytes after the head were not written;
/// for a partition the complete output and the count; for a split the complete output.
Observation observe(const Problem& problem, const Device& device);

/// The same for a partition that stores the rejected elements in reverse.
Observation observe_reversed(const Problem& problem, const Device& device);

Reference reference(const Problem& problem, const Device& device);

}  // namespace warpwright::compact
