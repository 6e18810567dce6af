// Trials that may be compared with one another, and which of them wins; for the files of db/ only.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "db/query/query.hpp"

namespace warpwright::db {

// What choosing needs of a trial.
struct Candidate {
  Id id = 0;
  std::string identity{};
  std::string created_at{};
  Id configuration = 0;
  Id kernel = 0;
  std::string mode{};
  double time_us = 0;
  std::optional<int> rank{};
  bool tied = false;
  bool stopped_early = false;
  bool is_default = false;
};

// Where the times of a cell come from; an earlier one goes before a later one.
enum class Kind { measured, predicted, imported };

// Trials that may be compared: of one problem, board and provenance (and kernel, where one answer per kernel is asked).
struct Cell {
  Id problem = 0;
  Id board = 0;
  Kind kind = Kind::measured;
  std::vector<Candidate> candidates{};
};

// By problem, board, kind and (where each kernel is to have an answer, else 0) kernel.
using Cells = std::map<std::tuple<Id, Id, Kind, Id>, Cell>;

// Of all trials of the filter that a best setting may come from: those that passed, and predicted and imported ones
// that were not checked.
Cells read_cells(const Store&, const Filter&, bool per_kernel = false);

// The same of what was timed: predicted trials are not read.
Cells read_timed_cells(const Store&, const Filter&);

bool newer(const Candidate&, const Candidate&);

// The newest trial of each configuration, which speaks for it; of one mode only.
std::map<Id, const Candidate*> newest_of(const std::vector<Candidate>&, const std::string& mode);

// The winner: the first of the ranked ones; without a ranking, the fastest of the newest mode, where one that was
// stopped early counts only beside its like.
const Candidate& winner_of(const std::vector<Candidate>&);

// A cell's winner, and the newest trials of its mode, which are what may be held against it. Of a cell that outlives
// it.
struct Field {
  explicit Field(const Cell& of)
      : cell(of), winner(winner_of(of.candidates)), newest(newest_of(of.candidates, winner.mode)) {}

  const Cell& cell;
  const Candidate& winner;
  std::map<Id, const Candidate*> newest;  // by configuration
};

// One configuration in several cells: what it loses against the winner of each, and its trials there.
struct Standing {
  std::vector<double> losses{};
  std::vector<Id> trials{};
};

// Of the configurations that were timed in all of the cells, in the modes of their winners, the one whose greatest loss
// is least; `among` hears how many they are. Nothing where there is none.
std::optional<Standing> least_regret(std::span<const Field> fields, std::size_t* among = nullptr);

}  // namespace warpwright::db
