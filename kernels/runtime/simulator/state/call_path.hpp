// The call path of a location in device code: where the functions around it were called.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace warpwright::simulator {

/// Return addresses in device code, the innermost first. Modules are compiled with frame pointers.
class CallPath {
 public:
  /// Records the path of the function with that frame, on a stack of that many bytes; it ends where
  /// `is_device_code(address)` is false.
  template <class IsDeviceCode>
  void take(const void* frame, std::uintptr_t stacks, std::uintptr_t stack_bytes, IsDeviceCode is_device_code) {
    size_ = 0;
    visit(frame, stacks, stack_bytes, [&](const void* caller) {
      if (size_ == callers_.size() || !is_device_code(caller)) return false;
      callers_[size_++] = caller;
      return true;
    });
  }

  /// The innermost caller in which the two paths differ; null if there is none. A source line that is compiled into
  /// several functions, or several times into one, is several callers.
  const void* first_other(const void* frame, std::uintptr_t stacks, std::uintptr_t stack_bytes) const {
    const void* other = nullptr;
    std::size_t at = 0;
    visit(frame, stacks, stack_bytes, [&](const void* caller) {
      if (at == size_) return false;
      if (callers_[at] != caller) other = caller;
      ++at;
      return other == nullptr;
    });
    return other;
  }

 private:
  template <class Visit>
  static void visit(const void* frame, std::uintptr_t stacks, std::uintptr_t stack_bytes, Visit visit) {
    // A frame begins with the address of its caller's frame and the return address.
    struct Frame {
      const Frame* caller;
      const void* return_address;
    };
    for (const auto* at = static_cast<const Frame*>(frame);;) {
      const Frame* const caller = at->caller;
      const auto address = reinterpret_cast<std::uintptr_t>(caller);
      if (caller <= at || address - stacks >= stack_bytes - sizeof(Frame) || address % alignof(Frame) != 0) return;
      if (!visit(caller->return_address)) return;
      at = caller;
    }
  }

  std::array<const void*, 8> callers_{};
  std::size_t size_ = 0;
};

}  // namespace warpwright::simulator
