// What inline PTX of device code becomes in the simulator, where it is modelled (simulator/module/inline_ptx.hpp):
// operands of instructions, and addresses of shared memory in 32 bits.
// Declares: asm __asm __asm__ __cvta_generic_to_shared __cvta_shared_to_generic
#pragma once

#include "kernels/runtime/cpu_model/async.cuh"
#include "kernels/runtime/cpu_model/matrix.cuh"

namespace warpwright::simulator {

/// The registers of a lane for a part of a matrix, from the operands of an instruction.
template <class T, int Count>
struct fragment {
  typename detail::matrix_register<T>::type of[Count];

  template <class... Values>
  constexpr explicit fragment(Values... values)
      : of{static_cast<typename detail::matrix_register<T>::type>(values)...} {}
};

/// The pointer for an address of shared memory.
WARPWRIGHT_UNSEEN inline void* in_shared_memory(unsigned long long address) {
  return watch.window_end - shared_window_bytes + address;
}

}  // namespace warpwright::simulator

namespace warpwright::cuda {

WARPWRIGHT_UNSEEN inline unsigned long __cvta_generic_to_shared(const void* pointer) {
  if (simulator::runtime->space_of(pointer) != simulator::Space::shared)
    simulator::runtime->no_model("__cvta_generic_to_shared of an address outside shared memory",
                                 __builtin_return_address(0));
  return static_cast<unsigned long>(static_cast<const char*>(pointer) -
                                    (simulator::watch.window_end - simulator::shared_window_bytes));
}

WARPWRIGHT_UNSEEN inline void* __cvta_shared_to_generic(unsigned long address) {
  return simulator::in_shared_memory(address);
}

}  // namespace warpwright::cuda
