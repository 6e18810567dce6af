// CUDA's printf, assert, clocks, compiler hints and address predicates in the simulator.
// Declares: printf assert clock clock64 __brkpt __is[GSLC]* __builtin_assume __assume
#pragma once

#include "kernels/runtime/cpu_model/interface.cuh"

namespace warpwright::simulator {

WARPWRIGHT_UNSEEN inline void assertion_failed(const char* condition) {
  runtime->assertion_failed(condition, __builtin_return_address(0));
}

}  // namespace warpwright::simulator

namespace warpwright::cuda {

/// Prints to standard error, in one piece. Returns the number of values, or -1 without a format.
template <class... Values>
WARPWRIGHT_UNSEEN int printf(const char* format, Values... values) {
  if (format == nullptr) return -1;
  constexpr unsigned long room = 1024;
  char text[room];
  int length = 0;
  if constexpr (sizeof...(Values) == 0) {
    length = __builtin_snprintf(text, room, format, 0);
  } else {
    length = __builtin_snprintf(text, room, format, values...);
  }
  if (length > 0) simulator::runtime->print(text, static_cast<unsigned long>(length) < room ? length : room - 1);
  return sizeof...(Values);
}

/// Rises from call to call, but not at the rate of a GPU.
WARPWRIGHT_UNSEEN inline long long clock64() {
  return simulator::runtime->clock(__builtin_return_address(0));
}
WARPWRIGHT_UNSEEN inline long clock() {
  return simulator::runtime->clock(__builtin_return_address(0));
}

/// A breakpoint. Like on a GPU without a debugger, the thread goes no further.
WARPWRIGHT_UNSEEN inline void __brkpt() {
  simulator::runtime->trap(__builtin_return_address(0));
}

#define WARPWRIGHT_IS_IN(name, space)                                                  \
  WARPWRIGHT_UNSEEN inline unsigned name(const void* address) {                        \
    return simulator::runtime->space_of(address) == simulator::Space::space ? 1u : 0u; \
  }
WARPWRIGHT_IS_IN(__isGlobal, global)
WARPWRIGHT_IS_IN(__isShared, shared)
WARPWRIGHT_IS_IN(__isLocal, local)
WARPWRIGHT_IS_IN(__isConstant, constant)
#undef WARPWRIGHT_IS_IN

}  // namespace warpwright::cuda

// A program that reads device code only for its Params may have an assert already.
#ifndef assert
#ifdef NDEBUG
#define assert(condition) static_cast<void>(0)
#else
#define assert(condition) ((condition) ? static_cast<void>(0) : ::warpwright::simulator::assertion_failed(#condition))
#endif
#endif

// A false assumption is an error of the kernel on a GPU too; here it has no effect.
#define __builtin_assume(condition) static_cast<void>(0)
#define __assume(condition) static_cast<void>(0)
