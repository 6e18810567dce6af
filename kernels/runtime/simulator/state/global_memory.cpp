// The global memory of an execution: the plan's buffers, far apart in one range of addresses.
#include "kernels/runtime/simulator/state/global_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <new>
#include <numeric>
#include <stdexcept>
#include <system_error>

#include "kernels/core/random.hpp"
#include "kernels/runtime/simulator/state/shadow.hpp"

namespace warpwright::simulator {
namespace {

constexpr std::size_t least_gap_bytes = std::size_t{1} << 20;
// The limit of memory that is kept between executions; more is returned to the system.
constexpr std::size_t kept_bytes = std::size_t{1} << 28;

/// Unused bytes after a buffer.
std::size_t gap_after(std::size_t bytes, std::size_t piece_bytes) {
  return rounded_up(std::max(bytes, least_gap_bytes), piece_bytes);
}

}  // namespace

GlobalMemory::~GlobalMemory() {
  reserve(0);
}

void GlobalMemory::reserve(std::size_t bytes) {
  const bool shrink = capacity_ > kept_bytes && bytes <= kept_bytes;
  if (bytes != 0 && bytes <= capacity_ && !shrink) {
    begin_ = begin_ == memory_ ? memory_ + capacity_ : memory_;
    return;
  }
  const std::uintptr_t old_memory = memory_;
  const std::size_t old_bytes = 2 * capacity_;
  memory_ = begin_ = bytes_ = capacity_ = 0;
  if (bytes != 0) {
    const std::size_t wanted = rounded_up(bytes + bytes / 2, std::size_t{1} << 24);
    void* const memory =
        mmap(nullptr, 2 * wanted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory != MAP_FAILED) {
      memory_ = begin_ = reinterpret_cast<std::uintptr_t>(memory);
      capacity_ = wanted;
    }
  }
  // Freed last, so that new memory has other addresses.
  if (old_bytes != 0) munmap(reinterpret_cast<void*>(old_memory), old_bytes);
  if (bytes != 0 && capacity_ == 0) throw std::bad_alloc();
}

void GlobalMemory::place(const std::vector<Buffer>& buffers, std::uint64_t seed, bool sparse) {
  if (buffers.size() >= std::numeric_limits<std::uint16_t>::max()) throw std::invalid_argument("too many buffers");
  constexpr unsigned usual_shift = 9, sparse_shift = 20;
  constexpr std::uint64_t further_pieces = 1 << 10;
  piece_shift_ = sparse ? sparse_shift : usual_shift;
  const std::size_t piece_bytes = std::size_t{1} << piece_shift_;
  if (sparse) reserve(0);
  Random random(seed);
  std::vector<std::size_t> order(buffers.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (seed != 0) random.shuffle(order);
  earlier_ = std::move(regions_);
  regions_.assign(buffers.size() + 1, Region{});
  std::size_t offset = least_gap_bytes;
  for (const std::size_t i : order) {
    const auto bytes = static_cast<std::size_t>(buffers[i].bytes());
    if (seed != 0) offset += random.below(further_pieces) * piece_bytes;
    regions_[i + 1] = {offset, offset + bytes, buffers[i].name, !sparse && buffers[i].role == Role::in, i};
    offset += rounded_up(bytes, piece_bytes) + gap_after(bytes, piece_bytes);
  }
  reserve(offset);
  bytes_ = offset;
  piece_owner_.assign(bytes_ / piece_bytes, 0);
  for (std::size_t i = 1; i < regions_.size(); ++i) {
    Region& region = regions_[i];
    std::fill_n(piece_owner_.begin() + static_cast<std::ptrdiff_t>(region.begin / piece_bytes),
                rounded_up(region.bytes(), piece_bytes) / piece_bytes, static_cast<std::uint16_t>(i));
    region.begin += begin_;
    region.end += begin_;
  }
}

void GlobalMemory::clear_sparse(std::size_t number) const {
  const Region& sparse = region(number);
  if (madvise(sparse.data(), sparse.bytes(), MADV_DONTNEED) != 0)
    throw std::system_error(errno, std::generic_category(), "madvise");
}

const Region* GlobalMemory::nearest(std::uintptr_t address) const {
  const Region* best = nullptr;
  std::uintptr_t least = std::numeric_limits<std::uintptr_t>::max();
  for (std::size_t i = 1; i < regions_.size(); ++i) {
    const Region& region = regions_[i];
    const std::uintptr_t distance = address < region.begin ? region.begin - address
                                    : address < region.end ? 0
                                                           : address - region.end;
    if (distance < least) {
      least = distance;
      best = &region;
    }
  }
  return best;
}

const Region* GlobalMemory::earlier(std::uintptr_t address) const {
  const auto found = std::find_if(earlier_.begin(), earlier_.end(), [&](const Region& region) {
    return address >= region.begin && address < region.end;
  });
  return found == earlier_.end() ? nullptr : &*found;
}

}  // namespace warpwright::simulator
