// Counts the branches that warps execute, and those at which their lanes part, from what single threads decided.
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
  std::uint64_t divergent = 0;  ///< of these, with lanes on different ways
};

/// A comparison whose thread enters another basic block next is a branch, and that block its outcome. The lanes of a
/// warp are then run in step: of the branches that lanes come to next, the one in the deepest call, and of these the
/// one with the lowest address, is executed by all lanes that are at it, so lanes that parted are together again as
/// soon as they can be. The order in which the threads really ran does not matter.
class BranchTrace {
 public:
  /// What one lane did since all threads of its block were in one place.
  class Lane {
   public:
    /// Where the next branch is to be noted, by whoever notes them; and the end of that room, which is never empty.
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

  /// Forgets everything but its memory.
  void restart();
  /// The first of the warps of a block, which stay where they are until the next call for the same slot.
  Warp* warps_of(std::size_t block_slot, std::size_t count);
  /// That lane has no room left.
  void make_room(Warp& warp, unsigned lane);
  /// All threads of a block have arrived at one place: what they did so far is counted.
  void meet(std::size_t block_slot);

  /// By offset in the module.
  const std::unordered_map<std::uint32_t, BranchCounts>& sites() const { return sites_; }

 private:
  /// Of one lane between two meetings of its block; a longer one is counted in parts, as if the warp had met.
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
  std::array<Known, 256> known_{};  ///< the sites asked for last
  std::vector<std::vector<Warp>> warps_;
  std::unordered_map<std::uint32_t, BranchCounts> sites_;
};

}  // namespace warpwright::simulator
