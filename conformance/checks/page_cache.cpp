// Holds the pages of a few problems.
#include "conformance/checks/page_cache.hpp"

namespace warpwright::conformance {

std::vector<simulator::Page> PageCache::pages(const std::string& key) const {
  const std::scoped_lock lock(mutex_);
  const auto held = held_.find(key);
  return held == held_.end() ? std::vector<simulator::Page>() : held->second;
}

void PageCache::keep(const std::string& key, const std::vector<simulator::Page>& pages) {
  if (pages.size() > most_pages_) return;
  const std::scoped_lock lock(mutex_);
  const auto [held, is_new] = held_.try_emplace(key);
  if (held->second.size() < pages.size()) held->second = pages;
  if (!is_new) return;
  keys_.push_back(key);
  if (keys_.size() <= most_keys_) return;
  held_.erase(keys_.front());
  keys_.pop_front();
}

}  // namespace warpwright::conformance
