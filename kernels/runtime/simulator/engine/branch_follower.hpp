// Follows the branches of the running thread while they are counted.
#pragma once

#include "kernels/runtime/cpu_model/interface.cuh"
#include "kernels/runtime/simulator/module/module.hpp"
#include "kernels/runtime/simulator/state/thread.hpp"
#include "kernels/runtime/simulator/trace/branch_trace.hpp"

namespace warpwright::simulator {

/// The module itself records the branches of the running thread, in memory that this class provides.
class BranchFollower {
 public:
  /// Starts an execution of the module, which outlives it.
  void begin(const Module& module, bool is_on);
  BranchTrace& trace() { return trace_; }
  const BranchTrace& trace() const { return trace_; }

  /// From now on the module records the branches of this thread, after its earlier ones.
  void follow(Thread& thread);
  /// Reads what the module recorded, and whether the thread is between a comparison and its outcome.
  void leave();
  /// All threads of the block have met at a barrier.
  void meet(Block& block);
  /// The memory for the followed thread is full.
  void make_room();
  /// Tells the module whether the comparison is in device code or in the simulator's own headers.
  void classify(const void* comparison) const;

 private:
  Watch* watch_ = nullptr;
  Thread* followed_ = nullptr;
  const Module* module_ = nullptr;
  BranchTrace trace_;
};

}  // namespace warpwright::simulator
