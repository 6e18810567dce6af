// Counts the branches that warps execute, and those at which their lanes part, from what single threads decided.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace warpwright::host {

struct BranchCounts {
  std::uint64_t executed = 0;   ///< by warps, or by the part of a warp that is together
  std::uint64_t divergent = 0;  ///< of these, with lanes on different ways
};

/// A comparison whose thread enters another basic block next is a branch, and that block its outcome. The lanes of a
/// warp are then run in step: of the branches that lanes come to next, the one in the deepest call, and of these the
/// one with the lowest address, is executed by all lanes that are at it, so lanes that parted are together again as
/// soon as they can be. The order in which the threads really ran does not matter.
class BranchTrace {
 public:
  /// A thread compares, where `site` is null in a way that is no branch of the device; `frame` is the distance of its
  /// frame from the end of its stack, less in deeper calls.
  void compare(std::size_t block_slot, std::size_t warp, unsigned lane, const void* site, std::uint32_t frame);
  /// A thread enters a basic block.
  void enter(std::size_t block_slot, std::size_t warp, unsigned lane, const void* site);
  /// All threads of a block have arrived at one place: what they did so far is counted.
  void meet(std::size_t block_slot);

  const std::unordered_map<const void*, BranchCounts>& sites() const { return sites_; }

 private:
  struct Branch {
    const void* site = nullptr;
    const void* outcome = nullptr;
    std::uint32_t frame = 0;
  };
  struct Lane {
    Branch pending;  ///< without an outcome yet; its site is null where there is none
    std::vector<Branch> history;
  };
  using Warp = std::array<Lane, 32>;

  Warp& warp_at(std::size_t block_slot, std::size_t warp);
  void count(Warp& warp);

  std::vector<std::vector<Warp>> warps_;
  std::unordered_map<const void*, BranchCounts> sites_;
};

}  // namespace warpwright::host
