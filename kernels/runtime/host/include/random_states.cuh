// What <curand_kernel.h> is on the SIMT executor: read, so that a kernel that draws numbers compiles, and not judged.
// Stands for: curand_kernel.h curand.h
#pragma once

#include "kernels/runtime/host/unmodelled.cuh"

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
using curandDirectionVectors32_t = unsigned[32];

#define WARPWRIGHT_NO_MODEL_OF_STATES(name)                                    \
  template <class... Arguments>                                                \
  WARPWRIGHT_UNSEEN ::warpwright::host::Anything name(const Arguments&...) {   \
    ::warpwright::host::runtime->no_model(#name, __builtin_return_address(0)); \
    __builtin_unreachable();                                                   \
  }
WARPWRIGHT_NO_MODEL_OF_STATES(curand_init)
WARPWRIGHT_NO_MODEL_OF_STATES(curand)
WARPWRIGHT_NO_MODEL_OF_STATES(curand4)
WARPWRIGHT_NO_MODEL_OF_STATES(curand_uniform)
WARPWRIGHT_NO_MODEL_OF_STATES(curand_uniform4)
WARPWRIGHT_NO_MODEL_OF_STATES(curand_uniform_double)
WARPWRIGHT_NO_MODEL_OF_STATES(curand_normal)
WARPWRIGHT_NO_MODEL_OF_STATES(curand_normal2)
WARPWRIGHT_NO_MODEL_OF_STATES(curand_normal4)
WARPWRIGHT_NO_MODEL_OF_STATES(curand_normal_double)
WARPWRIGHT_NO_MODEL_OF_STATES(curand_poisson)
WARPWRIGHT_NO_MODEL_OF_STATES(skipahead)
#undef WARPWRIGHT_NO_MODEL_OF_STATES
