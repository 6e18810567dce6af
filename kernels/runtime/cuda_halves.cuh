// CUDA's 16-bit number types, for programs whose entry names contain them (as arguments of templates).
#pragma once

// Some compilers have none of CUDA's headers, but read this file too.
#if __has_include(<cuda_fp16.h>)
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#endif
