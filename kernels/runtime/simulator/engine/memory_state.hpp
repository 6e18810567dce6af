// The memory that device code sees, and what is remembered of accesses to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/runtime/cpu_model/interface.cuh"
#include "kernels/runtime/simulator/engine/memory_location.hpp"
#include "kernels/runtime/simulator/engine/sparse_memory.hpp"
#include "kernels/runtime/simulator/module/module.hpp"
#include "kernels/runtime/simulator/races/race_detector.hpp"
#include "kernels/runtime/simulator/races/stale_loads.hpp"
#include "kernels/runtime/simulator/results/execution.hpp"
#include "kernels/runtime/simulator/results/options.hpp"
#include "kernels/runtime/simulator/state/global_memory.hpp"
#include "kernels/runtime/simulator/state/shadow.hpp"
#include "kernels/runtime/simulator/state/shared_memory.hpp"
#include "kernels/runtime/simulator/state/thread.hpp"

namespace warpwright::simulator {

/// The bytes of an access in the shadow of their buffer or shared array.
struct ShadowRange {
  Shadow& shadow;
  std::size_t offset;
  bool shared;
};

/// Global and shared memory, the constants of the module, and the stacks of all threads.
struct MemoryState {
  GlobalMemory global;
  SharedMemory shared;
  std::vector<Shadow> shadows;  ///< of the plan's buffers
  RaceDetector detector;
  StaleLoads stale;
  SparseMemory sparse;  ///< in use if only some blocks run
  bool check_races = false, check_initialised = false;
  std::uintptr_t stacks_begin = 0, stacks_bytes = 0;
  int poison = 0;  ///< every byte of a shared array that nobody wrote

  /// Starts an execution of the module, which outlives it. The buffers are placed. With `shows_older` the schedule says
  /// which loads see older values.
  void begin(const Module& module, const SimulationOptions& options, bool shows_older);
  /// Ends it: gives memory back where there is much.
  void end();
  /// Forgets the accesses of earlier launches if times of accesses run out; whether it did.
  bool forget_if_worn_out();

  bool is_on_a_stack(std::uintptr_t address) const { return address - stacks_begin < stacks_bytes; }
  /// Whether the address is on the thread's own stack: other threads' locals are theirs alone.
  static bool is_local(std::uintptr_t address, const Thread& thread) {
    const Suspended& own = thread.fiber->suspended;
    return address - reinterpret_cast<std::uintptr_t>(own.stack_bottom) < own.stack_bytes;
  }
  Space space_of(const void* pointer, const Thread& thread) const;
  /// Of an address in a buffer, or in a shared array of that block.
  ShadowRange shadow_at(std::uintptr_t address, Block& block);
  /// What the last launch touched of the plan's buffer of that number, as far as races were looked for.
  std::vector<Touched> touched_by_launch(std::size_t buffer) const;

  /// Where the address lies, for a thread of that block.
  MemoryLocation location_of(std::uintptr_t address, const Block& block) const;
  /// Text for an access out of bounds that looks like one through an uninitialised local; empty where it does not.
  std::string hint_at_locals(std::uintptr_t address, std::size_t size, const Block& block) const;
  static std::string hint_at_locals(std::int64_t index);

  /// Nobody has written to the block's shared array of that number.
  void start_array(Block& block, std::size_t number) const;
  /// Gives a variable of device code its place in shared memory, until the launch ends: that of the array.
  void place_variable(SharedVariable& variable, std::size_t array);
  void forget_shared_variables();

  /// Writes the first bytes of a constant of the module.
  void upload(const ModuleConstant& constant, const Region& from, std::size_t bytes);
  /// What is wrong with an access of memory that is neither a buffer nor shared nor local.
  struct OtherAccess {
    bool out_of_bounds = false, uninitialised = false;
  };
  OtherAccess check_other(std::uintptr_t address, std::size_t size, bool store) const;

 private:
  const Module* module_ = nullptr;
  std::vector<std::size_t> uploaded_bytes_;                                   ///< of the module's constants
  std::vector<std::pair<SharedVariable*, SharedVariable>> shared_variables_;  ///< of the launch, and as they were
};

}  // namespace warpwright::simulator
