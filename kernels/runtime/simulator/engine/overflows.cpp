// Signed overflows of the threads of a launch: an access out of bounds may come from one.
#include "kernels/runtime/simulator/engine/overflows.hpp"

#include <fmt/format.h>

namespace warpwright::simulator {
namespace {

__extension__ using Wide = __int128;
__extension__ using WideUnsigned = unsigned __int128;

Wide exact(const Overflow& of) {
  const Wide left = of.left, right = of.right;
  return of.operation == '+' ? left + right : of.operation == '-' ? left - right : left * right;
}

}  // namespace

std::int64_t Overflow::wrapped() const {
  const auto lower = static_cast<std::int64_t>(static_cast<WideUnsigned>(exact(*this)));
  return bits == 32 ? static_cast<std::int32_t>(lower) : lower;
}

std::string Overflow::words() const {
  return fmt::format("{} {} {} is {}, which does not fit a signed {}-bit integer", left, operation, right, exact(*this),
                     bits);
}

bool Overflow::explains(std::int64_t index) const {
  constexpr std::int64_t near = std::int64_t{1} << 20;
  const std::int64_t distance = index - wrapped();
  return -near < distance && distance < near;
}

}  // namespace warpwright::simulator
