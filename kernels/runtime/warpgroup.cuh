// Products of matrices by a warpgroup, four warps together, on matrix units (wgmma). They are asynchronous: operands
// are read, and sums change, until the warpgroup has waited. Only sm_90 has them; programs that include this header are
// compiled for sm_90a.
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
template <int N>
struct warpgroup_product;

#define WARPWRIGHT_WGMMA(n, types, a, p, ...)                                                                    \
  asm volatile("{ .reg .pred p; setp.ne.b32 p, %" p ", 0; wgmma.mma_async.sync.aligned.m64n" #n "k16.f32." types \
               " {" WARPWRIGHT_SUMS_##n "}, " a ", p, 1, 1, " __VA_ARGS__)
#define WARPWRIGHT_FROM_SHARED(n, types, r0, r1, r2, r3)            \
  WARPWRIGHT_WGMMA(n, types, "%" r0 ", %" r1, r2, "0, %" r3 "; }\n" \
                   : WARPWRIGHT_OF_##n                              \
                   : "l"(a.bits), "l"(b.bits), "n"(Adds), "n"(is_transposed_descriptor<B>))
#define WARPWRIGHT_FROM_REGISTERS(n, types, r0, r1, r2, r3, r4, r5, r6)                       \
  WARPWRIGHT_WGMMA(n, types, "{%" r0 ", %" r1 ", %" r2 ", %" r3 "}, %" r4, r5, "%" r6 "; }\n" \
                   : WARPWRIGHT_OF_##n                                                        \
                   : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b.bits), "n"(Adds),      \
                     "n"(is_transposed_descriptor<B>))
#define WARPWRIGHT_WARPGROUP_PRODUCT(n, r0, r1, r2, r3, r4, r5, r6)                                   \
  template <>                                                                                         \
  struct warpgroup_product<n> {                                                                       \
    template <class T, bool Adds, class B>                                                            \
    static __device__ __forceinline__ void start(float (&sums)[n / 2], matrix_descriptor a, B b) {    \
      if constexpr (same_type<T, bfloat16>)                                                           \
        WARPWRIGHT_FROM_SHARED(n, "bf16.bf16", r0, r1, r2, r3);                                       \
      else                                                                                            \
        WARPWRIGHT_FROM_SHARED(n, "f16.f16", r0, r1, r2, r3);                                         \
    }                                                                                                 \
    template <class T, bool Adds, class B>                                                            \
    static __device__ __forceinline__ void start(float (&sums)[n / 2], const unsigned (&a)[4], B b) { \
      if constexpr (same_type<T, bfloat16>)                                                           \
        WARPWRIGHT_FROM_REGISTERS(n, "bf16.bf16", r0, r1, r2, r3, r4, r5, r6);                        \
      else                                                                                            \
        WARPWRIGHT_FROM_REGISTERS(n, "f16.f16", r0, r1, r2, r3, r4, r5, r6);                          \
    }                                                                                                 \
  };
WARPWRIGHT_FOR_EACH_N(WARPWRIGHT_WARPGROUP_PRODUCT)
#undef WARPWRIGHT_WARPGROUP_PRODUCT
#undef WARPWRIGHT_FROM_REGISTERS
#undef WARPWRIGHT_FROM_SHARED
#undef WARPWRIGHT_WGMMA

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

template <int N, class A, class B, class Sum, bool Adds, class OfA, class OfB>
__device__ __forceinline__ void start_product(fragment_of_warpgroup_sums<N, Sum>& sums, const OfA& a, OfB b) {
  static_assert(is_warpgroup_product<N, A, B, Sum>, "no wgmma has this shape and these types");
  static_assert(same_type<OfB, matrix_descriptor> || is_transposed_descriptor<OfB>, "B is in shared memory");
  need_warpgroups<A>();
  warpgroup_product<N>::template start<A, Adds>(sums, a, b);
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
  detail::start_product<N, detail::matrix_element_of<A>, detail::matrix_element_of<B>, Sum, true>(sums, a, b);
}
template <int N, class A, class B = A, class Sum = sum_of_matrix<A>, class OfB>
__device__ __forceinline__ void multiply_add_async(fragment_of_warpgroup_sums<N, Sum>& sums,
                                                   const fragment_of_a<16, terms_of_warpgroup<A>, A>& a, OfB b) {
  detail::start_product<N, detail::matrix_element_of<A>, detail::matrix_element_of<B>, Sum, true>(sums, a, b);
}

/// The same for sums = A times B.
template <int N, class A, class B = A, class Sum = sum_of_matrix<A>, class OfB>
__device__ __forceinline__ void multiply_async(fragment_of_warpgroup_sums<N, Sum>& sums, matrix_descriptor a, OfB b) {
  detail::start_product<N, detail::matrix_element_of<A>, detail::matrix_element_of<B>, Sum, false>(sums, a, b);
}
template <int N, class A, class B = A, class Sum = sum_of_matrix<A>, class OfB>
__device__ __forceinline__ void multiply_async(fragment_of_warpgroup_sums<N, Sum>& sums,
                                               const fragment_of_a<16, terms_of_warpgroup<A>, A>& a, OfB b) {
  detail::start_product<N, detail::matrix_element_of<A>, detail::matrix_element_of<B>, Sum, false>(sums, a, b);
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
