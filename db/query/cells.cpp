// Reads cells, and compares configurations over several of them.
#include "db/query/cells.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <tuple>

#include "db/query/band.hpp"
#include "db/query/elsewhere.hpp"
#include "db/store/rows.hpp"
#include "kernels/core/verdict.hpp"
#include "kernels/core/vocabulary.hpp"

namespace warpwright::db {
namespace {

// Removes from a cell the trials of configurations that turned out wrong later.
void drop_wrong(const Store& store, Cell& cell, const std::string& before) {
  constexpr std::string_view kinds[] = {provenance::measured, provenance::predicted, provenance::imported};
  Statement rows(
      store.connection(),
      fmt::format("SELECT configuration_id, max(created_at) FROM trial"
                  " WHERE problem_id = ? AND board_id = ? AND provenance = ? AND (? = '' OR created_at < ?)"
                  " AND verdict NOT IN ('{}', '{}', '{}', '{}', '{}') GROUP BY configuration_id",
                  verdict::passed, verdict::unchecked, verdict::skipped, verdict::not_run, verdict::not_modelled));
  rows.bind_all(cell.problem, cell.board, kinds[static_cast<std::size_t>(cell.kind)], before, before);
  std::map<Id, std::string> wrong;
  while (rows.step()) wrong[rows.get<Id>(0)] = rows.get<std::string>(1);
  std::erase_if(cell.candidates, [&](const Candidate& one) {
    const auto found = wrong.find(one.configuration);
    return found != wrong.end() && found->second > one.created_at;
  });
}

Cells cells_of(const Store& store, Condition condition, const Filter& filter = {}) {
  condition.add(fmt::format("t.board_id IS NOT NULL AND CASE t.provenance"
                            " WHEN '{2}' THEN t.verdict = '{0}' AND t.median_us IS NOT NULL"
                            " WHEN '{3}' THEN t.verdict = '{1}' AND t.median_us IS NOT NULL"
                            " ELSE t.verdict IN ('{0}', '{1}') AND t.predicted_us IS NOT NULL END",
                            verdict::passed, verdict::unchecked, provenance::measured, provenance::imported),
                {});
  Statement rows(store.connection(),
                 std::string("SELECT t.id, t.identity, t.created_at, t.configuration_id, c.kernel_id, t.mode,"
                             " CASE t.provenance WHEN 'predicted' THEN t.predicted_us ELSE t.median_us END, t.rank,"
                             " t.tied, t.stopped_early, t.is_default, t.problem_id, t.board_id,"
                             " CASE t.provenance WHEN 'measured' THEN 0 WHEN 'predicted' THEN 1 ELSE 2 END,"
                             " t.low_us, t.high_us, coalesce(t.session_id, 0), t.selection,"
                             " EXISTS (SELECT 1 FROM certificate x WHERE x.trial_id = t.id),"
                             " coalesce(t.deterministic, 0), coalesce(t.joules, 0), t.full_property") +
                     joined_tables + condition.sql);
  condition.bind_to(rows);
  Cells cells;
  while (rows.step()) {
    Candidate candidate{.id = rows.get<Id>(0),
                        .identity = rows.get<std::string>(1),
                        .created_at = rows.get<std::string>(2),
                        .configuration = rows.get<Id>(3),
                        .kernel = rows.get<Id>(4),
                        .mode = rows.get<std::string>(5),
                        .time_us = rows.get<double>(6),
                        .joules = rows.get<double>(20),
                        .low_us = rows.get<std::optional<double>>(14),
                        .high_us = rows.get<std::optional<double>>(15),
                        .session = rows.get<Id>(16),
                        .rank = rows.get<std::optional<int>>(7),
                        .tied = rows.get<bool>(8),
                        .selection = rows.get<std::string>(17),
                        .is_certified = rows.get<bool>(18),
                        .stopped_early = rows.get<bool>(9),
                        .is_default = rows.get<bool>(10),
                        .is_deterministic = rows.get<bool>(19),
                        .full_property = rows.get<bool>(21)};
    const Id problem = rows.get<Id>(11);
    const Id board = rows.get<Id>(12);
    const Kind kind{rows.get<int>(13)};
    Cell& cell = cells[{problem, board, kind, 0}];
    cell.problem = problem;
    cell.board = board;
    cell.kind = kind;
    cell.objective = filter.objective;
    cell.candidates.push_back(std::move(candidate));
  }
  for (auto& [key, cell] : cells) drop_wrong(store, cell, filter.before);
  std::erase_if(cells, [](const auto& entry) { return entry.second.candidates.empty(); });
  return cells;
}

// Compares predictions that are equal by their losses elsewhere.
void compare_equals(const Store& store, Cell& cell) {
  if (cell.kind != Kind::predicted || cell.objective != Objective::time) return;
  std::vector<Id> equals;
  for (const Candidate* one : equals_of(newest_of(cell.candidates, *std::ranges::min_element(cell.candidates, newer))))
    equals.push_back(one->configuration);
  if (equals.size() < 2) return;
  const Elsewhere::Losses losses = Elsewhere(store, cell.problem, cell.board).of(equals);
  for (Candidate& one : cell.candidates) one.loss_elsewhere = losses.of(one.configuration);
  cell.other_sizes = losses.sizes;
  cell.other_boards = losses.boards;
}

}  // namespace

Cells read_cells(const Store& store, const Filter& filter) {
  Cells cells = cells_of(store, condition_of(filter), filter);
  for (auto& [key, cell] : cells) compare_equals(store, cell);
  return cells;
}

Cells read_cells_of(const Store& store, const Condition& condition) {
  return cells_of(store, condition);
}

Cells cells_of_kernels(Cells cells) {
  Cells split;
  for (auto& [key, cell] : cells) {
    const std::string kind(time_kind(winner_of(cell).mode));
    for (Candidate& one : cell.candidates) {
      if (time_kind(one.mode) != kind) continue;
      Cell& own = split[{cell.problem, cell.board, cell.kind, one.kernel}];
      own.problem = cell.problem;
      own.board = cell.board;
      own.kind = cell.kind;
      own.objective = cell.objective;
      own.other_sizes = cell.other_sizes;
      own.other_boards = cell.other_boards;
      own.candidates.push_back(std::move(one));
    }
  }
  return split;
}

Cells read_timed_cells(const Store& store, const Filter& filter) {
  Condition condition = condition_of(filter);
  condition.add("t.provenance <> ?", {std::string(provenance::predicted)});
  return cells_of(store, std::move(condition), filter);
}

bool newer(const Candidate& a, const Candidate& b) {
  return std::tie(a.created_at, a.identity) > std::tie(b.created_at, b.identity);
}

std::map<Id, const Candidate*> newest_of(const std::vector<Candidate>& candidates, const Candidate& one) {
  const std::string_view kind = time_kind(one.mode);
  std::map<Id, const Candidate*> newest;
  for (const Candidate& candidate : candidates) {
    if (time_kind(candidate.mode) != kind) continue;
    const Candidate*& known = newest[candidate.configuration];
    if (!known || newer(candidate, *known)) known = &candidate;
  }
  return newest;
}

std::vector<const Candidate*> equals_of(const std::map<Id, const Candidate*>& newest) {
  const auto us = [](const auto& entry) { return entry.second->time_us; };
  const double least = us(*std::ranges::min_element(newest, {}, us));
  std::vector<const Candidate*> equals;
  for (const auto& [configuration, one] : newest)
    if (in_band(one->time_us, least)) equals.push_back(one);
  return equals;
}

double Field::least_us() const {
  if (cell.kind != Kind::predicted) return winner.time_us;
  double least = winner.time_us;
  for (const auto& [configuration, one] : newest) least = std::min(least, one->time_us);
  return least;
}

double Standing::worst() const {
  return std::ranges::max(losses);
}

double Standing::mean() const {
  double sum = 0;
  for (const double loss : losses) sum += std::log1p(loss);
  return std::expm1(sum / static_cast<double>(losses.size()));
}

std::optional<Standing> least_regret(std::span<const Field> fields, Robust by, std::size_t* among) {
  std::map<Id, Standing> standings;
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto cost = [objective = fields[i].cell.objective](const Candidate& one) {
      return cost_of(objective, one.time_us, one.joules);
    };
    for (const auto& [configuration, candidate] : fields[i].newest) {
      Standing& own = standings[configuration];
      if (own.losses.size() != i) continue;
      own.losses.push_back(std::max(cost(*candidate) / cost(fields[i].winner) - 1, 0.0));
      own.trials.push_back(candidate->id);
    }
  }
  std::erase_if(standings, [&](const auto& entry) { return entry.second.losses.size() < fields.size(); });
  if (among != nullptr) *among = standings.size();
  if (standings.empty()) return std::nullopt;
  return std::ranges::min_element(standings, {},
                                  [by](const auto& entry) {
                                    const double worst = entry.second.worst(), mean = entry.second.mean();
                                    return by == Robust::worst ? std::tuple(worst, mean, entry.first)
                                                               : std::tuple(mean, worst, entry.first);
                                  })
      ->second;
}

}  // namespace warpwright::db
