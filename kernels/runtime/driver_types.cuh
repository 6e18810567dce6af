// Stands in for <cuda.h> in device code: the driver's types that parameters of kernels can have. The toolkit's own
// <cuda.h> includes headers of the C library, which NVRTC does not have.
// Replaces: cuda.h
#pragma once

/// Describes a tile of a tensor for bulk copies. Opaque here, since the instructions that read it are not modelled.
struct alignas(64) CUtensorMap {
  unsigned long long opaque[16];
};

using CUdeviceptr = unsigned long long;
using CUtexObject = unsigned long long;
