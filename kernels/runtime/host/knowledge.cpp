// What a thread knows to have happened before: a vector clock that is kept short by naming whole blocks.
#include "kernels/runtime/host/knowledge.hpp"

#include <algorithm>
#include <iterator>

namespace warpwright::host {
namespace {

std::uint32_t time_in(const std::vector<Knowledge::Clock>& clocks, std::uint32_t key) {
  const auto found = std::lower_bound(clocks.begin(), clocks.end(), Knowledge::Clock{key, 0});
  return found == clocks.end() || found->first != key ? 0 : found->second;
}

void sort_and_keep_latest(std::vector<Knowledge::Clock>& clocks) {
  if (!std::is_sorted(clocks.begin(), clocks.end())) std::sort(clocks.begin(), clocks.end());
  auto kept = clocks.begin();
  for (auto clock = clocks.begin(); clock != clocks.end(); ++clock) {
    if (std::next(clock) == clocks.end() || std::next(clock)->first != clock->first) *kept++ = *clock;
  }
  clocks.erase(kept, clocks.end());
}

std::vector<Knowledge::Clock> both(const std::vector<Knowledge::Clock>& a, const std::vector<Knowledge::Clock>& b) {
  std::vector<Knowledge::Clock> clocks;
  clocks.reserve(a.size() + b.size());
  std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(clocks));
  return clocks;
}

}  // namespace

Knowledge::Knowledge(std::vector<Clock> blocks, std::vector<Clock> threads, std::uint32_t threads_per_block)
    : blocks_(std::move(blocks)), threads_(std::move(threads)), threads_per_block_(threads_per_block) {
  sort_and_keep_latest(blocks_);
  sort_and_keep_latest(threads_);
  std::erase_if(threads_, [this](const Clock& clock) {
    return clock.second <= time_in(blocks_, clock.first / threads_per_block_);
  });
}

bool Knowledge::covers(std::uint32_t thread, std::uint32_t time) const {
  return time < time_in(threads_, thread) || time < time_in(blocks_, thread / threads_per_block_);
}

bool Knowledge::covers(const Knowledge& other) const {
  return std::all_of(other.blocks_.begin(), other.blocks_.end(),
                     [this](const Clock& clock) { return clock.second <= time_in(blocks_, clock.first); }) &&
         std::all_of(other.threads_.begin(), other.threads_.end(),
                     [this](const Clock& clock) { return covers(clock.first, clock.second - 1); });
}

SharedKnowledge merged(const SharedKnowledge& a, const SharedKnowledge& b) {
  if (b == nullptr || a == b) return a;
  if (a == nullptr || b->covers(*a)) return b;
  if (a->covers(*b)) return a;
  return std::make_shared<const Knowledge>(both(a->blocks(), b->blocks()), both(a->threads(), b->threads()),
                                           a->threads_per_block());
}

}  // namespace warpwright::host
