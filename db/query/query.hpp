// Questions to the store: which trials are there, and which settings are best.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "db/query/band.hpp"
#include "db/query/ceiling.hpp"
#include "db/store/problem_title.hpp"
#include "db/store/records.hpp"
#include "db/query/searched.hpp"
#include "db/store/store.hpp"
#include "kernels/core/settings.hpp"
#include "kernels/core/shape.hpp"

namespace warpwright::db {

// A trial with the names of what it refers to.
struct TrialView {
  Trial trial{};
  std::string pattern{};
  std::string kernel{};
  std::string params{};
  std::string params_json = "{}";
  Problem problem{};
  std::optional<Board> board{};
  std::vector<Certificate> certificates{};

  // The time to compare by: the median of a measured or imported trial, the model's time of a predicted one.
  std::optional<double> time_us() const;
  // The kernel and its params for people: "tiled {.tile_dim = 32}".
  std::string settings() const;
  // How far the time's kernel was checked: "certified (200 cases and 60 judged, seed 7)" or "not certified" of a
  // measured trial; "1 case", "40 cases", "the full property test, 51 cases", "several cases" (an older file) or
  // "unchecked" of a predicted one, "imported, not checked" of an imported one.
  std::string certainty() const;
  // The same in a word or two: "certified", "not certified", "predicted, checked" (the full property), "predicted, 6
  // cases", "predicted, unchecked", "imported".
  std::string short_certainty() const;
  bool is_measured() const;
};

// Which trials; what is absent or empty matches all. `pattern` and `kernel` are globs. `settings` are parts of a
// problem's variant or numbers, or its data; what they do not name is open. `board` is a model, or a part of one.
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
};

enum class Order {
  newest,
  time,  // the least first; those without a time last
};

// At most `limit` (0 = all).
std::vector<TrialView> trials(const Store&, const Filter&, std::int64_t limit = 0, Order order = Order::newest);
// By row id, or by identity or the beginning of one (at least 4 hex digits). Nothing when there is none; throws Error
// when the beginning fits several.
std::optional<TrialView> find(const Store&, std::string_view id_or_identity);

// Which best settings. Empty means any, except that `arch` is required.
struct BestQuery {
  std::string arch{};
  std::string pattern{};  // glob
  std::string kernel{};   // glob
  Settings settings{};    // as in Filter
  std::string types{};
  std::optional<Shape> shape{};              // the nearest one answers
  std::string board{};                       // the model to find settings for
  std::optional<double> bandwidth_per_sm{};  // its GB/s per SM, for a board that the database does not know
  bool per_kernel = false;                   // one answer per kernel in place of one per pattern
};

// The question for the best of what a filter selects.
BestQuery question_of(const Filter&);

// A library's time on a trial's problem, and how the two compare.
struct Opponent {
  Baseline baseline{};
  Comparison comparison{};
  std::string name() const { return baseline.implementation + "/" + baseline.idiom; }  // "cub/device_reduce"
};

// Everything that a trial was compared with; per library and idiom the default knobs first.
std::vector<Opponent> opponents_of(const Store&, Id trial_id);

// What to use where the data that will come is not known: of the configurations that were timed on every data set of
// the problem, the one whose greatest loss against the best of each is least.
struct AnyData {
  TrialView setting{};       // its trial on the data of the answer
  double loss = 0;           // on that data: its time over the best one, less 1
  double worst_loss = 0;     // the greatest of all data sets
  std::string worst_data{};  // where that is
  std::size_t data_sets = 0;
};

// An answer: the winner and how well it matches the question.
struct Best {
  TrialView winner{};
  std::string match{};                 // in words: "measured on this board, exact size"
  bool exact = false;                  // measured, on the asked board (if any), at the asked shape (if any)
  bool as_asked = true;                // the board and the shape are those of the question, where it had any
  std::vector<TrialView> tied{};       // others that cannot be told apart from the winner: of predicted ones its band
  std::optional<double> default_us{};  // the same kernel's default params, measured alike
  std::optional<double> speedup{};     // default_us / the winner's time; none where both are of one band
  std::vector<Opponent> opponents{};   // of the winner
  Ceiling ceiling{};                   // what bounds the problem: measured in the winner's session, else its peaks
  Searched searched{};                 // of the winner's problem, board and provenance
  std::optional<AnyData> any_data{};   // where the problem has answers for several data sets
  std::optional<Session> session{};    // the winner's
  std::optional<Environment> environment{};
};

// The best settings, one per (pattern, variant, numbers, types, data) and, where no shape is asked, per shape. Measured
// before predicted before imported; then the asked board before the board of that architecture nearest in bandwidth per
// SM; then the nearest shape of as many extents. Only trials that passed count, and predicted and imported ones that
// were not checked.
std::vector<Best> best(const Store&, const BestQuery&);

// How many trials a second the newest complete session on that target stored; of sessions of 20 trials at least.
std::optional<double> trials_per_second(const Store&, std::string_view target, std::string_view provenance);

// What a database offers for an option that selects ("--pattern"), for completion; nothing for other options.
std::vector<std::string> words_for(const Store&, const std::string& option);

// One line per (architecture, board, pattern, provenance) that the database has settings for: what to say when best()
// finds nothing.
std::vector<std::string> what_is_there(const Store&);

}  // namespace warpwright::db
