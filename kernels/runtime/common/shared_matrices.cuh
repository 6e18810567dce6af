// Products of matrices by a warpgroup (wgmma): which there are, which sums a lane has, and how operands in shared
// memory are described.
#pragma once

#include "kernels/runtime/common/matrix_fragments.cuh"

namespace warpwright {

/// How the rows of an operand lie in shared memory. A row has as many bytes as the swizzle says (16 without one), and
/// rows follow each other. Its 16-byte chunks change places with each other: bits 4 to 6 of an address (bits 4 and 5
/// for 64 bytes, bit 4 for 32) are combined by ^ with the bits 7 and up.
enum class swizzle : unsigned { none = 0, bytes_128 = 1, bytes_64 = 2, bytes_32 = 3 };

/// Bytes of a row.
__host__ __device__ constexpr int row_bytes_of(swizzle mode) {
  return mode == swizzle::none ? 16 : 256 >> static_cast<int>(mode);
}

/// Where byte `at` of a tile lies that begins at a multiple of 1,024 bytes (512 or 256 for rows of 64 and 32 bytes), if
/// its rows follow each other without gaps.
__host__ __device__ constexpr int swizzled(swizzle mode, int at) {
  return mode == swizzle::none ? at : at ^ ((at >> 7 << 4) & (row_bytes_of(mode) - 16));
}

/// An operand in shared memory, as wgmma needs it: the address of its first row, and the distances from one group of 8
/// rows to the next (stride) and, without a swizzle, from one 16-byte column to the next (leading).
struct matrix_descriptor {
  unsigned long long bits;

  /// The operand that begins so many bytes (a multiple of 16) later.
  __host__ __device__ constexpr matrix_descriptor behind(int bytes) const {
    return {bits + static_cast<unsigned long long>(bytes >> 4)};
  }
};

/// The same of an operand whose neighbours in a row of shared memory are columns of B, of one term: a row has as many
/// columns as the swizzle says. Groups of 8 terms begin `stride` bytes apart, and the next columns `leading` bytes
/// behind; without a swizzle the other way round.
struct transposed_descriptor {
  unsigned long long bits;

  __host__ __device__ constexpr transposed_descriptor behind(int bytes) const {
    return {bits + static_cast<unsigned long long>(bytes >> 4)};
  }
};

namespace detail {

template <class T>
inline constexpr bool is_transposed_descriptor = same_type<T, transposed_descriptor>;

// Source: PTX ISA 8.7, 9.7.15.5.1, "Matrix descriptor format". Bits 14 and 15 are always 0 there; the simulator uses
// them, because its shared memory may lie further up.
__host__ __device__ constexpr unsigned long long descriptor_of(unsigned address, int leading, int stride,
                                                               swizzle mode) {
  return (address >> 4 & 0xffffULL) | static_cast<unsigned long long>(leading >> 4 & 0x3fff) << 16 |
         static_cast<unsigned long long>(stride >> 4 & 0x3fff) << 32 | static_cast<unsigned long long>(mode) << 62;
}

template <int N, class A, class B, class Sum>
__host__ __device__ constexpr bool exists_as_warpgroup_product() {
  if constexpr (N % 8 != 0 || N < 8 || N > 256) {
    return false;
  } else if constexpr (same_type<A, float16>) {
    return same_type<A, B> && (same_type<Sum, float> || same_type<Sum, float16>);
  } else if constexpr (same_type<A, bfloat16> || same_type<A, tfloat32>) {
    return same_type<A, B> && same_type<Sum, float>;
  } else if constexpr (is_float8<A>) {
    return is_float8<B> && (same_type<Sum, float> || same_type<Sum, float16>);
  } else {
    return is_matrix_byte<A> && is_matrix_byte<B> && same_type<Sum, int> && (N <= 32 || N % 16 == 0);
  }
}

/// Whether a header that declares these products is included. Those of halves with sums in float are in warpgroup.cuh.
template <class A, class B, class Sum>
inline constexpr bool has_warpgroup_header = is_one_of_two_halves<A>&& same_type<Sum, float>;

}  // namespace detail

inline constexpr int kWarpgroup = 128;  ///< its threads: four warps, of which the first one's number is a multiple of 4

/// Terms of one product by a warpgroup: 32 bytes of a row.
template <class T>
inline constexpr int terms_of_warpgroup = 32 / static_cast<int>(sizeof(T));

/// Whether a warpgroup multiplies 64 x K elements of A by K x N of B.
template <int N, class A, class B, class Sum>
inline constexpr bool is_warpgroup_product = detail::exists_as_warpgroup_product<N, A, B, Sum>();

namespace detail {

/// Fails to compile unless there is such a product, and a header that declares it is included.
template <int N, class A, class B, class Sum, class OfB>
__host__ __device__ constexpr void check_warpgroup_product() {
  static_assert(is_warpgroup_product<N, A, B, Sum>, "no wgmma has this shape and these types");
  static_assert(has_warpgroup_header<A, B, Sum>,
                "include warpgroup_tf32.cuh, warpgroup_float8.cuh, warpgroup_bytes.cuh or warpgroup_half_sums.cuh of "
                "kernels/runtime/ for products of these types");
  static_assert(same_type<OfB, matrix_descriptor> || is_transposed_descriptor<OfB>, "B is in shared memory");
  static_assert(is_one_of_two_halves<A> || !is_transposed_descriptor<OfB>,
                "only elements of 16 bits may have neighbours that are columns of B");
}

}  // namespace detail

// The sums of a lane are those of fragment_of_sums<16, 8, Sum> for columns 0 to 7, then for 8 to 15, and so on. Warp w
// of the warpgroup has rows 16 w to 16 w + 15. A lane's part of A is fragment_of_a<16, terms, A> of these rows. Source:
// PTX ISA 8.7, 9.7.15.5.
template <int N, class Sum>
using fragment_of_warpgroup_sums = typename detail::matrix_register<Sum>::type[N * static_cast<int>(sizeof(Sum)) / 8];

}  // namespace warpwright
