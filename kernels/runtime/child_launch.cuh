// Launches from device code (CUDA's dynamic parallelism). A program that includes this file is compiled as relocatable
// code and linked with CUDA's device runtime. The simulator has no model of it.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright {

/// The stream of a child grid.
enum class child_stream {
  own,              ///< a stream of its own: runs at the same time as its siblings
  fire_and_forget,  ///< the grid's unordered stream: starts at once, beside its siblings
  tail              ///< runs after the launching grid and after earlier launches into this stream
};

#if !defined(__CUDACC__) || defined(WARPWRIGHT_HOST_TARGET)

/// As below. In the simulator, a thread that calls it ends the launch with the verdict "not modelled".
template <auto Kernel, class... Arguments>
bool launch_child(child_stream, dim3, dim3, const Arguments&...) {
  simulator::no_model("a launch from the device");
}

#else

/// Launches Kernel with that grid and block size, without dynamic shared memory. The child sees whatever the
/// calling thread has written, or has seen. A grid ends only after all of its children. Returns false, and launches
/// nothing, if the device has no room for the launch: it limits the number of pending launches and the depth of
/// nesting.
template <auto Kernel, class... Arguments>
__device__ __forceinline__ bool launch_child(child_stream where, dim3 grid, dim3 block, Arguments... arguments) {
  cudaStream_t stream = where == child_stream::tail ? cudaStreamTailLaunch : cudaStreamFireAndForget;
  if (where == child_stream::own && cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  // clang-format off
  Kernel<<<grid, block, 0, stream>>>(arguments...);
  // clang-format on
  const bool is_launched = cudaGetLastError() == cudaSuccess;
  if (where == child_stream::own) cudaStreamDestroy(stream);
  return is_launched;
}

#endif

}  // namespace warpwright
