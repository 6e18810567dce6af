// Queries to the store: selecting trials, and finding best configurations.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/query/ceiling.hpp"
#include "db/query/searched.hpp"
#include "db/store/problem_title.hpp"
#include "db/store/records.hpp"
#include "db/store/store.hpp"
#include "kernels/core/objective.hpp"
#include "kernels/core/settings.hpp"
#include "kernels/core/shape.hpp"

namespace warpwright::db {

// A trial together with the rows it refers to.
struct TrialView {
  Trial trial{};
  std::string pattern{};
  std::string kernel{};
  std::string params{};
  std::string params_json = "{}";
  Problem problem{};
  std::optional<Board> board{};
  std::vector<Certificate> certificates{};

  // The time for comparisons: the median of a measured or imported trial, the model's time of a predicted one.
  std::optional<double> time_us() const;
  // The kernel and its params for people: "tiled {.tile_dim = 32}".
  std::string settings() const;
  // How thoroughly the kernel was checked. Measured: "certified (200 cases on the GPU and 60 in the simulator,
  // seed 7)" or "not certified". Predicted: "1 case", "40 cases", "the full property test, 51 cases", "several cases"
  // (their number is not known) or "unchecked". Imported: "imported, not checked".
  std::string certainty() const;
  // The same in a few words: "certified", "not certified", "predicted, checked" (by the full property test),
  // "predicted, 6 cases", "predicted, unchecked", "imported".
  std::string short_certainty() const;
  // "6.9 digits, 1.2 ulp", "exact"; empty if not known.
  std::string accuracy() const;
  // Of a run: "12.3 mJ"; empty if not known.
  std::string energy() const;
  // "yes: ...", "no: ..."; empty if not known.
  std::string determinism() const;
  bool is_measured() const;
  bool is_predicted() const;
};

// What a time depends on besides the plan: the cache's state and the clock. Times of one kind may be compared. The mode
// also says whether the launches were started one by one or as a graph; that is up to the plan and makes no other kind.
std::string_view time_kind(std::string_view mode);

// Selects trials; an absent or empty field matches all. `pattern` and `kernel` are globs; `pattern` may also be the
// value of a problem's variant, such as softmax of op=softmax. `settings` match a problem's variant, numbers or data;
// those that are not named are not restricted. `board` is a model name or a part of one.
struct Filter {
  std::string arch{};
  std::string pattern{};
  std::string kernel{};
  Settings settings{};
  std::string types{};
  std::string board{};
  std::string verdict{};
  std::string provenance{};
  std::optional<Shape> shape{};
  std::optional<Id> session_id{};
  std::string before{};                   // a moment: only trials that are older
  std::optional<double> max_error{};      // in ulp: only trials whose error is known and not larger
  bool deterministic = false;             // only trials that were shown to be
  Objective objective = Objective::time;  // if it is not the time: only trials whose energy is known
};

enum class Order {
  newest,
  time,  // fastest first; those without a time last
};

// At most `limit` trials (0 means all).
std::vector<TrialView> trials(const Store&, const Filter&, std::int64_t limit = 0, Order order = Order::newest);
// Finds a trial by row id, or by its identity or a prefix of it (at least 4 hex digits). Nothing if there is none;
// throws Error if the prefix is ambiguous.
std::optional<TrialView> find(const Store&, std::string_view id_or_identity);

// What is least for one setting for several problems.
enum class Robust { worst, geomean };
inline const std::vector<std::string> robust_words = {"worst", "geomean"};
inline Robust robust_of(std::string_view word) {
  return word == robust_words.back() ? Robust::geomean : Robust::worst;
}

// A query for best configurations. Empty fields match any; `arch` is required.
struct BestQuery {
  std::string arch{};
  std::string pattern{};  // glob
  std::string kernel{};   // glob
  Settings settings{};    // as in Filter
  std::string types{};
  std::optional<Shape> shape{};              // if no problem has this shape, the nearest one answers
  std::string board{};                       // the model to find settings for
  std::optional<double> bandwidth_per_sm{};  // its GB/s per SM, for a board that is not in the database
  std::optional<double> max_error{};         // as in Filter
  bool deterministic = false;                // likewise
  Objective objective = Objective::time;     // likewise
  bool per_kernel = false;  // one answer per kernel that was timed in the mode of the best, instead of one per pattern
  bool per_board = false;   // one answer per board model, whatever else is known of others
  std::optional<Robust> robust = Robust::worst;  // of the setting for all sizes; nothing: none is looked for
  std::vector<Shape> sizes{};                    // only problems of these; of any if empty
};

// The query for the best of the trials that a filter selects.
BestQuery best_query(const Filter&);

// A baseline's time on a trial's problem, and its comparison with the trial.
struct ComparedBaseline {
  Baseline baseline{};
  Comparison comparison{};  // without rounds: of medians that were not measured in alternating rounds
  bool has_rounds() const { return comparison.rounds > 0; }
  std::string name() const { return baseline.implementation + "/" + baseline.idiom; }  // "cub/device_reduce"
};

// All baselines that a trial was compared with; for each library and idiom the default knobs first.
std::vector<ComparedBaseline> compared_baselines(const Store&, Id trial_id);

// The setting to use for several problems, the data sets or the sizes of one: among the configurations timed on each,
// the one that loses least against the best of each.
struct OneForAll {
  TrialView setting{};     // its trial on the answer's problem
  double loss = 0;         // there: its time (or what the objective is) divided by the best one, minus 1
  double worst_loss = 0;   // greatest loss over all problems
  double mean_loss = 0;    // geometric mean of all times divided by the best times, minus 1
  std::string worst_at{};  // the data set or shape of the greatest loss
  std::size_t among = 0;   // how many problems
};

// Why a prediction was chosen among its equals: it loses least at the other sizes and on the other boards that the
// database has.
struct RobustChoice {
  double loss = 0;  // there, geometric mean
  std::size_t sizes = 0,
              boards = 0;  // how many others; if none, it is the fastest, or the one whose full property passed
  double fastest_us = 0;   // the shortest predicted time
};

// An answer: the winner, and how well it matches the query.
struct Best {
  TrialView winner{};
  std::string match{};  // in words: "measured on this board, exact size"
  Objective objective = Objective::time;
  bool exact = false;             // measured, on the requested board (if any), with the requested shape (if any)
  bool as_asked = true;           // board and shape are those requested, or none was requested
  std::vector<TrialView> tied{};  // others that cannot be told apart from the winner; for a prediction its equals
  std::optional<RobustChoice> robust{};  // of a prediction that has equals
  std::optional<double> default_us{};    // time of the same kernel's default params, measured in the same way
  std::optional<double>
      speedup{};  // default_us divided by the winner's time; none if both are equal within the model's error
  std::vector<ComparedBaseline> baselines{};  // libraries with a time that compares, as db/query/libraries chooses them
  Ceiling ceiling{};                    // ceiling of the problem: measured in any session, else from the data sheet
  Searched searched{};                  // how much was searched for the winner's problem, board and provenance
  std::optional<OneForAll> any_data{};  // if the problem has answers for several data sets: of the least worst loss
  // The fastest configuration that was shown to be deterministic, with its loss here; none if the winner was shown to
  // be.
  std::optional<OneForAll> deterministic{};
  std::optional<OneForAll> all_sizes{};  // if it has answers for several sizes
  std::optional<Session> session{};      // the winner's session
  std::optional<Environment> environment{};
};

// The best configurations, one per (pattern, variant, numbers, types, data), and per shape if the query has no shape.
// The order of preference is: measured, predicted, imported; then the requested board, or else the board of that
// architecture nearest in bandwidth per SM; then the nearest shape with as many extents. Only trials that passed count,
// and predicted and imported ones that were not checked.
std::vector<Best> best(const Store&, const BestQuery&);

// The best configuration of one cell: of a problem, a board and a provenance.
struct BestOfCell {
  TrialView winner{};
  std::vector<Id> tied{};  // trials that cannot be told apart from the winner, the best first
};

// The best of each cell that has trials which the filter selects. It is chosen from these only: with `before`, it is
// what was best then.
std::vector<BestOfCell> best_of_cells(const Store&, const Filter&);

// Trials per second of the newest complete session on that target that stored at least 20 trials.
std::optional<double> trials_per_second(const Store&, std::string_view target, std::string_view provenance);

// For shell completion: the values in the database for an option that selects ("--pattern"); nothing for other options.
std::vector<std::string> words_for(const Store&, const std::string& option);

// One line per (architecture, board, pattern, provenance) with settings; printed if best() finds nothing.
std::vector<std::string> what_is_there(const Store&);

}  // namespace warpwright::db
