// A vector clock, compressed by block: the accesses that happened before its owner's next one.
#include "kernels/runtime/simulator/state/vector_clock.hpp"

#include <algorithm>

namespace warpwright::simulator {

void VectorClock::learn(const VectorClock& other) {
  blocks_.raise(other.blocks_);
  threads_.raise(other.threads_);
  threads_.forget([this](std::uint32_t first, std::uint32_t last, std::uint32_t latest) {
    const std::uint32_t block = first / threads_per_block_;
    return block == last / threads_per_block_ && latest <= blocks_.time_of(block);
  });
  if (!stamps_.empty()) stamps_.insert(stamps_.end(), other.stamps_.begin(), other.stamps_.end());
  if (other.stamps_.empty() || stamps_.size() > most_stamps) stamps_.clear();
}

bool VectorClock::covers(const VectorClock& other) const {
  if (!other.stamps_.empty())
    return std::all_of(other.stamps_.begin(), other.stamps_.end(),
                       [this](const Stamp& stamp) { return covers(stamp.first, stamp.second); });
  // A block's time here may cover a thread's time there. In that case this returns false, which only costs a merge.
  return blocks_.covers(other.blocks_) && threads_.covers(other.threads_);
}

SharedClock merged(const SharedClock& a, const SharedClock& b) {
  if (b == nullptr || a == b) return a;
  if (a == nullptr || b->covers(*a)) return b;
  if (a->covers(*b)) return a;
  VectorClock both = *a;
  both.learn(*b);
  return std::make_shared<const VectorClock>(std::move(both));
}

}  // namespace warpwright::simulator
