// An allocator of memory that is zero, and of which only the pages that are touched cost anything.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <cstring>
#include <new>
#include <utility>

namespace warpwright::simulator {

/// For vectors of a type whose initial value is all zeros.
template <class T>
struct ZeroedMemory {
  using value_type = T;

  ZeroedMemory() = default;
  template <class U>
  explicit ZeroedMemory(const ZeroedMemory<U>&) {}

  T* allocate(std::size_t count) {
    if (count * sizeof(T) < least_mapped) {
      void* const memory = ::operator new (count * sizeof(T), std::align_val_t{alignof(T)});
      return static_cast<T*>(std::memset(memory, 0, count * sizeof(T)));
    }
    void* const memory =
        mmap(nullptr, count * sizeof(T), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) throw std::bad_alloc();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, std::size_t count) {
    if (count * sizeof(T) < least_mapped)
      ::operator delete (memory, std::align_val_t{alignof(T)});
    else
      munmap(memory, count * sizeof(T));
  }

  /// The memory already has the initial value.
  template <class U>
  void construct(U*) {}
  template <class U, class First, class... Rest>
  void construct(U* at, First&& first, Rest&&... rest) {
    ::new (static_cast<void*>(at)) U(std::forward<First>(first), std::forward<Rest>(rest)...);
  }
  bool operator==(const ZeroedMemory&) const = default;

 private:
  static constexpr std::size_t least_mapped = std::size_t{1} << 18;  ///< bytes
};

}  // namespace warpwright::simulator
