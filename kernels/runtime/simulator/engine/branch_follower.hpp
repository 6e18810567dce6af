// Follows the branches of the running thread while they are counted.
#pragma once

#include "kernels/runtime/cpu_model/interface.cuh"
#include "kernels/runtime/simulator/module/module.hpp"
#include "kernels/runtime/simulator/state/thread.hpp"
#include "kernels/runtime/simulator/trace/branch_trace.hpp"

namespace warpwright::simulator {

/// The module itself records the branches of the thread that runs, in room that this gives it.
class BranchFollower {
 public:
  /// Starts an execution of the module, which outlives it.
  void begin(const Module& module, bool is_on);
  BranchTrace& trace() { return trace_; }
  const BranchTrace& trace() const { return trace_; }

  /// The module records the branches of this thread, behind those that it has.
  void follow(Thread& thread);
  /// Takes over what the module recorded, and whether the thread waits for the outcome of a branch.
  void leave();
  /// All threads of the block have arrived at one place.
  void meet(Block& block);
  /// The room of the followed thread is full.
  void make_room();
  /// Tells the module whether device code makes that comparison, or only this simulator's headers do.
  void classify(const void* comparison) const;

 private:
  Watch* watch_ = nullptr;
  Thread* followed_ = nullptr;
  const Module* module_ = nullptr;
  BranchTrace trace_;
};

}  // namespace warpwright::simulator
