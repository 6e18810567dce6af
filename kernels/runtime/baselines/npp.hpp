// NPP's image filters, opened at run time. It declares what its callables use, because NPP is not part of every
// installation of the CUDA toolkit.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <string>

#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/cuda_check.hpp"
#include "kernels/runtime/baselines/optional_library.hpp"

namespace warpwright::baselines {

struct NppSize {
  int width, height;
};
struct NppPoint {
  int x, y;
};
struct NppVersion {
  int major, minor, build;
};

/// NppStreamContext of nppdefs.h.
struct NppContext {
  Stream stream;
  int device, multiprocessors, threads_per_multiprocessor, threads_per_block;
  std::size_t shared_bytes_per_block;
  int capability_major, capability_minor;
  unsigned stream_flags;
  int reserved;
};

/// Functions return an NppStatus. Steps are bytes between rows.
struct Npp : OptionalLibrary<Npp> {
  static constexpr int kReplicate = 2;  // NPP_BORDER_REPLICATE

  Npp() : OptionalLibrary("NPP", "libnppif.so", CUDART_VERSION / 1000) {}

  std::string version() const {
    const NppVersion* const found = library_version();
    return std::to_string(found->major) + "." + std::to_string(found->minor) + "." + std::to_string(found->build);
  }

  const NppVersion* (*library_version)() = symbol("nppGetLibVersion");
  int (*filter_border)(const float* from, int from_step, NppSize of_image, NppPoint offset, float* to, int to_step,
                       NppSize of_result, const float* taps, NppSize of_filter, NppPoint anchor, int border,
                       NppContext) = symbol("nppiFilterBorder_32f_C1R_Ctx");
};

/// The context of the current device and that stream.
inline NppContext npp_context(Stream stream) {
  NppContext context{.stream = stream};
  check(cudaGetDevice(&context.device), "cudaGetDevice");
  const auto get = [&](cudaDeviceAttr attribute) {
    int found = 0;
    check(cudaDeviceGetAttribute(&found, attribute, context.device), "cudaDeviceGetAttribute");
    return found;
  };
  context.multiprocessors = get(cudaDevAttrMultiProcessorCount);
  context.threads_per_multiprocessor = get(cudaDevAttrMaxThreadsPerMultiProcessor);
  context.threads_per_block = get(cudaDevAttrMaxThreadsPerBlock);
  context.shared_bytes_per_block = static_cast<std::size_t>(get(cudaDevAttrMaxSharedMemoryPerBlock));
  context.capability_major = get(cudaDevAttrComputeCapabilityMajor);
  context.capability_minor = get(cudaDevAttrComputeCapabilityMinor);
  check(cudaStreamGetFlags(stream, &context.stream_flags), "cudaStreamGetFlags");
  return context;
}

}  // namespace warpwright::baselines
