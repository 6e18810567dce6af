// Normal random numbers on the CPU.
#include "kernels/random/normal.hpp"

#include <cmath>
#include <numbers>

namespace warpwright::random {
namespace {

constexpr long double kPi = std::numbers::pi_v<long double>;

/// The x > 0 with erfc(x) = a, for 0 < a <= 1; or with erf(x) = 1 - a, if that is less than 1/2. Starts from S.
/// Winitzki's approximation (A handy approximation for the error function and its inverse, 2008), which has two digits;
/// each step of Newton's method doubles them.
long double inverse_erfc(long double a, long double complement) {
  constexpr long double kFitted = 0.147L;
  constexpr int kSteps = 7;
  const long double logarithm = std::log(a * (2 - a));
  const long double half = 2 / (kPi * kFitted) + logarithm / 2;
  long double x = std::sqrt(std::sqrt(half * half - logarithm / kFitted) - half);
  for (int step = 0; step < kSteps; ++step) {
    const long double excess = complement < 0.5L ? complement - std::erf(x) : std::erfc(x) - a;
    x += excess * std::sqrt(kPi) / 2 * std::exp(x * x);
  }
  return x;
}

}  // namespace

long double normal_quantile(long double p) {
  if (p == 0.5L) return 0;
  const long double tail = p < 0.5L ? p : 1 - p;
  const long double size = std::numbers::sqrt2_v<long double> * inverse_erfc(2 * tail, 1 - 2 * tail);
  return p < 0.5L ? -size : size;
}

long double cosine_of_pi(long double a) {
  const long double rest = a < 1 ? a : 2 - a;
  if (rest <= 0.25L) return std::cos(kPi * rest);
  if (rest < 0.75L) return std::sin(kPi * (0.5L - rest));
  return -std::cos(kPi * (1 - rest));
}

long double sine_of_pi(long double a) {
  if (a >= 1) return -sine_of_pi(a - 1);
  const long double rest = a <= 0.5L ? a : 1 - a;
  return rest <= 0.25L ? std::sin(kPi * rest) : std::cos(kPi * (0.5L - rest));
}

}  // namespace warpwright::random
