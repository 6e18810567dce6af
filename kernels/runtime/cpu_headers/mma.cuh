// Replaces <mma.h> in the simulator: products of matrices by a warp (wmma), and the half-precision types. CUDA does not
// specify which lane has which element; here element e of lane l is number 32 e + l of the matrix, row by row.
// Replaces: mma.h
#pragma once

#include "kernels/runtime/cpu_model/half.cuh"
#include "kernels/runtime/cpu_model/matrix.cuh"
#include "kernels/runtime/cpu_model/unmodelled.cuh"

namespace nvcuda::wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

namespace precision {
struct tf32 {};
struct u4 {};
struct s4 {};
struct b1 {};
}  // namespace precision
namespace experimental {
namespace precision = wmma::precision;
}  // namespace experimental

namespace detail {

template <class T>
struct storage {
  using type = T;
};
template <>
struct storage<precision::tf32> {
  using type = float;
};

/// The type by which the simulator knows an element; void if it models none.
template <class T>
struct element {
  using type = void;
};
#define WARPWRIGHT_WMMA_ELEMENT(T, name) \
  template <>                            \
  struct element<T> {                    \
    using type = warpwright::name;       \
  };
WARPWRIGHT_WMMA_ELEMENT(warpwright::cuda::__half, float16)
WARPWRIGHT_WMMA_ELEMENT(warpwright::cuda::__nv_bfloat16, bfloat16)
WARPWRIGHT_WMMA_ELEMENT(precision::tf32, tfloat32)
#undef WARPWRIGHT_WMMA_ELEMENT
template <>
struct element<double> {
  using type = double;
};
template <>
struct element<float> {
  using type = float;
};
template <>
struct element<int> {
  using type = int;
};
template <>
struct element<signed char> {
  using type = signed char;
};
template <>
struct element<unsigned char> {
  using type = unsigned char;
};
template <class T>
concept modelled = !__is_same(typename element<T>::type, void);

template <class Use, int M, int N, int K>
struct extent {
  static constexpr int rows = M, columns = N;
};
template <int M, int N, int K>
struct extent<matrix_a, M, N, K> {
  static constexpr int rows = M, columns = K;
};
template <int M, int N, int K>
struct extent<matrix_b, M, N, K> {
  static constexpr int rows = K, columns = N;
};

/// CUDA keeps 16 elements of A and of B in a lane for halves, whatever the shape; some of them are the same.
template <class Use, class T>
inline constexpr int least_elements = __is_same(T, warpwright::cuda::__half) && !__is_same(Use, accumulator) ? 16 : 1;

}  // namespace detail

template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
  using element_type = T;
  using storage_element_type = typename detail::storage<T>::type;

  static constexpr int rows = detail::extent<Use, M, N, K>::rows;
  static constexpr int columns = detail::extent<Use, M, N, K>::columns;
  static constexpr int num_elements =
      rows * columns / 32 > detail::least_elements<Use, T> ? rows* columns / 32 : detail::least_elements<Use, T>;
  static constexpr int num_storage_elements = num_elements;

  storage_element_type x[num_elements];
};

namespace detail {

/// The lane's place in memory of each of its elements: visit(element, offset).
template <class Fragment, class Visit>
__attribute__((WARPWRIGHT_UNTRACED, always_inline)) inline void each_element(unsigned long long pitch, bool by_rows,
                                                                             Visit visit) {
  namespace simulator = warpwright::simulator;
  const simulator::Index3 thread = simulator::runtime->built_ins()->thread_index;
  const simulator::Index3 block = simulator::runtime->built_ins()->block_extent;
  const unsigned lane = (thread.x + block.x * (thread.y + block.y * thread.z)) % 32;
  for (int i = 0; i < Fragment::rows * Fragment::columns / 32; ++i) {
    const unsigned number = 32 * i + lane;
    const unsigned row = number / Fragment::columns, column = number % Fragment::columns;
    visit(i, by_rows ? row * pitch + column : column * pitch + row);
  }
}

/// All lanes must call this with the same arguments, and a pointer aligned to 32 bytes.
__attribute__((WARPWRIGHT_UNTRACED, always_inline)) inline void join(const void* pointer, unsigned long long pitch,
                                                                     bool by_rows, bool stores, const void* site) {
  namespace simulator = warpwright::simulator;
  constexpr unsigned kAlignment = 32;
  const auto address = reinterpret_cast<unsigned long long>(pointer);
  if (address % kAlignment != 0)
    simulator::runtime->access(pointer, kAlignment | (stores ? simulator::access_write : 0u), site);
  const simulator::MatrixMove lane{pointer, pitch, by_rows, stores};
  simulator::warp_operation(simulator::WarpOperation::move_matrix, &lane, site);
}

template <class Fragment, class T>
__attribute__((WARPWRIGHT_UNTRACED, always_inline)) inline void load(Fragment& to, const T* from,
                                                                     unsigned long long pitch, bool by_rows,
                                                                     const void* site) {
  join(from, pitch, by_rows, false, site);
  each_element<Fragment>(pitch, by_rows, [&](int i, unsigned long long offset) WARPWRIGHT_UNTRACED_LAMBDA {
    warpwright::simulator::runtime->access(from + offset, sizeof(T), site);
    __builtin_memcpy(&to.x[i], from + offset, sizeof(T));
  });
  constexpr int kHeld = Fragment::rows * Fragment::columns / 32;
  for (int i = kHeld; i < Fragment::num_elements; ++i) to.x[i] = to.x[i % kHeld];
}

}  // namespace detail

WARPWRIGHT_NO_MODEL(fill_fragment)
WARPWRIGHT_NO_MODEL(load_matrix_sync)
WARPWRIGHT_NO_MODEL(store_matrix_sync)
WARPWRIGHT_NO_MODEL(mma_sync)
WARPWRIGHT_NO_MODEL(bmma_sync)

// Pointers and numbers have types of their own, so that these are preferred to the functions without a model.
template <class Use, int M, int N, int K, class T, class Layout, class Value>
requires detail::modelled<T> WARPWRIGHT_UNSEEN void fill_fragment(fragment<Use, M, N, K, T, Layout>& to,
                                                                  const Value& value) {
  for (auto& x : to.x) x = static_cast<typename detail::storage<T>::type>(value);
}

template <class Use, int M, int N, int K, class T, class Layout, class Pointer, class Pitch>
requires detail::modelled<T> WARPWRIGHT_UNSEEN void load_matrix_sync(fragment<Use, M, N, K, T, Layout>& to,
                                                                     Pointer from, const Pitch& pitch) {
  const typename detail::storage<T>::type* const pointer = from;
  detail::load(to, pointer, pitch, __is_same(Layout, row_major), __builtin_return_address(0));
}

template <int M, int N, int K, class T, class Pointer, class Pitch, class Order>
requires detail::modelled<T> WARPWRIGHT_UNSEEN void load_matrix_sync(fragment<accumulator, M, N, K, T>& to,
                                                                     Pointer from, const Pitch& pitch,
                                                                     const Order& order) {
  const T* const pointer = from;
  detail::load(to, pointer, pitch, order == mem_row_major, __builtin_return_address(0));
}

template <int M, int N, int K, class T, class Pointer, class Pitch, class Order>
requires detail::modelled<T> WARPWRIGHT_UNSEEN void store_matrix_sync(Pointer to,
                                                                      const fragment<accumulator, M, N, K, T>& from,
                                                                      const Pitch& pitch, const Order& order) {
  const void* const site = __builtin_return_address(0);
  T* const pointer = to;
  const bool by_rows = order == mem_row_major;
  detail::join(pointer, pitch, by_rows, true, site);
  detail::each_element<fragment<accumulator, M, N, K, T>>(
      pitch, by_rows, [&](int i, unsigned long long offset) WARPWRIGHT_UNTRACED_LAMBDA {
        warpwright::simulator::runtime->access(pointer + offset, sizeof(T) | warpwright::simulator::access_write, site);
        __builtin_memcpy(pointer + offset, &from.x[i], sizeof(T));
      });
}

template <int M, int N, int K, class D, class A, class LayoutA, class B, class LayoutB, class C>
requires detail::modelled<A> WARPWRIGHT_UNSEEN void mma_sync(fragment<accumulator, M, N, K, D>& d,
                                                             const fragment<matrix_a, M, N, K, A, LayoutA>& a,
                                                             const fragment<matrix_b, M, N, K, B, LayoutB>& b,
                                                             const fragment<accumulator, M, N, K, C>& c,
                                                             bool saturates = false) {
  namespace simulator = warpwright::simulator;
  static_assert(__is_same(A, B), "A and B have the same type");
  fragment<accumulator, M, N, K, D> sums;
  for (int i = 0; i < sums.num_elements; ++i) sums.x[i] = static_cast<D>(c.x[i]);
  const simulator::MatrixProduct lane{
      .shape = {M, N, K, simulator::element_of<typename detail::element<A>::type>,
                simulator::element_of<typename detail::element<B>::type>,
                simulator::element_of<typename detail::element<D>::type>, simulator::Spread::evenly, saturates},
      .a = &a,
      .b = &b,
      .sums = &sums};
  simulator::warp_operation(simulator::WarpOperation::multiply_matrices, &lane, __builtin_return_address(0));
  d = sums;
}

WARPWRIGHT_UNSEEN inline float __float_to_tf32(float value) {
  return __builtin_bit_cast(float, warpwright::to_tfloat32(value));
}

}  // namespace nvcuda::wmma
