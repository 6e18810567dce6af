// What <mma.h> is on the SIMT executor: tensor cores without a model, and the types of half precision.
// Stands for: mma.h
#pragma once

#include "kernels/runtime/cpu_model/half.cuh"
#include "kernels/runtime/cpu_model/unmodelled.cuh"
