// Finds races of a plan's steps: unordered steps that touch the same bytes, since a wait is missing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "kernels/runtime/simulator/results/execution.hpp"
#include "kernels/runtime/simulator/step_order.hpp"

namespace warpwright::simulator {

/// Remembers for every byte of every buffer the step that wrote it last and the steps that have read it since.
class StepRaces {
 public:
  StepRaces(const std::vector<OrderedStep>& steps, std::size_t buffers) : steps_(steps), pieces_(buffers) {}

  struct Conflict {
    std::size_t other = 0;  ///< index of the other step in the list
    std::size_t byte = 0;   ///< the first one that both touch
    bool other_writes = false;
  };
  /// Records what the step with that index touches. Returns the first conflict with an earlier step that is not ordered
  /// with this one; empty if there is none.
  std::optional<Conflict> touch(std::size_t step, std::size_t buffer, const Touched& touched);

 private:
  static constexpr std::size_t nobody = ~std::size_t{0};
  struct Piece {
    std::size_t end = 0;
    std::size_t writer = nobody;
    std::vector<std::size_t> readers = {};  ///< since the last write
    bool operator==(const Piece&) const = default;
  };
  using Pieces = std::map<std::size_t, Piece>;  ///< by first byte; gaps were never touched

  /// Splits the piece around the byte, if there is one, so that a piece begins at the byte.
  static void split(Pieces& pieces, std::size_t at);

  const std::vector<OrderedStep>& steps_;
  std::vector<Pieces> pieces_;
};

}  // namespace warpwright::simulator
