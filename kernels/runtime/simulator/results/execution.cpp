// Sums the memory requests of launches, and joins the hints of an execution.
#include "kernels/runtime/simulator/results/execution.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace warpwright::simulator {
namespace {

constexpr std::array counters{&AccessCounts::global_load_requests,
                              &AccessCounts::global_load_sectors,
                              &AccessCounts::global_store_requests,
                              &AccessCounts::global_store_sectors,
                              &AccessCounts::global_load_bytes,
                              &AccessCounts::global_store_bytes,
                              &AccessCounts::shared_load_requests,
                              &AccessCounts::shared_load_wavefronts,
                              &AccessCounts::shared_store_requests,
                              &AccessCounts::shared_store_wavefronts,
                              &AccessCounts::shared_least_wavefronts,
                              &AccessCounts::global_atomics,
                              &AccessCounts::shared_atomics,
                              &AccessCounts::shared_atomic_requests,
                              &AccessCounts::shared_atomic_wavefronts,
                              &AccessCounts::constant_bytes,
                              &AccessCounts::barriers,
                              &AccessCounts::warp_operations,
                              &AccessCounts::shuffles,
                              &AccessCounts::votes,
                              &AccessCounts::reductions,
                              &AccessCounts::matched_values,
                              &AccessCounts::branches,
                              &AccessCounts::divergent_branches};
static_assert(sizeof(AccessCounts) == counters.size() * sizeof(std::uint64_t), "every counter is added up");

}  // namespace

AccessCounts& AccessCounts::operator+=(const AccessCounts& other) {
  for (const auto counter : counters) this->*counter += other.*counter;
  return *this;
}

AccessCounts& AccessCounts::operator-=(const AccessCounts& earlier) {
  for (const auto counter : counters) this->*counter -= earlier.*counter;
  return *this;
}

AccessCounts AccessCounts::times(double factor) const {
  AccessCounts product;
  for (const auto counter : counters)
    product.*counter = static_cast<std::uint64_t>(std::llround(static_cast<double>(this->*counter) * factor));
  return product;
}

std::optional<AccessCounts> on_a_line(const AccessCounts& first, const AccessCounts& second, const AccessCounts& third,
                                      double at) {
  constexpr double rounded = 2;  // each of the three by one half at most
  AccessCounts counts;
  for (const auto counter : counters) {
    const auto one = static_cast<double>(first.*counter);
    const double step = static_cast<double>(second.*counter) - one;
    if (std::abs(one + 2 * step - static_cast<double>(third.*counter)) > rounded) return std::nullopt;
    counts.*counter = static_cast<std::uint64_t>(std::llround(std::max(0.0, one + (at - 1) * step)));
  }
  return counts;
}

std::string Execution::hints_text() const {
  std::string text;
  for (const std::string& hint : hints) text += "; note: " + hint;
  if (hint_count > hints.size()) text += fmt::format("; and {} more such notes", hint_count - hints.size());
  return text;
}

}  // namespace warpwright::simulator
