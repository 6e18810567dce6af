// A note on results of which few elements are wrong.
#include "kernels/runtime/messages/few_wrong.hpp"

namespace warpwright::gpu {

std::string hint_at_few_wrong(const Bound& bound, std::uint64_t wrong, std::int64_t count) {
  constexpr double kFew = 1e-3;
  const bool rounds = bound.relative > 0 || bound.absolute > 0;
  if (!rounds || static_cast<double>(wrong) > kFew * static_cast<double>(count)) return {};
  return "; note: so few are wrong: where the kernel compares rounded numbers (with a threshold, or to choose the "
         "larger), another rounding may decide otherwise, as a compiler's fused multiply-add does; a bound with a "
         "\"depth\" of 8 or more in the job file allows for elements that slightly changed inputs decide otherwise";
}

}  // namespace warpwright::gpu
