// Shows progress on standard error: one line that is redrawn on a terminal, else a line every few seconds.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "kernels/system/screen.hpp"
#include "kernels/system/ticker.hpp"
#include "tuner/tasks/time_left.hpp"

namespace warpwright::tuner {

/// Shows problems done, the best time so far, and the time left. Thread-safe.
class Progress {
 public:
  struct Ways {
    Screen screen = {};                                 ///< of standard error
    std::function<double()> clock = {};                 ///< seconds
    std::function<void(const std::string&)> show = {};  ///< a line; on a terminal it replaces the last one
    bool ticks = false;                                 ///< calls tick() several times a second
  };
  /// Standard error and the steady clock, which ticks.
  static Ways usual();

  /// The budget is that of the run, if it has one.
  explicit Progress(std::optional<double> budget_seconds = std::nullopt, Ways ways = usual());
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Announces a problem, and its maximum number of configurations.
  void expect(const std::string& problem, std::size_t configurations);
  /// The search of a problem begins, with this many configurations.
  void begin(const std::string& problem, std::size_t configurations);
  /// One more configuration is evaluated, with this time; infinity: none.
  void evaluated(const std::string& problem, double best_us = std::numeric_limits<double>::infinity());
  /// Another activity: "comparing with cub/device_reduce".
  void now(const std::string& problem, const std::string& activity);
  void finish(const std::string& problem);
  /// Shows the line again when it is time, even if nothing has changed for long.
  void tick();
  /// Shows nothing any more.
  void end();

 private:
  struct OfProblem {
    std::size_t configurations = 0, evaluated = 0;
    double best_us = std::numeric_limits<double>::infinity();
    bool is_done = false;
  };

  OfProblem& of(const std::string& problem) { return problems_[problem]; }
  void update(const std::string& problem, const std::string& activity);
  void show_when_due(double now);
  std::string line(const std::string& problem, const std::string& activity, double now) const;

  std::mutex mutex_;
  Ways ways_;
  TimeLeft left_;
  std::map<std::string, OfProblem> problems_;
  std::size_t done_ = 0, evaluated_ = 0;
  std::string problem_, activity_;  ///< the newest
  double begun_at_, shown_at_;
  bool has_shown_ = false, has_ended_ = false;
  std::optional<Ticker> ticker_;  ///< ends before all else
};

}  // namespace warpwright::tuner
