// How the params of a user's kernel reach the code: as macros, template arguments, or in the launch alone.
#pragma once

#include <string>
#include <vector>

#include "kernels/core/device.hpp"
#include "kernels/model/kernel.hpp"

namespace warpwright::tuner {

/// For each axis of the kernel "macro", "template", "plan", or "constant" for a constant of the host code; empty if its
/// plans do not tell, since it has one value only. Found by comparing plans that differ in one param.
std::vector<std::string> param_kinds(const Kernel& kernel, const Point& params, const Problem& problem,
                                     const Device& device);

/// Lines "param NAME HOW VALUE" after the text of a plan, from which params are exported.
std::string param_lines(const Kernel& kernel, const Point& params, const std::vector<std::string>& reach);

}  // namespace warpwright::tuner
