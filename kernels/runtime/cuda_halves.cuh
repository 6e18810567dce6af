// CUDA's types of 16-bit numbers: for programs whose entries name them, where device code is a template over any type.
#pragma once

// A compiler that is given no header of CUDA's reads this too.
#if __has_include(<cuda_fp16.h>)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif
