// What <cuda.h> is for device code on every target: the driver's types that a kernel's parameters name. (The toolkit's
// own includes headers of the C library, which NVRTC does not have.)
// Stands for: cuda.h
#pragma once

/// How a bulk copy finds a tile of a tensor: opaque, since only instructions without a CPU model read it.
struct alignas(64) CUtensorMap {
  unsigned long long opaque[16];
};

using CUdeviceptr = unsigned long long;
using CUtexObject = unsigned long long;
