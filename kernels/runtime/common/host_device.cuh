// The marks of functions that host and device share, defined away for a plain C++ compiler.
#pragma once

#if !defined(__CUDACC__)
#define __host__
#define __device__
#endif
