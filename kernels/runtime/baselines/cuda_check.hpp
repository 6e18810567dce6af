// Turns errors of the CUDA runtime into exceptions, in code that is compiled into the baselines worker.
#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace warpwright::baselines {

/// Throws std::runtime_error that names the call.
inline void check(cudaError_t error, const char* call) {
  if (error != cudaSuccess) throw std::runtime_error(std::string(call) + ": " + cudaGetErrorString(error));
}

}  // namespace warpwright::baselines
