// Finds the GPUs of this machine that cases of a target run on.
#pragma once

#include <string>
#include <vector>

#include "conformance/checks/case_runner.hpp"
#include "kernels/runtime/build/build_service.hpp"

namespace warpwright::conformance {

/// GPUs of one architecture; none for a simulator target. The target is a simulator's ("host/sm_XX"), "sm_XX" or
/// "native". `devices` selects among its GPUs, as for worker::GpuChoice; "native" is the architecture of the first one.
/// Throws std::runtime_error with advice if a GPU or a compiler that the target needs is missing. If the service is
/// stopped first, no GPU is found and nothing will run.
std::vector<GpuTarget> find_gpus(worker::BuildService& build, const std::string& target,
                                 const std::string& devices = "first");

}  // namespace warpwright::conformance
