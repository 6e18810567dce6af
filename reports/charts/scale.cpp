// Maps values to positions and finds round numbers for ticks.
#include "reports/charts/scale.hpp"

#include <algorithm>
#include <cmath>

namespace warpwright::reports::charts {
namespace {

// The smallest of 1, 2, 5 times a power of ten that is at least `value`.
double round_up(double value) {
  const double power = std::pow(10, std::floor(std::log10(value)));
  for (const double digit : {1.0, 2.0, 5.0}) {
    if (digit * power >= value * (1 - 1e-9)) return digit * power;
  }
  return 10 * power;
}

std::vector<double> even_ticks(double low, double high, std::size_t most) {
  const double step = round_up((high - low) / static_cast<double>(most));
  std::vector<double> ticks;
  for (double n = std::ceil(low / step - 1e-9); n * step <= high * (1 + 1e-9); ++n) ticks.push_back(n * step);
  return ticks;
}

// The digits times every `stride`-th power of ten.
std::vector<double> ticks_of_powers(double low, double high, const std::vector<double>& digits, int stride) {
  std::vector<double> ticks;
  int exponent = static_cast<int>(std::floor(std::log10(low)));
  while (exponent % stride != 0) --exponent;
  for (; std::pow(10, exponent) <= high * (1 + 1e-9); exponent += stride) {
    for (const double digit : digits) {
      const double tick = digit * std::pow(10, exponent);
      if (tick >= low * (1 - 1e-9) && tick <= high * (1 + 1e-9)) ticks.push_back(tick);
    }
  }
  return ticks;
}

}  // namespace

Scale::Scale(Growth growth, double low, double high) : growth_(growth), low_(low), high_(high) {}

double Scale::at(double value) const {
  if (growth_ == Growth::linear) return 100 * (value - low_) / (high_ - low_);
  return 100 * std::log(value / low_) / std::log(high_ / low_);
}

double Scale::clamped(double value) const {
  return std::clamp(at(value), 0.0, 100.0);
}

std::vector<double> Scale::ticks(std::size_t most) const {
  if (growth_ == Growth::linear) return even_ticks(low_, high_, most);
  std::vector<double> ticks = ticks_of_powers(low_, high_, {1, 2, 5}, 1);
  if (ticks.size() < 3) return even_ticks(low_, high_, most);
  if (ticks.size() > most) ticks = ticks_of_powers(low_, high_, {1}, 1);
  for (int stride = 2; ticks.size() > most; ++stride) ticks = ticks_of_powers(low_, high_, {1}, stride);
  return ticks;
}

Scale from_zero(double high) {
  if (!(high > 0)) return {Growth::linear, 0, 1};
  const double step = round_up(high / 5);
  return {Growth::linear, 0, step * std::ceil(high / step - 1e-9)};
}

Scale around(const std::vector<double>& values, double span, double margin) {
  double low = 0;
  double high = 0;
  for (const double value : values) {
    if (!(value > 0) || !std::isfinite(value)) continue;
    low = low > 0 ? std::min(low, value) : value;
    high = std::max(high, value);
  }
  if (!(low > 0)) return {Growth::logarithmic, 1, 10};
  const double width = std::log(std::max(high / low, span));
  const double centre = (std::log(low) + std::log(high)) / 2;
  return {Growth::logarithmic, std::exp(centre - width * (0.5 + margin)), std::exp(centre + width * (0.5 + margin))};
}

}  // namespace warpwright::reports::charts
