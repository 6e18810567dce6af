// Finds the configuration that loses least over all data sets.
#include "db/query/robust_setting.hpp"

#include <algorithm>
#include <map>
#include <string>
#include <tuple>

#include "db/query/views.hpp"

namespace warpwright::db {

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
    std::vector<Field> fields;
    fields.reserve(group.size());
    for (const std::size_t i : group) fields.emplace_back(*cells[i]);
    const std::optional<Standing> least = least_regret(fields);
    if (!least) continue;
    const auto worst = static_cast<std::size_t>(std::ranges::max_element(least->losses) - least->losses.begin());
    for (std::size_t k = 0; k < group.size(); ++k) {
      answers[group[k]].any_data = AnyData{.setting = view_of(store, least->trials[k]),
                                           .loss = least->losses[k],
                                           .worst_loss = least->losses[worst],
                                           .worst_data = answers[group[worst]].winner.problem.data,
                                           .data_sets = group.size()};
    }
  }
}

}  // namespace warpwright::db
