// The shared memory of the blocks that are resident during a launch.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kernels/runtime/cpu_model/interface.cuh"

namespace warpwright::simulator {

/// Each resident block has a window of addresses for the kernel's __shared__ variables, here called arrays. An array
/// has the same offset in all windows. The unused bytes around it are as many as its own, 1,024 at least. Offsets are
/// assigned when arrays are first used.
class SharedMemory {
 public:
  struct Array {
    std::size_t offset = 0, bytes = 0;    ///< in a window
    const std::string* symbol = nullptr;  ///< null for the launch-sized array, and for array 0, which is none
  };
  static constexpr std::size_t window_bytes = shared_window_bytes;
  /// More than any device has, so that arrays beyond a device's limit also have an offset.
  static constexpr std::size_t most_bytes = window_bytes / 2;

  SharedMemory() = default;
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;

  /// Forgets all arrays; array 1 is the launch-sized one. Throws std::bad_alloc.
  void prepare(std::size_t windows, std::size_t dynamic_bytes);

  /// Assigns an offset to a new array. Gives its number; 0 if the window is full.
  std::size_t add(const std::string* symbol, std::size_t bytes);
  const Array& array(std::size_t number) const { return arrays_[number]; }
  std::size_t array_count() const { return arrays_.size(); }
  /// Bytes of all arrays together.
  std::size_t used_bytes() const { return used_bytes_; }

  bool contains(std::uintptr_t address) const { return address - begin_ < bytes_; }
  std::uintptr_t begin() const { return begin_; }
  std::uintptr_t window(std::size_t number) const { return begin_ + number * window_bytes; }
  /// The number of the array whose 16-byte pieces contain that offset into a window; 0 if there is none.
  std::size_t number_near(std::size_t offset) const { return piece_owner_[offset / piece_bytes]; }
  /// The number of the array that contains the offset or is nearest to it; 0 if there are none.
  std::size_t nearest(std::size_t offset) const;

 private:
  static constexpr std::size_t piece_bytes = 16;

  std::uintptr_t begin_ = 0;
  std::size_t bytes_ = 0, capacity_ = 0;
  std::vector<Array> arrays_;
  std::vector<std::uint16_t> piece_owner_;
  std::size_t next_offset_ = 0, used_bytes_ = 0;
};

}  // namespace warpwright::simulator
