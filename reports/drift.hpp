// What changed since the previous session or run: drifted times, new failures, different environments.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/model.hpp"

namespace warpwright::reports {

// A session's best trial of a problem: the certified one, or else the fastest that was not stopped early. One for each
// session that timed the problem as the best is timed, oldest first.
std::vector<const db::TrialView*> bests_of_sessions(const Architecture&, const ProblemResults&);

// A problem whose best time changed in the newest session on its board. The rules of db/query say which configuration
// is best: a session that did not measure the best again, and found nothing faster, changes nothing.
struct Drift {
  const ProblemResults* results = nullptr;
  const db::TrialView* before = nullptr;
  const db::TrialView* after = nullptr;
  std::string apart{};  // why the change does not come from the environment: `new_best`; otherwise ""

  // Relative change: 0.05 means 5 % slower.
  double change() const { return *after->trial.median_us / *before->trial.median_us - 1; }
  bool comparable() const { return apart.empty(); }
};
// Drifts of measured times, largest slowdown first.
std::vector<Drift> drifts(const Architecture&);

// Why a change is none of the machine or the code.
inline constexpr const char* new_best = "new best";
inline constexpr const char* not_again = "best not measured again";

// A change by this share or less is noise.
inline constexpr double noise = 0.01;

// One property in which two environments, or the GPU states of two sessions, differ.
struct Difference {
  std::string name{};
  std::string before{};
  std::string after{};
  bool differs = true;
};
// The environments of two trials, property by property.
std::vector<Difference> surroundings(const Report&, const db::TrialView& before, const db::TrialView& after);

// A kernel or configuration that fails now and did not before.
struct NewFailure {
  std::string what{};    // "reduce/tree {...} on reduce op=sum float 1024 (sm_90): failed"
  std::string detail{};  // the text of the finding
  std::string repro{};   // a command that reproduces it
};
// All new failures: counterexamples that the newest conformance run (of the same target and glob) saw for the first
// time and that still fail; of each problem on each board, wrong trials of its newest session whose predecessor was
// right (or absent), and configurations that no longer compile or launch.
std::vector<NewFailure> new_failures(const Report&);

}  // namespace warpwright::reports
