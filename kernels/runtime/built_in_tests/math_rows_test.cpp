// Rows of the table of built-ins: mathematical functions, with the maximum errors from the CUDA C++ Programming Guide.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "kernels/runtime/built_in_tests/rows.hpp"

namespace warpwright::built_ins {
namespace {

constexpr Wide kPi = std::numbers::pi_v<Wide>;

/// sin or cos of pi a, reduced to the nearest multiple of pi/4.
Wide of_pi(Wide a, bool cosine) {
  if (!std::isfinite(a)) return NAN;
  const Wide rest = std::fmod(std::fabs(a), 2.0L);
  const Wide sign = !cosine && std::signbit(a) ? -1 : 1;
  const Wide quarters = std::floor(rest * 2 + 0.5L);
  const Wide angle = (rest - quarters / 2) * kPi;
  switch ((static_cast<int>(quarters) + (cosine ? 1 : 0)) % 4) {
    case 0:
      return sign * std::sin(angle);
    case 1:
      return sign * std::cos(angle);
    case 2:
      return sign * -std::sin(angle);
    default:
      return sign * -std::cos(angle);
  }
}

/// The x in (low, high) with f(x) = wanted for an increasing function f, by bisection.
template <class F>
Wide where(F rising, Wide wanted, Wide low, Wide high) {
  for (int step = 0; step < 90; ++step) {
    const Wide middle = (low + high) / 2;
    (rising(middle) < wanted ? low : high) = middle;
  }
  return (low + high) / 2;
}

Wide inverse_erfc(Wide a);

Wide inverse_erf(Wide a) {
  if (!(std::fabs(a) <= 1)) return NAN;
  if (std::fabs(a) == 1) return a * INFINITY;
  const Wide size = std::fabs(a);
  if (size > 0.5L) return std::copysign(inverse_erfc(1 - size), a);
  // For small numbers the result is about 0.886 times the argument.
  return std::copysign(where([](Wide x) { return std::erf(x); }, size, 0.88L * size, size < 0.1L ? 0.9L * size : 9), a);
}
/// For arguments from 0 to 1. The other half is symmetric.
Wide inverse_erfc(Wide a) {
  if (!(a >= 0 && a <= 2)) return NAN;
  if (a == 0 || a == 2) return a == 0 ? INFINITY : -INFINITY;
  if (a > 0.5L && a < 1.5L) return inverse_erf(1 - a);
  if (a > 1) return -inverse_erfc(2 - a);
  return where([](Wide x) { return -std::erfc(x); }, -a, 0, 40);
}

Wide norm(Wide a, Wide b, Wide c, Wide d) {
  if (std::isinf(a) || std::isinf(b) || std::isinf(c) || std::isinf(d)) return INFINITY;
  return std::sqrt(a * a + b * b + c * c + d * d);
}

/// The C library's powl is wrong for some powers of infinity.
Wide power(Wide a, Wide b) {
  return std::isinf(a) ? std::pow(static_cast<double>(a), static_cast<double>(b)) : std::pow(a, b);
}

using Of1 = Wide (*)(Wide);

/// Adds the three spellings of a function of one number.
void add(Group& group, const std::string& name, double of_float, double of_double, Of1 reference,
         const std::string& kinds = "fd", double absolute = 0) {
  const auto wrapped = [reference](Wide a, Wide, Wide) { return reference(a); };
  group.rows.push_back({name + "f(a)", "float", kinds.substr(0, 1), of_float, absolute, wrapped});
  group.rows.push_back({name + "(a)", "float", kinds.substr(0, 1), of_float, absolute, wrapped});
  group.rows.push_back({name + "(a)", "double", kinds.substr(1, 1), of_double, absolute, wrapped});
}

}  // namespace

Group elementary_rows() {
  Group group{"elementary", {}};
  add(group, "sin", 2, 2, [](Wide a) { return std::sin(a); });
  add(group, "cos", 2, 2, [](Wide a) { return std::cos(a); });
  add(group, "tan", 4, 2, [](Wide a) { return std::tan(a); });
  add(group, "asin", 2, 2, [](Wide a) { return std::asin(a); });
  add(
      group, "asin", 2, 2, [](Wide a) { return std::asin(a); }, "tT");
  add(
      group, "acos", 2, 2, [](Wide a) { return std::acos(a); }, "tT");
  add(group, "atan", 2, 2, [](Wide a) { return std::atan(a); });
  add(group, "sinh", 3, 2, [](Wide a) { return std::sinh(a); });
  add(group, "cosh", 2, 1, [](Wide a) { return std::cosh(a); });
  add(group, "tanh", 2, 2, [](Wide a) { return std::tanh(a); });
  add(group, "asinh", 3, 3, [](Wide a) { return std::asinh(a); });
  add(group, "acosh", 4, 3, [](Wide a) { return std::acosh(a); });
  add(group, "atanh", 3, 2, [](Wide a) { return std::atanh(a); });
  add(group, "exp", 2, 1, [](Wide a) { return std::exp(a); });
  add(group, "exp2", 2, 1, [](Wide a) { return std::exp2(a); });
  add(group, "exp10", 2, 1, [](Wide a) { return std::pow(10.0L, a); });
  add(group, "expm1", 1, 1, [](Wide a) { return std::expm1(a); });
  add(group, "log", 1, 1, [](Wide a) { return std::log(a); });
  add(group, "log2", 1, 1, [](Wide a) { return std::log2(a); });
  add(group, "log10", 2, 1, [](Wide a) { return std::log10(a); });
  add(group, "log1p", 1, 1, [](Wide a) { return std::log1p(a); });
  add(group, "cbrt", 1, 1, [](Wide a) { return std::cbrt(a); });
  add(group, "rsqrt", 2, 1, [](Wide a) { return 1 / std::sqrt(a); });
  add(group, "rcbrt", 1, 1, [](Wide a) { return 1 / std::cbrt(a); });
  for (const char* kinds : {"ff", "dd", "pp", "PP"}) {
    const bool single = kinds[0] == 'f' || kinds[0] == 'p';
    const std::string type = single ? "float" : "double";
    for (const std::string& suffix : single ? std::vector<std::string>{"", "f"} : std::vector<std::string>{""}) {
      group.rows.push_back({"pow" + suffix + "(a, b)", type, kinds, single ? 4.0 : 2.0, 0,
                            [](Wide a, Wide b, Wide) { return power(a, b); }});
      group.rows.push_back({"atan2" + suffix + "(a, b)", type, kinds, single ? 3.0 : 2.0, 0,
                            [](Wide a, Wide b, Wide) { return std::atan2(a, b); }});
      group.rows.push_back({"hypot" + suffix + "(a, b)", type, kinds, single ? 3.0 : 2.0, 0,
                            [](Wide a, Wide b, Wide) { return std::hypot(a, b); }});
    }
    const std::string both = std::string(1, kinds[0]) + "n";
    // An integer power is computed by products. If the power overflows, its inverse is zero, where a subnormal number
    // would be right.
    group.rows.push_back({"pow(a, b - 4)", type, both, single ? 4.0 : 2.0, single ? 0x1p-126 : 0x1p-1022,
                          [](Wide a, Wide b, Wide) { return power(a, b - 4); }});
  }
  for (const char* part : {"s", "c"}) {
    const auto reference = [is_sine = *part == 's'](Wide a, Wide, Wide) { return is_sine ? std::sin(a) : std::cos(a); };
    const auto text = [&](const std::string& type, const std::string& name) {
      return fmt::format("[&] {{ {} s, c; {}(a, &s, &c); return {}; }}()", type, name, part);
    };
    group.rows.push_back({text("float", "sincosf"), "float", "f", 2, 0, reference});
    group.rows.push_back({text("float", "sincos"), "float", "f", 2, 0, reference});
    group.rows.push_back({text("double", "sincos"), "double", "d", 2, 0, reference});
    // Documented as an absolute error for arguments from -pi to pi.
    group.rows.push_back({text("float", "__sincosf"), "float", "s", 0, 0x1p-21, reference});
  }
  const auto fast = [&](const std::string& call, const std::string& kinds, double ulps, double absolute,
                        auto reference) {
    group.rows.push_back({call, "float", kinds, ulps, absolute, reference});
  };
  fast("__sinf(a)", "s", 0, 0x1p-21, [](Wide a, Wide, Wide) { return std::sin(a); });
  fast("__cosf(a)", "s", 0, 0x1p-21, [](Wide a, Wide, Wide) { return std::cos(a); });
  fast("__tanf(a * 0.25f)", "s", 8, 0x1p-20, [](Wide a, Wide, Wide) { return std::tan(a / 4); });
  fast("__tanhf(a)", "s", 8192, 0, [](Wide a, Wide, Wide) { return std::tanh(a); });
  fast("__expf(a)", "s", 5, 0, [](Wide a, Wide, Wide) { return std::exp(a); });
  fast("__exp10f(a)", "s", 12, 0, [](Wide a, Wide, Wide) { return std::pow(10.0L, a); });
  fast("__logf(a)", "p", 3, 0x1p-21, [](Wide a, Wide, Wide) { return std::log(a); });
  fast("__log2f(a)", "p", 2, 0x1p-21, [](Wide a, Wide, Wide) { return std::log2(a); });
  fast("__log10f(a)", "p", 3, 0x1p-22, [](Wide a, Wide, Wide) { return std::log10(a); });
  fast("__powf(a, b)", "ps", 64, 0, [](Wide a, Wide b, Wide) { return power(a, b); });
  fast("__fdividef(a, b)", "pp", 2, 0, [](Wide a, Wide b, Wide) { return a / b; });
  return group;
}

Group special_rows() {
  Group group{"special", {}};
  add(group, "erf", 2, 2, [](Wide a) { return std::erf(a); });
  add(group, "erfc", 4, 5, [](Wide a) { return std::erfc(a); });
  add(group, "erfinv", 2, 5, inverse_erf, "tT");
  add(group, "erfinv", 2, 5, inverse_erf);
  add(group, "erfcinv", 4, 6, inverse_erfc, "tT");
  add(group, "erfcinv", 4, 6, inverse_erfc);
  add(group, "erfcx", 4, 4, [](Wide a) { return a < 5 ? std::exp(a * a) * std::erfc(a) : a == a ? unknown : a; });
  add(group, "normcdf", 5, 5, [](Wide a) { return std::erfc(-a / std::sqrt(2.0L)) / 2; });
  add(
      group, "normcdfinv", 5, 8, [](Wide a) { return -std::sqrt(2.0L) * inverse_erfc(2 * a); }, "tT");
  // Near zeros of lgamma and of Bessel functions only the absolute error is small.
  add(group, "tgamma", 5, 10, [](Wide a) { return std::tgamma(a); });
  add(
      group, "lgamma", 6, 4, [](Wide a) { return std::lgamma(a); }, "pP", 1e-6);
  // For large arguments the documented error is absolute.
  add(
      group, "j0", 9, 7, [](Wide a) { return j0l(a); }, "sS", 2.2e-6);
  add(
      group, "j1", 9, 7, [](Wide a) { return j1l(a); }, "sS", 2.2e-6);
  add(
      group, "y0", 9, 7, [](Wide a) { return y0l(a); }, "pP", 2.2e-6);
  add(
      group, "y1", 9, 7, [](Wide a) { return y1l(a); }, "pP", 2.2e-6);
  add(
      group, "cyl_bessel_i0", 6, 6, [](Wide a) { return std::cyl_bessel_il(0, std::fabs(a)); }, "sS");
  add(
      group, "cyl_bessel_i1", 6, 6, [](Wide a) { return std::copysign(std::cyl_bessel_il(1, std::fabs(a)), a); }, "sS");
  add(
      group, "cyl_bessel_i0", 6, 6, [](Wide a) { return a > 80 ? unknown : std::cyl_bessel_il(0, a); }, "pP");
  add(group, "sinpi", 1, 2, [](Wide a) { return of_pi(a, false); });
  add(group, "cospi", 1, 2, [](Wide a) { return of_pi(a, true); });
  for (const bool single : {true, false}) {
    const std::string type = single ? "float" : "double", kinds = single ? "fff" : "ddd",
                      positive = single ? "np" : "nP";
    const auto call = [&](const std::string& name, const std::string& list, double ulps, auto reference) {
      group.rows.push_back({name + (single ? "f" : "") + list, type, kinds, ulps, 0, reference});
    };
    call("rhypot", "(a, b)", single ? 2 : 1, [](Wide a, Wide b, Wide) { return 1 / norm(a, b, 0, 0); });
    call("norm3d", "(a, b, c)", single ? 3 : 2, [](Wide a, Wide b, Wide c) { return norm(a, b, c, 0); });
    call("rnorm3d", "(a, b, c)", single ? 2 : 1, [](Wide a, Wide b, Wide c) { return 1 / norm(a, b, c, 0); });
    call("norm4d", "(a, b, c, b)", single ? 3 : 2, [](Wide a, Wide b, Wide c) { return norm(a, b, c, b); });
    call("rnorm4d", "(a, b, c, b)", single ? 2 : 1, [](Wide a, Wide b, Wide c) { return 1 / norm(a, b, c, b); });
    // The guide gives no bound for these, and none is needed for arguments of moderate size.
    for (const char* name : {"norm", "rnorm"})
      group.rows.push_back(
          {fmt::format("[&] {{ {0} v[3] = {{a, b, c}}; return {1}{2}(3, v); }}()", type, name, single ? "f" : ""), type,
           single ? "ppp" : "PPP", 8, 0, [is_root = *name == 'n'](Wide a, Wide b, Wide c) {
             return is_root ? norm(a, b, c, 0) : 1 / norm(a, b, c, 0);
           }});
    for (const std::string& suffix : single ? std::vector<std::string>{"f", ""} : std::vector<std::string>{""}) {
      group.rows.push_back({"jn" + suffix + "(a, b)", type, positive, 40, 2.2e-6,
                            [](Wide a, Wide b, Wide) { return jnl(static_cast<int>(a), b); }});
      group.rows.push_back({"yn" + suffix + "(a, b)", type, positive, 40, 2.2e-6,
                            [](Wide a, Wide b, Wide) { return ynl(static_cast<int>(a), b); }});
      for (const char* part : {"s", "c"})
        group.rows.push_back({fmt::format("[&] {{ {} s, c; sincospi{}(a, &s, &c); return {}; }}()", type, suffix, part),
                              type, kinds.substr(0, 1), single ? 1.0 : 2.0, 0,
                              [is_cosine = *part == 'c'](Wide a, Wide, Wide) { return of_pi(a, is_cosine); }});
    }
  }
  return group;
}

}  // namespace warpwright::built_ins
