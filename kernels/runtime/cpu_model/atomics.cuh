// CUDA's atomics in the simulator: checked, then done as one step. Other threads may run before it. Block scope is not
// atomic for threads of other blocks, so it races with them. System scope is treated as device scope.
// Declares: atomic*
#pragma once

#include "kernels/runtime/cpu_model/interface.cuh"
#include "kernels/runtime/cpu_model/vector_types.cuh"

namespace warpwright::simulator {

template <class T, class... Ts>
inline constexpr bool one_of = (__is_same(T, Ts) || ...);

/// Returns when the calling thread may do its atomic operation. No other thread runs until that is done.
template <class T>
__attribute__((no_sanitize("thread"))) void before_atomic(const T* address, unsigned scope, const void* site) {
  runtime->access(address, sizeof(T) | access_atomic | access_write | scope, site);
}

/// Replaces the value in memory by `change` of it, and returns the old value.
template <class T, class Change>
__attribute__((no_sanitize("thread"), always_inline)) inline T replace(T* address, unsigned scope, const void* site,
                                                                       Change change) {
  before_atomic(address, scope, site);
  const T old = *address;
  *address = change(old);
  return old;
}

/// Stores the value and returns the previous one.
template <class T>
__attribute__((no_sanitize("thread"))) inline T compare_and_swap(T* address, T compare, T value, unsigned scope,
                                                                 const void* site) {
  runtime->compare_and_swap(address, sizeof(T) | access_atomic | access_write | scope,
                            static_cast<unsigned long long>(compare), site);
  const T old = *address;
  if (old == compare) *address = value;
  return old;
}

/// The GPU's float atomics flush subnormal numbers in global memory to zero, with the same sign.
__attribute__((no_sanitize("thread"))) inline float without_subnormals(float value) {
  return __builtin_fabsf(value) < __FLT_MIN__ ? __builtin_copysignf(0.0f, value) : value;
}

__attribute__((no_sanitize("thread"))) inline float add_float(float* address, float value, unsigned scope,
                                                              const void* site) {
  const bool flush = runtime->space_of(address) != Space::shared;
  return replace(address, scope, site, [=] WARPWRIGHT_UNTRACED_LAMBDA(float old) {
    return flush ? without_subnormals(without_subnormals(old) + without_subnormals(value)) : old + value;
  });
}

}  // namespace warpwright::simulator

namespace warpwright::cuda {

// A function in its three scopes: block, device and system.
#define WARPWRIGHT_SCOPES(of_scope, name) \
  of_scope(name##_block, simulator::access_block_scope) of_scope(name, 0u) of_scope(name##_system, 0u)

// An atomic that replaces `old` by `expression`, for each type in `types`.
#define WARPWRIGHT_ATOMIC(name, scope, types, expression)                                                          \
  template <class T>                                                                                               \
  requires simulator::one_of<T, WARPWRIGHT_UNPACK types> WARPWRIGHT_UNSEEN T name(T* address,                      \
                                                                                  simulator::same<T> value) {      \
    return simulator::replace(address, scope, __builtin_return_address(0),                                         \
                              [=] WARPWRIGHT_UNTRACED_LAMBDA([[maybe_unused]] T old) -> T { return expression; }); \
  }
#define WARPWRIGHT_UNPACK(...) __VA_ARGS__
#define WARPWRIGHT_INTEGERS (int, unsigned, long long, unsigned long long)

// Integers wrap around.
#define WARPWRIGHT_ADD(name, scope)                                                            \
  WARPWRIGHT_ATOMIC(name, scope, (int, unsigned),                                              \
                    static_cast<T>(static_cast<unsigned>(old) + static_cast<unsigned>(value))) \
  WARPWRIGHT_ATOMIC(name, scope, (unsigned long long, double), old + value)                    \
  WARPWRIGHT_UNSEEN inline float name(float* address, float value) {                           \
    return simulator::add_float(address, value, scope, __builtin_return_address(0));           \
  }                                                                                            \
  /* Atomic an element at a time. */                                                           \
  WARPWRIGHT_UNSEEN inline float2 name(float2* address, float2 value) {                        \
    const void* const site = __builtin_return_address(0);                                      \
    return {simulator::add_float(&address->x, value.x, scope, site),                           \
            simulator::add_float(&address->y, value.y, scope, site)};                          \
  }                                                                                            \
  WARPWRIGHT_UNSEEN inline float4 name(float4* address, float4 value) {                        \
    const void* const site = __builtin_return_address(0);                                      \
    return {simulator::add_float(&address->x, value.x, scope, site),                           \
            simulator::add_float(&address->y, value.y, scope, site),                           \
            simulator::add_float(&address->z, value.z, scope, site),                           \
            simulator::add_float(&address->w, value.w, scope, site)};                          \
  }
WARPWRIGHT_SCOPES(WARPWRIGHT_ADD, atomicAdd)
#undef WARPWRIGHT_ADD

#define WARPWRIGHT_SUB(name, scope)               \
  WARPWRIGHT_ATOMIC(name, scope, (int, unsigned), \
                    static_cast<T>(static_cast<unsigned>(old) - static_cast<unsigned>(value)))
WARPWRIGHT_SCOPES(WARPWRIGHT_SUB, atomicSub)
#undef WARPWRIGHT_SUB
#define WARPWRIGHT_MIN(name, scope) WARPWRIGHT_ATOMIC(name, scope, WARPWRIGHT_INTEGERS, value < old ? value : old)
WARPWRIGHT_SCOPES(WARPWRIGHT_MIN, atomicMin)
#undef WARPWRIGHT_MIN
#define WARPWRIGHT_MAX(name, scope) WARPWRIGHT_ATOMIC(name, scope, WARPWRIGHT_INTEGERS, old < value ? value : old)
WARPWRIGHT_SCOPES(WARPWRIGHT_MAX, atomicMax)
#undef WARPWRIGHT_MAX
#define WARPWRIGHT_AND(name, scope) WARPWRIGHT_ATOMIC(name, scope, WARPWRIGHT_INTEGERS, old& value)
WARPWRIGHT_SCOPES(WARPWRIGHT_AND, atomicAnd)
#undef WARPWRIGHT_AND
#define WARPWRIGHT_OR(name, scope) WARPWRIGHT_ATOMIC(name, scope, WARPWRIGHT_INTEGERS, old | value)
WARPWRIGHT_SCOPES(WARPWRIGHT_OR, atomicOr)
#undef WARPWRIGHT_OR
#define WARPWRIGHT_XOR(name, scope) WARPWRIGHT_ATOMIC(name, scope, WARPWRIGHT_INTEGERS, old ^ value)
WARPWRIGHT_SCOPES(WARPWRIGHT_XOR, atomicXor)
#undef WARPWRIGHT_XOR
#define WARPWRIGHT_EXCH(name, scope) \
  WARPWRIGHT_ATOMIC(name, (scope) | simulator::access_exchange, (int, unsigned, unsigned long long, float), value)
WARPWRIGHT_SCOPES(WARPWRIGHT_EXCH, atomicExch)
#undef WARPWRIGHT_EXCH
#define WARPWRIGHT_INC(name, scope) WARPWRIGHT_ATOMIC(name, scope, (unsigned), old >= value ? 0 : old + 1)
WARPWRIGHT_SCOPES(WARPWRIGHT_INC, atomicInc)
#undef WARPWRIGHT_INC
#define WARPWRIGHT_DEC(name, scope) \
  WARPWRIGHT_ATOMIC(name, scope, (unsigned), old == 0 || old > value ? value : old - 1)
WARPWRIGHT_SCOPES(WARPWRIGHT_DEC, atomicDec)
#undef WARPWRIGHT_DEC

#define WARPWRIGHT_CAS(name, scope)                                                                          \
  template <class T>                                                                                         \
  requires simulator::one_of<T, int, unsigned, unsigned long long, unsigned short> WARPWRIGHT_UNSEEN T name( \
      T* address, simulator::same<T> compare, simulator::same<T> value) {                                    \
    return simulator::compare_and_swap(address, compare, value, scope, __builtin_return_address(0));         \
  }
WARPWRIGHT_SCOPES(WARPWRIGHT_CAS, atomicCAS)
#undef WARPWRIGHT_CAS

#undef WARPWRIGHT_INTEGERS
#undef WARPWRIGHT_UNPACK
#undef WARPWRIGHT_ATOMIC
#undef WARPWRIGHT_SCOPES

}  // namespace warpwright::cuda
