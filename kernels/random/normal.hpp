// Normal random numbers on the CPU, in higher precision than any kernel's.
#pragma once

namespace warpwright::random {

/// The quantile of the standard normal distribution: the x below which a number lies with probability p, 0 < p < 1.
/// Relative error below 2^-60.
long double normal_quantile(long double p);

/// cos(pi a) and sin(pi a) for 0 <= a < 2. Relative error below 2^-60, because a is reduced without rounding.
long double cosine_of_pi(long double a);
long double sine_of_pi(long double a);

}  // namespace warpwright::random
