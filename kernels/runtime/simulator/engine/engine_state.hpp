// The units of the engine and the state of its execution and its launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "kernels/core/random.hpp"
#include "kernels/model/plan.hpp"
#include "kernels/runtime/cpu_model/interface.cuh"
#include "kernels/runtime/simulator/engine/async_unit.hpp"
#include "kernels/runtime/simulator/engine/branch_follower.hpp"
#include "kernels/runtime/simulator/engine/counter_proof.hpp"
#include "kernels/runtime/simulator/engine/findings.hpp"
#include "kernels/runtime/simulator/engine/grid_blocks.hpp"
#include "kernels/runtime/simulator/engine/loop_proof.hpp"
#include "kernels/runtime/simulator/engine/matrix_unit.hpp"
#include "kernels/runtime/simulator/engine/memory_state.hpp"
#include "kernels/runtime/simulator/engine/overflows.hpp"
#include "kernels/runtime/simulator/engine/programmatic_launch.hpp"
#include "kernels/runtime/simulator/engine/scheduler.hpp"
#include "kernels/runtime/simulator/engine/warp_unit.hpp"
#include "kernels/runtime/simulator/engine/warpgroup_unit.hpp"
#include "kernels/runtime/simulator/trace/access_trace.hpp"

namespace warpwright::simulator {

/// The state of the engine's functions, and how they report a fault of the running thread.
class EngineState {
 protected:
  /// `fiber` is run by every fiber; `on_time` handles a timer's signal.
  EngineState(void (*fiber)(), Watchdog::Handler on_time) : scheduler_(fiber, on_time) {}
  EngineState(const EngineState&) = delete;
  EngineState& operator=(const EngineState&) = delete;

  Thread& running() const { return *scheduler_.running(); }
  /// Ends the launch; the running thread never continues.
  [[noreturn]] void stop();
  /// Ends the time in which the running thread's load sees an older value.
  void show_newest() {
    if (!memory_.stale.is_shown()) return;
    scheduler_.resume_slice(memory_.stale.hide());
    if (memory_.early.is_used()) [[unlikely]]
      settle_early_load();
  }
  /// A store is in memory whose value an earlier load may have returned.
  void settle_early_load();
  /// The record of an access by the running thread at this site.
  AccessRecord record_of(const void* site) const;

  /// Adds the finding that `make()` returns, and ends the launch. Not inline: its callers' frames are on every thread's
  /// stack.
  template <class Make>
  [[noreturn, gnu::noinline, gnu::cold]] void fail(Make make) {
    findings_.add(make());
    stop();
  }
  /// The same for the running thread: `words()` returns the message.
  template <class Words>
  [[noreturn, gnu::noinline, gnu::cold]] void fail(FindingKind kind, const void* site, Words words) {
    findings_.add(findings_.made_by(kind, running(), site, words()));
    stop();
  }
  MemoryLocation location_of(std::uintptr_t address) const { return memory_.location_of(address, *running().block); }
  /// A finding about a memory access of the running thread: `words(where)` returns its message.
  template <class Words>
  Finding finding_at(FindingKind kind, const void* site, std::uintptr_t address, Words words) const {
    MemoryLocation location = location_of(address);
    Finding finding = findings_.made_by(kind, running(), site, words(location.words));
    finding.buffer = std::move(location.buffer);
    finding.offset = location.offset;
    finding.address = address;
    return finding;
  }

  // Members that each switch and access uses come first; the traces are large.
  Scheduler scheduler_;
  BuiltIns built_ins_{};
  Watch* watch_ = nullptr;  ///< the module's
  const std::byte* module_base_ = nullptr;
  AccessTrace* trace_ = nullptr;  ///< while accesses are counted
  bool stopped_ = false, launch_ended_ = false;
  bool holds_small_grids_ = false, needs_held_grids_ = false;
  bool has_clusters_ = false;  ///< the launch: blocks may use each other's shared memory
  LoopProof loops_;
  CounterProof counters_;
  MemoryState memory_;
  AsyncUnit async_;
  WarpUnit warps_;
  MatrixUnit matrices_;
  WarpgroupUnit products_;
  GridBlocks blocks_;
  Findings findings_;
  Overflows overflows_;
  ProgrammaticLaunch programmatic_;

  const Module* module_ = nullptr;
  const SimulationOptions* options_ = nullptr;
  Execution* execution_ = nullptr;
  const ModuleEntry* entry_ = nullptr;
  const Launch* launch_ = nullptr;
  void** arguments_ = nullptr;
  long long clock_ = 0;
  Random clock_random_;
  std::size_t printed_ = 0;  ///< bytes printed by this execution
  BranchFollower branches_;
  AccessTrace access_trace_;
};

}  // namespace warpwright::simulator
