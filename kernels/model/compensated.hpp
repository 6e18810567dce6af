// Sums and products without accumulated rounding errors, for oracles.
#pragma once

#include <cmath>

namespace warpwright {

/// Compensated summation in long double. Source: A. Neumaier, ZAMM 54 (1974).
class CompensatedSum {
 public:
  void add(long double term) {
    const long double next = sum_ + term;
    lost_ += std::fabs(sum_) >= std::fabs(term) ? (sum_ - next) + term : (term - next) + sum_;
    sum_ = next;
    magnitude_ += std::fabs(term);
    plain_ += static_cast<double>(term);
  }
  /// Infinities and NaN are those of plain addition.
  double value() const { return std::isfinite(plain_) ? static_cast<double>(sum_ + lost_) : plain_; }
  /// The sum of the absolute values of the terms.
  double magnitude() const { return static_cast<double>(magnitude_); }

 private:
  long double sum_ = 0;
  long double lost_ = 0;
  long double magnitude_ = 0;
  double plain_ = 0;
};

/// Compensated product in long double, for factors whose product does not overflow.
/// Source: S. Graillat, IEEE Transactions on Computers 58 (2009).
class CompensatedProduct {
 public:
  void add(long double factor) {
    const long double next = product_ * factor;
    lost_ = lost_ * factor + std::fma(product_, factor, -next);
    product_ = next;
  }
  /// Zeros, infinities and NaN are those of plain multiplication.
  double value() const { return static_cast<double>(std::isfinite(lost_) ? product_ + lost_ : product_); }
  double magnitude() const { return std::fabs(value()); }

 private:
  long double product_ = 1;
  long double lost_ = 0;
};

}  // namespace warpwright
