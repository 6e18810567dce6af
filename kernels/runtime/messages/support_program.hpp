// The program of support kernels that a worker verifies and times with; a parent compiles it and sends it along.
#pragma once

#include <string>
#include <vector>

#include "kernels/model/program.hpp"

namespace warpwright::gpu {

/// The name of a support kernel's instance: "compare_bits<float>" with its namespace.
std::string support_entry(const std::string& name);

/// The program for problems whose buffers are of these types.
Program support_program(const std::vector<ElementType>& types);

}  // namespace warpwright::gpu
