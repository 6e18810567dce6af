// Problems that were timed on several boards: which settings move from board to board, and what that costs.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "db/query/query.hpp"

namespace warpwright::db {

// What a setting costs on a board where another one is best.
struct Cost {
  double us = 0;
  double loss = 0;    // its time over the best one there, less 1
  bool tied = false;  // cannot be told apart from the best one
};

// A board's best settings for the problem, and what they cost on each board, in the order of the boards: nothing where
// they were not timed.
struct OnBoard {
  Board board{};
  TrialView best{};
  std::vector<std::optional<Cost>> costs{};
};

// The setting that loses least on the board that suits it least.
struct Compromise {
  TrialView setting{};  // its trial on the first board
  std::vector<Cost> costs{};
  std::size_t worst = 0;  // the board of its greatest loss
  std::size_t among = 0;  // of so many settings that were timed on all boards
};

// One problem on two boards or more.
struct CrossBoard {
  Problem problem{};
  std::string provenance{};
  std::vector<OnBoard> boards{};
  std::optional<Compromise> compromise{};  // none: no setting was timed on all boards

  std::string title() const;  // "transpose data=uniform float 8192x8192"
  // The greatest cost of one board's best on another; nothing where none of them was timed elsewhere.
  struct Move {
    std::size_t from = 0, to = 0;
    Cost cost{};
  };
  std::optional<Move> dearest() const;
  // Whether some board has better settings than another's best; also where nobody timed those there.
  bool moves() const;
};

// In the order of the problems' names and of the boards'. Measured trials of a problem and imported ones are never
// mixed; of a board's times those of its newest measurements. A board in the filter is one of each problem's.
std::vector<CrossBoard> cross_board_problems(const Store&, const Filter& filter = {});

// "3.2 %": a loss for people.
std::string percents(double loss);

// What all of it says, in a sentence.
std::string sentence_of(const std::vector<CrossBoard>&);

}  // namespace warpwright::db
