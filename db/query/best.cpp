// Chooses best configurations: which group of trials answers a query, and which of its trials wins.
#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <stdexcept>
#include <tuple>

#include "db/query/band.hpp"
#include "db/query/cells.hpp"
#include "db/query/libraries.hpp"
#include "db/query/robust_setting.hpp"
#include "db/query/views.hpp"
#include "db/store/rows.hpp"
#include "kernels/core/boards.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/verdict.hpp"
#include "kernels/core/vocabulary.hpp"

namespace warpwright::db {
namespace {

std::optional<double> bandwidth_per_sm(const Board& board) {
  if (board.sm_count <= 0 || board.memory_bandwidth_gbs <= 0) return std::nullopt;
  return board.memory_bandwidth_gbs / board.sm_count;
}

// Orders cells by how well they match a query.
class Distance {
 public:
  Distance(const Store& store, const BestQuery& query) : query_(query), bandwidth_(query.bandwidth_per_sm) {
    for (Board& board : store.boards()) boards_[board.id] = std::move(board);
    for (Problem& problem : store.problems()) {
      shapes_[problem.id] = parse_shape(problem.shape);
      problems_[problem.id] = std::move(problem);
    }
    for (const auto& [id, board] : boards_) {
      if (!bandwidth_ && same_board(board)) bandwidth_ = bandwidth_per_sm(board);
    }
  }

  const Problem& problem(const Cell& cell) const { return problems_.at(cell.problem); }
  const Shape& shape_of(const Cell& cell) const { return shapes_.at(cell.problem); }
  const Board& board(const Cell& cell) const { return boards_.at(cell.board); }

  // Whether a problem's shape has as many extents as the query's,
  // and it is one of the query's sizes.
  bool answers(const Cell& cell) const {
    const bool is_size = query_.sizes.empty() || std::ranges::find(query_.sizes, shape_of(cell)) != query_.sizes.end();
    return is_size && (!query_.shape || shape_of(cell).size() == query_.shape->size());
  }

  // Sort key: measured before predicted before imported, then distance of the board, then distance of the shape. The
  // last fields make the order independent of row ids.
  auto order(const Cell& cell) const {
    const Board& board = this->board(cell);
    return std::tuple(cell.kind, board_distance(board),
                      query_.shape ? shape_distance(shape_of(cell), *query_.shape) : 0, board.model, board.source,
                      shape_of(cell), cell.board, cell.problem);
  }

  bool exact_board(const Cell& cell) const { return query_.board.empty() || same_board(board(cell)); }
  bool exact_shape(const Cell& cell) const { return !query_.shape || shape_of(cell) == *query_.shape; }

  // The match in words: "measured on this board, exact size".
  std::string match(const Cell& cell) const {
    const Board& board = this->board(cell);
    std::string words = cell.kind == Kind::measured    ? "measured on "
                        : cell.kind == Kind::predicted ? "predicted for "
                                                       : "imported, recorded on ";
    if (query_.board.empty()) {
      words += fmt::format("{} ({})", board.arch, board.model);
    } else if (same_board(board)) {
      words += "this board";
    } else {
      words += fmt::format("{} ({})", board.arch, board.model);
      words += bandwidth_ ? fmt::format(", the nearest board to {} in bandwidth per SM", query_.board)
                          : fmt::format(" (nothing is known of {})", query_.board);
    }
    if (!query_.shape) return words;
    if (exact_shape(cell)) return words + ", at the size asked for";
    return words + fmt::format(", at the nearest size, {} (asked: {})", problem(cell).shape, shape_text(*query_.shape));
  }

 private:
  bool same_board(const Board& board) const { return bare_model(board.model) == bare_model(query_.board); }

  double board_distance(const Board& board) const {
    if (query_.board.empty() || same_board(board)) return 0;
    return distance_in_bandwidth(bandwidth_, bandwidth_per_sm(board));
  }

  const BestQuery& query_;
  std::optional<double> bandwidth_;
  std::map<Id, Board> boards_;
  std::map<Id, Problem> problems_;
  std::map<Id, Shape> shapes_;
};

// Trials that are tied with the winner: for a prediction its equals; for a measurement the trials that the final rounds
// marked as tied.
std::vector<Id> tied_with(const Cell& cell, const Candidate& winner) {
  std::vector<const Candidate*> equal;
  if (cell.objective != Objective::time) return {};
  if (cell.kind == Kind::predicted) {
    for (const Candidate* candidate : equals_of(newest_of(cell.candidates, winner))) equal.push_back(candidate);
  } else if (winner.rank) {
    for (const Candidate& candidate : cell.candidates)
      if (candidate.tied && candidate.selection == winner.selection) equal.push_back(&candidate);
  }
  std::erase_if(equal, [&](const Candidate* one) { return one->configuration == winner.configuration; });
  std::ranges::sort(equal, {}, [](const Candidate* one) {
    return std::tuple(one->rank.value_or(std::numeric_limits<int>::max()), one->time_us, one->identity);
  });
  std::vector<Id> ids;
  for (const Candidate* one : equal) ids.push_back(one->id);
  return ids;
}

// The certificates that the same program got in other sessions.
std::vector<Certificate> certificates_of_program(const Store& store, const Cell& cell, const TrialView& of) {
  std::vector<Certificate> found;
  for (const Candidate& one : cell.candidates) {
    if (!one.is_certified || one.configuration != of.trial.configuration_id) continue;
    if (store.trial(one.id).config_key != of.trial.config_key) continue;
    for (Certificate& certificate : store.certificates(one.id)) found.push_back(std::move(certificate));
  }
  std::ranges::sort(found, {}, &Certificate::created_at);
  return found;
}

// The measured ceiling, else the peaks of the board's data sheet.
Ceiling ceiling_of(const TrialView& view, const Ceilings& measured) {
  if (!view.board) return {};
  if (view.is_measured())
    if (const Ceiling ceiling = measured.of(view.problem, *view.board); ceiling.is_known()) return ceiling;
  return ceiling_of(view.problem, rates_of(*view.board));
}

std::optional<OneForAll> deterministic_in(const Store& store, const Cell& cell, const Candidate& winner) {
  std::set<Id> shown;
  for (const Candidate& one : cell.candidates)
    if (one.is_deterministic) shown.insert(one.configuration);
  if (cell.objective != Objective::time || shown.empty() || shown.contains(winner.configuration)) return {};
  const Candidate* fastest = nullptr;
  for (const auto& [configuration, one] : newest_of(cell.candidates, winner))
    if (shown.contains(configuration) && (!fastest || one->time_us < fastest->time_us)) fastest = one;
  if (!fastest) return {};
  const double loss = std::max(fastest->time_us / winner.time_us - 1, 0.0);
  return OneForAll{
      .setting = view_of(store, fastest->id), .loss = loss, .worst_loss = loss, .mean_loss = loss, .among = 1};
}

Best answer(const Store& store, const Cell& cell, const Distance& distance) {
  const Candidate& winner = winner_of(cell);
  Best best{.winner = view_of(store, winner.id), .match = distance.match(cell), .objective = cell.objective};
  best.exact = cell.kind == Kind::measured && distance.exact_board(cell) && distance.exact_shape(cell);
  best.as_asked = distance.exact_board(cell) && distance.exact_shape(cell);
  const Candidate* reference = nullptr;
  for (const Candidate& candidate : cell.candidates) {
    const bool alike = candidate.is_default && candidate.kernel == winner.kernel &&
                       time_kind(candidate.mode) == time_kind(winner.mode);
    if (alike && (!reference || newer(candidate, *reference))) reference = &candidate;
  }
  if (best.winner.certificates.empty()) best.winner.certificates = certificates_of_program(store, cell, best.winner);
  for (const Id id : tied_with(cell, winner)) best.tied.push_back(view_of(store, id));
  best.deterministic = deterministic_in(store, cell, winner);
  best.searched = searched(store, cell.problem, cell.board, best.winner.trial.provenance);
  const double least_us = Field(cell).least_us();
  if (cell.kind == Kind::predicted && !best.tied.empty())
    best.robust = {
        .loss = winner.loss_elsewhere, .sizes = cell.other_sizes, .boards = cell.other_boards, .fastest_us = least_us};
  if (reference) {
    best.default_us = reference->time_us;
    const bool equal = cell.kind == Kind::predicted && in_band(reference->time_us, least_us);
    if (winner.time_us > 0 && !equal) best.speedup = reference->time_us / winner.time_us;
  }
  return best;
}

template <class Row>
std::optional<Row> row_of(const std::vector<Row>& rows, const std::optional<Id>& id) {
  const auto found = id ? std::ranges::find(rows, *id, &Row::id) : rows.end();
  return found == rows.end() ? std::nullopt : std::optional<Row>(*found);
}

// The baselines of a problem on a board, and the comparisons with them.
struct Libraries {
  std::vector<Baseline> baselines{};
  std::vector<Comparison> comparisons{};
};
using AllLibraries = std::map<std::pair<Id, Id>, Libraries>;  // by problem and board

AllLibraries read_libraries(const Store& store) {
  AllLibraries all;
  std::map<Id, Libraries*> of_baseline;
  for (Baseline& one : store.baselines()) {
    if (!one.board_id) continue;
    Libraries& own = all[{one.problem_id, *one.board_id}];
    of_baseline[one.id] = &own;
    own.baselines.push_back(std::move(one));
  }
  for (Comparison& one : store.comparisons())
    if (const auto own = of_baseline.find(one.baseline_id); own != of_baseline.end())
      own->second->comparisons.push_back(std::move(one));
  return all;
}

std::vector<ComparedBaseline> beside_winner(const Cell& cell, const Trial& winner, const AllLibraries& libraries) {
  const auto own = libraries.find({cell.problem, cell.board});
  if (own == libraries.end()) return {};
  std::set<Id> same;
  for (const Candidate& one : cell.candidates)
    if (one.configuration == winner.configuration_id) same.insert(one.id);
  std::vector<ComparedBaseline> found;
  for (const LibraryBeside& one : libraries_beside(&winner, same, own->second.baselines, own->second.comparisons))
    if (one.ratio)
      found.push_back({.baseline = *one.baseline,
                       .comparison = one.comparison ? *one.comparison : Comparison{.ratio = *one.ratio}});
  return found;
}

// The baselines that each trial was compared with; for each library and idiom the default knobs first.
std::map<Id, std::vector<ComparedBaseline>> baselines_by_trial(const Store& store) {
  std::map<Id, Baseline> baselines;
  for (Baseline& baseline : store.baselines()) baselines[baseline.id] = std::move(baseline);
  std::map<Id, std::vector<ComparedBaseline>> found;
  for (const Comparison& comparison : store.comparisons()) {
    const auto baseline = baselines.find(comparison.baseline_id);
    if (baseline == baselines.end()) continue;
    found[comparison.trial_id].push_back({.baseline = baseline->second, .comparison = comparison});
  }
  for (auto& [trial, of_trial] : found)
    std::ranges::stable_sort(of_trial, {}, [](const ComparedBaseline& compared) {
      return std::pair(compared.name(), !compared.baseline.is_default);
    });
  return found;
}

}  // namespace

std::vector<Best> best(const Store& store, const BestQuery& query) {
  if (query.arch.empty()) throw std::invalid_argument("best configurations are of one architecture: name it.");
  // The shape and the board are preferences here, not conditions.
  Cells cells = read_cells(store, {.arch = query.arch,
                                   .pattern = query.pattern,
                                   .kernel = query.kernel,
                                   .settings = query.settings,
                                   .types = query.types,
                                   .max_error = query.max_error,
                                   .deterministic = query.deterministic,
                                   .objective = query.objective});
  if (query.per_kernel) cells = cells_of_kernels(std::move(cells));
  const Distance distance(store, query);
  // One answer per key. If the query has a shape, problems that differ only in their shapes share a key, and the
  // nearest shape wins.
  std::map<std::tuple<std::string, std::string, std::string, std::string, std::string, Shape, Id, std::string>,
           const Cell*>
      chosen;
  for (const auto& [key, cell] : cells) {
    if (!distance.answers(cell)) continue;
    const Problem& problem = distance.problem(cell);
    const Cell*& known = chosen[{problem.pattern, problem.variant, problem.numbers, problem.types, problem.data,
                                 query.shape ? Shape() : distance.shape_of(cell), std::get<3>(key),
                                 query.per_board ? bare_model(distance.board(cell).model) : ""}];
    if (!known || distance.order(cell) < distance.order(*known)) known = &cell;
  }
  std::vector<Best> answers;
  std::vector<const Cell*> behind;
  const AllLibraries libraries = read_libraries(store);
  const std::vector<Session> sessions = store.sessions();
  const std::vector<Environment> environments = store.environments();
  const Ceilings ceilings(store);
  for (const auto& [key, cell] : chosen) {
    behind.push_back(cell);
    Best& best = answers.emplace_back(answer(store, *cell, distance));
    const Trial& winner = best.winner.trial;
    best.baselines = beside_winner(*cell, winner, libraries);
    best.session = row_of(sessions, winner.session_id);
    best.ceiling = ceiling_of(best.winner, ceilings);
    best.environment = row_of(environments, winner.environment_id);
  }
  if (!query.per_kernel) add_robust(store, behind, query.robust, answers);
  return answers;
}

std::vector<BestOfCell> best_of_cells(const Store& store, const Filter& filter) {
  std::vector<BestOfCell> found;
  for (const auto& [key, cell] : read_cells(store, filter)) {
    const Candidate& winner = winner_of(cell);
    found.push_back({.winner = view_of(store, winner.id), .tied = tied_with(cell, winner)});
  }
  return found;
}

std::vector<ComparedBaseline> compared_baselines(const Store& store, Id trial_id) {
  return baselines_by_trial(store)[trial_id];
}

std::vector<std::string> what_is_there(const Store& store) {
  Statement rows(store.connection(),
                 fmt::format("SELECT t.target, b.model, p.pattern, t.provenance, count(DISTINCT t.configuration_id),"
                             " count(DISTINCT t.problem_id) FROM trial t JOIN problem p ON p.id = t.problem_id"
                             " JOIN board b ON b.id = t.board_id WHERE t.verdict IN ('{}', '{}')"
                             " GROUP BY t.target, b.model, p.pattern, t.provenance ORDER BY 1, 2, 3, 4",
                             verdict::passed, verdict::unchecked));
  std::vector<std::string> lines;
  while (rows.step()) {
    lines.push_back(
        printable(fmt::format("{} ({}): {}, {} {} on {}", rows.get<std::string>(0), rows.get<std::string>(1),
                              rows.get<std::string>(2), counted(rows.get<std::int64_t>(4), "configuration"),
                              rows.get<std::string>(3), counted(rows.get<std::int64_t>(5), "problem"))));
  }
  return lines;
}

}  // namespace warpwright::db
