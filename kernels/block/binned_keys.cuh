// Data sets of keys that are counted in bins: keys that all have a bin, spread evenly or unevenly; and keys without a
// bin.
#pragma once

#include "kernels/runtime/generate.cuh"

namespace warpwright::binned {

namespace detail {

template <class Key>
inline constexpr bool is_range = generate::detail::is_floating<Key>;

/// Number of different keys per bin, if bins are ranges.
inline constexpr unsigned parts = 4096;

/// Number of bins that keys of this type can reach.
template <class Key>
__host__ __device__ constexpr unsigned reach(unsigned bins) {
  if constexpr (is_range<Key> || sizeof(Key) > 2)
    return bins;
  else
    return bins < 1U << (8 * sizeof(Key)) ? bins : 1U << (8 * sizeof(Key));
}

/// A key of this bin; if bins are ranges, the one at `part` of `parts`.
template <class Key>
__host__ __device__ constexpr Key key_in(unsigned bin, unsigned part, unsigned bins) {
  if constexpr (is_range<Key>)
    return static_cast<Key>(bin * parts + part) * static_cast<Key>(1.0 / parts) / static_cast<Key>(bins);
  else
    return static_cast<Key>(bin);
}

/// A rank r from 1 to `most` with a probability proportional to 1 / r. Draws an octave, then a rank in it, and accepts
/// it with probability (first rank of the octave) / r (J. von Neumann's rejection, 1951).
__host__ __device__ constexpr unsigned zipf_rank(unsigned long long bits, unsigned most) {
  unsigned octaves = 1;
  while (most >> octaves != 0) ++octaves;
  for (int round = 0; round < 100; ++round) {
    bits = generate::mix(bits);
    const unsigned first = 1U << (bits & 0xffff) % octaves;
    const unsigned rank = first + (static_cast<unsigned>(bits >> 16 & 0xffff) & (first - 1));
    if (rank <= most && (bits >> 32) % rank < first) return rank;
  }
  return 1;
}

}  // namespace detail

/// Every bin has the same probability.
template <class Key>
struct uniform {
  unsigned bins;
  __host__ __device__ Key operator()(unsigned long long seed, long long index, long long) const {
    const unsigned long long bits = generate::bits_at(seed, index);
    return detail::key_in<Key>(static_cast<unsigned>((bits >> 32) % detail::reach<Key>(bins)), bits % detail::parts,
                               bins);
  }
};

/// All keys are equal; the seed chooses the key.
template <class Key>
struct one_value {
  unsigned bins;
  __host__ __device__ Key operator()(unsigned long long seed, long long, long long) const {
    return uniform<Key>{bins}(seed, 0, 1);
  }
};

/// The probability of bin k is proportional to 1 / (k + 1).
template <class Key>
struct zipf {
  unsigned bins;
  __host__ __device__ Key operator()(unsigned long long seed, long long index, long long) const {
    const unsigned long long bits = generate::bits_at(seed, index);
    return detail::key_in<Key>(detail::zipf_rank(bits, detail::reach<Key>(bins)) - 1, bits % detail::parts, bins);
  }
};

/// Ascending from the first bin to the last.
template <class Key>
struct sorted {
  unsigned bins;
  __host__ __device__ Key operator()(unsigned long long, long long index, long long count) const {
    const auto place =
        static_cast<unsigned>(index * (static_cast<long long>(detail::reach<Key>(bins)) * detail::parts) / count);
    return detail::key_in<Key>(place / detail::parts, place % detail::parts, bins);
  }
};

/// Keys with and without a bin: integers below twice the number of bins; floats from -1/2 to 3/2, also at the limits of
/// ranges.
template <class Key>
struct around {
  unsigned bins;
  __host__ __device__ Key operator()(unsigned long long seed, long long index, long long) const {
    const unsigned long long bits = generate::bits_at(seed, index);
    if constexpr (!detail::is_range<Key>)
      return static_cast<Key>(bits % (2 * bins));
    else if ((bits & 3) == 0)
      return detail::key_in<Key>(static_cast<unsigned>((bits >> 32) % (bins + 1)), 0, bins);
    else
      return static_cast<Key>(static_cast<int>(bits >> 40) - (1 << 22)) * static_cast<Key>(0x1p-23);
  }
};

}  // namespace warpwright::binned
