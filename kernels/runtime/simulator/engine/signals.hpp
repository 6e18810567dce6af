// Signals that device code causes while the engine runs it: they become findings of the thread that was running.
#pragma once

#include <cstddef>

namespace warpwright::simulator {

/// Handles the signals of the process. On this system thread it also provides a stack on which they are handled where
/// device code has no stack left.
class Signals {
 public:
  Signals();
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

 private:
  std::byte* stack_;
};

/// What device code did when it got a SIGSEGV.
struct Segfault {
  const std::byte* instruction;  ///< the next one; the address that was called, where no code is there
  const void* const* stack;      ///< the top of its stack
  const void* address;           ///< that it accessed; null if no address can be that

  /// Whether it was at a call through a pointer. The instruction must be code.
  bool is_indirect_call() const {
    constexpr std::byte with_upper_register{0x41}, call{0xff};
    return address == nullptr && instruction[instruction[0] == with_upper_register ? 1 : 0] == call;
  }
};

}  // namespace warpwright::simulator
