// Reports what is wrong with the running thread's accesses and asynchronous copies.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/runtime/simulator/engine/engine_state.hpp"

namespace warpwright::simulator {

class AccessFaults : protected EngineState {
 protected:
  /// The finding of the running thread, of an access or an index, with an overflow that it comes from, or may come
  /// from.
  template <class Explains>
  Finding explained(Finding finding, Explains explains) const;
  using EngineState::EngineState;

  // access_faults.cpp
  [[noreturn]] void out_of_bounds(std::uintptr_t address, std::size_t size, unsigned code, const void* site);
  [[noreturn]] void misaligned(std::uintptr_t address, std::size_t size, unsigned code, const void* site);
  void uninitialised(std::uintptr_t address, std::size_t size, unsigned code, const void* site);
  void race(const Race& race, std::uintptr_t address, std::size_t size, unsigned code, const void* site);
  void input_written(const Region& region, std::uintptr_t address, const void* site);
  [[noreturn]] void constant_written(std::uintptr_t address, std::size_t size, const void* site);
  /// An access to memory that an earlier launch, which may still run, accessed there.
  void too_early(const AccessRecord& earlier, bool earlier_writes, std::uintptr_t address, std::uint64_t bytes,
                 bool writes, bool has_waited, const void* site);
  /// A load of what an earlier run left in a variable.
  void state_kept(const ModuleVariable& variable, std::uintptr_t address, std::size_t size, unsigned code,
                  const void* site);

  // copy_faults.cpp
  /// An access that conflicts with a copy for which nobody has waited yet.
  void disturbed(const AsyncCopy& copy, std::uintptr_t address, std::size_t size, unsigned code, const void* site);
  void drop_unawaited_copies(const Thread& thread);
  [[noreturn]] void misaligned_copy(const void* to, const void* from, std::size_t bytes, const char* rule,
                                    const void* site);
  void not_fenced(std::uintptr_t address, const PhaseBarrier& barrier, const void* site);
  void check_expected_bytes(std::uintptr_t address, const PhaseBarrier& barrier, const void* site);

  // product_faults.cpp
  [[noreturn]] void lacks_warp(const WarpgroupProduct& product, bool exists, std::size_t warp, const void* site);
  [[noreturn]] void differs_from_product(const WarpgroupProduct& product, const AsyncProduct& begun, const void* site);
  /// Registers that were accessed at `touched`, and not fenced; null: never fenced.
  void not_fenced(const WarpgroupProduct& product, const void* touched, const void* site);
  /// What an ordinary store wrote, which is not visible yet to a product, or if that is null, to a bulk copy.
  void not_fenced(std::uintptr_t address, const AccessRecord& writer, const WarpgroupProduct* product,
                  const void* site);
  void overwritten(const AsyncProduct& product, std::uintptr_t address, std::size_t size, const void* site);
  void touched_early(const AsyncProduct& product, unsigned code, std::size_t size, const void* site);
  Finding unawaited(const Thread& thread, const AsyncProduct& product) const;
  Finding left_product(const Thread& thread, const AsyncProduct& product) const;
  [[noreturn]] void wrong_registers(int count, int own, bool takes, const void* site);
};

}  // namespace warpwright::simulator
