// Reads a database into the model that a report shows.
#include "reports/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>
#include <tuple>

#include "db/query/progress.hpp"
#include "db/store/connection.hpp"
#include "kernels/core/boards.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/verdict.hpp"
#include "kernels/core/vocabulary.hpp"

namespace warpwright::reports {
namespace {

// Identifies a problem on a board: several problem or board rows may have the same key.
using ProblemKey = std::tuple<std::string, std::string, std::string, std::string, std::string, Shape, std::string>;

ProblemKey key_of(const db::Problem& problem, const std::string& model) {
  return {problem.pattern,  problem.variant, problem.numbers, problem.types, problem.data, parse_shape(problem.shape),
          bare_model(model)};
}

// The boards by their row; the rows of one model have the same board: that of the driver, if there is one. (The list of
// known boards calls it "RTX 2080 Ti", the driver "NVIDIA GeForce RTX 2080 Ti".)
std::map<db::Id, db::Board> boards_by_row(const db::Store& store) {
  std::vector<db::Board> rows = store.boards();
  std::ranges::stable_sort(rows, std::greater(), [](const db::Board& board) { return board.source == "device"; });
  std::map<std::pair<std::string, std::string>, const db::Board*> models;
  std::map<db::Id, db::Board> boards;
  for (const db::Board& row : rows)
    boards[row.id] = *models.try_emplace({row.arch, bare_model(row.model)}, &row).first->second;
  return boards;
}

// The simulator's counts for all launches of a configuration.
struct Trace {
  double bytes = 0;
  double threads = 0;  // of the launch with the most threads, as in db::Trial
  bool by_launch = false;
};

// The database's rows, indexed for look-ups.
struct Content {
  std::map<db::Id, db::Board> boards{};
  std::map<db::Id, db::Problem> problems{};
  // The simulator's counts, by configuration, problem and simulator target.
  std::map<std::tuple<db::Id, db::Id, std::string>, Trace> traces{};

  // From the trace for the trial's architecture and problem if there is one; else from another architecture, else from
  // another problem.
  std::optional<double> traced_bytes(const db::Trial& trial) const {
    const double threads = static_cast<double>(trial.grid_blocks.value_or(0)) * trial.block_threads.value_or(0);
    const std::string own = "host/" + trial.target;
    const Trace* found = nullptr;
    const auto exact = traces.find({trial.configuration_id, trial.problem_id, own});
    if (exact != traces.end()) found = &exact->second;
    for (auto it = traces.lower_bound({trial.configuration_id, 0, ""}); !found && it != traces.end(); ++it) {
      if (std::get<0>(it->first) != trial.configuration_id) break;
      found = &it->second;
    }
    if (!found || !(found->threads > 0) || !(threads > 0)) return std::nullopt;
    return found->bytes * threads / found->threads;
  }
};

void choose_provenance(ProblemResults& results) {
  using namespace provenance;
  for (const std::string_view provenance : {imported, predicted, measured})
    for (const db::TrialView& view : results.trials) {
      if (view.trial.provenance != provenance || !is_timed(view)) continue;
      results.provenance = provenance;
      results.mode = view.trial.mode;
    }
  for (const db::Baseline& baseline : results.baselines) {
    if (results.provenance.empty() && baseline.median_us) {
      results.provenance = provenance::measured;
      results.mode = baseline.mode;
    }
  }
}

void choose_rows(ProblemResults& results, const Content& content) {
  std::map<std::pair<db::Id, std::string>, const db::TrialView*> newest;
  for (const db::TrialView& view : results.trials) {
    const db::TrialView*& known = newest[{view.trial.configuration_id, view.trial.provenance}];
    if (!known || view.trial.verdict != verdict::skipped) known = &view;
  }
  for (const auto& [key, view] : newest) {
    results.rows.push_back(
        {.view = view, .traced_bytes = content.traced_bytes(view->trial), .params = params_of(view->params)});
    for (auto& [name, value] : results.rows.back().params) value = unqualified(value);
  }
  std::ranges::sort(results.rows, [](const Row& a, const Row& b) {
    return std::tie(a.view->kernel, a.view->params, a.view->trial.provenance) <
           std::tie(b.view->kernel, b.view->params, b.view->trial.provenance);
  });
}

// The cases of each kernel, on each target in the newest run that has it. The runs are sorted, oldest first.
std::map<std::string, std::int64_t> cases_of(const std::vector<db::ConformanceRun>& runs) {
  std::map<std::string, std::map<std::string, std::int64_t>> newest;  // by kernel and target
  for (const db::ConformanceRun& run : runs)
    for (const db::KernelProgress& progress : db::progress_of(run))
      newest[progress.kernel][run.target] = progress.cases;
  std::map<std::string, std::int64_t> cases;
  for (const auto& [kernel, targets] : newest)
    for (const auto& [target, count] : targets) cases[kernel] += count;
  return cases;
}

// The start of the newest session that measured on a board; empty if there is none.
std::string newest_session(const Architecture& architecture, const std::string& board,
                           const std::map<db::Id, db::Session>& sessions) {
  std::string newest;
  for (const ProblemResults& results : architecture.problems)
    if (results.board.model == board)
      for (const db::TrialView& view : results.trials)
        if (view.trial.session_id && view.is_measured() && view.time_us())
          newest = std::max(newest, sessions.at(*view.trial.session_id).started_at);
  return newest;
}

// Adds to each problem of an architecture its best configurations, over all kernels and per kernel, and the best before
// the newest session.
void add_bests(const db::Store& store, Architecture& architecture, const std::map<db::Id, db::Session>& sessions) {
  std::set<std::string> boards;
  std::map<ProblemKey, ProblemResults*> by_key;
  for (ProblemResults& results : architecture.problems) {
    boards.insert(results.board.model);
    by_key[key_of(results.problem, results.board.model)] = &results;
  }
  const auto results_of = [&](const db::TrialView& view) {
    const auto found = by_key.find(key_of(view.problem, view.board->model));
    return found == by_key.end() ? nullptr : found->second;
  };
  for (const std::string& board : boards) {
    const std::string newest = newest_session(architecture, board, sessions);
    if (newest.empty()) continue;
    for (db::BestOfCell& best : db::best_of_cells(store, {.arch = architecture.name,
                                                         .board = board,
                                                         .provenance = std::string(provenance::measured),
                                                         .before = newest})) {
      ProblemResults* results = results_of(best.winner);
      if (results && results->board.model == board) results->best_before = std::move(best.winner);
    }
  }
  for (const bool per_kernel : {false, true}) {
    for (db::Best& best : db::best(
             store, {.arch = architecture.name, .per_kernel = per_kernel, .per_board = true, .robust = std::nullopt})) {
      ProblemResults* results = results_of(best.winner);
      if (!results) continue;
      if (!per_kernel) {
        results->mode = best.winner.trial.mode;
        results->best = std::move(best);
      } else if (results->compares(best.winner)) {
        results->kernel_bests.push_back(std::move(best));
      }
    }
  }
  for (ProblemResults& results : architecture.problems) {
    if (!results.best) continue;
    if (results.best->ceiling.is_known()) results.ceiling = results.best->ceiling;
    results.steps = db::plan_times(store, results.best->winner.trial.id);
    if (results.problem.pattern.find(':') != std::string::npos)
      results.defines = db::plan_params(store, results.best->winner.trial, results.best->winner.params_json);
    std::ranges::sort(results.kernel_bests, {}, [&](const db::Best& best) {
      const db::TrialView& view = best.winner;
      return std::tuple(view.kernel != results.best->winner.kernel, view.time_us().value_or(0), view.kernel);
    });
  }
}

// All queries while it exists see the database as the first of them does, whatever others write meanwhile. It also
// saves a lock for each query.
class Snapshot {
 public:
  explicit Snapshot(db::Connection& connection) : connection_(connection) { connection_.execute("BEGIN"); }
  ~Snapshot() { connection_.database().tryExec("COMMIT"); }
  Snapshot(const Snapshot&) = delete;
  Snapshot& operator=(const Snapshot&) = delete;

 private:
  db::Connection& connection_;
};

class Reader {
 public:
  Reader(const db::Store& store, std::string arch) : store_(store), arch_(std::move(arch)) {
    report_.file = store.path().filename().string();
    for (db::Session& session : store.sessions()) report_.sessions.emplace(session.id, std::move(session));
    for (db::Environment& row : store.environments()) report_.environments.emplace(row.id, std::move(row));
    report_.runs = store.conformance_runs();
    report_.cases = cases_of(report_.runs);
    report_.counterexamples = store.counterexamples("*", true);
    report_.mutants = store.mutants();
    report_.altered = db::altered_rows(store);
    report_.across = db::cross_board_problems(store, {.arch = arch_});
    for (db::Kernel& kernel : store.kernels()) {
      const std::string name = kernel.pattern + "/" + kernel.kernel;
      report_.kernels.emplace(name, std::move(kernel));
    }
    read_traces();
    content_.boards = boards_by_row(store);
    for (db::Problem& problem : store.problems()) content_.problems.emplace(problem.id, std::move(problem));
  }

  Report read() {
    read_trials();
    read_baselines();
    for (auto& [name, problems] : results_) finish(name, problems);
    return std::move(report_);
  }

 private:
  ProblemResults* results(const db::Problem& problem, const std::optional<db::Id>& board_id) {
    if (!board_id || !content_.boards.contains(*board_id)) return nullptr;
    const db::Board& board = content_.boards.at(*board_id);
    if (!arch_.empty() && board.arch != arch_) return nullptr;
    auto [it, is_new] = results_[board.arch].try_emplace(key_of(problem, board.model));
    if (is_new) std::tie(it->second.problem, it->second.board) = std::tie(problem, board);
    return &it->second;
  }

  // Counts per launch take precedence over counts of all launches together.
  void read_traces() {
    for (const db::Access& access : store_.accesses()) {
      Trace& trace = content_.traces[{access.configuration_id, access.problem_id, access.target}];
      const bool is_launch = access.launch != db::Access::all_launches;
      if (!is_launch && trace.by_launch) continue;
      if (is_launch && !trace.by_launch) trace = {.by_launch = true};
      trace.bytes += 32.0 * static_cast<double>(access.global_load_sectors + access.global_store_sectors);
      trace.threads = std::max(trace.threads, static_cast<double>(access.threads));
    }
  }

  void read_trials() {
    std::vector<db::TrialView> views = db::trials(store_, {.arch = arch_});
    for (auto view = views.rbegin(); view != views.rend(); ++view) {
      ProblemResults* found = results(view->problem, view->trial.board_id);
      if (found) found->trials.push_back(std::move(*view));
    }
  }

  void read_baselines() {
    std::map<db::Id, ProblemResults*> results_of;
    for (db::Baseline& baseline : store_.baselines()) {
      ProblemResults* found = results(content_.problems.at(baseline.problem_id), baseline.board_id);
      if (!found) continue;
      results_of[baseline.id] = found;
      found->baselines.push_back(std::move(baseline));
    }
    for (db::Comparison& comparison : store_.comparisons()) {
      const auto found = results_of.find(comparison.baseline_id);
      if (found != results_of.end()) found->second->comparisons.push_back(std::move(comparison));
    }
  }

  void finish(const std::string& name, std::map<ProblemKey, ProblemResults>& problems) {
    Architecture architecture{.name = name};
    std::set<db::Id> sessions;
    for (auto& [key, results] : problems) {
      for (const db::TrialView& view : results.trials) {
        if (view.trial.session_id) sessions.insert(*view.trial.session_id);
      }
      for (const db::Baseline& baseline : results.baselines) {
        if (baseline.session_id) sessions.insert(*baseline.session_id);
      }
      architecture.problems.push_back(std::move(results));
    }
    for (ProblemResults& results : architecture.problems) {
      choose_provenance(results);
      choose_rows(results, content_);
    }
    add_bests(store_, architecture, report_.sessions);
    const auto has = [&](std::string_view provenance) {
      return std::ranges::any_of(architecture.problems, [&](const ProblemResults& results) {
        return std::ranges::any_of(results.trials,
                                   [&](const db::TrialView& view) { return view.trial.provenance == provenance; });
      });
    };
    if (has(provenance::measured) && has(provenance::predicted))
      for (db::ModelCheck& check : db::check_model(store_, {.arch = name})) {
        const auto results =
            std::ranges::find(architecture.problems, key_of(check.problem, check.board),
                              [](const ProblemResults& one) { return key_of(one.problem, one.board.model); });
        if (check.kernel.empty() && results != architecture.problems.end()) results->model = std::move(check);
      }
    for (const db::Id id : sessions) architecture.sessions.push_back(report_.sessions.at(id));
    std::ranges::sort(architecture.sessions, [](const db::Session& a, const db::Session& b) {
      return std::tie(a.started_at, a.id) < std::tie(b.started_at, b.id);
    });
    report_.architectures.push_back(std::move(architecture));
  }

  const db::Store& store_;
  std::string arch_;
  Report report_;
  Content content_;
  std::map<std::string, std::map<ProblemKey, ProblemResults>> results_;
};

}  // namespace

Report read_report(const db::Store& store, const std::string& arch) {
  const Snapshot snapshot(store.connection());
  return Reader(store, arch).read();
}

}  // namespace warpwright::reports
