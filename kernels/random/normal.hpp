// Normal numbers on the CPU, in higher precision than any kernel's.
#pragma once

namespace warpwright::random {

/// The x below which a standard normal number lies with probability p, 0 < p < 1; relative error below 2^-60.
long double normal_quantile(long double p);

/// cos(pi a) and sin(pi a) for 0 <= a < 2; relative error below 2^-60, as a is reduced without rounding.
long double cosine_of_pi(long double a);
long double sine_of_pi(long double a);

}  // namespace warpwright::random
