// Finds what a board's best configurations lose on other boards, and describes it.
#include "db/query/cross_board.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "db/query/cells.hpp"
#include "db/query/views.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/vocabulary.hpp"

namespace warpwright::db {
namespace {

// The cells of one problem, one per board.
struct OfBoard {
  Board board{};
  const Cell* cell = nullptr;
  std::string newest{};  // timestamp of the newest trial
};
using Boards = std::map<std::pair<std::string, std::string>, OfBoard>;

std::string newest_in(const Cell& cell) {
  return std::ranges::max(cell.candidates, {}, &Candidate::created_at).created_at;
}

// The loss of the configuration on that board; nothing if it was not timed there.
std::optional<Cost> cost_of(Id configuration, const Field& field) {
  const Candidate& winner = field.winner;
  if (configuration == winner.configuration) return Cost{.us = winner.time_us};
  const auto found = field.newest.find(configuration);
  if (found == field.newest.end()) return std::nullopt;
  const auto is_tie = [&](const Candidate& one) {
    return one.configuration == configuration && one.tied && one.selection == winner.selection;
  };
  return Cost{.us = found->second->time_us,
              .loss = std::max(found->second->time_us / winner.time_us - 1, 0.0),
              .tied = winner.tied && std::ranges::any_of(field.cell.candidates, is_tie)};
}

CrossBoard across(const Store& store, const Problem& problem, const Boards& boards) {
  CrossBoard found{.problem = problem};
  std::vector<Field> fields;
  fields.reserve(boards.size());
  for (const auto& [name, of] : boards) {
    const Field& field = fields.emplace_back(*of.cell);
    found.boards.push_back({.board = of.board, .best = view_of(store, field.winner.id)});
  }
  for (std::size_t i = 0; i < fields.size(); ++i)
    for (const Field& there : fields) found.boards[i].costs.push_back(cost_of(fields[i].winner.configuration, there));
  found.provenance = found.boards.front().best.trial.provenance;
  std::size_t among = 0;
  if (const auto least = least_regret(fields, Robust::worst, &among)) {
    Compromise& one = found.compromise.emplace();
    one.setting = view_of(store, least->trials.front());
    for (const Field& there : fields) one.costs.push_back(*cost_of(one.setting.trial.configuration_id, there));
    one.worst = static_cast<std::size_t>(std::ranges::max_element(least->losses) - least->losses.begin());
    one.among = among;
  }
  return found;
}

}  // namespace

std::string percents(double loss) {
  return fmt::format("{:.1f} %", 100 * loss);
}

std::string CrossBoard::title() const {
  return title_of(problem);
}

std::optional<CrossBoard::Move> CrossBoard::dearest() const {
  std::optional<Move> most;
  for (std::size_t from = 0; from < boards.size(); ++from)
    for (std::size_t to = 0; to < boards.size(); ++to) {
      const auto& cost = boards[from].costs[to];
      if (from != to && cost && (!most || cost->loss > most->cost.loss)) most = {.from = from, .to = to, .cost = *cost};
    }
  return most;
}

bool CrossBoard::moves() const {
  const auto is_worse = [](const std::optional<Cost>& cost) { return !cost || (cost->loss > 0 && !cost->tied); };
  return std::ranges::any_of(boards, [&](const OnBoard& one) { return std::ranges::any_of(one.costs, is_worse); });
}

std::vector<CrossBoard> cross_board_problems(const Store& store, const Filter& filter) {
  std::map<Id, Board> boards;
  for (Board& board : store.boards()) boards[board.id] = std::move(board);
  std::map<Id, Problem> problems;
  for (Problem& problem : store.problems()) problems[problem.id] = std::move(problem);
  Filter on_any_board = filter;
  on_any_board.board.clear();
  const Cells cells = read_timed_cells(store, on_any_board);
  std::map<std::pair<Id, Kind>, Boards> by_problem;
  for (const auto& [key, cell] : cells) {
    const Board& board = boards.at(cell.board);
    OfBoard& known = by_problem[{cell.problem, cell.kind}][{board.model, board.arch}];
    const std::string newest = newest_in(cell);
    if (known.cell == nullptr || newest > known.newest) known = {.board = board, .cell = &cell, .newest = newest};
  }
  std::vector<CrossBoard> found;
  const auto is_asked = [part = lower_case(filter.board)](const auto& board) {
    return lower_case(board.first.first).find(part) != std::string::npos;
  };
  for (const auto& [key, of_problem] : by_problem)
    if (of_problem.size() > 1 && std::ranges::any_of(of_problem, is_asked))
      found.push_back(across(store, problems.at(key.first), of_problem));
  const auto order = [](const CrossBoard& one) {
    const Problem& p = one.problem;
    return std::tuple(p.pattern, p.variant, p.numbers, p.types, parse_shape(p.shape), p.data, one.provenance);
  };
  std::ranges::sort(found, [&](const CrossBoard& a, const CrossBoard& b) { return order(a) < order(b); });
  return found;
}

std::string sentence_of(const std::vector<CrossBoard>& all) {
  if (all.empty()) return "No problem was timed on two boards.";
  const auto moving = std::ranges::count_if(all, &CrossBoard::moves);
  std::string text = fmt::format("{} timed on several boards; ",
                                 all.size() == 1 ? "1 problem was" : fmt::format("{} problems were", all.size()));
  text += moving == 0 ? "the best configurations of each serve all its boards."
                      : fmt::format("of {} the best configurations move from board to board.", moving);
  const CrossBoard* dearest = nullptr;
  for (const CrossBoard& one : all) {
    const auto move = one.dearest();
    if (move && move->cost.loss > 0 && (dearest == nullptr || move->cost.loss > dearest->dearest()->cost.loss))
      dearest = &one;
  }
  if (dearest == nullptr) return text;
  const CrossBoard::Move move = *dearest->dearest();
  return text + fmt::format(" Most is lost on {}: the best configurations of {} are {} slower on {} than its own.",
                            dearest->title(), dearest->boards[move.from].board.model, percents(move.cost.loss),
                            dearest->boards[move.to].board.model);
}

}  // namespace warpwright::db
