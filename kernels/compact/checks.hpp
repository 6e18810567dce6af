// What results of the compact pattern are held to: the oracle, what is observed, and the plain kernels.
#pragma once

#include "kernels/model/pattern.hpp"

namespace warpwright::compact {

/// Whether the problem's predicate keeps each element of `in`.
std::vector<bool> kept_of(const Problem& problem, const Bytes& in);

/// What the observation shows of a right result.
Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs);

/// Of a selection the head that it defines, the count and how many bytes behind the head were not written; of a
/// partition all of it, and the count; of a split all of it.
Observation observe(const Problem& problem, const Device& device);

/// The same where a partition has the elements that are not kept in reverse.
Observation observe_reversed(const Problem& problem, const Device& device);

Reference reference(const Problem& problem, const Device& device);

}  // namespace warpwright::compact
