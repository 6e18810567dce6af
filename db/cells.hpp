// Trials that may be compared with one another, and which of them wins; for the files of db/ only.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "db/records.hpp"

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

bool newer(const Candidate&, const Candidate&);

// The newest trial of each configuration, which speaks for it; of one mode only.
std::map<Id, const Candidate*> newest_of(const std::vector<Candidate>&, const std::string& mode);

// The winner: the first of the ranked ones; without a ranking, the fastest of the newest mode, where one that was
// stopped early counts only beside its like.
const Candidate& winner_of(const std::vector<Candidate>&);

}  // namespace warpwright::db
