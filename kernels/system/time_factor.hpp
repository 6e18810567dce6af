// By how much this build takes longer than usual.
#pragma once

namespace warpwright {

/// 1, or more if sanitizers slow the build down: our own time limits are multiplied by it.
#ifdef WARPWRIGHT_TIME_FACTOR
inline constexpr int time_factor = WARPWRIGHT_TIME_FACTOR;
#else
inline constexpr int time_factor = 1;
#endif

}  // namespace warpwright
