// Pages of inputs that blocks of other configurations needed.
#pragma once

#include <deque>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "kernels/runtime/simulator/results/execution.hpp"

namespace warpwright::conformance {

/// Blocks from the middle of the grid read much the same pages in each configuration. Given these, they need not run
/// once more with the pages that they missed. Thread-safe.
class PageCache {
 public:
  /// Those that are held with that key.
  std::vector<simulator::Page> pages(const std::string& key) const;
  /// Holds these pages in place of fewer with that key, unless they are too many. It holds those of a few keys, the
  /// newest ones.
  void keep(const std::string& key, const std::vector<simulator::Page>& pages);

 private:
  static constexpr std::size_t most_pages_ = 8192;  ///< of a key: every request sends them, 4 MiB
  static constexpr std::size_t most_keys_ = 4;

  mutable std::mutex mutex_;  ///< guards the members below
  std::map<std::string, std::vector<simulator::Page>> held_;
  std::deque<std::string> keys_;  ///< the oldest first
};

}  // namespace warpwright::conformance
