// Finds loops that do not end although each pass has a new state: their counter has passed its end.
#include "kernels/runtime/simulator/engine/counter_proof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace warpwright::simulator {
namespace {

__extension__ typedef __int128 Wide;

// Of a search: comparisons of the thread, those of a pass, and how often in a row a pair has moved by the same step.
constexpr int most_seen = 1 << 14;
constexpr std::size_t longest_pass = std::size_t{1} << 12;
constexpr int steady_enough = 16;
// Before a verdict: so many passes, or fewer that take a part of the limit.
constexpr std::uint64_t many_passes = std::uint64_t{1} << 24, enough_passes = std::uint64_t{1} << 16;
constexpr std::uint64_t part_of_limit = 8;
// A counter with a larger step is a generator of numbers rather.
constexpr std::int64_t largest_step = 1 << 24;

std::int64_t signed_value(std::uint64_t value, unsigned bytes) {
  return bytes == 4 ? static_cast<std::int32_t>(value) : static_cast<std::int64_t>(value);
}

std::uint64_t unsigned_value(std::uint64_t value, unsigned bytes) {
  return bytes == 4 ? static_cast<std::uint32_t>(value) : value;
}

std::int64_t difference(std::uint64_t now, std::uint64_t before, unsigned bytes) {
  return signed_value(now - before, bytes);
}

bool same_sign(Wide one, Wide other) {
  return (one > 0 && other > 0) || (one < 0 && other < 0);
}

/// The passes until an unsigned value wraps around.
Wide passes_to_wrap(std::uint64_t value, Wide step, unsigned bytes) {
  const Wide all = Wide{1} << (8 * bytes);
  if (step == 0) return std::numeric_limits<std::int64_t>::max();
  return step > 0 ? (all - value) / step : Wide{value} / -step;
}

}  // namespace

void CounterProof::Series::add(const Compared& now) {
  const std::int64_t left = difference(now.left, last.left, now.bytes);
  const std::int64_t right = difference(now.right, last.right, now.bytes);
  steady = steady > 0 && left == left_step && right == right_step ? steady + 1 : 1;
  left_step = left;
  right_step = right;
  last = now;
}

bool CounterProof::Series::goes_on_with(const Compared& now) const {
  return now.site == last.site && difference(now.left, last.left, now.bytes) == left_step &&
         difference(now.right, last.right, now.bytes) == right_step;
}

bool CounterProof::Series::is_constant() const {
  if (last.bytes < 4) return left_step == 0 && right_step == 0;
  const std::uint64_t least = std::uint64_t{1} << (8 * last.bytes - 1);
  return left_step == right_step || (left_step == 0 && unsigned_value(last.left, last.bytes) == least) ||
         (right_step == 0 && unsigned_value(last.right, last.bytes) == least);
}

std::optional<std::uint64_t> CounterProof::Series::apart_for() const {
  const unsigned bytes = last.bytes;
  if (bytes < 4 || std::max(std::abs(left_step), std::abs(right_step)) > largest_step) return {};
  const Wide step = Wide{left_step} - right_step;
  const Wide gap = Wide{signed_value(last.left, bytes)} - signed_value(last.right, bytes);
  const std::uint64_t left = unsigned_value(last.left, bytes), right = unsigned_value(last.right, bytes);
  const Wide unsigned_gap = Wide{left} - right;
  if (!same_sign(gap, step)) return {};
  Wide passes = std::min(passes_to_wrap(left, left_step, bytes), passes_to_wrap(right, right_step, bytes));
  if (!same_sign(unsigned_gap, step)) {
    // A negative number, or a large one that comes closer for a long time.
    if ((gap < 0 ? -gap : gap) >= Wide{1} << (8 * bytes - 2)) return {};
    passes = std::min(passes, unsigned_gap / step < 0 ? -(unsigned_gap / step) : unsigned_gap / step);
  } else if (left == 0 || right == 0) {
    return {};  // a counter may wrap around to 0 on purpose
  }
  return static_cast<std::uint64_t>(passes);
}

void CounterProof::begin(Watch& of_module, const Effort& limit) {
  watch_ = &of_module;
  limit_ = limit;
  stop();
}

void CounterProof::begin_launch(std::uint64_t memory_bytes) {
  memory_bytes_ = memory_bytes;
  stop();
}

void CounterProof::stop() {
  phase_ = Phase::idle;
  if (watch_ != nullptr) watch_->set_proves(false);
}

void CounterProof::observe(const Thread& thread) {
  if (phase_ != Phase::idle) return;
  phase_ = Phase::searching;
  thread_ = thread.id;
  seen_ = 0;
  sites_.clear();
  watch_->set_proves(true);
}

void CounterProof::search(const Compared& now) {
  if (++seen_ > most_seen) return stop();
  const auto [found, is_new] = sites_.try_emplace(now.site, Series{.last = now});
  Series& series = found->second;
  if (is_new) return;
  series.add(now);
  if (series.is_excluded || series.steady < steady_enough || !series.apart_for()) return;
  phase_ = Phase::first_pass;
  pass_.assign(1, series);
}

void CounterProof::exclude_end() {
  sites_[pass_.front().last.site].is_excluded = true;
  for (auto& [site, series] : sites_) series.steady = 0;
  phase_ = Phase::searching;
}

void CounterProof::learn(const Compared& now) {
  ++seen_;
  const bool begins = now.site == pass_.front().last.site;
  if (phase_ == Phase::first_pass) {
    if (!begins && pass_.size() == longest_pass) return exclude_end();
    if (!begins) return pass_.push_back({.last = now});
    phase_ = Phase::second_pass;
    next_ = 0;
    apart_for_ = 0;
  }
  Series& series = pass_[next_];
  if (now.site != series.last.site) return exclude_end();
  series.add(now);
  if (next_ == 0 || !series.is_constant()) {
    const auto apart_for = series.apart_for();
    if (!apart_for) return exclude_end();
    apart_for_ = std::max(apart_for_, *apart_for);
  }
  if (++next_ < pass_.size()) return;
  phase_ = Phase::following;
  next_ = 0;
  passes_ = 0;
}

bool CounterProof::ends_pass(const Compared& now) {
  if (phase_ != Phase::following) {
    if (phase_ == Phase::searching)
      search(now);
    else
      learn(now);
    return false;
  }
  Series& series = pass_[next_];
  if (!series.goes_on_with(now)) {
    stop();
    return false;
  }
  series.last = now;
  if (++next_ < pass_.size()) return false;
  next_ = 0;
  ++passes_;
  return true;
}

std::optional<std::string> CounterProof::verdict(const Effort& now) {
  if (passes_ == passes_between_checks) begin_ = now;
  const std::uint64_t passes = passes_ - passes_between_checks;
  const std::uint64_t blocks = now.blocks - begin_.blocks, steps = now.steps - begin_.steps;
  const bool is_dear = steps >= limit_.steps / part_of_limit || blocks >= limit_.blocks / part_of_limit;
  const bool is_long = passes >= many_passes || (passes >= enough_passes && is_dear);
  if (!is_long || passes < memory_bytes_) return {};
  if (passes_ > apart_for_) return words();
  const double more = static_cast<double>(apart_for_ - passes_) / static_cast<double>(passes);
  const bool is_stopped_before =
      static_cast<double>(now.blocks) + more * static_cast<double>(blocks) > static_cast<double>(limit_.blocks) ||
      static_cast<double>(now.steps) + more * static_cast<double>(steps) > static_cast<double>(limit_.steps);
  return is_stopped_before ? std::optional(words()) : std::nullopt;
}

std::string CounterProof::words() const {
  const Series& end = pass_.front();
  const std::int64_t left = signed_value(end.last.left, end.last.bytes);
  const std::int64_t right = signed_value(end.last.right, end.last.bytes);
  if (end.left_step != 0 && end.right_step != 0)
    return fmt::format("a loop that does not end: {} and {}, which it compares, have passed each other and move apart",
                       left, right);
  const bool is_left = end.left_step != 0;
  return fmt::format(
      "a loop that does not end: its counter has passed {}, with which it is compared: it is {}, and "
      "changes by {} in each pass",
      is_left ? right : left, is_left ? left : right, is_left ? end.left_step : end.right_step);
}

}  // namespace warpwright::simulator
