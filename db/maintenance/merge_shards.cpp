// Merges the databases of shards, and their rankings.
#include "db/maintenance/merge_shards.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

#include "db/maintenance/merging.hpp"
#include "db/query/predicted_ranking.hpp"
#include "db/query/query.hpp"
#include "db/store/identities.hpp"
#include "db/store/rows.hpp"
#include "kernels/core/vocabulary.hpp"

namespace warpwright::db {
namespace {

// The identities of a problem and of a board.
using Group = std::pair<std::string, std::string>;

// The finalists of one problem on one board.
struct Ranking {
  std::string moment{};
  std::vector<std::string> trials{};  // identities

  // Adds a trial that another shard ranked.
  void add(std::string_view selection, std::string trial) {
    moment = std::max(moment, moment_of(selection));
    trials.push_back(std::move(trial));
  }
};
using Rankings = std::map<Group, Ranking>;

void add_rankings(Rankings& found, const Store& store) {
  Statement rows(store.connection(),
                 "SELECT p.identity, b.identity, t.selection, t.identity FROM trial t"
                 " JOIN problem p ON p.id = t.problem_id JOIN board b ON b.id = t.board_id"
                 " WHERE t.selection > '' AND +t.provenance = 'predicted'");
  while (rows.step())
    found[{rows.get<std::string>(0), rows.get<std::string>(1)}].add(rows.get<std::string>(2), rows.get<std::string>(3));
}

// Trials with equal times are ordered by text, as `tune` orders them.
std::vector<Trial> fastest_first(const Store& store, const std::vector<std::string>& identities) {
  std::vector<TrialView> views;
  for (const std::string& identity : identities)
    if (auto view = find(store, identity)) views.push_back(std::move(*view));
  std::ranges::sort(views, {}, [](const TrialView& view) {
    return std::tuple(*view.trial.predicted_us, view.kernel, view.params, view.trial.identity);
  });
  std::vector<Trial> trials;
  for (TrialView& view : views)
    if (trials.empty() || trials.back().identity != view.trial.identity) trials.push_back(std::move(view.trial));
  return trials;
}

}  // namespace

std::vector<LeftOut> merge_shards(Store& store, std::span<const std::filesystem::path> parts,
                                  const std::function<void(const std::filesystem::path&, const Merged&)>& done) {
  // Identities are hashes, so rows are spread over all pages of the indices. A large cache avoids reading these pages
  // again.
  store.connection().execute("PRAGMA cache_size = -262144");
  Rankings before, united;
  add_rankings(before, store);
  std::vector<LeftOut> left_out;
  for (const std::filesystem::path& part : parts) {
    std::optional<Store> source;
    try {
      source.emplace(sound_source(part));
    } catch (const Error& error) {
      left_out.push_back({.part = part, .reason = error.what()});
      continue;
    }
    add_rankings(united, *source);
    const Merged merged = merge_from(store, *source);
    if (done) done(part, merged);
  }
  store.transaction([&] {
    for (auto& [group, ranking] : united) {
      const auto known = before.find(group);
      if (known != before.end()) {
        if (known->second.moment > ranking.moment) continue;
        // Same run: keeps the finalists of shards that were merged before and are missing this time.
        if (known->second.moment == ranking.moment)
          ranking.trials.insert(ranking.trials.end(), known->second.trials.begin(), known->second.trials.end());
      }
      const std::vector<Trial> trials = fastest_first(store, ranking.trials);
      if (trials.empty()) continue;
      store.set_ranking(trials.front().problem_id, *trials.front().board_id, provenance::predicted,
                        ranked_predictions(store, trials), ranking.moment);
    }
  });
  return left_out;
}

}  // namespace warpwright::db
