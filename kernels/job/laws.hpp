// The laws that a job can name, which relate two of its buffers.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "kernels/job/lowering.hpp"
#include "kernels/model/pattern.hpp"

namespace warpwright::job {

/// "permutation" (the output does not depend on the order of the input), "linearity" (for the sum of twice an input and
/// the input reversed, the output is the same sum of outputs), "idempotence" (with the output as input, the output is
/// the same), "twice_is_identity" (with the output as input, the output is the original input).
const std::vector<std::string>& law_names();

/// Throws JobError if the law cannot apply to these buffers.
Law law_of(const JobLaw& law, const std::shared_ptr<const Lowering>& lowering);

}  // namespace warpwright::job
