// The blocks of a launch: which are resident, and which one comes next.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "kernels/core/random.hpp"
#include "kernels/model/plan.hpp"
#include "kernels/runtime/simulator/results/options.hpp"
#include "kernels/runtime/simulator/state/thread.hpp"

namespace warpwright::simulator {

/// Resident blocks have slots. A cluster is admitted block by block, to neighbouring slots.
class GridBlocks {
 public:
  enum class Order { natural, reversed, shuffled };
  using Slots = std::vector<std::unique_ptr<Block>>;

  /// Starts a launch, which outlives it, of which `wanted` blocks are resident, or as many as there may be.
  /// With options.sampled_blocks only so many clusters run.
  void begin_launch(const Launch& launch, std::uint64_t wanted, const SimulationOptions& options);
  /// In which clusters of blocks are admitted.
  void set_order(Order order, Random& random);
  /// Forgets the launch, with all that threads remembered.
  void clear() { slots_.clear(); }

  Slots& slots() { return slots_; }
  /// Puts the next block of the grid into that slot, with new threads and warps.
  void admit(Block& block);
  /// To be called when all threads of the block have finished: returns the slots to which the next cluster is to be
  /// admitted.
  std::span<const std::unique_ptr<Block>> finish(const Block& block);
  /// Whether some blocks of the grid have not started.
  bool has_more() const { return next_ != turns_; }
  /// Whether all blocks of the grid are finished.
  bool all_finished() const { return left_ == 0; }

  /// Of the cluster of a block in that slot.
  ClusterBarrier& cluster_barrier(std::size_t slot) { return cluster_barriers_[slot / cluster_]; }

  /// The thread waits for the whole grid. Returns whether it was the last.
  bool arrive_at_grid(Thread& thread);
  /// The threads that do so.
  std::vector<Thread*>& at_grid() { return at_grid_; }

 private:
  Index3 index_of_turn(std::uint64_t turn) const;

  const Launch* launch_ = nullptr;
  std::uint64_t left_ = 0, next_ = 0;
  std::uint64_t turns_ = 0;           ///< blocks that run
  bool is_spread_ = false;            ///< not all run: see SimulationOptions::spread_blocks
  std::uint64_t spread_ = 0;          ///< of those clusters: the others are SimulationOptions::first_blocks
  std::uint64_t cluster_ = 1;         ///< blocks of a cluster
  std::vector<std::uint32_t> order_;  ///< of clusters; empty for the natural one
  Slots slots_;
  std::vector<ClusterBarrier> cluster_barriers_;
  std::vector<Thread*> at_grid_;
  std::size_t blocks_at_grid_ = 0;  ///< blocks whose threads all wait for the grid
};

}  // namespace warpwright::simulator
