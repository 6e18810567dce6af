// Progress of a run on standard error: one line that is drawn over again on a terminal, a line every few seconds
// elsewhere.
#pragma once

#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <optional>
#include <string>

#include "kernels/system/screen.hpp"
#include "tuner/tasks/time_left.hpp"

namespace warpwright::tuner {

/// What is worth waiting for: problems that are done, the best time so far, and how long it will take. For any thread.
class Progress {
 public:
  struct Ways {
    Screen screen = {};                                 ///< of standard error
    std::function<double()> clock = {};                 ///< seconds
    std::function<void(const std::string&)> show = {};  ///< a line; on a terminal it takes the place of the last one
  };
  /// Standard error and the steady clock.
  static Ways usual();

  /// A run with a budget is over after so many seconds.
  explicit Progress(std::optional<double> budget_seconds = std::nullopt, Ways ways = usual());
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// A problem that is still to come, by its name, and how many configurations it has at most.
  void expect(const std::string& problem, std::size_t configurations);
  /// Its search begins: now it is known how many it will ask for.
  void begin(const std::string& problem, std::size_t configurations);
  /// One configuration more is evaluated; the best time so far, where there is one.
  void evaluated(const std::string& problem, double best_us = std::numeric_limits<double>::infinity());
  /// What is done with it now, besides: "comparing with cub/device_reduce".
  void now(const std::string& problem, const std::string& activity);
  void finish(const std::string& problem);
  /// Nothing is shown any more.
  void end();

 private:
  struct OfProblem {
    std::size_t configurations = 0, evaluated = 0;
    double best_us = std::numeric_limits<double>::infinity();
    bool is_done = false;
  };

  OfProblem& of(const std::string& problem) { return problems_[problem]; }
  void update(const std::string& problem, const std::string& activity);
  std::string line(const std::string& problem, const std::string& activity, double now) const;

  std::mutex mutex_;
  Ways ways_;
  TimeLeft left_;
  std::map<std::string, OfProblem> problems_;
  std::size_t done_ = 0, evaluated_ = 0;
  double shown_at_;
  bool has_ended_ = false;
};

}  // namespace warpwright::tuner
