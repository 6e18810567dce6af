// What <mma.h> is on the SIMT executor: tensor cores without a model, and the types of half precision.
// Stands for: mma.h
#pragma once

#include "kernels/runtime/host/half.cuh"
#include "kernels/runtime/host/unmodelled.cuh"
