// Markers of functions that CPU and GPU share. For a plain C++ compiler they are empty.
#pragma once

#if !defined(__CUDACC__)
#define __host__
#define __device__
#endif
