// The global memory of an execution: the plan's buffers, far apart in one range of addresses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/model/plan.hpp"

namespace warpwright::simulator {

/// One buffer at its address on the device. `end - begin` is its exact size.
struct Region {
  std::uintptr_t begin = ~std::uintptr_t{0}, end = ~std::uintptr_t{0};
  std::string name;
  bool read_only = false;
  std::size_t number = 0;  ///< of the buffer in its plan

  std::size_t bytes() const { return end - begin; }
  std::byte* data() const { return reinterpret_cast<std::byte*>(begin); }
};

/// Buffers start at multiples of 512 bytes, as on a device. The gap after a buffer is as large as the buffer, a
/// megabyte at least, so that an index that runs off one does not land in another. An index that is so wrong that it
/// does lands elsewhere with another seed. A buffer lives for one execution of its plan. Memory is kept from one
/// execution to the next, but two in a row share no address, so a pointer that device code kept is out of bounds.
class GlobalMemory {
 public:
  GlobalMemory() = default;
  ~GlobalMemory();
  GlobalMemory(const GlobalMemory&) = delete;
  GlobalMemory& operator=(const GlobalMemory&) = delete;

  /// Allocates the buffers, whose contents are undefined. Their order and the gaps between them are drawn from the
  /// seed; seed 0: in their order, with the smallest gaps. Throws std::bad_alloc.
  void place(const std::vector<Buffer>& buffers, std::uint64_t seed = 0) { place(buffers, seed, false); }
  /// The same for buffers that are zero and may be larger than memory; none is read-only.
  void place_sparse(const std::vector<Buffer>& buffers) { place(buffers, 0, true); }
  /// Makes a sparse buffer zero again.
  void clear_sparse(std::size_t number) const;

  bool contains(std::uintptr_t address) const { return address - begin_ < bytes_; }
  std::uintptr_t begin() const { return begin_; }
  std::size_t bytes() const { return bytes_; }

  /// The buffer whose pieces contain the address, which the caller must still check against its bounds; an
  /// empty region if there is none.
  const Region& region_near(std::uintptr_t address) const {
    return regions_[piece_owner_[(address - begin_) >> piece_shift_]];
  }
  /// The plan's buffer of that number.
  const Region& region(std::size_t number) const { return regions_[number + 1]; }
  std::size_t region_count() const { return regions_.size() - 1; }
  /// The buffer that contains the address or is nearest to it; null if there are no buffers.
  const Region* nearest(std::uintptr_t address) const;
  /// The buffer of the previous execution that contained the address; null if there is none.
  const Region* earlier(std::uintptr_t address) const;

 private:
  void place(const std::vector<Buffer>& buffers, std::uint64_t seed, bool sparse);
  void reserve(std::size_t bytes);

  std::uintptr_t memory_ = 0;  ///< two halves that are used in turn
  std::uintptr_t begin_ = 0;
  std::size_t bytes_ = 0, capacity_ = 0;  ///< of one half
  std::vector<Region> regions_, earlier_;
  unsigned piece_shift_ = 9;
  std::vector<std::uint16_t> piece_owner_;
};

}  // namespace warpwright::simulator
