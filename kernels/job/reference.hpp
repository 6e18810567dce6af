// A job's oracle as a plan, in the simulator and on a GPU.
#pragma once

#include <string>

#include "kernels/job/lowering.hpp"
#include "kernels/model/catalogue.hpp"
#include "kernels/model/pattern.hpp"

namespace warpwright::job {

/// Whether an output has a bound, or elements that are not compared. If so, expected values and magnitudes are doubles.
bool is_bounded(const Job& job, const Buffer& output);

/// The bound of an output.
Bound bound_of(const Job& job, const Buffer& output, const InputKind& input, double depth);

/// Runs the oracle on copies of the buffers that it writes. If a bound has the depth of terms, it also runs on their
/// absolute values.
Reference reference_of(const Lowering& lowering, const Problem& problem, const Device& device);

/// The sources of references, by path.
SourceTree reference_sources(const Lowering& lowering);

/// Remarks on every verdict: which oracle was used, and whether the bound is guessed.
std::vector<std::string> caveats_of(const Lowering& lowering);

}  // namespace warpwright::job
