// Fibers with their own stacks, on which the threads of a launch run. Stacks are reused by later launches.
#include "kernels/runtime/simulator/state/fiber.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif

namespace warpwright::simulator {
namespace {

using boost::context::detail::transfer_t;

thread_local void (*body_of_new_fiber)() = nullptr;

void start(transfer_t transfer) {
  arrived(nullptr, transfer);
  body_of_new_fiber();
}

}  // namespace

void arrived([[maybe_unused]] Suspended* here, transfer_t transfer) {
  static_cast<Suspended*>(transfer.data)->context = transfer.fctx;
#if defined(__SANITIZE_ADDRESS__)
  auto* const from = static_cast<Suspended*>(transfer.data);
  const void* bottom = nullptr;
  std::size_t bytes = 0;
  __sanitizer_finish_switch_fiber(here == nullptr ? nullptr : here->fake_stack, &bottom, &bytes);
  if (from->stack_bytes == 0) {
    from->stack_bottom = bottom;
    from->stack_bytes = bytes;
  }
#endif
}

FiberPool::FiberPool(std::size_t stack_bytes, std::size_t most_fibers, void (*body)())
    : slot_bytes_(stack_bytes + static_cast<std::size_t>(getpagesize())), most_fibers_(most_fibers) {
  body_of_new_fiber = body;
  void* const memory =
      mmap(nullptr, bytes(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "mmap of the fibers' stacks");
  memory_ = static_cast<std::byte*>(memory);
}

FiberPool::~FiberPool() {
  munmap(memory_, bytes());
}

void FiberPool::reset(Fiber& fiber, std::size_t number) {
  const auto guard = static_cast<std::size_t>(getpagesize());
  std::byte* const bottom = memory_ + number * slot_bytes_ + guard;
  fiber.suspended = {
      .context = boost::context::detail::make_fcontext(bottom + slot_bytes_ - guard, slot_bytes_ - guard, start),
      .stack_bottom = bottom,
      .stack_bytes = slot_bytes_ - guard};
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(bottom, slot_bytes_ - guard);
#endif
}

StackOfFiber FiberPool::stack_with(const void* address) const {
  const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(address) - begin();
  if (offset >= bytes()) return {};
  const std::byte* const guard = memory_ + offset / slot_bytes_ * slot_bytes_;
  return {.guard = guard, .begin = guard + getpagesize(), .end = guard + slot_bytes_};
}

Fiber* FiberPool::take() {
  if (idle_.empty()) {
    if (fibers_.size() == most_fibers_) return nullptr;
    const auto guard = static_cast<std::size_t>(getpagesize());
    std::byte* const bottom = memory_ + fibers_.size() * slot_bytes_ + guard;
    if (mprotect(bottom, slot_bytes_ - guard, PROT_READ | PROT_WRITE) != 0) {
      throw std::system_error(errno, std::generic_category(), "mprotect of a fiber's stack");
    }
    fibers_.push_back(std::make_unique<Fiber>());
    reset(*fibers_.back(), fibers_.size() - 1);
    return fibers_.back().get();
  }
  Fiber* const fiber = idle_.back();
  idle_.pop_back();
  return fiber;
}

void FiberPool::abandon_all() {
  idle_.clear();
  for (std::size_t i = fibers_.size(); i-- > 0;) {
    reset(*fibers_[i], i);
    idle_.push_back(fibers_[i].get());
  }
}

}  // namespace warpwright::simulator
