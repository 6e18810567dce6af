// Problems timed on several boards: whether the best configurations differ between boards, and what the wrong ones
// lose.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "db/query/query.hpp"

namespace warpwright::db {

// The loss of a setting on a board where another setting is best.
struct Cost {
  double us = 0;
  double loss = 0;    // its time divided by the best time there, minus 1
  bool tied = false;  // cannot be told apart from the best configuration
};

// A board's best configurations for the problem, and their costs on each board, in the order of the boards; nothing
// where they were not timed.
struct OnBoard {
  Board board{};
  TrialView best{};
  std::vector<std::optional<Cost>> costs{};
};

// The setting whose greatest loss over all boards is least.
struct Compromise {
  TrialView setting{};  // its trial on the first board
  std::vector<Cost> costs{};
  std::size_t worst = 0;  // index of the board where it loses most
  std::size_t among = 0;  // number of settings that were timed on all boards
};

// One problem timed on at least two boards.
struct CrossBoard {
  Problem problem{};
  std::string provenance{};
  std::vector<OnBoard> boards{};
  std::optional<Compromise> compromise{};  // nothing if no setting was timed on all boards

  std::string title() const;  // "transpose data=uniform float 8192x8192"
  // The greatest cost of one board's best configurations on another board; nothing if none of them was timed elsewhere.
  struct Move {
    std::size_t from = 0, to = 0;
    Cost cost{};
  };
  std::optional<Move> dearest() const;
  // Whether one board's best configurations are not the best on another board, or were not timed there.
  bool moves() const;
};

// The problems that several boards timed, sorted by name, each with its boards sorted by name. Measured and imported
// trials of a problem are never mixed. If the database has several boards with one model name, the one with the newest
// trial counts. If the filter names a board, the result has the problems timed on that board.
std::vector<CrossBoard> cross_board_problems(const Store&, const Filter& filter = {});

// Formats a loss for people: "3.2 %".
std::string percents(double loss);

// Summarizes all problems in a sentence.
std::string sentence_of(const std::vector<CrossBoard>&);

}  // namespace warpwright::db
