// Products of small matrices by a warp on matrix units (mma.sync), and loads and stores of their rows in shared memory
// (ldmatrix, stmatrix). From sm_80. Kernels that use them include this header; the simulator has a model of all of
// them.
#pragma once

#include "kernels/runtime/device.cuh"

#if !defined(__CUDACC__) || defined(WARPWRIGHT_HOST_TARGET)
#include "kernels/runtime/cpu_model/matrix.cuh"
#else

#include "kernels/runtime/common/matrix_fragments.cuh"

namespace warpwright {

namespace detail {

// A template, so that only kernels that use these functions need the architecture.
template <int Architecture, class T>
__device__ __forceinline__ void need_architecture() {
#if defined(__CUDA_ARCH__)
  static_assert(sizeof(T) == 0 || __CUDA_ARCH__ >= Architecture, "this product of matrices needs a newer architecture");
#endif
}

/// mma.sync of that shape and these types, with Count sums, and registers of A and of B, of a lane. Defined below for
/// those that exist.
template <int M, int N, int K, class A, class B, class Sum, bool Saturates = false>
struct matrix_product;

// Registers are numbered sums, A, B. `f` is the letter of the sums in inline PTX, `r` that of A and B.
#define WARPWRIGHT_MMA_2_1_1(text, f, r)                                     \
  asm volatile("mma.sync.aligned." text " {%0, %1}, {%2}, {%3}, {%0, %1};\n" \
               : "+" f(sums[0]), "+" f(sums[1])                              \
               : r(a[0]), r(b[0]))
#define WARPWRIGHT_MMA_2_2_1(text, f, r)                                         \
  asm volatile("mma.sync.aligned." text " {%0, %1}, {%2, %3}, {%4}, {%0, %1};\n" \
               : "+" f(sums[0]), "+" f(sums[1])                                  \
               : r(a[0]), r(a[1]), r(b[0]))
#define WARPWRIGHT_MMA_2_4_2(text, f, r)                                                     \
  asm volatile("mma.sync.aligned." text " {%0, %1}, {%2, %3, %4, %5}, {%6, %7}, {%0, %1};\n" \
               : "+" f(sums[0]), "+" f(sums[1])                                              \
               : r(a[0]), r(a[1]), r(a[2]), r(a[3]), r(b[0]), r(b[1]))
#define WARPWRIGHT_MMA_4_2_1(text, f, r)                                                         \
  asm volatile("mma.sync.aligned." text " {%0, %1, %2, %3}, {%4, %5}, {%6}, {%0, %1, %2, %3};\n" \
               : "+" f(sums[0]), "+" f(sums[1]), "+" f(sums[2]), "+" f(sums[3])                  \
               : r(a[0]), r(a[1]), r(b[0]))
#define WARPWRIGHT_MMA_4_4_2(text, f, r)                                                                     \
  asm volatile("mma.sync.aligned." text " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n" \
               : "+" f(sums[0]), "+" f(sums[1]), "+" f(sums[2]), "+" f(sums[3])                              \
               : r(a[0]), r(a[1]), r(a[2]), r(a[3]), r(b[0]), r(b[1]))
#define WARPWRIGHT_MMA_4_8_4(text, f, r)                                                                            \
  asm volatile("mma.sync.aligned." text                                                                             \
               " {%0, %1, %2, %3}, {%4, %5, %6, %7, %8, %9, %10, %11}, {%12, %13, %14, %15}, {%0, %1, %2, %3};\n"   \
               : "+" f(sums[0]), "+" f(sums[1]), "+" f(sums[2]), "+" f(sums[3])                                     \
               : r(a[0]), r(a[1]), r(a[2]), r(a[3]), r(a[4]), r(a[5]), r(a[6]), r(a[7]), r(b[0]), r(b[1]), r(b[2]), \
                 r(b[3]))

#define WARPWRIGHT_MATRIX_PRODUCT(architecture, m, n, k, A, B, Sum, mma, text, f, r) \
  WARPWRIGHT_MATRIX_PRODUCT_OF(architecture, m, n, k, A, B, Sum, false, mma, text, f, r)
#define WARPWRIGHT_MATRIX_PRODUCT_OF(architecture, m, n, k, A, B, Sum, saturates, mma, text, f, r)                 \
  template <>                                                                                                      \
  struct matrix_product<m, n, k, A, B, Sum, saturates> {                                                           \
    static constexpr int least_architecture = architecture;                                                        \
    static __device__ __forceinline__ void add(fragment_of_sums<m, n, Sum>& sums, const fragment_of_a<m, k, A>& a, \
                                               const fragment_of_b<n, k, B>& b) {                                  \
      mma("m" #m "n" #n "k" #k ".row.col." text, f, r);                                                            \
    }                                                                                                              \
  };

WARPWRIGHT_MATRIX_PRODUCT(800, 16, 8, 8, float16, float16, float, WARPWRIGHT_MMA_4_2_1, "f32.f16.f16.f32", "f", "r")
WARPWRIGHT_MATRIX_PRODUCT(800, 16, 8, 16, float16, float16, float, WARPWRIGHT_MMA_4_4_2, "f32.f16.f16.f32", "f", "r")
WARPWRIGHT_MATRIX_PRODUCT(800, 16, 8, 8, float16, float16, float16, WARPWRIGHT_MMA_2_2_1, "f16.f16.f16.f16", "r", "r")
WARPWRIGHT_MATRIX_PRODUCT(800, 16, 8, 16, float16, float16, float16, WARPWRIGHT_MMA_2_4_2, "f16.f16.f16.f16", "r", "r")
WARPWRIGHT_MATRIX_PRODUCT(800, 16, 8, 8, bfloat16, bfloat16, float, WARPWRIGHT_MMA_4_2_1, "f32.bf16.bf16.f32", "f", "r")
WARPWRIGHT_MATRIX_PRODUCT(800, 16, 8, 16, bfloat16, bfloat16, float, WARPWRIGHT_MMA_4_4_2, "f32.bf16.bf16.f32", "f",
                          "r")
WARPWRIGHT_MATRIX_PRODUCT(800, 16, 8, 4, tfloat32, tfloat32, float, WARPWRIGHT_MMA_4_2_1, "f32.tf32.tf32.f32", "f", "r")
WARPWRIGHT_MATRIX_PRODUCT(800, 16, 8, 8, tfloat32, tfloat32, float, WARPWRIGHT_MMA_4_4_2, "f32.tf32.tf32.f32", "f", "r")
WARPWRIGHT_MATRIX_PRODUCT(800, 8, 8, 4, double, double, double, WARPWRIGHT_MMA_2_1_1, "f64.f64.f64.f64", "d", "d")
WARPWRIGHT_MATRIX_PRODUCT(900, 16, 8, 4, double, double, double, WARPWRIGHT_MMA_4_2_1, "f64.f64.f64.f64", "d", "d")
WARPWRIGHT_MATRIX_PRODUCT(900, 16, 8, 8, double, double, double, WARPWRIGHT_MMA_4_4_2, "f64.f64.f64.f64", "d", "d")
WARPWRIGHT_MATRIX_PRODUCT(900, 16, 8, 16, double, double, double, WARPWRIGHT_MMA_4_8_4, "f64.f64.f64.f64", "d", "d")

#define WARPWRIGHT_PRODUCTS_OF_FLOAT8(A, B, text)                                                              \
  WARPWRIGHT_MATRIX_PRODUCT(890, 16, 8, 16, A, B, float, WARPWRIGHT_MMA_4_2_1, "f32." text ".f32", "f", "r")   \
  WARPWRIGHT_MATRIX_PRODUCT(890, 16, 8, 32, A, B, float, WARPWRIGHT_MMA_4_4_2, "f32." text ".f32", "f", "r")   \
  WARPWRIGHT_MATRIX_PRODUCT(890, 16, 8, 16, A, B, float16, WARPWRIGHT_MMA_2_2_1, "f16." text ".f16", "r", "r") \
  WARPWRIGHT_MATRIX_PRODUCT(890, 16, 8, 32, A, B, float16, WARPWRIGHT_MMA_2_4_2, "f16." text ".f16", "r", "r")
WARPWRIGHT_PRODUCTS_OF_FLOAT8(float8_e4m3, float8_e4m3, "e4m3.e4m3")
WARPWRIGHT_PRODUCTS_OF_FLOAT8(float8_e4m3, float8_e5m2, "e4m3.e5m2")
WARPWRIGHT_PRODUCTS_OF_FLOAT8(float8_e5m2, float8_e4m3, "e5m2.e4m3")
WARPWRIGHT_PRODUCTS_OF_FLOAT8(float8_e5m2, float8_e5m2, "e5m2.e5m2")

#define WARPWRIGHT_PRODUCTS_OF_BYTES(A, B, types)                   \
  WARPWRIGHT_PRODUCTS_OF_BYTES_AS(A, B, false, "s32." types ".s32") \
  WARPWRIGHT_PRODUCTS_OF_BYTES_AS(A, B, true, "satfinite.s32." types ".s32")
#define WARPWRIGHT_PRODUCTS_OF_BYTES_AS(A, B, saturates, text)                                             \
  WARPWRIGHT_MATRIX_PRODUCT_OF(800, 8, 8, 16, A, B, int, saturates, WARPWRIGHT_MMA_2_1_1, text, "r", "r")  \
  WARPWRIGHT_MATRIX_PRODUCT_OF(800, 16, 8, 16, A, B, int, saturates, WARPWRIGHT_MMA_4_2_1, text, "r", "r") \
  WARPWRIGHT_MATRIX_PRODUCT_OF(800, 16, 8, 32, A, B, int, saturates, WARPWRIGHT_MMA_4_4_2, text, "r", "r")
WARPWRIGHT_PRODUCTS_OF_BYTES(signed char, signed char, "s8.s8")
WARPWRIGHT_PRODUCTS_OF_BYTES(signed char, unsigned char, "s8.u8")
WARPWRIGHT_PRODUCTS_OF_BYTES(unsigned char, signed char, "u8.s8")
WARPWRIGHT_PRODUCTS_OF_BYTES(unsigned char, unsigned char, "u8.u8")

#undef WARPWRIGHT_PRODUCTS_OF_BYTES_AS
#undef WARPWRIGHT_PRODUCTS_OF_BYTES
#undef WARPWRIGHT_PRODUCTS_OF_FLOAT8
#undef WARPWRIGHT_MATRIX_PRODUCT_OF
#undef WARPWRIGHT_MATRIX_PRODUCT
#undef WARPWRIGHT_MMA_2_1_1
#undef WARPWRIGHT_MMA_2_2_1
#undef WARPWRIGHT_MMA_2_4_2
#undef WARPWRIGHT_MMA_4_2_1
#undef WARPWRIGHT_MMA_4_4_2
#undef WARPWRIGHT_MMA_4_8_4

template <int M, int N, int K, class A, class B, class Sum, bool Saturates>
__device__ __forceinline__ void multiply_matrices(fragment_of_sums<M, N, Sum>& sums, const fragment_of_a<M, K, A>& a,
                                                  const fragment_of_b<N, K, B>& b) {
  using left = matrix_element_of<A>;
  using right = matrix_element_of<B>;
  using sum = matrix_element_of<Sum>;
  static_assert(is_matrix_product<M, N, K, left, right, sum> && (!Saturates || same_type<sum, int>),
                "no mma.sync has this shape and these types");
  using product = matrix_product<M, N, K, left, right, sum, Saturates>;
  need_architecture<product::least_architecture, A>();
  product::add(sums, a, b);
}

}  // namespace detail

/// Sums (M x N) += A (M x K) times B (K x N), by all 32 lanes of a warp together; each has a part of the matrices
/// (matrix_fragments.cuh says which). Products of short elements are exact, and sums of floats are cut off as the
/// hardware does; doubles are added one after another, each with one rounding; integers keep their lower 32 bits.
template <int M, int N, int K, class A, class B = A, class Sum = sum_of_matrix<A> >
__device__ __forceinline__ void multiply_add(fragment_of_sums<M, N, Sum>& sums, const fragment_of_a<M, K, A>& a,
                                             const fragment_of_b<N, K, B>& b) {
  detail::multiply_matrices<M, N, K, A, B, Sum, false>(sums, a, b);
}

/// The same for elements of 8-bit integers; a sum that does not fit 32 bits becomes the largest or smallest that does.
template <int M, int N, int K, class A, class B = A>
__device__ __forceinline__ void multiply_add_saturated(fragment_of_sums<M, N, int>& sums,
                                                       const fragment_of_a<M, K, A>& a,
                                                       const fragment_of_b<N, K, B>& b) {
  detail::multiply_matrices<M, N, K, A, B, int, true>(sums, a, b);
}

namespace detail {

template <bool IsTransposed, int Count>
__device__ __forceinline__ void load_matrices(unsigned (&to)[Count], const void* row) {
  static_assert(Count == 1 || Count == 2 || Count == 4, "1, 2 or 4 matrices");
  need_architecture<750, unsigned[Count]>();
  const unsigned from = static_cast<unsigned>(__cvta_generic_to_shared(row));
#define WARPWRIGHT_LDMATRIX(number, registers, ...)                                                                   \
  if constexpr (IsTransposed)                                                                                         \
    asm volatile("ldmatrix.sync.aligned.m8n8." number ".trans.shared.b16 " registers ";\n" : __VA_ARGS__ : "memory"); \
  else                                                                                                                \
    asm volatile("ldmatrix.sync.aligned.m8n8." number ".shared.b16 " registers ";\n" : __VA_ARGS__ : "memory")
  if constexpr (Count == 1) {
    WARPWRIGHT_LDMATRIX("x1", "{%0}, [%1]", "=r"(to[0]) : "r"(from));
  } else if constexpr (Count == 2) {
    WARPWRIGHT_LDMATRIX("x2", "{%0, %1}, [%2]", "=r"(to[0]), "=r"(to[1]) : "r"(from));
  } else {
    WARPWRIGHT_LDMATRIX("x4", "{%0, %1, %2, %3}, [%4]", "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3]) : "r"(from));
  }
#undef WARPWRIGHT_LDMATRIX
}

}  // namespace detail

/// Loads Count (1, 2 or 4) matrices of 8 x 8 elements of 2 bytes from shared memory, by all lanes of a warp together.
/// Lane 8 i + r gives the address of row r of matrix i, 16 bytes long and aligned to 16 bytes. to[i] becomes the
/// elements of matrix i in row lane / 4 and columns 2 (lane % 4) and the one behind: a register of A or, if rows are
/// columns of B, of B.
template <int Count>
__device__ __forceinline__ void load_matrices(unsigned (&to)[Count], const void* row) {
  detail::load_matrices<false>(to, row);
}

/// The same of the transposed matrices: to[i] becomes the elements in column lane / 4 and rows 2 (lane % 4) and the one
/// below.
template <int Count>
__device__ __forceinline__ void load_matrices_transposed(unsigned (&to)[Count], const void* row) {
  detail::load_matrices<true>(to, row);
}

namespace detail {

template <bool IsTransposed, int Count>
__device__ __forceinline__ void store_matrices(void* row, const unsigned (&from)[Count]) {
  static_assert(Count == 1 || Count == 2 || Count == 4, "1, 2 or 4 matrices");
  need_architecture<900, unsigned[Count]>();
  const unsigned to = static_cast<unsigned>(__cvta_generic_to_shared(row));
#define WARPWRIGHT_STMATRIX(number, registers, ...)                                                               \
  if constexpr (IsTransposed)                                                                                     \
    asm volatile("stmatrix.sync.aligned.m8n8." number ".trans.shared.b16 [%0], " registers ";\n" ::"r"(to),       \
                 __VA_ARGS__                                                                                      \
                 : "memory");                                                                                     \
  else                                                                                                            \
    asm volatile("stmatrix.sync.aligned.m8n8." number ".shared.b16 [%0], " registers ";\n" ::"r"(to), __VA_ARGS__ \
                 : "memory")
  if constexpr (Count == 1) {
    WARPWRIGHT_STMATRIX("x1", "{%1}", "r"(from[0]));
  } else if constexpr (Count == 2) {
    WARPWRIGHT_STMATRIX("x2", "{%1, %2}", "r"(from[0]), "r"(from[1]));
  } else {
    WARPWRIGHT_STMATRIX("x4", "{%1, %2, %3, %4}", "r"(from[0]), "r"(from[1]), "r"(from[2]), "r"(from[3]));
  }
#undef WARPWRIGHT_STMATRIX
}

}  // namespace detail

/// Stores Count (1, 2 or 4) matrices of 8 x 8 elements of 2 bytes in shared memory, by all lanes of a warp together.
/// Lane 8 i + r gives the address of row r of matrix i, as for load_matrices, and from[i] has the elements that
/// load_matrices would load. From sm_90.
template <int Count>
__device__ __forceinline__ void store_matrices(void* row, const unsigned (&from)[Count]) {
  detail::store_matrices<false>(row, from);
}

/// The same of the transposed matrices, as load_matrices_transposed loads them.
template <int Count>
__device__ __forceinline__ void store_matrices_transposed(void* row, const unsigned (&from)[Count]) {
  detail::store_matrices<true>(row, from);
}

/// The tfloat32 nearest to a float, ties away from zero, as the register of a fragment.
__device__ __forceinline__ unsigned to_tfloat32(float value) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  unsigned bits;
  asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(value));
  return bits;
#else
  constexpr unsigned kInfinity = 0x7f800000, kDropped = 13;
  const auto bits = detail::bits_as<unsigned>(value);
  if ((bits & kInfinity) == kInfinity) return bits;
  return (bits + (1u << (kDropped - 1))) & ~((1u << kDropped) - 1);
#endif
}

}  // namespace warpwright

#endif
