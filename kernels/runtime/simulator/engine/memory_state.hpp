// The memory that device code sees, and the records of accesses to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "kernels/runtime/cpu_model/interface.cuh"
#include "kernels/runtime/simulator/engine/memory_location.hpp"
#include "kernels/runtime/simulator/engine/sparse_memory.hpp"
#include "kernels/runtime/simulator/module/module.hpp"
#include "kernels/runtime/simulator/races/early_loads.hpp"
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
  std::vector<Shadow> shadows;  ///< of the plan's buffers, then of the module's variables
  RaceDetector detector;
  StaleLoads stale;
  EarlyLoads early;
  SparseMemory sparse;  ///< in use if only some blocks run
  bool check_races = false, check_initialised = false;
  std::uintptr_t stacks_begin = 0, stacks_bytes = 0;
  int poison = 0;  ///< the byte that fills unwritten shared memory

  /// Starts an execution of the module, which must outlive it. The buffers must be placed. With `shows_older`, the
  /// schedule decides which loads see older values. If it is `again`, the module's variables are as the execution
  /// before left them; otherwise they have their initial values.
  void begin(const Module& module, const SimulationOptions& options, bool shows_older, bool again);
  /// Ends it, and frees memory if there is much.
  void end();
  /// Forgets the accesses of earlier launches if access times may overflow; returns whether it did.
  bool forget_if_worn_out();

  bool is_on_a_stack(std::uintptr_t address) const { return address - stacks_begin < stacks_bytes; }
  /// Whether the address is on the thread's own stack. Other threads' locals do not count.
  static bool is_local(std::uintptr_t address, const Thread& thread) {
    const Suspended& own = thread.fiber->suspended;
    return address - reinterpret_cast<std::uintptr_t>(own.stack_bottom) < own.stack_bytes;
  }
  Space space_of(const void* pointer, const Thread& thread) const;
  /// The shadow range of an address in a buffer, or in a shared array of that block.
  ShadowRange shadow_at(std::uintptr_t address, Block& block);
  /// The parts of the buffer or variable with that shadow that the last launch touched, if races were checked.
  std::vector<Touched> touched_by_launch(std::size_t shadow) const;

  const ModuleMemory& variables() const { return *variables_; }
  ModuleMemory& variables() { return *variables_; }
  /// The number of the shadow of the module's variable of that number.
  std::size_t shadow_of_variable(std::size_t number) const { return global.region_count() + number; }
  /// The name of what the shadow of that number belongs to, with its kind: "buffer 'in'", "variable 'count'".
  std::string name_of_shadow(std::size_t shadow) const;

  /// Where the address lies, for a thread of that block.
  MemoryLocation location_of(std::uintptr_t address, const Block& block) const;
  /// Text for an access out of bounds that looks as if an uninitialised local caused it; otherwise empty.
  std::string hint_at_locals(std::uintptr_t address, std::size_t size, const Block& block) const;
  static std::string hint_at_locals(std::int64_t index);

  /// Marks the block's shared array of that number as unwritten.
  void start_array(Block& block, std::size_t number) const;
  /// Places a variable of device code in shared memory, at the array's offset, until the launch ends.
  void place_variable(SharedVariable& variable, std::size_t array);
  void forget_shared_variables();

  /// Writes the first bytes of a variable of the module, which the module lists.
  void upload(const ModuleConstant& to, const Region& from, std::size_t bytes);
  /// Whether that range of a constant is listed by the module, so that the plan sets it, but was not uploaded.
  bool lacks_upload(const ModuleVariable& constant, std::uintptr_t address, std::size_t size) const;
  /// Whether the address is in a part of the module that cannot be written: literals, and variables that are const.
  bool is_read_only(std::uintptr_t address) const;

 private:
  const Module* module_ = nullptr;
  ModuleMemory* variables_ = nullptr;                                         ///< of the module
  std::vector<std::size_t> uploaded_bytes_;                                   ///< of the variables that it lists
  std::vector<std::pair<SharedVariable*, SharedVariable>> shared_variables_;  ///< of the launch, with their original
                                                                              ///< contents
};

}  // namespace warpwright::simulator
