// Parts of CUDA without a model in the simulator: declared, so that kernels with them compile. A thread that reaches
// one ends the launch, and the verdict is "not modelled".
#pragma once

#include "kernels/runtime/cpu_model/interface.cuh"

namespace warpwright::simulator {

/// Ends the launch of the calling thread.
[[noreturn]] WARPWRIGHT_UNSEEN inline void no_model(const char* what) {
  runtime->no_model(what, __builtin_return_address(0));
  __builtin_unreachable();
}

/// The result of a function without a model; converts to any type.
struct Anything {
  template <class T>
  operator T() const {
    __builtin_unreachable();
  }
};

}  // namespace warpwright::simulator

/// Declares a function of that name that takes any arguments.
#define WARPWRIGHT_NO_MODEL(name)                                                   \
  template <class... Arguments>                                                     \
  WARPWRIGHT_UNSEEN ::warpwright::simulator::Anything name(const Arguments&...) {   \
    ::warpwright::simulator::runtime->no_model(#name, __builtin_return_address(0)); \
    __builtin_unreachable();                                                        \
  }

namespace warpwright::cuda {

using cudaTextureObject_t = unsigned long long;
using cudaSurfaceObject_t = unsigned long long;
enum cudaSurfaceBoundaryMode { cudaBoundaryModeZero, cudaBoundaryModeClamp, cudaBoundaryModeTrap };

/// Declares a fetch that returns its result, or stores it.
#define WARPWRIGHT_NO_MODEL_OF_FETCH(name)                                          \
  template <class T, class... Arguments>                                            \
  WARPWRIGHT_UNSEEN T name(unsigned long long, const Arguments&...) {               \
    ::warpwright::simulator::runtime->no_model(#name, __builtin_return_address(0)); \
    __builtin_unreachable();                                                        \
  }                                                                                 \
  template <class T, class... Arguments>                                            \
  WARPWRIGHT_UNSEEN void name(T*, unsigned long long, const Arguments&...) {        \
    ::warpwright::simulator::runtime->no_model(#name, __builtin_return_address(0)); \
    __builtin_unreachable();                                                        \
  }

WARPWRIGHT_NO_MODEL_OF_FETCH(tex1Dfetch)
WARPWRIGHT_NO_MODEL_OF_FETCH(tex1D)
WARPWRIGHT_NO_MODEL_OF_FETCH(tex1DLod)
WARPWRIGHT_NO_MODEL_OF_FETCH(tex1DGrad)
WARPWRIGHT_NO_MODEL_OF_FETCH(tex1DLayered)
WARPWRIGHT_NO_MODEL_OF_FETCH(tex2D)
WARPWRIGHT_NO_MODEL_OF_FETCH(tex2DLod)
WARPWRIGHT_NO_MODEL_OF_FETCH(tex2DGrad)
WARPWRIGHT_NO_MODEL_OF_FETCH(tex2DLayered)
WARPWRIGHT_NO_MODEL_OF_FETCH(tex2Dgather)
WARPWRIGHT_NO_MODEL_OF_FETCH(tex3D)
WARPWRIGHT_NO_MODEL_OF_FETCH(tex3DLod)
WARPWRIGHT_NO_MODEL_OF_FETCH(tex3DGrad)
WARPWRIGHT_NO_MODEL_OF_FETCH(texCubemap)
WARPWRIGHT_NO_MODEL_OF_FETCH(texCubemapLayered)
WARPWRIGHT_NO_MODEL_OF_FETCH(surf1Dread)
WARPWRIGHT_NO_MODEL_OF_FETCH(surf2Dread)
WARPWRIGHT_NO_MODEL_OF_FETCH(surf3Dread)
WARPWRIGHT_NO_MODEL_OF_FETCH(surf1DLayeredread)
WARPWRIGHT_NO_MODEL_OF_FETCH(surf2DLayeredread)
#undef WARPWRIGHT_NO_MODEL_OF_FETCH

WARPWRIGHT_NO_MODEL(surf1Dwrite)
WARPWRIGHT_NO_MODEL(surf2Dwrite)
WARPWRIGHT_NO_MODEL(surf3Dwrite)
WARPWRIGHT_NO_MODEL(surf1DLayeredwrite)
WARPWRIGHT_NO_MODEL(surf2DLayeredwrite)

// Addresses within one address space, for inline PTX.
WARPWRIGHT_NO_MODEL(__cvta_generic_to_global)
WARPWRIGHT_NO_MODEL(__cvta_generic_to_local)
WARPWRIGHT_NO_MODEL(__cvta_generic_to_constant)
WARPWRIGHT_NO_MODEL(__cvta_generic_to_grid_constant)
WARPWRIGHT_NO_MODEL(__cvta_global_to_generic)

WARPWRIGHT_NO_MODEL(__brkpt)
WARPWRIGHT_NO_MODEL(__prof_trigger)

}  // namespace warpwright::cuda

// Inline PTX is parsed and not compiled. Its outputs are never used, since no thread gets past it.
#ifdef __clang__
#pragma clang diagnostic ignored "-Wkeyword-macro"
#endif
#define asm                                            \
  switch (0)                                           \
  case 0:                                              \
    if constexpr (true)                                \
      ::warpwright::simulator::no_model("inline PTX"); \
    else                                               \
      asm
