// Best settings, exported by tunedb 0.1.0 (format 3, schema 2). Do not edit: export again.
#pragma once

#include "kernels/transpose/tiled.cuh"

#ifndef WARPWRIGHT_SETTINGS_FORMAT
#define WARPWRIGHT_SETTINGS_FORMAT 3
#ifdef __CUDACC__
#define WARPWRIGHT_SETTINGS_FUNCTION __host__ __device__ constexpr
#define WARPWRIGHT_SETTINGS_CALLER _Pragma("nv_exec_check_disable")
#else
#define WARPWRIGHT_SETTINGS_FUNCTION constexpr
#define WARPWRIGHT_SETTINGS_CALLER
#endif

namespace warpwright::settings {

inline constexpr int format = WARPWRIGHT_SETTINGS_FORMAT;

namespace support {

// Whether two texts are equal; unknown data (null) equals nothing.
WARPWRIGHT_SETTINGS_FUNCTION bool same(const char* a, const char* b) {
  if (!a) return false;
  while (*a && *a == *b) ++a, ++b;
  return *a == *b;
}

// log2(extent + 1), in units of 2^-20. The bits of the fraction are found by squaring.
WARPWRIGHT_SETTINGS_FUNCTION long long place(long long extent) {
  unsigned long long x = (extent < 0 ? 0ull : static_cast<unsigned long long>(extent)) + 1;
  long long log = 0;
  int bits = 0;
  while (x >> bits > 1) ++bits;
  x = bits > 31 ? x >> (bits - 31) : x << (31 - bits);
  for (int i = 0; i < 20; ++i) {
    x = x * x >> 31;
    log = 2 * log + (x >> 32 != 0);
    if (x >> 32) x >>= 1;
  }
  return (static_cast<long long>(bits) << 20) + log;
}

// The distance between the requested extents and those of a setting, from extent I on.
template <class Setting, int I = 0, class... Rest>
WARPWRIGHT_SETTINGS_FUNCTION long long distance(long long extent, Rest... rest) {
  constexpr long long there = place(Setting::extents[I]);
  const long long apart = place(extent) < there ? there - place(extent) : place(extent) - there;
  if constexpr (sizeof...(Rest) == 0) {
    return apart;
  } else {
    return apart + distance<Setting, I + 1>(rest...);
  }
}

struct Nearest {
  int index = -1;
  bool of_data = false;
  long long distance = 0;

  WARPWRIGHT_SETTINGS_FUNCTION void offer(int other, bool other_of_data, long long other_distance) {
    const bool nearer = other_of_data != of_data ? other_of_data : other_distance < distance;
    if (index < 0 || nearer) *this = Nearest{other, other_of_data, other_distance};
  }
};

template <class... Settings, class... Extents>
WARPWRIGHT_SETTINGS_FUNCTION int nearest(const char* data, Extents... extents) {
  Nearest best;
  int index = 0;
  (best.offer(index++, same(data, Settings::data), distance<Settings>(extents...)), ...);
  return best.index;
}

WARPWRIGHT_SETTINGS_CALLER
template <class First, class... Rest, class Use>
WARPWRIGHT_SETTINGS_FUNCTION decltype(auto) apply(int index, Use&& use) {
  if constexpr (sizeof...(Rest) == 0) {
    return use(First{});
  } else {
    if (index == 0) return use(First{});
    return apply<Rest...>(index - 1, use);
  }
}

}  // namespace support
}  // namespace warpwright::settings
#elif WARPWRIGHT_SETTINGS_FORMAT != 3
#error "these settings are of another format than those included before: export both with one tunedb"
#endif

namespace warpwright::settings {

namespace sm_90::transpose::types_float::op_transpose {
inline constexpr int schema = 2;
inline constexpr const char* program_version = "0.1.0";

struct setting_0 {
  static constexpr const char* kernel = "tiled";
  static constexpr auto params =
      ::warpwright::transpose::tiled_params{.tile_dim = 64,
                                            .coarsening = 8,
                                            .bank_pad = 1,
                                            .read_only = false,
                                            .order = warpwright::transpose::tile_order::along_rows};
  static constexpr const char* provenance = "measured";
  static constexpr const char* board = "NVIDIA H100 80GB HBM3";
  static constexpr const char* certainty = "certified (200 cases on the GPU and 60 in the simulator, seed 1)";
  static constexpr const char* mode = "clean cold L2, stream";
  static constexpr const char* shape = "8192x8192";
  static constexpr long long extents[] = {8192, 8192};
  static constexpr const char* data = "uniform";
  static constexpr const char* worst_data = "";
  static constexpr double worst_loss = 0;
  static constexpr double microseconds = 181.5359964966774;
  static constexpr double speedup_over_default = 1.0393090614051947;
};

WARPWRIGHT_SETTINGS_CALLER
template <class Use>
WARPWRIGHT_SETTINGS_FUNCTION decltype(auto) select(long long extent_0, long long extent_1, const char* data,
                                                   Use&& use) {
  return support::apply<setting_0>(support::nearest<setting_0>(data, extent_0, extent_1), use);
}
WARPWRIGHT_SETTINGS_CALLER
template <class Use>
WARPWRIGHT_SETTINGS_FUNCTION decltype(auto) select(long long extent_0, long long extent_1, Use&& use) {
  return select(extent_0, extent_1, nullptr, use);
}
}  // namespace sm_90::transpose::types_float::op_transpose

}  // namespace warpwright::settings
