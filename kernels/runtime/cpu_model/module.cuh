// The functions that compiled device code calls at loads and stores (the thread sanitizer's hooks), at basic blocks and
// at comparisons (the coverage hooks); and the list of a module's kernels. Included once, by the generated translation
// unit of a module.
#pragma once

#include "kernels/runtime/cpu_model/interface.cuh"

#define WARPWRIGHT_OF_A_HOOK __attribute__((WARPWRIGHT_UNTRACED))
#define WARPWRIGHT_HOOK(name, code)                                                     \
  extern "C" WARPWRIGHT_OF_A_HOOK void __tsan_##name(void* address) {                   \
    warpwright::simulator::runtime->access(address, code, __builtin_return_address(0)); \
  }
#define WARPWRIGHT_HOOKS(size)                                                        \
  WARPWRIGHT_HOOK(read##size, size)                                                   \
  WARPWRIGHT_HOOK(write##size, size | warpwright::simulator::access_write)            \
  WARPWRIGHT_HOOK(volatile_read##size, size | warpwright::simulator::access_volatile) \
  WARPWRIGHT_HOOK(volatile_write##size,                                               \
                  size | warpwright::simulator::access_volatile | warpwright::simulator::access_write)
#define WARPWRIGHT_UNALIGNED_HOOKS(size)                                                        \
  WARPWRIGHT_HOOK(unaligned_read##size, size)                                                   \
  WARPWRIGHT_HOOK(unaligned_write##size, size | warpwright::simulator::access_write)            \
  WARPWRIGHT_HOOK(unaligned_volatile_read##size, size | warpwright::simulator::access_volatile) \
  WARPWRIGHT_HOOK(unaligned_volatile_write##size,                                               \
                  size | warpwright::simulator::access_volatile | warpwright::simulator::access_write)

WARPWRIGHT_HOOKS(1)
WARPWRIGHT_HOOKS(2)
WARPWRIGHT_HOOKS(4)
WARPWRIGHT_HOOKS(8)
WARPWRIGHT_HOOKS(16)
WARPWRIGHT_UNALIGNED_HOOKS(2)
WARPWRIGHT_UNALIGNED_HOOKS(4)
WARPWRIGHT_UNALIGNED_HOOKS(8)
WARPWRIGHT_UNALIGNED_HOOKS(16)

#undef WARPWRIGHT_UNALIGNED_HOOKS
#undef WARPWRIGHT_HOOKS
#undef WARPWRIGHT_HOOK

namespace warpwright::simulator {

/// Records where the running thread compares, if the comparison belongs to a branch of device code.
WARPWRIGHT_UNSEEN inline void note_comparison(const void* site, const void* frame, unsigned long long left,
                                              unsigned long long right, unsigned bytes) {
  if (watch.proves) runtime->compared(left, right, bytes, site);
  if (watch.kinds == nullptr) return;
  const auto offset = static_cast<unsigned>(static_cast<const char*>(site) - watch.base);
  if (watch.kinds[offset] == comparison_unknown) [[unlikely]]
    runtime->classify(site);
  const bool of_device = watch.kinds[offset] == comparison_of_device;
  const auto depth = static_cast<unsigned>(static_cast<const char*>(frame) - watch.stack_bottom);
  watch.compared = of_device ? branch_place(depth, offset) : 0;
  watch.await_block(of_device);
}

/// Records the outcome of a branch, or calls the simulator if the budget of basic blocks is used up.
extern "C" WARPWRIGHT_UNSEEN void warpwright_note_block(const void* site, const void* frame, const void* registers) {
  if (watch.compared != 0) {
    *watch.next = {watch.compared, static_cast<unsigned long long>(static_cast<const char*>(site) - watch.base)};
    watch.compared = 0;
    watch.await_block(false);
    if (++watch.next == watch.end) [[unlikely]]
      runtime->branches_full();
    if (watch.blocks_left >= 0) return;
  }
  runtime->block(site, frame, registers);
}

/// The same, with the registers that device code keeps values in across a call.
extern "C" __attribute__((naked, noinline, WARPWRIGHT_UNTRACED)) void warpwright_block(const void*, const void*) {
  __asm__(
      "push %rbx; push %r12; push %r13; push %r14; push %r15; mov %rsp, %rdx\n"
      "call warpwright_note_block\n"
      "add $40, %rsp; ret");
}

/// The compiler's description of the type of a checked operand.
struct OperandType {
  unsigned short kind, info;  ///< for an integer: log2 of its width, then a bit that is set if it is signed
  char name[1];

  WARPWRIGHT_OF_A_HOOK unsigned bits() const { return 1u << (info >> 1); }
  /// The operand's value, from how it is passed.
  WARPWRIGHT_OF_A_HOOK long long value_of(void* passed) const {
    const auto value = reinterpret_cast<long long>(passed);
    return bits() == 32 && (info & 1) != 0 ? static_cast<int>(value) : value;
  }
};

/// An operation that the compiler checks: indexing of an array, a shift, or signed arithmetic.
struct CheckedOperation {
  const char* file;
  unsigned line, column;
  const OperandType *first, *second;
};

WARPWRIGHT_UNSEEN inline void note_overflow(char operation, void* data, void* left, void* right, const void* site) {
  const OperandType& type = *static_cast<const CheckedOperation*>(data)->first;
  if (type.bits() <= 64) runtime->overflow(operation, type.value_of(left), type.value_of(right), type.bits(), site);
}

}  // namespace warpwright::simulator

#define WARPWRIGHT_COMPARISON(name, type, bits, bytes)                                                            \
  extern "C" WARPWRIGHT_OF_A_HOOK void __sanitizer_cov_trace_##name(type left, type right) {                      \
    if (warpwright::simulator::watch.notes_comparisons) [[unlikely]]                                              \
      warpwright::simulator::note_comparison(__builtin_return_address(0), __builtin_frame_address(0), bits(left), \
                                             bits(right), bytes);                                                 \
  }
#define WARPWRIGHT_BITS(value) __builtin_bit_cast(unsigned long long, static_cast<double>(value))
WARPWRIGHT_COMPARISON(cmp1, unsigned char, , 1)
WARPWRIGHT_COMPARISON(cmp2, unsigned short, , 2)
WARPWRIGHT_COMPARISON(cmp4, unsigned, , 4)
WARPWRIGHT_COMPARISON(cmp8, unsigned long, , 8)
WARPWRIGHT_COMPARISON(const_cmp1, unsigned char, , 1)
WARPWRIGHT_COMPARISON(const_cmp2, unsigned short, , 2)
WARPWRIGHT_COMPARISON(const_cmp4, unsigned, , 4)
WARPWRIGHT_COMPARISON(const_cmp8, unsigned long, , 8)
WARPWRIGHT_COMPARISON(cmpf, float, WARPWRIGHT_BITS, 0)
WARPWRIGHT_COMPARISON(cmpd, double, WARPWRIGHT_BITS, 0)
#undef WARPWRIGHT_BITS
#undef WARPWRIGHT_COMPARISON

extern "C" {

WARPWRIGHT_OF_A_HOOK void __sanitizer_cov_trace_switch(unsigned long value, void*) {
  if (warpwright::simulator::watch.notes_comparisons) [[unlikely]]
    warpwright::simulator::note_comparison(__builtin_return_address(0), __builtin_frame_address(0), value, 0, 0);
}

WARPWRIGHT_OF_A_HOOK void __sanitizer_cov_trace_pc() {
  if (--warpwright::simulator::watch.blocks_left < 0) [[unlikely]]
    warpwright::simulator::warpwright_block(__builtin_return_address(0), __builtin_frame_address(0));
}

WARPWRIGHT_OF_A_HOOK void __tsan_read_range(void* address, unsigned long bytes) {
  warpwright::simulator::runtime->access_range(address, bytes, 0, __builtin_return_address(0));
}
WARPWRIGHT_OF_A_HOOK void __tsan_write_range(void* address, unsigned long bytes) {
  warpwright::simulator::runtime->access_range(address, bytes, warpwright::simulator::access_write,
                                               __builtin_return_address(0));
}
/// A store to the pointer to an object's virtual functions.
WARPWRIGHT_OF_A_HOOK void __tsan_vptr_update(void** place, void*) {
  warpwright::simulator::runtime->access(place, sizeof(void*) | warpwright::simulator::access_write,
                                         __builtin_return_address(0));
}
WARPWRIGHT_OF_A_HOOK void __tsan_vptr_read(void** place) {
  warpwright::simulator::runtime->access(place, sizeof(void*), __builtin_return_address(0));
}
void __tsan_init() {}

// Lies at offset 0 of the module's thread-local variables, before all others.
__asm__(
    ".pushsection .tdata,\"awT\",@progbits\n"
    "  .type warpwright_first, @object\n"
    "  .size warpwright_first, 8\n"
    "warpwright_first: .quad 0\n"
    ".popsection");

/// The address of a __shared__ variable in the running thread's block: for the compiler it is thread-local. The
/// compiler also asks whether one of a class is constructed: always, since a GPU runs no constructors of them. It does
/// so by the address of that guard, or (g++ 13 and newer) by the guard's distance from offset 0.
WARPWRIGHT_OF_A_HOOK void* __tls_get_addr(warpwright::simulator::SharedVariable* variable) {
  if (variable->place < 0) [[likely]]
    return warpwright::simulator::watch.window_end + variable->place;
  return warpwright::simulator::runtime->shared_variable(variable);
}
/// Would register the destructor of a __shared__ variable; a GPU runs none.
int __cxa_thread_atexit(void (*)(void*), void*, void*) {
  return 0;
}

/// Called before an array of known size is accessed with an index outside of it.
__attribute__((no_sanitize("thread"))) void __ubsan_handle_out_of_bounds(void* data, void* index) {
  const auto& found = *static_cast<const warpwright::simulator::CheckedOperation*>(data);
  warpwright::simulator::runtime->bad_index({found.first->name, found.line, found.column},
                                            found.second->value_of(index), __builtin_return_address(0));
}

/// Called before a shift by a negative number, or by the width of the value or more.
__attribute__((no_sanitize("thread"))) void __ubsan_handle_shift_out_of_bounds(void* data, void*, void* by) {
  const auto& found = *static_cast<const warpwright::simulator::CheckedOperation*>(data);
  warpwright::simulator::runtime->wide_shift(found.second->value_of(by), found.first->bits(),
                                             __builtin_return_address(0));
}

// Called after signed arithmetic whose result does not fit its type; device code goes on with the lower bits.
WARPWRIGHT_OF_A_HOOK void __ubsan_handle_add_overflow(void* data, void* left, void* right) {
  warpwright::simulator::note_overflow('+', data, left, right, __builtin_return_address(0));
}
WARPWRIGHT_OF_A_HOOK void __ubsan_handle_sub_overflow(void* data, void* left, void* right) {
  warpwright::simulator::note_overflow('-', data, left, right, __builtin_return_address(0));
}
WARPWRIGHT_OF_A_HOOK void __ubsan_handle_mul_overflow(void* data, void* left, void* right) {
  warpwright::simulator::note_overflow('*', data, left, right, __builtin_return_address(0));
}
WARPWRIGHT_OF_A_HOOK void __ubsan_handle_negate_overflow(void* data, void* value) {
  warpwright::simulator::note_overflow('-', data, nullptr, value, __builtin_return_address(0));
}
/// The processor traps at such a division too.
void __ubsan_handle_divrem_overflow(void*, void*, void*) {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}

/// Called before an access that is not within the variable through which it is made.
__attribute__((no_sanitize("thread"))) void __ubsan_handle_type_mismatch_v1(void*, void* address) {
  warpwright::simulator::runtime->outside_variable(address, __builtin_return_address(0));
}

}  // extern "C"

/// The section of contraction.cpp; the linker defines both if there is one.
extern "C" __attribute__((weak, visibility("hidden"))) const int __start_warpwright_contractions[];
extern "C" __attribute__((weak, visibility("hidden"))) const int __stop_warpwright_contractions[];

/// The module's handle for __cxa_thread_atexit.
__attribute__((visibility("hidden"))) void* __dso_handle = nullptr;

namespace warpwright::simulator {

template <unsigned... Numbers>
struct Sequence {};

template <class... Arguments>
struct Signature {
  static constexpr unsigned count = sizeof...(Arguments);
  static constexpr unsigned sizes[sizeof...(Arguments) + 1] = {sizeof(Arguments)...};

  WARPWRIGHT_OF_A_HOOK static void invoke(void (*kernel)(), void** arguments) {
    call(reinterpret_cast<void (*)(Arguments...)>(kernel), arguments, Sequence<__integer_pack(count)...>());
  }
  template <unsigned... Numbers>
  __attribute__((WARPWRIGHT_UNTRACED, always_inline)) static inline void call(void (*kernel)(Arguments...),
                                                                              void** arguments, Sequence<Numbers...>) {
    kernel(*static_cast<Arguments*>(arguments[Numbers])...);
  }
};

template <class... Arguments>
WARPWRIGHT_OF_A_HOOK ModuleEntry entry(const char* name, void (*kernel)(Arguments...)) {
  using signature = Signature<Arguments...>;
  return {name, reinterpret_cast<void (*)()>(kernel), signature::invoke, signature::count, signature::sizes};
}

}  // namespace warpwright::simulator
