// What `tune` prints at its end: the best configurations, what was done, and how to continue.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "db/query/query.hpp"
#include "kernels/system/screen.hpp"
#include "tuner/tasks/outcome.hpp"

namespace warpwright::tuner {

/// Totals over all problems.
struct Totals {
  int problems = 0, configurations = 0, resumed = 0, shared = 0, simulated = 0;
  Faults faults;
  int failing = 0;     ///< counterexamples of earlier runs that still fail
  int unanswered = 0;  ///< problems without a best configuration

  void add(const TuneOutcome& outcome) {
    ++problems;
    configurations += outcome.configurations;
    resumed += outcome.resumed;
    shared += outcome.shared;
    simulated += outcome.simulated;
    faults.add(outcome.faults);
  }
  /// Whether a kernel is at fault.
  bool has_wrong() const { return faults.wrong() + failing > 0; }
};

/// "17 problems, 5,926 configurations measured, 1 too slow, in 2 min 19 s on NVIDIA H200 (sm_90)"; "7 of 35 problems"
/// if the others have no best configuration.
std::string summary(const Totals& totals, double seconds, bool is_measured, const std::string& device);

/// What cannot be used; empty if everything can.
std::string faults_text(const Totals& totals);

/// "no result for 2 problems, because the budget ran out: map 2^26 float; scan 2^26 float. Give more --budget." The
/// first few are named.
std::string unsearched_text(const std::vector<std::string>& titles);

/// How much of a problem's space was evaluated.
struct SearchedProblem {
  std::string pattern;
  db::Searched searched;
};

/// Patterns with a problem of which less than a hundredth of the space, or only defaults, were evaluated.
std::vector<std::string> hardly_searched(const std::vector<SearchedProblem>& problems);

/// The time in which each of those problems reaches a fiftieth of its space at this rate, in whole minutes: "2m".
std::string budget_to_go_on(const std::vector<SearchedProblem>& problems, double configurations_per_second);

/// What a configuration took on the GPU, a line for each pattern; empty if nothing was measured.
std::string time_of_configurations(const std::map<std::string, TrialSeconds>& seconds, const Screen& screen);

/// " --db FILE" for a command if `given` is not empty.
std::string database_option(const std::string& given);

/// Abbreviates the home folder in a path: "~/.local/share".
std::string from_home(const std::filesystem::path& path, const char* home);

/// Two texts on one line if they fit, else on two.
std::string side_by_side(const std::string& left, const std::string& right, std::size_t width);

}  // namespace warpwright::tuner
