// What configurations lose on the other sizes of a problem and on other boards. Internal to db/.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "db/query/cells.hpp"

namespace warpwright::db {

// The other cells of a problem: those of problems that differ from it in their shape only, on any board, and its own on
// other boards. Of several kinds of times of one problem and board, only the preferred kind counts.
class Elsewhere {
 public:
  Elsewhere(const Store&, Id problem, Id board);

  struct Losses {
    std::map<Id, double> by_configuration{};  // geometric mean of the times divided by the best times, minus 1
    std::size_t sizes = 0, boards = 0;        // other ones where some of the configurations were evaluated
    double of(Id configuration) const;        // 0 if it has none
  };
  // Of these configurations. Where one was not evaluated, it counts as the median of those that were. Empty if none was
  // evaluated in any other cell.
  Losses of(std::span<const Id> configurations) const;

 private:
  struct Place {
    Id problem = 0, board = 0;
    std::map<Id, double> losses{};  // by configuration
  };
  Id problem_ = 0, board_ = 0;
  std::vector<Place> places_{};
};

}  // namespace warpwright::db
