// What changed since the session or run before: times that drifted, failures that are new, environments that differ.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/model.hpp"

namespace warpwright::reports {

// The best time of a problem in the newest session on its board, and in the session before that measured it alike.
struct Drift {
  const Contest* contest = nullptr;
  const db::TrialView* before = nullptr;
  const db::TrialView* after = nullptr;
  // Why the two sessions looked at different things, so that the change is none of the machine: a slower one did not
  // try the earlier best again (nor as many configurations), or a faster one has a best that was not tried before. Else
  // "".
  std::string apart{};

  // 0.05: 5 % slower.
  double change() const { return *after->trial.median_us / *before->trial.median_us - 1; }
  bool comparable() const { return apart.empty(); }
};
// Of measured times only; largest slowdown first.
std::vector<Drift> drifts(const Architecture&);

// One thing in which two environments, or the states of two sessions, differ.
struct Difference {
  std::string name{};
  std::string before{};
  std::string after{};
  bool differs = true;
};
// Both sides of all that describes the surroundings of two trials.
std::vector<Difference> surroundings(const Report&, const db::TrialView& before, const db::TrialView& after);

// Something that fails now and did not before.
struct NewFailure {
  std::string what{};    // "reduce/tree {...} on reduce op=sum float 1024 (sm_90): failed"
  std::string detail{};  // the finding
  std::string repro{};   // a command
};
// Counterexamples that the newest conformance run of its kind (target and glob) saw for the first time and that still
// fail; and of the newest session of an architecture the trials whose verdict says that a kernel is wrong where the
// trial before did not (or where there was none), and configurations that no longer compile or launch.
std::vector<NewFailure> new_failures(const Report&);

}  // namespace warpwright::reports
