// Shadow memory: the latest accesses of each granule, and which bytes were ever written.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "kernels/runtime/simulator/state/zeroed_memory.hpp"

namespace warpwright::simulator {

/// The smallest multiple that is at least `bytes`.
constexpr std::size_t rounded_up(std::size_t bytes, std::size_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

/// Atomic and volatile accesses are strong. Two of them do not race if the scope of each includes the other's thread.
enum Strength : std::uint32_t {
  weak = 0,
  strong_in_block = 1,
  several = 2,  ///< of no access: the record's thread is the index of a list of stores, see RaceDetector
  strong_in_device = 3
};

/// One access, of 12 bytes. Time 0 is none.
struct AccessRecord {
  std::uint32_t thread = 0;  ///< in the launch
  std::uint32_t time = 0;
  std::uint32_t site : 29 = 0;    ///< offset of the return address in its module
  std::uint32_t updates : 1 = 0;  ///< a strong store that also loads
  std::uint32_t strong : 2 = 0;   ///< see Strength

  AccessRecord() = default;
  AccessRecord(std::uint32_t by, std::uint32_t at, std::uint32_t from, Strength how, bool is_update = false)
      : thread(by), time(at), site(from & 0x1fffffffu), updates(is_update ? 1 : 0), strong(how & 3u) {}
  bool operator==(const AccessRecord&) const = default;
};

/// The latest accesses of one granule of memory. Of several writers or readers that nothing orders, two of different
/// warps are kept: an access that conflicts with any of them conflicts with one of these two.
struct alignas(64) Cell {
  AccessRecord writer, other_writer;  ///< the other one only when both are strong, or several stores race
  AccessRecord reader, other_reader;
  std::uint32_t reader_lanes = 0, other_reader_lanes = 0;  ///< lanes of their warps that read at the same times
};

/// The shadow of one buffer or of one shared array of a block. Granules have 4 bytes until an access is smaller, and 1
/// byte from then on. Cells are never cleared: their times tell which accesses are from before the launch, or the
/// block.
class Shadow {
 public:
  void resize(std::size_t bytes, bool with_cells) {
    bytes_ = bytes;
    const std::size_t cells = with_cells ? ((bytes + 3) / 4) << (2 - shift_) : 0;
    if (cells_.size() < cells) cells_.resize(cells);
  }
  void forget_accesses() { cells_.assign(cells_.size(), Cell{}); }

  /// The cells of `size` bytes at `offset`.
  Cell* cells(std::size_t offset, std::size_t size) {
    if (size < 4 && shift_ != 0) [[unlikely]]
      split();
    return &cells_[offset >> shift_];
  }
  /// The cell of the byte; null if accesses are not remembered.
  const Cell* cell(std::size_t offset) const {
    return offset >> shift_ < cells_.size() ? &cells_[offset >> shift_] : nullptr;
  }
  /// The last writer of the byte; null if it is not remembered.
  const AccessRecord* last_writer(std::size_t offset) const {
    const Cell* const found = cell(offset);
    return found == nullptr ? nullptr : &found->writer;
  }
  std::size_t cell_count(std::size_t size) const { return size >> shift_; }
  std::size_t memory() const { return cells_.capacity() * sizeof(Cell) + written_.capacity(); }

  void set_all_written(bool written) {
    all_written_ = written;
    if (!written) written_.assign(bytes_ / 8 + 3, 0);
  }
  /// SparseMemory knows what is written.
  void set_sparse() { all_written_ = false; }
  bool all_written() const { return all_written_; }
  /// For sizes of 1, 2, 4, 8 and 16 bytes at multiples of the size.
  bool is_written(std::size_t offset, std::size_t size) const {
    std::uint16_t bits;
    std::memcpy(&bits, &written_[offset >> 3], sizeof(bits));
    const std::uint32_t mask = ((1u << size) - 1) << (offset & 7);
    return (bits & mask) == mask;
  }
  void set_written(std::size_t offset, std::size_t size) {
    std::uint16_t bits;
    std::memcpy(&bits, &written_[offset >> 3], sizeof(bits));
    bits = static_cast<std::uint16_t>(bits | ((1u << size) - 1) << (offset & 7));
    std::memcpy(&written_[offset >> 3], &bits, sizeof(bits));
  }
  /// For any range.
  void set_range_written(std::size_t offset, std::size_t size);
  /// Copies which of so many bytes are written, from one location to another.
  void copy_written(const Shadow& from, std::size_t from_offset, std::size_t to_offset, std::size_t bytes);
  /// The first byte of a range that is not written; its end when all are.
  std::size_t first_unwritten(std::size_t offset, std::size_t size) const;

  /// Whether all unwritten bytes of that range look like padding between members of structs: other bytes of it are
  /// written, a store nearby is wider than the gap, and the gap ends where a member of that width may begin.
  bool is_padding(std::size_t offset, std::size_t size) const;

  /// Calls `visit(offset, bytes, cell)` for every cell.
  template <class Visit>
  void for_each_cell(Visit visit) const {
    const std::size_t size = std::size_t{1} << shift_;
    for (std::size_t i = 0; i * size < bytes_ && i < cells_.size(); ++i) visit(i * size, size, cells_[i]);
  }

 private:
  void split();
  /// The bytes of the last store to that byte, as far as it stored these last; 0 if it is not remembered, or if they
  /// are not aligned like a number.
  std::size_t width_of_store(std::size_t offset) const;
  bool is_byte_written(std::size_t offset) const { return (written_[offset / 8] >> offset % 8 & 1u) != 0; }

  std::vector<Cell, ZeroedMemory<Cell>> cells_;
  std::vector<std::uint8_t> written_;  ///< a bit for each byte
  std::size_t bytes_ = 0;
  unsigned shift_ = 2;
  bool all_written_ = true;
};

}  // namespace warpwright::simulator
