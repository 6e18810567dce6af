// The laws that a job names, over buffers of its own.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/job/lowering.hpp"
#include "kernels/model/pattern.hpp"

namespace warpwright::job {

/// "permutation" (the output does not change with the order of the input), "linearity" (twice an input and its reverse
/// give twice the output and that of the reverse), "idempotence" (the output as input gives itself), "twice is
/// identity" (the output as input gives the input).
const std::vector<std::string>& law_names();

/// Throws JobError where the law's buffers do not suit it.
Law law_of(const JobLaw& law, const std::shared_ptr<const Lowering>& lowering);

}  // namespace warpwright::job
