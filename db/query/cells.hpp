// Cells: groups of trials that may be compared with one another, and the choice of their winner. Internal to db/.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "db/query/query.hpp"
#include "db/query/views.hpp"

namespace warpwright::db {

// The fields of a trial that the choice needs.
struct Candidate {
  Id id = 0;
  std::string identity{};
  std::string created_at{};
  Id configuration = 0;
  Id kernel = 0;
  std::string mode{};
  double time_us = 0;
  double joules = 0;                          // 0 if not known
  std::optional<double> low_us{}, high_us{};  // interval around the time
  Id session = 0;                             // 0: of none
  std::optional<int> rank{};
  bool tied = false;
  std::string selection{};
  bool is_certified = false;
  bool stopped_early = false;
  bool is_default = false;
  bool is_deterministic = false;  // it was shown
  bool full_property = false;     // of a predicted trial
  double loss_elsewhere = 0;      // of a prediction among equals: its loss at other sizes and on other boards
};

// Where the times of a cell come from, the preferred kind first.
enum class Kind { measured, predicted, imported };

// Trials that may be compared: of one problem, board and provenance (of one kernel and mode, if one answer per kernel
// is requested).
struct Cell {
  Id problem = 0;
  Id board = 0;
  Kind kind = Kind::measured;
  Objective objective = Objective::time;
  std::vector<Candidate> candidates{};
  std::size_t other_sizes = 0, other_boards = 0;  // of predictions: where losses elsewhere are from
};

// By problem, board, kind and kernel (0 unless one answer per kernel is requested).
using Cells = std::map<std::tuple<Id, Id, Kind, Id>, Cell>;

// The cells of all trials of the filter that may be a best configuration: those that passed, and predicted and imported
// ones that were not checked; but none of a configuration that turned out wrong later.
Cells read_cells(const Store&, const Filter&);

// The same for a condition, without losses elsewhere.
Cells read_cells_of(const Store&, const Condition&);

// A cell for each kernel of each cell: its trials in the mode of the cell's winner, as others are not compared with it.
Cells cells_of_kernels(Cells);

// The same without predicted trials.
Cells read_timed_cells(const Store&, const Filter&);

bool newer(const Candidate&, const Candidate&);

// The newest trial of each configuration whose time is of the same kind as that of `one`.
std::map<Id, const Candidate*> newest_of(const std::vector<Candidate>&, const Candidate& one);

// Those of `newest` that are equal to the fastest one within the model's error. `newest` must not be empty.
std::vector<const Candidate*> equals_of(const std::map<Id, const Candidate*>& newest);

// The winner, over all sessions; docs/database.md has the rule.
const Candidate& winner_of(const Cell&);

// A cell, its winner, and the newest trials that may be compared with it. Refers to the cell, which must outlive it.
struct Field {
  explicit Field(const Cell& of) : cell(of), winner(winner_of(of)), newest(newest_of(of.candidates, winner)) {}

  // The time that losses are relative to: the winner's, or for predictions the shortest.
  double least_us() const;

  const Cell& cell;
  const Candidate& winner;
  std::map<Id, const Candidate*> newest;  // by configuration
};

// One configuration in several cells: its loss against the winner of each, and its trials there.
struct Standing {
  std::vector<double> losses{};
  std::vector<Id> trials{};

  double worst() const;
  double mean() const;  // of the costs divided by the winners' costs, geometric, minus 1
};

// Among the configurations timed in all cells (as each cell's winner was), the one that loses least;
// nothing if there is none. `among` is set to the number of such configurations.
std::optional<Standing> least_regret(std::span<const Field> fields, Robust by = Robust::worst,
                                     std::size_t* among = nullptr);

}  // namespace warpwright::db
