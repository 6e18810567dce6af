// Reads a database into the model that a report shows.
#include "reports/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "db/query/progress.hpp"
#include "kernels/core/hash.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/verdict.hpp"
#include "kernels/core/vocabulary.hpp"
#include "reports/html.hpp"

namespace warpwright::reports {
namespace {

// Identifies a problem on a board: several problem or board rows may have the same key.
using ProblemKey = std::tuple<std::string, std::string, std::string, std::string, std::string, Shape, std::string>;

ProblemKey key_of(const db::Problem& problem, const db::Board& board) {
  return {problem.pattern, problem.variant, problem.numbers, problem.types, problem.data, parse_shape(problem.shape),
          board.model};
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
  for (const ProblemResults& results : architecture.problems) boards.insert(results.board.model);
  std::map<ProblemKey, ProblemResults*> by_key;
  for (ProblemResults& results : architecture.problems) by_key[key_of(results.problem, results.board)] = &results;
  for (const std::string& board : boards) {
    if (const std::string newest = newest_session(architecture, board, sessions); !newest.empty())
      for (db::BestOfCell& best : db::best_of_cells(store, {.arch = architecture.name,
                                                           .board = board,
                                                           .provenance = std::string(provenance::measured),
                                                           .before = newest})) {
        if (best.winner.board->model != board) continue;
        const auto results = by_key.find(key_of(best.winner.problem, *best.winner.board));
        if (results != by_key.end()) results->second->best_before = std::move(best.winner);
      }
    for (const bool per_kernel : {false, true}) {
      for (db::Best& best : db::best(
               store, {.arch = architecture.name, .board = board, .per_kernel = per_kernel, .robust = std::nullopt})) {
        if (!best.winner.board || best.winner.board->model != board) continue;
        const auto results = by_key.find(key_of(best.winner.problem, *best.winner.board));
        if (results == by_key.end()) continue;
        if (!per_kernel) {
          results->second->mode = best.winner.trial.mode;
          results->second->best = std::move(best);
        } else if (results->second->compares(best.winner)) {
          results->second->kernel_bests.push_back(std::move(best));
        }
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
    for (db::Board& board : store.boards()) content_.boards.emplace(board.id, std::move(board));
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
    auto [it, is_new] = results_[board.arch].try_emplace(key_of(problem, board));
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
      std::ranges::move(db::check_model(store_, {.arch = name}), std::back_inserter(report_.model));
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

std::string ProblemResults::name() const {
  return fmt::format("{} {} {}", problem.pattern, db::settings_text(problem), problem.types);
}

std::string ProblemResults::title() const {
  return db::title_of(problem);
}

bool ProblemResults::measured() const {
  return provenance == provenance::measured;
}

double ProblemResults::bytes() const {
  return crosses_bus() ? std::max(problem.bus_to_device, problem.bus_to_host)
                       : problem.bytes_read + problem.bytes_written;
}

std::string ProblemResults::file() const {
  const std::string hash = hash_text(title() + " " + name()).substr(0, 8);  // names of problems may be long
  return slug(fmt::format("{} {} {} {} {}", board.arch, shortened(problem.pattern, 40), problem.shape,
                          shortened(board.model, 40), hash)) +
         ".html";
}

int ProblemResults::rank_of(const std::string& kernel) const {
  const auto kernel_of = [](const db::Best& one) -> const std::string& { return one.winner.kernel; };
  const auto found = std::ranges::find(kernel_bests, kernel, kernel_of);
  return found == kernel_bests.end() ? 0 : static_cast<int>(found - kernel_bests.begin()) + 1;
}

std::optional<double> ProblemResults::rate_gbs(std::optional<double> us) const {
  if (!us || !(*us > 0) || !(bytes() > 0)) return std::nullopt;
  return bytes() / *us / 1e3;
}

std::optional<double> ProblemResults::share_of_ceiling(std::optional<double> us) const {
  return ceiling ? ceiling->share_at(us) : std::nullopt;
}

bool ProblemResults::compares(const db::TrialView& view) const {
  return view.trial.provenance == provenance && db::time_kind(view.trial.mode) == db::time_kind(mode) && is_timed(view);
}

double ProblemResults::shown_us(const db::TrialView& view) const {
  return std::max(view.time_us().value_or(0), best ? best->winner.time_us().value_or(0) : 0);
}

bool ProblemResults::equals_best(const db::TrialView& view) const {
  if (!best || !compares(view)) return false;
  const auto is_same = [&](const db::TrialView& one) {
    return one.trial.configuration_id == view.trial.configuration_id;
  };
  return view.time_us() <= best->winner.time_us() || is_same(best->winner) || std::ranges::any_of(best->tied, is_same);
}

bool Architecture::measured() const {
  return std::ranges::any_of(problems, &ProblemResults::measured);
}

std::vector<std::string> Architecture::boards() const {
  std::map<std::string, int> measured;
  for (const ProblemResults& results : problems) measured[results.board.model] += results.measured() ? 1 : 0;
  std::vector<std::string> models;
  for (const auto& [model, count] : measured) models.push_back(model);
  std::ranges::stable_sort(models, std::greater(), [&](const std::string& model) { return measured[model]; });
  return models;
}

std::string Architecture::file() const {
  return slug(name) + ".html";
}

std::vector<std::pair<std::string, std::string>> params_of(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> params;
  for (std::size_t at = text.find('.'); at != std::string::npos;) {
    const std::size_t equals = text.find(" = ", at);
    if (equals == std::string::npos) break;
    std::size_t next = text.find(", .", equals);
    const std::size_t end = next == std::string::npos ? text.rfind('}') : next;
    if (end == std::string::npos || end < equals + 3) break;
    params.emplace_back(text.substr(at + 1, equals - at - 1), text.substr(equals + 3, end - equals - 3));
    at = next == std::string::npos ? next : next + 2;
  }
  return params;
}

bool is_open(const db::Counterexample& counterexample) {
  return !counterexample.fixed_at && !counterexample.obsolete;
}

std::map<std::string, const db::ConformanceRun*> newest_runs(const Report& report) {
  std::map<std::string, const db::ConformanceRun*> newest;
  for (const db::ConformanceRun& run : report.runs) newest[run.target] = &run;
  return newest;
}

std::vector<const Row*> compared_rows(const ProblemResults& results) {
  std::vector<const Row*> rows;
  for (const Row& row : results.rows)
    if (results.compares(*row.view)) rows.push_back(&row);
  return rows;
}

Report read_report(const db::Store& store, const std::string& arch) {
  return Reader(store, arch).read();
}

bool is_timed(const db::TrialView& view) {
  const db::Trial& trial = view.trial;
  const bool right = trial.verdict == verdict::passed || (trial.verdict == verdict::unchecked && !view.is_measured());
  return right && view.time_us().has_value();
}

}  // namespace warpwright::reports
