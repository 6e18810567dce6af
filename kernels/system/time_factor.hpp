// How many times as long as usual this build may take for everything.
#pragma once

namespace warpwright {

/// 1, or more where the build is slowed by sanitizers: what limits the time of our own work is so many times as long.
#ifdef WARPWRIGHT_TIME_FACTOR
inline constexpr int time_factor = WARPWRIGHT_TIME_FACTOR;
#else
inline constexpr int time_factor = 1;
#endif

}  // namespace warpwright
