// Replaces <math_constants.h> in the simulator: CUDA's constants that kernels use, in both precisions.
// Replaces: math_constants.h
#pragma once

#include "kernels/runtime/cpu_model/interface.cuh"

#define CUDART_INF (__builtin_inf())
#define CUDART_NAN (-__builtin_nan(""))
#define CUDART_MIN_DENORM 0x1p-1074
#define CUDART_NEG_ZERO (-0.0)
#define CUDART_ZERO 0.0
#define CUDART_ONE 1.0
#define CUDART_THIRD (1.0 / 3.0)
#define CUDART_TWOTHIRD (2.0 / 3.0)
#define CUDART_SQRT_TWO 1.41421356237309504880
#define CUDART_SQRT_HALF 0.70710678118654752440
#define CUDART_PI 3.14159265358979323846
#define CUDART_PIO2 1.57079632679489661923
#define CUDART_PIO4 0.78539816339744830962
#define CUDART_3PIO4 2.35619449019234492885
#define CUDART_2_OVER_PI 0.63661977236758134308
#define CUDART_SQRT_2PI 2.50662827463100050242
#define CUDART_SQRT_PIO2 1.25331413731550025121
#define CUDART_SQRT_2OPI 0.79788456080286535588
#define CUDART_L2E 1.44269504088896340736
#define CUDART_L2T 3.32192809488736234787
#define CUDART_LG2 0.30102999566398119521
#define CUDART_LGE 0.43429448190325182765
#define CUDART_LN2 0.69314718055994530942
#define CUDART_LNT 2.30258509299404568402
#define CUDART_LNPI 1.14472988584940017414
#define CUDART_TWO_TO_23 0x1p23
#define CUDART_TWO_TO_52 0x1p52
#define CUDART_TWO_TO_53 0x1p53
#define CUDART_TWO_TO_54 0x1p54
#define CUDART_TWO_TO_M54 0x1p-54
#define CUDART_TWO_TO_M1022 0x1p-1022

#define CUDART_INF_F (__builtin_inff())
#define CUDART_NAN_F (__builtin_nanf("0x3fffff"))
#define CUDART_MIN_DENORM_F 0x1p-149f
#define CUDART_MAX_NORMAL_F 0x1.fffffep127f
#define CUDART_NORM_HUGE_F CUDART_MAX_NORMAL_F
#define CUDART_NEG_ZERO_F (-0.0f)
#define CUDART_ZERO_F 0.0f
#define CUDART_ONE_F 1.0f
#define CUDART_THIRD_F (1.0f / 3.0f)
#define CUDART_SQRT_TWO_F static_cast<float>(CUDART_SQRT_TWO)
#define CUDART_SQRT_HALF_F static_cast<float>(CUDART_SQRT_HALF)
#define CUDART_PI_F static_cast<float>(CUDART_PI)
#define CUDART_PIO2_F static_cast<float>(CUDART_PIO2)
#define CUDART_PIO4_F static_cast<float>(CUDART_PIO4)
#define CUDART_3PIO4_F static_cast<float>(CUDART_3PIO4)
#define CUDART_2_OVER_PI_F static_cast<float>(CUDART_2_OVER_PI)
#define CUDART_SQRT_2_OVER_PI_F static_cast<float>(CUDART_SQRT_2OPI)
#define CUDART_L2E_F static_cast<float>(CUDART_L2E)
#define CUDART_L2T_F static_cast<float>(CUDART_L2T)
#define CUDART_LG2_F static_cast<float>(CUDART_LG2)
#define CUDART_LGE_F static_cast<float>(CUDART_LGE)
#define CUDART_LN2_F static_cast<float>(CUDART_LN2)
#define CUDART_LNT_F static_cast<float>(CUDART_LNT)
#define CUDART_LNPI_F static_cast<float>(CUDART_LNPI)
#define CUDART_TWO_TO_M126_F 0x1p-126f
#define CUDART_TWO_TO_126_F 0x1p126f
#define CUDART_TWO_TO_23_F 0x1p23f
#define CUDART_TWO_TO_24_F 0x1p24f
#define CUDART_TWO_TO_31_F 0x1p31f
#define CUDART_TWO_TO_32_F 0x1p32f
