// Products of matrices by a warpgroup, four warps together, on matrix units (wgmma). They are asynchronous: operands
// are read, and sums change, until the warpgroup has waited. Only sm_90 has them; programs that include this header are
// compiled for sm_90a. It has the products of halves with sums in float; warpgroup_tf32.cuh, warpgroup_float8.cuh,
// warpgroup_bytes.cuh and warpgroup_half_sums.cuh have the others.
#pragma once

#include "kernels/runtime/device.cuh"

#if !defined(__CUDACC__) || defined(WARPWRIGHT_HOST_TARGET)
#include "kernels/runtime/cpu_model/warpgroup.cuh"
#else

#include "kernels/runtime/common/shared_matrices.cuh"
#include "kernels/runtime/common/warpgroup_registers.cuh"

namespace warpwright {

/// Describes an operand in shared memory whose rows (of A, or columns of B) lie as `Mode` says: a row has 16, 32, 64 or
/// 128 bytes of terms; groups of 8 rows begin `stride` bytes apart. Without a swizzle, the next 16 bytes of terms begin
/// `leading` bytes behind. `first` is a multiple of 16.
template <swizzle Mode>
__device__ __forceinline__ matrix_descriptor describe_matrix(const void* first, int stride, int leading = 16) {
  return {detail::descriptor_of(static_cast<unsigned>(__cvta_generic_to_shared(first)), leading, stride, Mode)};
}

/// The same of columns of B that are neighbours in shared memory: see transposed_descriptor.
template <swizzle Mode>
__device__ __forceinline__ transposed_descriptor describe_transposed(const void* first, int stride, int leading) {
  return {detail::descriptor_of(static_cast<unsigned>(__cvta_generic_to_shared(first)), leading, stride, Mode)};
}

namespace detail {

template <class T>
__device__ __forceinline__ void need_warpgroups() {
#if defined(__CUDA_ARCH__) && !defined(__CUDA_ARCH_FEAT_SM90_ALL)
  static_assert(sizeof(T) == 0, "products by warpgroups (wgmma) need sm_90, compiled as sm_90a");
#endif
}

/// wgmma with N columns; A is from shared memory or from registers. Sums are overwritten unless `Adds`.
template <int N, class A, class B, class Sum, bool Saturates>
struct warpgroup_product;

// What follows the predicate: scales of A and B, and whether they lie along rows and columns.
#define WARPWRIGHT_FLAGS_OF_HALVES(transposed) ", 1, 1, 0, %" transposed
#define WARPWRIGHT_FLAGS_OF_HALVES_IN_REGISTERS(transposed) ", 1, 1, %" transposed
#define WARPWRIGHT_FLAGS_OF_FLOATS(transposed) ", 1, 1"
#define WARPWRIGHT_FLAGS_OF_BYTES(transposed) ""

// x0 to x6 are the numbers of the operands behind the sums.
#define WARPWRIGHT_WARPGROUP_PRODUCT(n, count, x0, x1, x2, x3, x4, x5, x6, k, A, B, Sum, saturates, letter, text,    \
                                     flags, flags_in_registers)                                                      \
  template <>                                                                                                        \
  struct warpgroup_product<n, A, B, Sum, saturates> {                                                                \
    using sums_of_lane = fragment_of_warpgroup_sums<n, Sum>;                                                         \
    template <bool Adds, class OfB>                                                                                  \
    static __device__ __forceinline__ void start(sums_of_lane& sums, matrix_descriptor a, OfB b) {                   \
      asm volatile("{ .reg .pred p; setp.ne.b32 p, %" x2 ", 0; wgmma.mma_async.sync.aligned.m64n" #n "k" #k "." text \
                   " {" WARPWRIGHT_SUMS_##count "}, %" x0 ", %" x1 ", p" flags(x3) "; }\n"                           \
                   : WARPWRIGHT_OF_##count(letter)                                                                   \
                   : "l"(a.bits), "l"(b.bits), "n"(Adds), "n"(is_transposed_descriptor<OfB>));                       \
    }                                                                                                                \
    template <bool Adds, class OfB>                                                                                  \
    static __device__ __forceinline__ void start(sums_of_lane& sums, const unsigned (&a)[4], OfB b) {                \
      asm volatile("{ .reg .pred p; setp.ne.b32 p, %" x5 ", 0; wgmma.mma_async.sync.aligned.m64n" #n "k" #k "." text \
                   " {" WARPWRIGHT_SUMS_##count "}, {%" x0 ", %" x1 ", %" x2 ", %" x3 "}, %" x4                      \
                                                ", p" flags_in_registers(x6) "; }\n"                                 \
                   : WARPWRIGHT_OF_##count(letter)                                                                   \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b.bits), "n"(Adds),                             \
                     "n"(is_transposed_descriptor<OfB>));                                                            \
    }                                                                                                                \
  };
WARPWRIGHT_FOR_EACH_N(WARPWRIGHT_WARPGROUP_PRODUCT, 16, float16, float16, float, false, "f", "f32.f16.f16",
                      WARPWRIGHT_FLAGS_OF_HALVES, WARPWRIGHT_FLAGS_OF_HALVES_IN_REGISTERS)
WARPWRIGHT_FOR_EACH_N(WARPWRIGHT_WARPGROUP_PRODUCT, 16, bfloat16, bfloat16, float, false, "f", "f32.bf16.bf16",
                      WARPWRIGHT_FLAGS_OF_HALVES, WARPWRIGHT_FLAGS_OF_HALVES_IN_REGISTERS)

/// Keeps the compiler from moving uses of registers past this place.
template <class T, int Count>
__device__ __forceinline__ void pin(T (&registers)[Count]) {
#pragma unroll
  for (int i = 0; i < Count; ++i) {
    if constexpr (same_type<T, float>)
      asm volatile("" : "+f"(registers[i])::"memory");
    else
      asm volatile("" : "+r"(registers[i])::"memory");
  }
}

template <int N, class A, class B, class Sum, bool Adds, bool Saturates = false, class OfA, class OfB>
__device__ __forceinline__ void start_product(fragment_of_warpgroup_sums<N, Sum>& sums, const OfA& a, OfB b) {
  using left = matrix_element_of<A>;
  using right = matrix_element_of<B>;
  using sum = matrix_element_of<Sum>;
  check_warpgroup_product<N, left, right, sum, OfB>();
  need_warpgroups<A>();
  warpgroup_product<N, left, right, sum, Saturates>::template start<Adds>(sums, a, b);
}

}  // namespace detail

/// Before the first product of a warpgroup, and after other accesses to the registers of later products: those in
/// `registers`, which are sums or parts of A.
template <class... Registers>
__device__ __forceinline__ void products_fence(Registers&... registers) {
  detail::need_warpgroups<detail::matrix_element<int> >();
  (detail::pin(registers), ...);
  asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");
}

/// Starts sums (64 x N) += A (64 x terms) times B (terms x N), by all 128 threads of a warpgroup. `a` describes A in
/// shared memory, or is the lane's fragment of it; `b` describes B. Until a products_wait covers it, no thread may
/// touch the sums and the fragment, or write the operands.
template <int N, class A, class B = A, class Sum = sum_of_matrix<A>, class OfB>
__device__ __forceinline__ void multiply_add_async(fragment_of_warpgroup_sums<N, Sum>& sums, matrix_descriptor a,
                                                   OfB b) {
  detail::start_product<N, A, B, Sum, true>(sums, a, b);
}
template <int N, class A, class B = A, class Sum = sum_of_matrix<A>, class OfB>
__device__ __forceinline__ void multiply_add_async(fragment_of_warpgroup_sums<N, Sum>& sums,
                                                   const fragment_of_a<16, terms_of_warpgroup<A>, A>& a, OfB b) {
  detail::start_product<N, A, B, Sum, true>(sums, a, b);
}

/// The same for sums = A times B.
template <int N, class A, class B = A, class Sum = sum_of_matrix<A>, class OfB>
__device__ __forceinline__ void multiply_async(fragment_of_warpgroup_sums<N, Sum>& sums, matrix_descriptor a, OfB b) {
  detail::start_product<N, A, B, Sum, false>(sums, a, b);
}
template <int N, class A, class B = A, class Sum = sum_of_matrix<A>, class OfB>
__device__ __forceinline__ void multiply_async(fragment_of_warpgroup_sums<N, Sum>& sums,
                                               const fragment_of_a<16, terms_of_warpgroup<A>, A>& a, OfB b) {
  detail::start_product<N, A, B, Sum, false>(sums, a, b);
}

/// Makes a group of all products that the warpgroup has started since its last call.
template <class T = void>
__device__ __forceinline__ void products_commit() {
  detail::need_warpgroups<T*>();
  asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory");
}

/// Waits until at most the Pending latest groups are under way. `registers` are the sums that are then ready.
template <int Pending, class... Registers>
__device__ __forceinline__ void products_wait(Registers&... registers) {
  detail::need_warpgroups<detail::matrix_element<int> >();
  asm volatile("wgmma.wait_group.sync.aligned %0;\n" ::"n"(Pending) : "memory");
  (detail::pin(registers), ...);
}

/// From here on the threads of the calling warpgroup have `Count` registers each (a multiple of 8, 24 to 240). All of
/// its warps call it. The registers that a launch gave to the block limit those of all its warps together; a warpgroup
/// that asks for more than are left waits until another one gives some back.
template <int Count>
__device__ __forceinline__ void give_registers_back() {
  static_assert(Count % 8 == 0 && Count >= 24 && Count <= 256);
  detail::need_warpgroups<int[Count]>();
  asm volatile("setmaxnreg.dec.sync.aligned.u32 %0;\n" ::"n"(Count));
}
template <int Count>
__device__ __forceinline__ void take_registers() {
  static_assert(Count % 8 == 0 && Count >= 24 && Count <= 256);
  detail::need_warpgroups<int[Count]>();
  asm volatile("setmaxnreg.inc.sync.aligned.u32 %0;\n" ::"n"(Count));
}

}  // namespace warpwright

#endif
