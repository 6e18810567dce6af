// Board loss: the loss of one board's best configuration on another board, and the params that differ.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpwright::reports::charts {

// A param whose best value differs from board to board.
struct MovedParam {
  std::string name{};
  std::string from{};  // its value on the board where the configuration is the best
  std::string to{};    // ... and in the best configuration of the other board
};

struct BoardLoss {
  std::string problem{};           // "scan, inclusive sum, float"
  std::string href{};              // its page; empty: none
  std::string from{};              // the configuration is the best of this board
  std::string to{};                // and runs on this one
  std::optional<double> factor{};  // its time over the best time there; 1: no loss. Empty: never run there
  std::string why{};               // why there is no factor: "needs sm_90", "not tried"
  std::vector<MovedParam> moved{};
};

// A <table class="losses">: problem, from, to, a dot on a logarithmic axis from 1, the factor, and the params that
// differ. Rows are shown in the order given. A sentence if there are none.
std::string board_losses(const std::vector<BoardLoss>&);

}  // namespace warpwright::reports::charts
