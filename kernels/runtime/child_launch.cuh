// Launches from device code (CUDA's dynamic parallelism). A program whose sources include this file is compiled as
// relocatable code and linked with CUDA's device runtime; the SIMT executor has no model of it.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright {

/// Where a child grid waits for its turn.
enum class child_stream {
  own,              ///< a stream of its own: beside its siblings
  fire_and_forget,  ///< the grid's unordered stream: at once, beside its siblings
  tail              ///< behind the launching grid, and behind what was put there before
};

#if !defined(__CUDACC__) || defined(WARPWRIGHT_HOST_TARGET)

/// As below; a thread that comes here ends the launch, and the kernel is not judged.
template <auto Kernel, class... Arguments>
bool launch_child(child_stream, dim3, dim3, const Arguments&...) {
  simulator::no_model("a launch from the device");
}

#else

/// Launches Kernel with a grid of such blocks and without dynamic shared memory. What the calling thread has written,
/// or seen written, the child sees; a grid is not at its end before its children are. False where the device has no
/// room for the launch (its number of pending launches, or the depth of nesting, is limited): then nothing was
/// launched.
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
