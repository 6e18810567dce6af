// Composes and shows the progress line.
#include "tuner/tasks/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "kernels/core/text.hpp"
#include "kernels/system/say.hpp"
#include "kernels/system/table.hpp"

namespace warpwright::tuner {
namespace {

/// Seconds before the first line, and between lines.
constexpr double kFirst = 0.5, kPauseOnTerminal = 0.2, kPauseElsewhere = 5;
constexpr std::chrono::milliseconds kTick{200};
constexpr std::size_t kLeastName = 12;

}  // namespace

Progress::Ways Progress::usual() {
  Ways ways{.screen = screen_of(STDERR_FILENO), .ticks = true};
  ways.clock = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  if (ways.screen.terminal)
    ways.show = [](const std::string& line) { program::show_status(line); };
  else
    ways.show = [](const std::string& line) {
      if (!line.empty()) program::say(line);
    };
  return ways;
}

Progress::Progress(std::optional<double> budget_seconds, Ways ways)
    : ways_(std::move(ways)),
      left_(budget_seconds ? std::optional(ways_.clock() + *budget_seconds) : std::nullopt),
      begun_at_(ways_.clock()),
      shown_at_(begun_at_) {
  // One column stays free: a terminal may wrap after the last one.
  if (ways_.screen.width == 0) ways_.screen.width = 100;
  if (ways_.ticks) ticker_.emplace(kTick, [this] { tick(); });
}

Progress::~Progress() {
  end();
}

void Progress::end() {
  const std::scoped_lock lock(mutex_);
  if (!has_ended_) ways_.show("");
  has_ended_ = true;
}

void Progress::expect(const std::string& problem, std::size_t configurations) {
  const std::scoped_lock lock(mutex_);
  of(problem).configurations = configurations;
  if (problem_.empty()) problem_ = problem;
}

void Progress::begin(const std::string& problem, std::size_t configurations) {
  const std::scoped_lock lock(mutex_);
  of(problem).configurations = configurations;
  update(problem, "");
}

void Progress::evaluated(const std::string& problem, double best_us) {
  const std::scoped_lock lock(mutex_);
  OfProblem& one = of(problem);
  ++one.evaluated;
  ++evaluated_;
  one.best_us = std::min(one.best_us, best_us);
  update(problem, "");
}

void Progress::now(const std::string& problem, const std::string& activity) {
  const std::scoped_lock lock(mutex_);
  update(problem, activity);
}

void Progress::finish(const std::string& problem) {
  const std::scoped_lock lock(mutex_);
  OfProblem& one = of(problem);
  if (one.is_done) return;
  one.is_done = true;
  ++done_;
  // Configurations that its search left out do not count as work any more.
  one.configurations = one.evaluated;
}

void Progress::update(const std::string& problem, const std::string& activity) {
  problem_ = problem;
  activity_ = activity;
  const double now = ways_.clock();
  std::size_t all = 0;
  for (const auto& [name, one] : problems_) all += std::max(one.configurations, one.evaluated);
  left_.done(now, evaluated_, all);
  show_when_due(now);
}

void Progress::tick() {
  const std::scoped_lock lock(mutex_);
  show_when_due(ways_.clock());
}

void Progress::show_when_due(double now) {
  const double pause = !has_shown_ ? kFirst : ways_.screen.terminal ? kPauseOnTerminal : kPauseElsewhere;
  if (has_ended_ || problem_.empty() || now - shown_at_ < pause) return;
  has_shown_ = true;
  shown_at_ = now;
  ways_.show(line(problem_, activity_, now));
}

std::string Progress::line(const std::string& problem, const std::string& activity, double now) const {
  const OfProblem& one = problems_.at(problem);
  const std::string evaluated = grouped(static_cast<std::int64_t>(one.evaluated));
  const auto all = static_cast<std::int64_t>(one.configurations);
  std::string results = std::isfinite(one.best_us) ? ", best " + time_text(one.best_us) : "";
  if (const auto left = left_.seconds(now)) results += fmt::format("; {} left", program::about(*left));
  const std::size_t width = ways_.screen.width - 1;
  std::string text;
  // If space is short, words are dropped before the name is cut, and that before numbers.
  for (const bool is_short : {false, true}) {
    std::string before, work = is_short ? evaluated + "/" + grouped(all)
                                        : fmt::format("{} of {}", evaluated, counted(all, "configuration"));
    // Nothing is known of the first programs but that they take time.
    if (evaluated_ == 0)
      work = fmt::format("compiling{}, {:.0f} s", is_short ? "" : " the first of " + counted(all, "configuration"),
                         now - begun_at_);
    if (problems_.size() > 1)
      before = is_short ? fmt::format("{}/{} done; ", done_, problems_.size())
                        : fmt::format("{} of {} problems done; ", done_, problems_.size());
    if (!activity.empty()) work = activity;
    const std::size_t used = before.size() + work.size() + results.size() + 2;
    const bool fits = used + (is_short ? kLeastName : problem.size()) <= width;
    text = before + cut(problem, fits ? width - used : kLeastName) + ": " + work + results;
    if (fits) break;
  }
  return cut(text, width);
}

}  // namespace warpwright::tuner
