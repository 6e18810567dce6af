// A job's oracle as a plan: what right answers are, on the host target and on a GPU.
#pragma once

#include <string>

#include "kernels/job/lowering.hpp"
#include "kernels/model/catalogue.hpp"
#include "kernels/model/pattern.hpp"

namespace warpwright::job {

/// Whether outputs of that type are held to a bound, and so expected in double with their magnitudes.
bool is_bounded(const Job& job, ElementType type);

/// How far an output may be off.
Bound bound_of(const Job& job, const Buffer& output, const InputKind& input, double depth);

/// Runs the oracle on copies of what it writes. Where terms are what a depth is of, it is run again on their absolute
/// values.
Reference reference_of(const Lowering& lowering, const Problem& problem, const Device& device);

/// The texts that references are compiled from, by path.
SourceTree reference_sources(const Lowering& lowering);

/// What is said of every verdict: what answers are compared with, and that a bound is guessed.
std::vector<std::string> caveats_of(const Lowering& lowering);

}  // namespace warpwright::job
