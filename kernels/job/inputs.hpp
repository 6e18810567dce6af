// Which kinds of data checks draw for the inputs of a job.
#pragma once

#include <string>
#include <vector>

#include "kernels/job/lowering.hpp"

namespace warpwright::job {

/// The kind of data whose elements are the numbers with which the source compares.
inline constexpr const char* kCutoffs = "cutoffs";

/// The kinds that checks draw, `exact` first. Those for which a right kernel may seem wrong under the job's bound are
/// left out, unless the job lists them.
std::vector<InputKind> inputs_of(const Lowering& lowering);

/// Whether the source has an infinity, or a number of 1e30 or more, which may stand for one: as the first minimum.
bool starts_from_infinity(const std::string& text);

/// A caveat if the source does that and floating-point inputs never have infinities, because checks leave these out;
/// else empty.
std::string untested_inputs(const Lowering& lowering);

/// The numbers up to 2^20 that stand beside a comparison in a CUDA C++ source, in ascending order: 0.5 for `x > 0.5f`.
std::vector<double> compared_numbers(const std::string& text);

}  // namespace warpwright::job
