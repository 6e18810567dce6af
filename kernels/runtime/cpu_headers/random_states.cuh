// Replaces <curand_kernel.h> in the simulator: kernels with it compile, but it is not modelled.
// Replaces: curand_kernel.h curand.h
#pragma once

#include "kernels/runtime/cpu_model/unmodelled.cuh"
#include "kernels/runtime/cpu_model/vector_types.cuh"

struct curandStateXORWOW {
  unsigned words[12];
};
using curandState = curandStateXORWOW;
using curandState_t = curandStateXORWOW;
using curandStateXORWOW_t = curandStateXORWOW;
struct curandStatePhilox4_32_10 {
  alignas(16) unsigned words[16];
};
using curandStatePhilox4_32_10_t = curandStatePhilox4_32_10;
struct curandStateMRG32k3a {
  unsigned words[12];
};
using curandStateMRG32k3a_t = curandStateMRG32k3a;
struct curandStateSobol32 {
  unsigned words[36];
};
using curandStateSobol32_t = curandStateSobol32;
struct curandStateSobol64 {
  unsigned long long words[68];
};
using curandStateSobol64_t = curandStateSobol64;
using curandDirectionVectors64_t = unsigned long long[64];
using curandDirectionVectors32_t = unsigned[32];

#define WARPWRIGHT_NO_MODEL_OF_STATES(type, name)                                   \
  template <class... Arguments>                                                     \
  WARPWRIGHT_UNSEEN type name(const Arguments&...) {                                \
    ::warpwright::simulator::runtime->no_model(#name, __builtin_return_address(0)); \
    __builtin_unreachable();                                                        \
  }
WARPWRIGHT_NO_MODEL_OF_STATES(void, curand_init)
WARPWRIGHT_NO_MODEL_OF_STATES(void, skipahead)
WARPWRIGHT_NO_MODEL_OF_STATES(unsigned, curand)
WARPWRIGHT_NO_MODEL_OF_STATES(unsigned, curand_poisson)
WARPWRIGHT_NO_MODEL_OF_STATES(float, curand_uniform)
WARPWRIGHT_NO_MODEL_OF_STATES(float, curand_normal)
WARPWRIGHT_NO_MODEL_OF_STATES(float, curand_log_normal)
WARPWRIGHT_NO_MODEL_OF_STATES(double, curand_uniform_double)
WARPWRIGHT_NO_MODEL_OF_STATES(double, curand_normal_double)
WARPWRIGHT_NO_MODEL_OF_STATES(::warpwright::cuda::uint4, curand4)
WARPWRIGHT_NO_MODEL_OF_STATES(::warpwright::cuda::float4, curand_uniform4)
WARPWRIGHT_NO_MODEL_OF_STATES(::warpwright::cuda::float2, curand_normal2)
WARPWRIGHT_NO_MODEL_OF_STATES(::warpwright::cuda::float4, curand_normal4)
#undef WARPWRIGHT_NO_MODEL_OF_STATES
