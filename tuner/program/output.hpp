// What `tune` prints at its end: the best settings that were found, what was done, and how to go on.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "db/query/query.hpp"
#include "kernels/system/screen.hpp"
#include "tuner/tasks/outcome.hpp"

namespace warpwright::tuner {

/// Of all problems.
struct Totals {
  int problems = 0, configurations = 0, resumed = 0, shared = 0, judged = 0;
  Faults faults;
  int failing = 0;  ///< counterexamples of earlier runs

  void add(const TuneOutcome& outcome) {
    ++problems;
    configurations += outcome.configurations;
    resumed += outcome.resumed;
    shared += outcome.shared;
    judged += outcome.judged;
    faults.add(outcome.faults);
  }
  /// Whether a kernel is at fault.
  bool has_wrong() const { return faults.wrong() + failing > 0; }
};

/// "17 problems, 5,926 configurations measured, 1 too slow, in 2 min 19 s on NVIDIA H200 (sm_90)"
std::string summary(const Totals& totals, double seconds, bool is_measured, const std::string& device);

/// What of it cannot be used; empty where all can.
std::string faults_text(const Totals& totals);

/// Patterns with a problem of whose space less than a hundredth was evaluated, or nothing but defaults.
std::vector<std::string> hardly_searched(const std::vector<db::Best>& best);

/// The time that takes each of those to a fiftieth of its space, at that rate: whole minutes, "2m".
std::string budget_to_go_on(const std::vector<db::Best>& best, double configurations_per_second);

/// " --db FILE" for a command, of what was given as such; nothing where nothing was.
std::string database_option(const std::string& given);

/// A path as people write it: "~/.local/share" for what is in their home.
std::string from_home(const std::filesystem::path& path, const char* home);

/// Two texts on one line where they fit, else on two.
std::string side_by_side(const std::string& left, const std::string& right, std::size_t width);

}  // namespace warpwright::tuner
