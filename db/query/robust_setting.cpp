// Finds the configuration that loses least over all data sets, or over all sizes.
#include "db/query/robust_setting.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "db/query/views.hpp"

namespace warpwright::db {
namespace {

// Adds it to those answers which differ in `text Problem::*differs` only.
void add_one_for_all(const Store& store, const std::vector<const Cell*>& cells, Robust by,
                     std::string Problem::*differs, std::optional<OneForAll> Best::*found, std::vector<Best>& answers) {
  using Key = std::tuple<std::string, std::string, std::string, std::string, std::string, std::string, Id, Kind>;
  std::map<Key, std::vector<std::size_t>> alike;
  for (std::size_t i = 0; i < answers.size(); ++i) {
    Problem problem = answers[i].winner.problem;
    (problem.*differs).clear();
    alike[{problem.pattern, problem.variant, problem.numbers, problem.types, problem.shape, problem.data,
           cells[i]->board, cells[i]->kind}]
        .push_back(i);
  }
  for (const auto& [key, group] : alike) {
    if (group.size() < 2) continue;
    std::vector<Field> fields;
    fields.reserve(group.size());
    for (const std::size_t i : group) fields.emplace_back(*cells[i]);
    const std::optional<Standing> least = least_regret(fields, by);
    if (!least) continue;
    const auto worst = static_cast<std::size_t>(std::ranges::max_element(least->losses) - least->losses.begin());
    for (std::size_t k = 0; k < group.size(); ++k)
      answers[group[k]].*found = OneForAll{.setting = view_of(store, least->trials[k]),
                                           .loss = least->losses[k],
                                           .worst_loss = least->worst(),
                                           .mean_loss = least->mean(),
                                           .worst_at = answers[group[worst]].winner.problem.*differs,
                                           .among = group.size()};
  }
}

}  // namespace

void add_robust(const Store& store, const std::vector<const Cell*>& cells, std::optional<Robust> by,
                std::vector<Best>& answers) {
  const bool by_time = answers.empty() || answers.front().objective == Objective::time;
  if (by_time) add_one_for_all(store, cells, Robust::worst, &Problem::data, &Best::any_data, answers);
  if (by) add_one_for_all(store, cells, *by, &Problem::shape, &Best::all_sizes, answers);
}

}  // namespace warpwright::db
