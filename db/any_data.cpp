// Finding the configuration that loses least whatever the data is.
#include "db/any_data.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <tuple>

#include "db/views.hpp"

namespace warpwright::db {
namespace {

using Losses = std::vector<double>;  // of one configuration, by data set

// What a configuration loses against the best one on every data set; of those that were timed on all.
std::map<Id, Losses> losses_of(const std::vector<const Cell*>& cells) {
  std::map<Id, Losses> losses;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const Candidate& winner = winner_of(cells[i]->candidates);
    for (const auto& [configuration, candidate] : newest_of(cells[i]->candidates, winner.mode)) {
      Losses& own = losses[configuration];
      if (own.size() == i) own.push_back(std::max(candidate->time_us / winner.time_us - 1, 0.0));
    }
  }
  std::erase_if(losses, [&](const auto& entry) { return entry.second.size() < cells.size(); });
  return losses;
}

Id trial_of(const Cell& cell, Id configuration) {
  return newest_of(cell.candidates, winner_of(cell.candidates).mode).at(configuration)->id;
}

}  // namespace

void add_any_data(const Store& store, const std::vector<const Cell*>& cells, std::vector<Best>& answers) {
  std::map<std::tuple<std::string, std::string, std::string, std::string, std::string, Id, bool>,
           std::vector<std::size_t>>
      alike;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    const Problem& problem = answers[i].winner.problem;
    alike[{problem.pattern, problem.variant, problem.numbers, problem.types, problem.shape, cells[i]->board,
           cells[i]->predicted}]
        .push_back(i);
  }
  for (const auto& [key, group] : alike) {
    if (group.size() < 2) continue;
    std::vector<const Cell*> of_group;
    for (const std::size_t i : group) of_group.push_back(cells[i]);
    const std::map<Id, Losses> losses = losses_of(of_group);
    if (losses.empty()) continue;
    const auto least = std::ranges::min_element(losses, {}, [](const auto& entry) {
      double sum = 0;
      for (const double loss : entry.second) sum += loss;
      return std::tuple(std::ranges::max(entry.second), sum, entry.first);
    });
    const auto worst = std::ranges::max_element(least->second) - least->second.begin();
    for (std::size_t k = 0; k < group.size(); ++k) {
      Condition condition;
      condition.add("t.id = ?", {trial_of(*of_group[k], least->first)});
      answers[group[k]].any_data =
          AnyData{.setting = read_views(store, condition).front(),
                  .loss = least->second[k],
                  .worst_loss = least->second[static_cast<std::size_t>(worst)],
                  .worst_data = answers[group[static_cast<std::size_t>(worst)]].winner.problem.data,
                  .data_sets = group.size()};
    }
  }
}

}  // namespace warpwright::db
