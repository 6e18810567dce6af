// Replaces headers of <cuda/std/...> in the simulator that contain only types and functions of values.
// Replaces: cuda/std/type_traits cuda/std/limits cuda/std/cstdint cuda/std/cstddef cuda/std/utility cuda/std/cmath
// Replaces: cuda/std/climits cuda/std/algorithm cuda/std/functional cuda/std/cassert cuda/std/cfloat
#pragma once

#include "kernels/runtime/standard_library.cuh"

namespace cuda::std {

using namespace ::std;

}  // namespace cuda::std
