// The global memory of an execution: the plan's buffers, far apart in one range of addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/model/plan.hpp"

namespace warpwright::simulator {

/// One buffer where the device sees it. `end - begin` is its exact size.
struct Region {
  std::uintptr_t begin = ~std::uintptr_t{0}, end = ~std::uintptr_t{0};
  std::string name;
  bool read_only = false;
  std::size_t number = 0;  ///< of the buffer in its plan

  std::size_t bytes() const { return end - begin; }
  std::byte* data() const { return reinterpret_cast<std::byte*>(begin); }
};

/// Buffers start at multiples of 512 bytes, as a device's do, and their own size apart, a
/// megabyte at least, so that an index that runs off one of them does not land in another. A buffer lives as long as
/// one execution of its plan: memory is kept from one to the next, but two in a row share no address, so that a pointer
/// that device code kept is out of bounds.
class GlobalMemory {
 public:
  GlobalMemory() = default;
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  /// Makes room for the buffers, whose contents are undefined. Throws std::bad_alloc.
  void place(const std::vector<Buffer>& buffers);

  bool contains(std::uintptr_t address) const { return address - begin_ < bytes_; }
  std::uintptr_t begin() const { return begin_; }
  std::size_t bytes() const { return bytes_; }

  /// The buffer whose first to last 512-byte piece holds the address, which must be contained; a region that contains
  /// nothing where there is none.
  const Region& region_near(std::uintptr_t address) const {
    return regions_[piece_owner_[(address - begin_) / piece_bytes]];
  }
  /// The plan's buffer of that number.
  const Region& region(std::size_t number) const { return regions_[number + 1]; }
  std::size_t region_count() const { return regions_.size() - 1; }
  /// The buffer that the address is in or nearest to; null when there are no buffers.
  const Region* nearest(std::uintptr_t address) const;
  /// The buffer of the execution before this one that held the address; null when there is none.
  const Region* earlier(std::uintptr_t address) const;

 private:
  static constexpr std::size_t piece_bytes = 512;

  void reserve(std::size_t bytes);

  std::uintptr_t memory_ = 0;  ///< two halves that take turns
  std::uintptr_t begin_ = 0;
  std::size_t bytes_ = 0, capacity_ = 0;  ///< of one half
  std::vector<Region> regions_, earlier_;
  std::vector<std::uint16_t> piece_owner_;
};

}  // namespace warpwright::simulator
