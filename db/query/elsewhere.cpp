// Computes losses in the other cells of a problem.
#include "db/query/elsewhere.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "db/query/band.hpp"
#include "db/query/views.hpp"
#include "db/store/rows.hpp"
#include "kernels/core/statistics.hpp"

namespace warpwright::db {
namespace {

// Predicted times within the model's error of the least one lose nothing.
double loss_of(const Cell& cell, double us, double least_us) {
  if (cell.kind == Kind::predicted && in_band(us, least_us)) return 0;
  return std::max(us / least_us - 1, 0.0);
}

}  // namespace

Elsewhere::Elsewhere(const Store& store, Id problem, Id board) : problem_(problem), board_(board) {
  Condition others;
  others.add(
      "p.id IN (SELECT o.id FROM problem o JOIN problem s ON s.id = ? WHERE o.pattern = s.pattern"
      " AND o.variant = s.variant AND o.numbers = s.numbers AND o.types = s.types AND o.data = s.data)"
      " AND NOT (t.problem_id = ? AND t.board_id = ?)",
      {problem, problem, board});
  std::set<std::pair<Id, Id>> known;
  for (const auto& [key, cell] : read_cells_of(store, others)) {
    if (!known.emplace(cell.problem, cell.board).second) continue;  // the preferred kind comes first
    const Field field(cell);
    const double least = field.least_us();
    if (least <= 0) continue;
    Place& place = places_.emplace_back(Place{.problem = cell.problem, .board = cell.board});
    for (const auto& [configuration, candidate] : field.newest)
      place.losses[configuration] = loss_of(cell, candidate->time_us, least);
  }
}

double Elsewhere::Losses::of(Id configuration) const {
  const auto loss = by_configuration.find(configuration);
  return loss == by_configuration.end() ? 0 : loss->second;
}

Elsewhere::Losses Elsewhere::of(std::span<const Id> configurations) const {
  Losses found;
  std::set<Id> sizes, boards;
  std::map<Id, double> sums;
  std::size_t places = 0;
  for (const Place& place : places_) {
    std::vector<double> here;
    for (const Id one : configurations)
      if (const auto loss = place.losses.find(one); loss != place.losses.end()) here.push_back(loss->second);
    if (here.empty()) continue;
    ++places;
    if (place.problem != problem_) sizes.insert(place.problem);
    if (place.board != board_) boards.insert(place.board);
    const double usual = median(here);
    for (const Id one : configurations) {
      const auto loss = place.losses.find(one);
      sums[one] += std::log1p(loss == place.losses.end() ? usual : loss->second);
    }
  }
  for (const auto& [configuration, sum] : sums)
    found.by_configuration[configuration] = std::expm1(sum / static_cast<double>(places));
  found.sizes = sizes.size();
  found.boards = boards.size();
  return found;
}

}  // namespace warpwright::db
