// Counts branches of warps, and divergent ones, from the outcomes of single threads.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "kernels/runtime/cpu_model/interface.cuh"

namespace warpwright::simulator {

struct BranchCounts {
  std::uint64_t executed = 0;   ///< by warps, or by the part of a warp that is together
  std::uint64_t divergent = 0;  ///< of these, with lanes that take different paths
};

/// A comparison after which its thread enters another basic block is a branch, and that block is its outcome. The lanes
/// of a warp are then replayed in step. Of the branches that lanes reach next, the one in the deepest call is executed
/// first; of several, the one with the lowest address. All lanes that are at it execute it. So lanes that diverged
/// converge as soon as they can. The order in which the threads really ran does not matter.
class BranchTrace {
 public:
  /// The branches of one lane since all threads of its block last met.
  class Lane {
   public:
    /// Where the caller records the next branch, and the end of the free memory, which is never empty.
    Branch* next() { return room_.data() + size_; }
    const Branch* end() const { return room_.data() + room_.size(); }
    void noted_up_to(const Branch* next) { size_ = static_cast<std::size_t>(next - room_.data()); }
    std::span<const Branch> branches() const { return {room_.data(), size_}; }
    void clear() { size_ = 0; }
    void grow() { room_.resize(2 * room_.size()); }

   private:
    static constexpr std::size_t usual_room = 32;
    std::vector<Branch> room_ = std::vector<Branch>(usual_room);
    std::size_t size_ = 0;
  };
  using Warp = std::array<Lane, 32>;

  /// Forgets all counts but keeps its memory.
  void restart();
  /// The first of the warps of a block. The warps keep their addresses until the next call for the same slot.
  Warp* warps_of(std::size_t block_slot, std::size_t count);
  /// Makes room, because that lane has none left.
  void make_room(Warp& warp, unsigned lane);
  /// All threads of a block have met: counts the branches since they last did.
  void meet(std::size_t block_slot);

  /// Counts by offset in the module.
  const std::unordered_map<std::uint32_t, BranchCounts>& sites() const { return sites_; }

 private:
  /// Most branches of one lane between two barriers of its block. More are counted in parts, as if the warp had met.
  static constexpr std::size_t longest_history = std::size_t{1} << 16;

  void count(Warp& warp);
  BranchCounts& counts_at(std::uint64_t place) {
    const auto site = static_cast<std::uint32_t>(place);
    Known& known = known_[site % known_.size()];
    if (known.counts == nullptr || known.site != site) known = {site, &sites_[site]};
    return *known.counts;
  }

  struct Known {
    std::uint32_t site = 0;
    BranchCounts* counts = nullptr;  ///< in sites_
  };
  std::array<Known, 256> known_{};  ///< the sites used last
  std::vector<std::vector<Warp>> warps_;
  std::unordered_map<std::uint32_t, BranchCounts> sites_;
};

}  // namespace warpwright::simulator
