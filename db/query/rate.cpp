// Rates in the unit of a problem.
#include "db/query/rate.hpp"

#include <fmt/format.h>

#include <array>
#include <cstddef>

namespace warpwright::db {

std::string Rate::text() const {
  constexpr std::array<const char*, 6> prefixes{"", "k", "M", "G", "T", "P"};
  double value = per_second;
  std::size_t prefix = 0;
  while (value >= 999.5 && prefix + 1 < prefixes.size()) {
    value /= 1e3;
    ++prefix;
  }
  return fmt::format("{:.3g} {}{}", value, prefixes.at(prefix), unit);
}

std::optional<Rate> rate_of(const Problem& problem, double us) {
  if (problem.amount <= 0 || problem.unit.empty() || us <= 0) return std::nullopt;
  return Rate{.per_second = problem.amount / us * 1e6, .unit = problem.unit + "/s"};
}

}  // namespace warpwright::db
