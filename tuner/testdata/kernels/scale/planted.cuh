// scale/planted: configurations with every kind of fault that a tuner must survive.
#pragma once

#include "kernels/runtime/device.cuh"

namespace warpwright::scale {

enum class fault { none, does_not_compile, hangs, writes_out_of_bounds, changes_its_input, is_wrong_and_fast };

struct planted_params {
  int block_size = 128;
  scale::fault fault = scale::fault::none;
  bool operator==(const planted_params&) const = default;
};

/// out[i] = 2 * in[i] for i < count, except for the fault.
template <class T, planted_params P>
__global__ void planted(const T* in, T* out, long long count) {
  static_assert(P.fault != fault::does_not_compile, "planted: this configuration does not compile");
  const long long i = static_cast<long long>(blockIdx.x) * P.block_size + threadIdx.x;
  if constexpr (P.fault == fault::hangs) {
    while (*static_cast<const volatile T*>(in) == *static_cast<const volatile T*>(in)) {
    }
  }
  if constexpr (P.fault == fault::is_wrong_and_fast) {
    if (i == 0) out[0] = 2 * in[0];
    return;
  }
  if (i < count) out[i] = 2 * in[i];
  if constexpr (P.fault == fault::writes_out_of_bounds) {
    if (i == 0) out[count] = 1;
  }
  if constexpr (P.fault == fault::changes_its_input) {
    if (i == 0) const_cast<T*>(in)[0] = in[0] + 1;
  }
}

}  // namespace warpwright::scale
