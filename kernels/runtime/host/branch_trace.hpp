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
  /// Where a comparison was made. Ordered as a warp runs them: what is deeper in calls has the lesser `frame`, the
  /// distance from the end of the stack; `site` is an offset in the module.
  static constexpr std::uint64_t place(std::uint32_t frame, std::uint32_t site) {
    return std::uint64_t{frame} << 32 | site;
  }
  struct Branch {
    std::uint64_t place = 0;
    std::uint32_t outcome = 0;  ///< offset of the basic block
  };
  /// What each lane did since all threads of its block were in one place.
  using Warp = std::array<std::vector<Branch>, 32>;

  /// The first of the warps of a block, which stay where they are until the next call for the same slot.
  Warp* warps_of(std::size_t block_slot, std::size_t count);
  void add(Warp& warp, unsigned lane, const Branch& branch) {
    warp[lane].push_back(branch);
    if (warp[lane].size() >= longest_history) [[unlikely]]
      count(warp);
  }
  /// All threads of a block have arrived at one place: what they did so far is counted.
  void meet(std::size_t block_slot);

  /// By offset in the module.
  const std::unordered_map<std::uint32_t, BranchCounts>& sites() const { return sites_; }

 private:
  /// Of one lane between two meetings of its block; a longer one is counted in parts, as if the warp had met.
  static constexpr std::size_t longest_history = std::size_t{1} << 16;

  void count(Warp& warp);

  std::vector<std::vector<Warp>> warps_;
  std::unordered_map<std::uint32_t, BranchCounts> sites_;
};

}  // namespace warpwright::host
