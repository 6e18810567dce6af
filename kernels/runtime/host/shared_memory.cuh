// Shared arrays as the SIMT executor models them: storage per block, found through a static tag, every index checked.
#pragma once

#include "kernels/runtime/host/interface.cuh"

namespace warpwright {

namespace host {

[[gnu::cold]] WARPWRIGHT_UNSEEN inline void* missing_element(const void* first, long long index, long long extent) {
  return runtime->bad_index(first, index, extent);
}

/// The element where the index is in bounds, else a place where every access is reported.
template <class T>
[[gnu::always_inline]] inline T* element(T* first, long long stride, long long index, long long extent) {
  if (static_cast<unsigned long long>(index) < static_cast<unsigned long long>(extent)) [[likely]] {
    return first + index * stride;
  }
  return static_cast<T*>(missing_element(first, index, extent));
}

// Constant for as long as a thread runs: it never leaves its block.
[[gnu::const]] WARPWRIGHT_UNSEEN inline void* storage_of(SharedArrayTag* tag, unsigned long long bytes) {
  return runtime->shared_array(tag, bytes);
}

}  // namespace host

/// Part of a shared array: what is left when the leading indices are given.
template <class T, int... Extents>
class shared_row;

template <class T, int Extent>
class shared_row<T, Extent> {
 public:
  [[gnu::always_inline]] explicit shared_row(T* first) : first_(first) {}

  template <class Index>
  [[gnu::always_inline]] T& operator[](Index index) const {
    return *host::element(first_, 1, static_cast<long long>(index), Extent);
  }
  [[gnu::always_inline]] operator T*() const { return first_; }

 private:
  T* first_;
};

template <class T, int Extent, int... Inner>
requires(sizeof...(Inner) > 0) class shared_row<T, Extent, Inner...> {
 public:
  [[gnu::always_inline]] explicit shared_row(T* first) : first_(first) {}

  template <class Index>
  [[gnu::always_inline]] shared_row<T, Inner...> operator[](Index index) const {
    return shared_row<T, Inner...>(host::element(first_, (Inner * ...), static_cast<long long>(index), Extent));
  }

 private:
  T* first_;
};

/// An array in shared memory, 16-byte aligned; declare it as `__shared__ shared_array<float, 32, 33> tile;` and use it
/// as `tile[i][j]`. Its contents are undefined at the start of a block.
template <class T, int... Extents>
class shared_array {
 public:
  static constexpr int size = (Extents * ...);

  template <class Index>
  [[gnu::always_inline]] decltype(auto) operator[](Index index) {
    return shared_row<T, Extents...>(data())[index];
  }
  template <class Index>
  [[gnu::always_inline]] decltype(auto) operator[](Index index) const {
    return shared_row<const T, Extents...>(const_cast<shared_array*>(this)->data())[index];
  }

  /// The first element.
  [[gnu::always_inline]] T* data() { return static_cast<T*>(host::storage_of(&tag_, sizeof(T) * size)); }

 private:
  host::SharedArrayTag tag_;
};

/// The shared memory whose size the launch sets, 16-byte aligned.
template <class T>
WARPWRIGHT_UNSEEN T* dynamic_shared() {
  return static_cast<T*>(host::runtime->dynamic_shared());
}

}  // namespace warpwright
