// Converts access counts to database rows.
#include "tuner/records/access_rows.hpp"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

namespace warpwright::tuner {
namespace {

/// The lines whose transactions exceed what their bytes need most, worst first.
std::string worst_lines(const std::vector<simulator::LineAccess>& lines) {
  constexpr std::size_t kLines = 8;
  constexpr std::uint64_t kSectorBytes = 32;
  struct Worst {
    const simulator::LineAccess* line;
    const char* space;
    std::uint64_t requests, transactions, least;
  };
  std::vector<Worst> all;
  for (const simulator::LineAccess& line : lines) {
    const simulator::AccessCounts& c = line.counts;
    const std::uint64_t bytes = c.global_load_bytes + c.global_store_bytes;
    all.push_back({&line, "global", c.global_load_requests + c.global_store_requests,
                   c.global_load_sectors + c.global_store_sectors, (bytes + kSectorBytes - 1) / kSectorBytes});
    all.push_back({&line, "shared", c.shared_load_requests + c.shared_store_requests,
                   c.shared_load_wavefronts + c.shared_store_wavefronts, c.shared_least_wavefronts});
  }
  std::erase_if(all, [](const Worst& w) { return w.requests == 0; });
  std::ranges::stable_sort(all, std::greater{},
                           [](const Worst& w) { return std::pair(w.transactions - w.least, w.transactions); });
  if (all.size() > kLines) all.resize(kLines);
  auto json = nlohmann::json::array();
  for (const Worst& w : all)
    json.push_back({{"file", w.line->file},
                    {"line", w.line->line},
                    {"space", w.space},
                    {"requests", w.requests},
                    {"transactions", w.transactions},
                    {"least", w.least}});
  return json.dump();
}

}  // namespace

std::vector<db::Access> access_rows(const conformance::CountedAccess& access, db::Id configuration, db::Id problem,
                                    const std::string& target) {
  const auto number = [](std::uint64_t n) { return static_cast<std::int64_t>(n); };
  std::vector<db::Access> rows;
  for (std::size_t i = 0; i < access.launches.size(); ++i) {
    const simulator::AccessCounts& counts = access.launches[i];
    rows.push_back({.configuration_id = configuration,
                    .problem_id = problem,
                    .launch = static_cast<int>(i),
                    .target = target,
                    .global_load_requests = number(counts.global_load_requests),
                    .global_load_sectors = number(counts.global_load_sectors),
                    .global_store_requests = number(counts.global_store_requests),
                    .global_store_sectors = number(counts.global_store_sectors),
                    .shared_requests = number(counts.shared_load_requests + counts.shared_store_requests),
                    .shared_transactions = number(counts.shared_load_wavefronts + counts.shared_store_wavefronts),
                    .barriers = number(counts.barriers),
                    .atomics = number(counts.global_atomics + counts.shared_atomics),
                    .threads = number(access.launch_threads.at(i)),
                    .branches = number(counts.branches),
                    .divergent_branches = number(counts.divergent_branches),
                    .lines = i == 0 ? worst_lines(access.lines) : "[]"});
  }
  return rows;
}

}  // namespace warpwright::tuner
