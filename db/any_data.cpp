// Finding the configuration that loses least whatever the data is.
#include "db/any_data.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <tuple>

#include "db/views.hpp"

namespace warpwright::db {
namespace {

// One configuration on every data set: what it loses against the best one there, and its trial.
struct Standing {
  std::vector<double> losses = {};
  std::vector<Id> trials = {};

  double worst_loss() const { return std::ranges::max(losses); }
};

// By configuration; of those that were timed on all data sets.
std::map<Id, Standing> standings_of(const std::vector<const Cell*>& cells) {
  std::map<Id, Standing> standings;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Candidate& winner = winner_of(cells[i]->candidates);
    for (const auto& [configuration, candidate] : newest_of(cells[i]->candidates, winner.mode)) {
      Standing& own = standings[configuration];
      if (own.losses.size() != i) continue;
      own.losses.push_back(std::max(candidate->time_us / winner.time_us - 1, 0.0));
      own.trials.push_back(candidate->id);
    }
  }
  std::erase_if(standings, [&](const auto& entry) { return entry.second.losses.size() < cells.size(); });
  return standings;
}

}  // namespace

void add_any_data(const Store& store, const std::vector<const Cell*>& cells, std::vector<Best>& answers) {
  std::map<std::tuple<std::string, std::string, std::string, std::string, std::string, Id, Kind>,
           std::vector<std::size_t>>
      alike;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Problem& problem = answers[i].winner.problem;
    alike[{problem.pattern, problem.variant, problem.numbers, problem.types, problem.shape, cells[i]->board,
           cells[i]->kind}]
        .push_back(i);
  }
  for (const auto& [key, group] : alike) {
    if (group.size() < 2) continue;
    std::vector<const Cell*> of_group;
    for (const std::size_t i : group) of_group.push_back(cells[i]);
    const std::map<Id, Standing> standings = standings_of(of_group);
    if (standings.empty()) continue;
    const Standing& least =
        std::ranges::min_element(standings, {}, [](const auto& entry) {
          const std::vector<double>& losses = entry.second.losses;
          return std::tuple(entry.second.worst_loss(), std::accumulate(losses.begin(), losses.end(), 0.0), entry.first);
        })->second;
    const auto worst = static_cast<std::size_t>(std::ranges::max_element(least.losses) - least.losses.begin());
    for (std::size_t k = 0; k < group.size(); ++k) {
      Condition condition;
      condition.add("t.id = ?", {least.trials[k]});
      answers[group[k]].any_data = AnyData{.setting = read_views(store, condition).front(),
                                           .loss = least.losses[k],
                                           .worst_loss = least.losses[worst],
                                           .worst_data = answers[group[worst]].winner.problem.data,
                                           .data_sets = group.size()};
    }
  }
}

}  // namespace warpwright::db
