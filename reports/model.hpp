// The model that a report shows, read from one database: for each architecture its problems and boards, with their
// trials.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "db/maintenance/check.hpp"
#include "db/query/ceiling.hpp"
#include "db/query/cross_board.hpp"
#include "db/query/model_check.hpp"
#include "db/query/plan_params.hpp"
#include "db/query/query.hpp"
#include "db/query/step_times.hpp"
#include "db/store/store.hpp"
#include "kernels/core/vocabulary.hpp"

namespace warpwright::reports {

// The newest trial with a decided verdict of a configuration on a problem and board.
struct Row {
  const db::TrialView* view = nullptr;
  // Bytes of memory of all launches, as the simulator counted them for a small problem and scaled by the number of
  // threads.
  std::optional<double> traced_bytes{};
  std::vector<std::pair<std::string, std::string>> params{};  // name and value: "finish" and "atomic"

  const db::Trial& trial() const { return view->trial; }
};

// A problem on a board model. Times are compared only within one.
struct ProblemResults {
  db::Problem problem{};
  db::Board board{};
  std::vector<db::TrialView> trials{};  // all trials, oldest first
  std::vector<Row> rows{};              // sorted by kernel and params
  std::vector<db::Baseline> baselines{};
  std::vector<db::Comparison> comparisons{};
  std::optional<db::Best> best{};
  // The best before the newest session that measured on this board.
  std::optional<db::TrialView> best_before{};
  std::vector<db::Best> kernel_bests{};   // of each kernel timed as the best is: that of `best`, then the fastest first
  db::PlanTimes steps{};                  // of the best configuration's plan; none if they were not timed
  std::optional<db::ModelCheck> model{};  // predicted times compared with measured ones, over all kernels
  std::optional<db::PlanParams> defines{};  // of the best configuration of a job, which has no type in C++
  // What pages show: "measured" if anything correct was measured, else "predicted", else "imported"; for a problem that
  // only libraries solved, "measured".
  std::string provenance{};
  std::string mode{};                    // of the best configuration; times of another kind are not compared
  std::optional<db::Ceiling> ceiling{};  // what the best time is compared with; absent if not known

  // Not copyable, because rows point into `trials`; move only.
  ProblemResults() = default;
  ProblemResults(ProblemResults&&) = default;
  ProblemResults& operator=(ProblemResults&&) = default;
  ProblemResults(const ProblemResults&) = delete;
  ProblemResults& operator=(const ProblemResults&) = delete;

  // Problem name without its shape: "reduce op=sum,data=uniform float".
  std::string name() const;
  // Problem name with its shape: "reduce 2^26 float".
  std::string title() const;
  // The file name of its page: "sm_90-reduce-67108864-NVIDIA-H200-0123abcd.html".
  std::string file() const;
  // The rank of a kernel among kernel_bests, from 1; 0 if it has no time.
  int rank_of(const std::string& kernel) const;
  bool measured() const;
  bool imported() const { return provenance == provenance::imported; }
  bool predicted() const { return provenance == provenance::predicted; }
  // Whether its data must cross the bus, whose rate is then the ceiling.
  bool crosses_bus() const { return problem.bus_to_device + problem.bus_to_host > 0; }
  // Bytes that every solution must move: through memory, or over the bus in the busier direction. 0 if not known.
  double bytes() const;
  // The rate in GB/s for a time; empty if the bytes are not known.
  std::optional<double> rate_gbs(std::optional<double> us) const;
  std::optional<double> share_of_ceiling(std::optional<double> us) const;
  // Whether this trial's time may be compared with the best.
  bool compares(const db::TrialView& view) const;
  // The time that pages show of a trial that compares with the best: none is shorter than that of the best, as the
  // final rounds choose it.
  double shown_us(const db::TrialView& view) const;
  // Whether the best cannot be told apart from this trial's configuration.
  bool equals_best(const db::TrialView& view) const;
};

struct Architecture {
  std::string name{};  // "sm_90"
  std::vector<ProblemResults> problems{};
  std::vector<db::Session> sessions{};  // sessions that tuned for this architecture, oldest first

  bool measured() const;  // whether anything was measured
  // Its boards; those that measured the most problems come first.
  std::vector<std::string> boards() const;
  // The file name of its page: "sm_90.html".
  std::string file() const;
};

struct Report {
  std::string file{};
  std::vector<Architecture> architectures{};
  std::map<db::Id, db::Session> sessions{};
  std::map<db::Id, db::Environment> environments{};
  std::vector<db::ConformanceRun> runs{};
  // The cases of conform by "reduce/sequential": on each target in the newest run that has the kernel.
  std::map<std::string, std::int64_t> cases{};
  std::vector<db::Counterexample> counterexamples{};
  std::vector<db::Mutant> mutants{};
  std::map<std::string, db::Kernel> kernels{};  // by "reduce/sequential"
  std::vector<db::CrossBoard> across{};         // problems timed on several boards
  std::vector<db::AlteredRow> altered{};        // rows that were changed from outside the programs

  Report() = default;
  Report(Report&&) = default;
  Report& operator=(Report&&) = default;
  Report(const Report&) = delete;
  Report& operator=(const Report&) = delete;
};

// Reads everything, or only one architecture if `arch` is given.
Report read_report(const db::Store&, const std::string& arch = "");

// Names and values of params, parsed from their C++ text, in its order: "{.block_size = 128, .finish = a::b::atomic}".
std::vector<std::pair<std::string, std::string>> params_of(const std::string& text);

// Whether a counterexample still fails: it is neither fixed nor obsolete.
bool is_open(const db::Counterexample&);

// The newest run of conform on each target.
std::map<std::string, const db::ConformanceRun*> newest_runs(const Report&);

// The rows whose times may be compared with the best.
std::vector<const Row*> compared_rows(const ProblemResults&);

// Whether a trial has a time and its configuration may be used: it passed, or it is a prediction that was not checked.
bool is_timed(const db::TrialView& view);

}  // namespace warpwright::reports
