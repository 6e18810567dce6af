// Formats times, rates, shares and ratios for charts.
#include "reports/charts/numbers.hpp"

#include <fmt/format.h>

#include <array>
#include <cctype>
#include <cmath>

namespace warpwright::reports::charts {
namespace {

// With a comma after every three digits before the point.
std::string with_commas(double value, int decimals) {
  std::string digits = fmt::format("{:.{}f}", value, decimals);
  const std::size_t end = std::min(digits.find('.'), digits.size());
  const std::size_t first = digits.front() == '-' ? 1 : 0;
  for (std::size_t at = end; at > first + 3;) {
    at -= 3;
    digits.insert(at, ",");
  }
  return digits;
}

// The number of decimals with which the value has `digits` significant digits, but at least 0.
int decimals_for(double value, int digits) {
  return std::max(0, digits - 1 - static_cast<int>(std::floor(std::log10(std::abs(value)))));
}

}  // namespace

std::string time_us(double us) {
  if (us == 0) return "0";
  return with_commas(us, us >= 10 ? 1 : decimals_for(us, 3));
}

std::string rate_gbs(double gbs) {
  if (gbs == 0) return "0";
  return with_commas(gbs, gbs >= 100 ? 0 : decimals_for(gbs, 3));
}

std::string share_text(double share) {
  if (share > 0 && share < 0.0005) return "under 0.1 %";
  if (share < 1 && share >= 0.9995) return "over 99.9 %";
  return with_commas(100 * share, 1) + " %";
}

std::string change_text(double change) {
  const char* sign = std::abs(change) < 0.0005 ? "" : change < 0 ? "\u2212" : "+";
  return fmt::format("{}{:.1f} %", sign, std::abs(100 * change));
}

std::string ratio(double value, int decimals) {
  if (value >= 100) return with_commas(value, 0);
  if (value > 0 && value < 1e-4) return fmt::format("{:.1g}", value);
  if (value > 0 && value < 0.5 * std::pow(10, -decimals)) return fmt::format("{:.{}f}", value, decimals_for(value, 1));
  return fmt::format("{:.{}f}", value, decimals);
}

std::string two_digits(double value) {
  if (value == 0) return "0";
  const double magnitude = std::abs(value);
  return magnitude < 1e-4 ? fmt::format("{:.1g}", value) : with_commas(value, decimals_for(value, 2));
}

std::string tick(double value) {
  if (value == 0) return "0";
  const double magnitude = std::abs(value);
  constexpr std::array<std::pair<double, const char*>, 3> units{{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}}};
  for (const auto& [unit, letter] : units) {
    if (magnitude >= unit) return without_trailing_zeros(fmt::format("{:.3g}", value / unit)) + letter;
  }
  if (magnitude >= 1e5) return without_trailing_zeros(fmt::format("{:.4g}", value / 1e3)) + "k";
  if (magnitude < 1e-4) return fmt::format("{:.1g}", value);
  return without_trailing_zeros(with_commas(value, magnitude >= 1000 ? 0 : decimals_for(value, 3)));
}

std::string size_tick(double size) {
  int exponent = 0;
  if (size < 1024 || std::frexp(size, &exponent) != 0.5) return tick(size);
  return with_powers(fmt::format("2^{}", exponent - 1));
}

std::string place(double percent) {
  const std::string text = without_trailing_zeros(fmt::format("{:.2f}", percent));
  return text == "-0" ? "0" : text;
}

std::string script_us(double us) {
  return fmt::format("{:.8g}", us);
}

std::string without_trailing_zeros(std::string digits) {
  if (digits.find('.') == std::string::npos) return digits;
  digits.erase(digits.find_last_not_of('0') + 1);
  if (digits.back() == '.') digits.pop_back();
  return digits;
}

std::string with_powers(const std::string& text) {
  static constexpr const char* raised[] = {"\u2070", "\u00B9", "\u00B2", "\u00B3", "\u2074",
                                           "\u2075", "\u2076", "\u2077", "\u2078", "\u2079"};
  const auto digit = [&](std::size_t at) {
    return at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0;
  };
  std::string made;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool between = at > 0 && digit(at - 1) && digit(at + 1);
    if (text[at] == 'x' && between) {
      made += " \u00D7 ";
    } else if (text[at] == '^' && between) {
      for (; digit(at + 1); ++at) made += raised[text[at + 1] - '0'];
    } else {
      made += text[at];
    }
  }
  return made;
}

}  // namespace warpwright::reports::charts
