// Generates input values from (seed, index): CPU and GPU get the same bits, without a transfer.
#pragma once

#include "kernels/runtime/common/half.cuh"
#include "kernels/runtime/common/host_device.cuh"

namespace warpwright::generate {

/// Distributions of values.
enum class spread {
  exact,           ///< small non-zero integers of random sign: every partial sum is representable
  uniform,         ///< [-1, 1); integers: the full range of the type
  normal,          ///< Irwin-Hall approximation of a normal, standard deviation 1.15 (148 for integers)
  position,        ///< the value is a function of the index
  alternating,     ///< alternating sign, magnitudes over 2^-20 .. 2^20 (2^-10 .. 2^10 for short floats, 2^-5 .. 2^5 for
                   ///< those of 8 bits)
  few_values,      ///< four distinct values
  all_equal,       ///< one value
  sorted,          ///< ascending
  reversed,        ///< descending
  special,         ///< signed zeros, subnormals, infinities and NaN among ordinary values
  permutation,     ///< integers: each index below the count exactly once
  exact_factor,    ///< +-1, and at most 100 values of +-2 or +-1/2: every product of any of them is representable
  factor,          ///< near +-1, the nearer the more values there are: see `factor` below
  special_factor,  ///< with signed zeros, infinities and NaN; no subnormals, so the order does not matter
  absorbed,        ///< 1, then values that a running sum loses completely (the worst rounding); integers: 1
  infinities,  ///< as special, without NaN. One seed in two gives one infinity only; integers: the largest or the least
  huge,  ///< magnitudes from 2^30 to 2^31 (short floats: 2^10 to 2^11, of 8 bits 2^5 to 2^6); integers: the larger half
         ///< of the type's. Some seeds give numbers of one sign
  tiny   ///< magnitudes from 2^-30 to 2^-29 (short floats: 2^-10 to 2^-9, of 8 bits 2^-5 to 2^-4), signs as above;
         ///< integers: 0 and 1
};

/// 64 well-mixed bits from a counter. Source: SplitMix64's finaliser, G. Steele et al., OOPSLA 2014.
__host__ __device__ constexpr unsigned long long mix(unsigned long long counter) {
  unsigned long long z = counter + 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

/// The random bits of element `index` in the stream `seed`.
__host__ __device__ constexpr unsigned long long bits_at(unsigned long long seed, long long index) {
  return mix(mix(seed) ^ (static_cast<unsigned long long>(index) * 0xd1342543de82ef95ULL));
}

namespace detail {

template <class T>
constexpr bool is_floating = false;
template <>
inline constexpr bool is_floating<float> = true;
template <>
inline constexpr bool is_floating<double> = true;

/// The special values of a type: zeros, subnormals, infinities and NaN, or the extremes of an integer.
__host__ __device__ constexpr float special_value(float, unsigned pick) {
  constexpr unsigned kBits[8] = {0x00000000U, 0x80000000U, 0x00000001U, 0x807fffffU,
                                 0x7f800000U, 0xff800000U, 0x7fc00000U, 0x7f800000U};
  return __builtin_bit_cast(float, kBits[pick]);
}
__host__ __device__ constexpr double special_value(double, unsigned pick) {
  constexpr unsigned long long kBits[8] = {0x0000000000000000ULL, 0x8000000000000000ULL, 0x0000000000000001ULL,
                                           0x800fffffffffffffULL, 0x7ff0000000000000ULL, 0xfff0000000000000ULL,
                                           0x7ff8000000000000ULL, 0x7ff0000000000000ULL};
  return __builtin_bit_cast(double, kBits[pick]);
}
template <class T>
__host__ __device__ constexpr T special_value(T, unsigned pick) {
  constexpr T kOnes = static_cast<T>(-1);
  constexpr T kTop = static_cast<T>(T(1) << (sizeof(T) * 8 - 2));
  constexpr T kHighest = kOnes < T(0) ? static_cast<T>(kTop - 1 + kTop) : kOnes;
  constexpr T kLowest = kOnes < T(0) ? static_cast<T>(-kHighest - 1) : T(0);
  const T values[8] = {T(0), kOnes, T(1), static_cast<T>(kHighest - 1), kHighest, kLowest, kTop, T(0)};
  return values[pick];
}

template <class T>
__host__ __device__ constexpr T uniform(unsigned long long bits) {
  if constexpr (sizeof(T) == 4 && is_floating<T>)
    return static_cast<T>(static_cast<int>(bits >> 40) - (1 << 23)) * static_cast<T>(0x1p-23);
  else if constexpr (is_floating<T>)
    return static_cast<T>(static_cast<long long>(bits >> 11) - (1LL << 52)) * static_cast<T>(0x1p-52);
  else
    return static_cast<T>(bits >> (64 - 8 * sizeof(T)));
}

/// An approximation of a normal distribution: Irwin-Hall with four terms.
template <class T>
__host__ __device__ constexpr T normal(unsigned long long bits) {
  const int total = static_cast<int>((bits & 0xffff) + (bits >> 16 & 0xffff) + (bits >> 32 & 0xffff) + (bits >> 48));
  if constexpr (is_floating<T>)
    return static_cast<T>(total - 131070) * static_cast<T>(0x1p-15);
  else
    return static_cast<T>((total - 131070) / 256);
}

template <class T, int Reach = 20>
__host__ __device__ constexpr T alternating(unsigned long long bits, long long index) {
  const int exponent = static_cast<int>((bits >> 32) % (2 * Reach + 1)) - Reach;
  if constexpr (is_floating<T>) {
    const T scale = exponent < 0 ? T(1) / static_cast<T>(1 << -exponent) : static_cast<T>(1 << exponent);
    const T size = (T(1) + static_cast<T>(static_cast<int>(bits & 0x3fffff)) * static_cast<T>(0x1p-22)) * scale;
    return index % 2 == 0 ? size : -size;
  } else {
    const T size = static_cast<T>(1 << (exponent < 0 ? -exponent : exponent) % 8);
    return index % 2 == 0 ? size : static_cast<T>(T(0) - size);
  }
}

/// A number of random sign whose magnitude is within 1 +- 2^-k, where 2^k is near sqrt(count) / 8 and at least 2. The
/// logarithm of a product of any of them is a random walk that stays about 15 standard deviations within a float's
/// range. Integers are odd, so they have an inverse modulo every power of two: no factor hides a wrong one.
template <class T>
__host__ __device__ constexpr T factor(unsigned long long bits, long long count) {
  if constexpr (is_floating<T>) {
    int k = 1;
    while (k < 28 && (count >> (2 * k + 6)) != 0) ++k;
    const T size = T(1) + uniform<T>(bits) / static_cast<T>(1 << k);
    return (bits & 1) == 0 ? size : -size;
  } else {
    return static_cast<T>(bits | 1);
  }
}

/// A power of two of random sign: 1, but for one element in each `count` / 100. Integers as above: their products wrap.
template <class T>
__host__ __device__ constexpr T exact_factor(unsigned long long bits, unsigned long long seed, long long index,
                                             long long count) {
  if constexpr (is_floating<T>) {
    const long long step = count / 100 + 1;
    const bool is_one = index % step != static_cast<long long>(mix(seed) % static_cast<unsigned long long>(step));
    const T size = is_one ? T(1) : (bits & 2) == 0 ? T(2) : T(0.5);
    return (bits & 1) == 0 ? size : -size;
  } else {
    return factor<T>(bits, count);
  }
}

/// The first is 1. The others are slightly below half a unit in the last place of a 1 with that many digits.
template <class T>
__host__ __device__ constexpr T absorbed(long long index, int digits) {
  if constexpr (is_floating<T>) {
    constexpr T kLess = static_cast<T>(0x1.fcp-1);
    return index == 0 ? T(1) : kLess / static_cast<T>(1LL << digits);
  } else {
    return T(1);
  }
}

/// All negative for one seed in four, all positive for another, else of random sign.
__host__ __device__ constexpr bool is_negative(unsigned long long bits, unsigned long long seed) {
  const unsigned signs = static_cast<unsigned>(mix(seed) >> 60) & 3;
  return signs < 2 ? signs == 1 : (bits >> 60 & 1) != 0;
}

template <class T>
__host__ __device__ constexpr T huge(unsigned long long bits, unsigned long long seed, int reach) {
  T size = T(0);
  if constexpr (is_floating<T>) {
    size = (T(1) + static_cast<T>(static_cast<int>(bits & 0x3fffff)) * static_cast<T>(0x1p-22)) *
           static_cast<T>(1 << reach);
  } else {
    constexpr T kHalf = static_cast<T>(T(1) << (sizeof(T) * 8 - 2));
    size = static_cast<T>((uniform<T>(bits) & static_cast<T>(kHalf - 1)) | kHalf);
  }
  return is_negative(bits, seed) ? static_cast<T>(T(0) - size) : size;
}

template <class T>
__host__ __device__ constexpr T tiny(unsigned long long bits, unsigned long long seed, int reach) {
  if constexpr (is_floating<T>) {
    const T scale = T(1) / static_cast<T>(1 << reach);
    return huge<T>(bits, seed, reach) * scale * scale;
  } else {
    return static_cast<T>(bits & 1);
  }
}

/// Whether the element with these random bits is special value number `pick`. Some seeds have only some special values.
__host__ __device__ constexpr bool is_special(unsigned long long bits, unsigned long long seed, unsigned pick) {
  return (bits & 3) == 0 && (mix(seed) >> (pick / 2) & 1) != 0;
}

/// Element `index` of `count` ascending values. Neighbours differ by one if they fit in `Range` values from `lowest`.
template <class T>
__host__ __device__ constexpr T in_order(long long index, long long count, long long lowest, long long range) {
  if (count <= range / 2) return static_cast<T>(lowest < 0 ? index - count / 2 : index);
  return static_cast<T>(lowest + index / (count / range + 1));
}

template <class T>
__host__ __device__ constexpr T sorted(long long index, long long count) {
  if constexpr (is_floating<T> || sizeof(T) == 8)
    return static_cast<T>(is_floating<T> || static_cast<T>(-1) < T(0) ? index - count / 2 : index);
  else
    return in_order<T>(index, count, static_cast<T>(-1) < T(0) ? -(1LL << (8 * sizeof(T) - 1)) : 0,
                       1LL << (8 * sizeof(T)));
}

}  // namespace detail

/// The image of `index` in a permutation of [0, count) that the seed chooses: four Feistel rounds over the smallest
/// power of four that holds count, repeated until the result is below count. Source: J. Black, P. Rogaway, Ciphers with
/// Arbitrary Finite Domains, CT-RSA 2002.
__host__ __device__ constexpr long long permuted(unsigned long long seed, long long index, long long count) {
  int half = 1;
  while (half < 31 && (1LL << (2 * half)) < count) ++half;
  const unsigned long long low = (1ULL << half) - 1;
  auto place = static_cast<unsigned long long>(index);
  do {
    unsigned long long left = place >> half;
    unsigned long long right = place & low;
    for (int round = 0; round < 4; ++round) {
      const unsigned long long mixed =
          left ^ (bits_at(seed + static_cast<unsigned>(round), static_cast<long long>(right)) & low);
      left = right;
      right = mixed;
    }
    place = left << half | right;
  } while (place >= static_cast<unsigned long long>(count));
  return static_cast<long long>(place);
}

/// Element `index` of an array of `count` elements from the stream `seed`. It uses only integer arithmetic, one
/// conversion and products with powers of two, so the bits are the same on every target.
template <class T>
__host__ __device__ constexpr T element(spread kind, unsigned long long seed, long long index, long long count) {
  const unsigned long long bits = bits_at(seed, index);
  switch (kind) {
    case spread::exact: {
      const T size = static_cast<T>(static_cast<int>(bits >> 62) + 1);
      return (bits & 1) == 0 ? size : static_cast<T>(T(0) - size);
    }
    case spread::uniform:
      return detail::uniform<T>(bits);
    case spread::normal:
      return detail::normal<T>(bits);
    case spread::position:
      return static_cast<T>(static_cast<int>(index % 16777213) + 1);
    case spread::alternating:
      return detail::alternating<T>(bits, index);
    case spread::few_values: {
      const int values[4] = {-1, 1, 2, 5};
      return static_cast<T>(values[bits >> 62]);
    }
    case spread::all_equal:
      return detail::is_floating<T>
                 ? static_cast<T>(static_cast<T>(123 + static_cast<int>(seed % 7)) / static_cast<T>(100))
                 : static_cast<T>(static_cast<int>(seed % 7) + 1);
    case spread::sorted:
      return detail::sorted<T>(index, count);
    case spread::reversed:
      return detail::sorted<T>(count - 1 - index, count);
    case spread::permutation:
      return static_cast<T>(permuted(seed, index, count));
    case spread::exact_factor:
      return detail::exact_factor<T>(bits, seed, index, count);
    case spread::factor:
      return detail::factor<T>(bits, count);
    case spread::absorbed:
      return detail::absorbed<T>(index, sizeof(T) == 8 ? 53 : 24);
    case spread::huge:
      return detail::huge<T>(bits, seed, 30);
    case spread::tiny:
      return detail::tiny<T>(bits, seed, 30);
    default: {
      unsigned pick = static_cast<unsigned>(bits >> 40) & 7;
      const bool is_special = detail::is_special(bits, seed, pick);
      constexpr unsigned kInfinity = 4, kNan = 6;
      const auto sign = static_cast<unsigned>(mix(seed) >> 62);
      if (kind == spread::infinities && sign < 2) return detail::special_value(T(), kInfinity + sign);
      if (pick == kNan && kind == spread::infinities) pick = kInfinity;
      if (kind == spread::special || kind == spread::infinities)
        return is_special ? detail::special_value(T(), pick) : detail::uniform<T>(bits);
      const bool is_subnormal = pick == 2 || pick == 3;
      return is_special && !is_subnormal ? detail::special_value(T(), pick) : detail::factor<T>(bits, count);
    }
  }
}

/// The same for short floats: the values for floats, reduced to their range and precision. Values of `alternating`,
/// `huge` and `tiny` have exponents up to Reach.
template <class T, int Digits, int Reach = 10>
__host__ __device__ constexpr T short_element(spread kind, unsigned long long seed, long long index, long long count) {
  constexpr long long kWhole = 1LL << Digits;  // all integers up to here are representable
  switch (kind) {
    case spread::position:
      return static_cast<T>(static_cast<float>(index % (kWhole - 1) + 1));
    case spread::alternating:
      return static_cast<T>(detail::alternating<float, Reach>(bits_at(seed, index), index));
    case spread::absorbed:
      return static_cast<T>(detail::absorbed<float>(index, Digits));
    case spread::huge:
      return static_cast<T>(detail::huge<float>(bits_at(seed, index), seed, Reach));
    case spread::tiny:
      return static_cast<T>(detail::tiny<float>(bits_at(seed, index), seed, Reach));
    case spread::sorted:
      return static_cast<T>(detail::in_order<float>(index, count, -kWhole, 2 * kWhole));
    case spread::reversed:
      return static_cast<T>(detail::in_order<float>(count - 1 - index, count, -kWhole, 2 * kWhole));
    default:
      return static_cast<T>(element<float>(kind, seed, index, count));
  }
}

/// A functor that fills a buffer with generic data.
template <class T>
struct generic {
  spread kind;
  __host__ __device__ constexpr T operator()(unsigned long long seed, long long index, long long count) const {
    return element<T>(kind, seed, index, count);
  }
};
template <class T, int Digits, int Reach = 10>
struct generic_short {
  spread kind;
  __host__ __device__ constexpr T operator()(unsigned long long seed, long long index, long long count) const {
    return short_element<T, Digits, Reach>(kind, seed, index, count);
  }
};
template <>
struct generic<float16> : generic_short<float16, 11> {};
template <>
struct generic<bfloat16> : generic_short<bfloat16, 8> {};
template <>
struct generic<tfloat32> : generic_short<tfloat32, 11> {};
template <>
struct generic<float8_e4m3> : generic_short<float8_e4m3, 4, 5> {};
template <>
struct generic<float8_e5m2> : generic_short<float8_e5m2, 3, 5> {};

/// Uniform indices below `bound`.
template <class T>
struct index_below {
  long long bound;
  __host__ __device__ constexpr T operator()(unsigned long long seed, long long index, long long) const {
    return static_cast<T>(bits_at(seed, index) % static_cast<unsigned long long>(bound > 0 ? bound : 1));
  }
};

/// Row offsets of a sparse matrix (CSR) with `entries` entries: one more than there are rows, ascending from 0 to
/// `entries`. One seed in four gives all entries to one row: the first, the last or any; all others are empty. Else
/// rows have different lengths; for one seed in four the first third of them is empty, for another the last.
template <class T>
struct row_offsets {
  long long entries;
  __host__ __device__ constexpr T operator()(unsigned long long seed, long long index, long long count) const {
    const long long rows = count - 1;
    if (index == 0 || rows <= 0) return T(0);
    if (index == rows) return static_cast<T>(entries);
    const auto shape = static_cast<unsigned>(mix(seed) >> 61);
    if (shape < 2) {
      const unsigned long long pick = mix(seed + 1);
      const long long full = pick % 3 == 0 ? 0
                             : pick % 3 == 1
                                 ? rows - 1
                                 : static_cast<long long>((pick >> 8) % static_cast<unsigned long long>(rows));
      return static_cast<T>(index > full ? entries : 0);
    }
    const long long empty = (rows + 2) / 3;
    if (shape < 4 && index <= empty) return T(0);
    if (shape >= 4 && shape < 6 && index >= rows - empty) return static_cast<T>(entries);
    const long long each = entries / rows;
    const long long spare = entries % rows;
    const auto jitter = static_cast<long long>(bits_at(seed, index) % static_cast<unsigned long long>(each + 1));
    return static_cast<T>(index * each + (index < spare ? index : spare) - jitter);
  }
};

}  // namespace warpwright::generate
