// Fibers with their own stacks, on which the threads of a launch run. Stacks are reused by later launches.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace warpwright::simulator {

/// An execution context: a suspended fiber, or the caller of all fibers.
struct Suspended {
  boost::context::detail::fcontext_t context = nullptr;
  const void* stack_bottom = nullptr;  ///< for the address sanitizer
  std::size_t stack_bytes = 0;
  void* fake_stack = nullptr;
};

/// To be called after every switch, with what the other side sent.
void arrived(Suspended* here, boost::context::detail::transfer_t transfer);

/// Saves the running context in `from` and continues in `to`; returns when something switches back to `from`.
[[gnu::always_inline]] inline void switch_context(Suspended& from, Suspended& to) {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&from.fake_stack, to.stack_bottom, to.stack_bytes);
  arrived(&from, boost::context::detail::jump_fcontext(to.context, &from));
#else
  const auto transfer = boost::context::detail::jump_fcontext(to.context, &from);
  static_cast<Suspended*>(transfer.data)->context = transfer.fctx;
#endif
}

struct Fiber {
  Suspended suspended;
};

/// Where a fiber's stack is. The page below its beginning cannot be accessed.
struct StackOfFiber {
  const std::byte *guard = nullptr, *begin = nullptr, *end = nullptr;
  std::size_t bytes() const { return static_cast<std::size_t>(end - begin); }
};

/// All stacks lie in one range of addresses, each with a guard page below it.
class FiberPool {
 public:
  /// `body` is what every fiber of this system thread runs; it must never return. Throws std::system_error.
  FiberPool(std::size_t stack_bytes, std::size_t most_fibers, void (*body)());
  ~FiberPool();
  FiberPool(const FiberPool&) = delete;
  FiberPool& operator=(const FiberPool&) = delete;

  /// A suspended fiber at the start of its body; null if all are in use.
  Fiber* take();
  void give_back(Fiber* fiber) { idle_.push_back(fiber); }
  /// Ends all fibers without unwinding, and makes them available again.
  void abandon_all();

  std::uintptr_t begin() const { return reinterpret_cast<std::uintptr_t>(memory_); }
  std::size_t bytes() const { return slot_bytes_ * most_fibers_; }
  /// The stack with that address in it, or in the page below it; null pointers if there is none.
  StackOfFiber stack_with(const void* address) const;

 private:
  void reset(Fiber& fiber, std::size_t number);

  std::size_t slot_bytes_, most_fibers_;
  std::byte* memory_ = nullptr;
  std::vector<std::unique_ptr<Fiber>> fibers_;
  std::vector<Fiber*> idle_;
};

}  // namespace warpwright::simulator
