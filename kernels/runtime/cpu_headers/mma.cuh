// Replaces <mma.h> in the simulator: tensor cores, which are not modelled, and the half-precision types.
// Replaces: mma.h
#pragma once

#include "kernels/runtime/cpu_model/half.cuh"
#include "kernels/runtime/cpu_model/unmodelled.cuh"
