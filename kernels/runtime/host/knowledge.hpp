// What a thread knows to have happened before: a vector clock that is kept short by naming whole blocks.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace warpwright::host {

/// Accesses that are over, as far as the owner can tell: those of a block's threads, and of single threads, before a
/// time. Threads are numbered over the whole launch. Values are shared between threads and never change.
class Knowledge {
 public:
  using Clock = std::pair<std::uint32_t, std::uint32_t>;  ///< block or thread, and the time before which all is known

  Knowledge(std::vector<Clock> blocks, std::vector<Clock> threads, std::uint32_t threads_per_block);

  /// Whether an access of that thread at that time is known.
  bool covers(std::uint32_t thread, std::uint32_t time) const;
  bool covers(const Knowledge& other) const;

  const std::vector<Clock>& blocks() const { return blocks_; }
  const std::vector<Clock>& threads() const { return threads_; }
  std::uint32_t threads_per_block() const { return threads_per_block_; }

 private:
  std::vector<Clock> blocks_, threads_;  ///< sorted by the first
  std::uint32_t threads_per_block_;
};

/// Null where nothing is known.
using SharedKnowledge = std::shared_ptr<const Knowledge>;

/// What either knows.
SharedKnowledge merged(const SharedKnowledge& a, const SharedKnowledge& b);

}  // namespace warpwright::host
