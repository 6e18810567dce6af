// CUDA's loads and stores with a cache hint, as plain accesses in the simulator.
// Declares: __ldg __ldc? __ldlu __stwb __stc? __stwt
#pragma once

#include "kernels/runtime/cpu_model/atomics.cuh"
#include "kernels/runtime/cpu_model/vector_types.cuh"

namespace warpwright::simulator {

/// The types that CUDA loads and stores with a hint: these, and the half types, which declare it themselves.
template <class T>
concept hinted = requires {
  typename T::hinted_by_cuda;
}
|| one_of<T, char, signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long, long long,
          unsigned long long, float, double, cuda::char2, cuda::uchar2, cuda::short2, cuda::ushort2, cuda::int2,
          cuda::uint2, cuda::longlong2, cuda::ulonglong2, cuda::float2, cuda::double2, cuda::char4, cuda::uchar4,
          cuda::short4, cuda::ushort4, cuda::int4, cuda::uint4, cuda::float4>;

}  // namespace warpwright::simulator

namespace warpwright::cuda {

#define WARPWRIGHT_LOAD(name, flags)                                                    \
  template <simulator::hinted T>                                                        \
  WARPWRIGHT_UNSEEN T name(const T* from) {                                             \
    simulator::runtime->access(from, sizeof(T) | (flags), __builtin_return_address(0)); \
    return *from;                                                                       \
  }
WARPWRIGHT_LOAD(__ldg, simulator::access_readonly)
WARPWRIGHT_LOAD(__ldca, 0u)
WARPWRIGHT_LOAD(__ldcg, 0u)
WARPWRIGHT_LOAD(__ldcs, 0u)
WARPWRIGHT_LOAD(__ldlu, 0u)
WARPWRIGHT_LOAD(__ldcv, simulator::access_volatile)
#undef WARPWRIGHT_LOAD

#define WARPWRIGHT_STORE(name)                                                                        \
  template <simulator::hinted T>                                                                      \
  WARPWRIGHT_UNSEEN void name(T* to, simulator::same<T> value) {                                      \
    simulator::runtime->access(to, sizeof(T) | simulator::access_write, __builtin_return_address(0)); \
    *to = value;                                                                                      \
  }
WARPWRIGHT_STORE(__stwb)
WARPWRIGHT_STORE(__stcg)
WARPWRIGHT_STORE(__stcs)
WARPWRIGHT_STORE(__stwt)
#undef WARPWRIGHT_STORE

}  // namespace warpwright::cuda
