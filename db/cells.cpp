// Choosing among the trials of a cell.
#include "db/cells.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace warpwright::db {

bool newer(const Candidate& a, const Candidate& b) {
  return std::tie(a.created_at, a.identity) > std::tie(b.created_at, b.identity);
}

std::map<Id, const Candidate*> newest_of(const std::vector<Candidate>& candidates, const std::string& mode) {
  std::map<Id, const Candidate*> newest;
  for (const Candidate& candidate : candidates) {
    if (candidate.mode != mode) continue;
    const Candidate*& known = newest[candidate.configuration];
    if (!known || newer(candidate, *known)) known = &candidate;
  }
  return newest;
}

const Candidate& winner_of(const std::vector<Candidate>& candidates) {
  const auto ranked = std::min_element(candidates.begin(), candidates.end(), [](const auto& a, const auto& b) {
    constexpr int last = std::numeric_limits<int>::max();
    return std::tuple(a.rank.value_or(last), a.identity) < std::tuple(b.rank.value_or(last), b.identity);
  });
  if (ranked->rank) return *ranked;
  const std::string& mode = std::min_element(candidates.begin(), candidates.end(), newer)->mode;
  const std::map<Id, const Candidate*> newest = newest_of(candidates, mode);
  return *std::min_element(newest.begin(), newest.end(), [](const auto& a, const auto& b) {
            const auto order = [](const Candidate& c) { return std::tie(c.stopped_early, c.time_us, c.identity); };
            return order(*a.second) < order(*b.second);
          })->second;
}

}  // namespace warpwright::db
