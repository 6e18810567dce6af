// Reads a database into the model that a report shows.
#include "reports/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "kernels/core/text.hpp"
#include "kernels/core/verdict.hpp"
#include "kernels/core/vocabulary.hpp"
#include "reports/html.hpp"

namespace warpwright::reports {
namespace {

using Json = nlohmann::ordered_json;

// For each kernel ("reduce/sequential"): the labels of the values of its axes.
using Labels = std::map<std::string, std::map<std::string, std::map<std::string, std::string>>>;

Labels read_labels(const db::Store& store) {
  Labels labels;
  for (const db::Kernel& kernel : store.kernels()) {
    const Json axes = Json::parse(kernel.axes, nullptr, false);
    if (!axes.is_array()) continue;
    for (const Json& axis : axes) {
      if (!axis.is_object() || !axis.contains("labels") || !axis.contains("values")) continue;
      const Json& names = axis["labels"];
      const Json& values = axis["values"];
      if (!names.is_array() || !values.is_array() || !axis["name"].is_string()) continue;
      auto& known = labels[kernel.pattern + "/" + kernel.kernel][axis["name"].get<std::string>()];
      for (std::size_t i = 0; i < std::min(names.size(), values.size()); ++i) {
        if (names[i].is_string()) known[values[i].dump()] = names[i].get<std::string>();
      }
    }
  }
  return labels;
}

std::vector<std::pair<std::string, std::string>> params_of(const db::TrialView& view, const Labels& labels) {
  std::vector<std::pair<std::string, std::string>> params;
  const Json json = Json::parse(view.params_json, nullptr, false);
  if (!json.is_object()) return params;
  const auto kernel = labels.find(view.pattern + "/" + view.kernel);
  for (const auto& [axis, value] : json.items()) {
    std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    if (kernel != labels.end()) {
      const auto names = kernel->second.find(axis);
      if (names != kernel->second.end() && names->second.contains(text)) text = names->second.at(text);
    }
    params.emplace_back(axis, unqualified(text));
  }
  return params;
}

// Identifies a problem on a board: several problem or board rows may have the same key.
using ContestKey = std::tuple<std::string, std::string, std::string, std::string, std::string, Shape, std::string>;

ContestKey key_of(const db::Problem& problem, const db::Board& board) {
  return {problem.pattern, problem.variant, problem.numbers, problem.types, problem.data, parse_shape(problem.shape),
          board.model};
}

// The access counts of one configuration on one problem.
struct Counts {
  const db::Access* total = nullptr;
  std::vector<const db::Access*> launches{};
};

// Adds the counts of one launch to a total.
void add(db::Access& total, const db::Access& access) {
  total.global_load_requests += access.global_load_requests;
  total.global_load_sectors += access.global_load_sectors;
  total.global_store_requests += access.global_store_requests;
  total.global_store_sectors += access.global_store_sectors;
  total.shared_requests += access.shared_requests;
  total.shared_transactions += access.shared_transactions;
  total.barriers += access.barriers;
  total.atomics += access.atomics;
  total.threads += access.threads;
  total.branches += access.branches;
  total.divergent_branches += access.divergent_branches;
  Json lines = Json::parse(total.lines, nullptr, false);
  const Json more = Json::parse(access.lines, nullptr, false);
  if (!lines.is_array() || !more.is_array()) return;
  lines.insert(lines.end(), more.begin(), more.end());
  total.lines = lines.dump();
}

// The database's rows, indexed for look-ups.
struct Content {
  std::map<db::Id, db::Board> boards{};
  std::map<db::Id, db::Problem> problems{};
  // By configuration, problem and simulator target.
  std::map<std::tuple<db::Id, db::Id, std::string>, Counts> access{};
  Labels labels{};

  // The counts for the trial's architecture and problem if they exist; else those of another architecture; else those
  // of a problem that differs only in its shape.
  Counts access_of(const db::Trial& trial) const {
    const std::string own = "host/" + trial.target;
    const auto exact = access.find({trial.configuration_id, trial.problem_id, own});
    if (exact != access.end()) return exact->second;
    const auto all_but_shape = [](const db::Problem& problem) {
      return std::tie(problem.variant, problem.numbers, problem.types, problem.data);
    };
    const db::Problem& wanted = problems.at(trial.problem_id);
    const Counts* found = nullptr;
    for (auto it = access.lower_bound({trial.configuration_id, 0, ""}); it != access.end(); ++it) {
      const auto& [configuration, problem, target] = it->first;
      if (configuration != trial.configuration_id) break;
      if (problem == trial.problem_id) return it->second;
      if ((!found || target == own) && all_but_shape(problems.at(problem)) == all_but_shape(wanted))
        found = &it->second;
    }
    return found ? *found : Counts{};
  }
};

void choose_provenance(Contest& contest) {
  using namespace provenance;
  for (const std::string_view provenance : {imported, predicted, measured})
    for (const db::TrialView& view : contest.trials) {
      if (view.trial.provenance != provenance || !is_timed(view)) continue;
      contest.provenance = provenance;
      contest.mode = view.trial.mode;
    }
  for (const db::Baseline& baseline : contest.baselines) {
    if (!contest.measured() && baseline.median_us) {
      contest.provenance = provenance::measured;
      contest.mode = baseline.mode;
    }
  }
}

void choose_rows(Contest& contest, const Content& content) {
  std::map<std::pair<db::Id, std::string>, const db::TrialView*> newest;
  for (const db::TrialView& view : contest.trials) {
    const db::TrialView*& known = newest[{view.trial.configuration_id, view.trial.provenance}];
    if (!known || view.trial.verdict != verdict::skipped) known = &view;
  }
  for (const auto& [key, view] : newest) {
    Counts counts = content.access_of(view->trial);
    contest.rows.push_back({.view = view,
                            .access = counts.total,
                            .launches = std::move(counts.launches),
                            .params = params_of(*view, content.labels)});
  }
  std::ranges::sort(contest.rows, [](const Row& a, const Row& b) {
    return std::tie(a.view->kernel, a.view->params, a.view->trial.provenance) <
           std::tie(b.view->kernel, b.view->params, b.view->trial.provenance);
  });
}

void choose_ceiling(Contest& contest, const db::Ceilings& measured) {
  db::Ceiling ceiling = contest.measured() ? measured.of(contest.problem, contest.board) : db::Ceiling();
  if (!ceiling.is_known()) ceiling = db::ceiling_of(contest.problem, db::rates_of(contest.board));
  if (ceiling.is_known()) contest.ceiling = ceiling;
}

// Adds to each problem of an architecture its best settings, over all kernels and per kernel.
void add_bests(const db::Store& store, Architecture& architecture) {
  std::set<std::string> boards;
  for (const Contest& contest : architecture.contests) boards.insert(contest.board.model);
  std::map<ContestKey, Contest*> by_key;
  for (Contest& contest : architecture.contests) by_key[key_of(contest.problem, contest.board)] = &contest;
  for (const std::string& board : boards) {
    for (const bool per_kernel : {false, true}) {
      for (db::Best& best : db::best(store, {.arch = architecture.name, .board = board, .per_kernel = per_kernel})) {
        if (!best.winner.board || best.winner.board->model != board) continue;
        const auto contest = by_key.find(key_of(best.winner.problem, *best.winner.board));
        if (contest == by_key.end()) continue;
        if (!per_kernel) {
          contest->second->best = std::move(best);
        } else if (contest->second->compares(best.winner)) {
          contest->second->kernel_bests.push_back(std::move(best));
        }
      }
    }
  }
  for (Contest& contest : architecture.contests) {
    std::ranges::sort(contest.kernel_bests, [](const db::Best& a, const db::Best& b) {
      return std::tuple(-a.winner.time_us().value_or(0), a.winner.kernel) <
             std::tuple(-b.winner.time_us().value_or(0), b.winner.kernel);
    });
    for (const db::Best& best : contest.kernel_bests)
      contest.launches[best.winner.trial.id] = store.launches(best.winner.trial.id);
  }
}

class Reader {
 public:
  Reader(const db::Store& store, std::string arch) : store_(store), arch_(std::move(arch)) {
    report_.file = store.path().filename().string();
    for (db::Session& session : store.sessions()) report_.sessions.emplace(session.id, std::move(session));
    for (db::Environment& row : store.environments()) report_.environments.emplace(row.id, std::move(row));
    report_.runs = store.conformance_runs();
    report_.counterexamples = store.counterexamples("*", true);
    report_.mutants = store.mutants();
    report_.altered = db::altered_rows(store);
    report_.across = db::cross_board_problems(store, {.arch = arch_});
    read_accesses(store.accesses());
    for (db::Board& board : store.boards()) content_.boards.emplace(board.id, std::move(board));
    for (db::Problem& problem : store.problems()) content_.problems.emplace(problem.id, std::move(problem));
    content_.labels = read_labels(store);
  }

  Report read() {
    read_trials();
    read_baselines();
    for (auto& [name, contests] : contests_) finish(name, contests);
    return std::move(report_);
  }

 private:
  Contest* contest(const db::Problem& problem, const std::optional<db::Id>& board_id) {
    if (!board_id || !content_.boards.contains(*board_id)) return nullptr;
    const db::Board& board = content_.boards.at(*board_id);
    if (!arch_.empty() && board.arch != arch_) return nullptr;
    auto [it, is_new] = contests_[board.arch].try_emplace(key_of(problem, board));
    if (is_new) std::tie(it->second.problem, it->second.board) = std::tie(problem, board);
    return &it->second;
  }

  // Counts per launch take precedence over counts of all launches together.
  void read_accesses(std::vector<db::Access> accesses) {
    std::ranges::sort(accesses, {}, [](const db::Access& a) {
      return std::tuple(a.configuration_id, a.problem_id, a.target, a.launch);
    });
    report_.accesses = std::move(accesses);
    report_.totals.reserve(report_.accesses.size());
    for (const db::Access& access : report_.accesses) {
      Counts& counts = content_.access[{access.configuration_id, access.problem_id, access.target}];
      if (access.launch != db::Access::all_launches) counts.launches.push_back(&access);
      if (counts.launches.size() < 2) {
        counts.total = &access;
      } else if (counts.launches.size() == 2) {
        counts.total = &report_.totals.emplace_back(*counts.launches.front());
        report_.totals.back().launch = db::Access::all_launches;
      }
      if (counts.launches.size() > 1) add(report_.totals.back(), access);
    }
  }

  void read_trials() {
    std::vector<db::TrialView> views = db::trials(store_, {.arch = arch_});
    for (auto view = views.rbegin(); view != views.rend(); ++view) {
      Contest* found = contest(view->problem, view->trial.board_id);
      if (found) found->trials.push_back(std::move(*view));
    }
  }

  void read_baselines() {
    std::map<db::Id, Contest*> contest_of;
    for (db::Baseline& baseline : store_.baselines()) {
      Contest* found = contest(content_.problems.at(baseline.problem_id), baseline.board_id);
      if (!found) continue;
      contest_of[baseline.id] = found;
      found->baselines.push_back(std::move(baseline));
    }
    for (db::Comparison& comparison : store_.comparisons()) {
      const auto found = contest_of.find(comparison.baseline_id);
      if (found != contest_of.end()) found->second->comparisons.push_back(std::move(comparison));
    }
  }

  void finish(const std::string& name, std::map<ContestKey, Contest>& contests) {
    Architecture architecture{.name = name};
    std::set<db::Id> sessions;
    for (auto& [key, contest] : contests) {
      for (const db::TrialView& view : contest.trials) {
        if (view.trial.session_id) sessions.insert(*view.trial.session_id);
      }
      for (const db::Baseline& baseline : contest.baselines) {
        if (baseline.session_id) sessions.insert(*baseline.session_id);
      }
      architecture.contests.push_back(std::move(contest));
    }
    for (Contest& contest : architecture.contests) {
      choose_provenance(contest);
      choose_rows(contest, content_);
    }
    add_bests(store_, architecture);
    const db::Ceilings ceilings(store_);
    for (Contest& contest : architecture.contests) choose_ceiling(contest, ceilings);
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
  std::map<std::string, std::map<ContestKey, Contest>> contests_;
};

}  // namespace

std::string Contest::name() const {
  return fmt::format("{} {} {}", problem.pattern, db::settings_text(problem), problem.types);
}

std::string Contest::title() const {
  return db::title_of(problem);
}

bool Contest::measured() const {
  return provenance == provenance::measured;
}

double Contest::bytes() const {
  return crosses_bus() ? std::max(problem.bus_to_device, problem.bus_to_host)
                       : problem.bytes_read + problem.bytes_written;
}

std::string Contest::id() const {
  return slug(fmt::format("{} {}-{}", name(), problem.shape, board.model));
}

std::optional<double> Contest::rate_gbs(std::optional<double> us) const {
  if (!us || !(*us > 0) || !(bytes() > 0)) return std::nullopt;
  return bytes() / *us / 1e3;
}

std::optional<double> Contest::share_of_ceiling(std::optional<double> us) const {
  return ceiling ? ceiling->share_at(us) : std::nullopt;
}

bool Contest::compares(const db::TrialView& view) const {
  return view.trial.provenance == provenance && view.trial.mode == mode && is_timed(view);
}

bool Contest::in_band(const db::TrialView& view) const {
  if (!best || best->winner.trial.provenance != provenance::predicted || !compares(view)) return false;
  return db::in_band(*view.time_us(), best->winner.time_us().value_or(0));
}

bool Architecture::measured() const {
  return std::ranges::any_of(contests, &Contest::measured);
}

std::string Row::verdict() const {
  return view->is_measured() ? trial().verdict : trial().verdict + ", " + view->certainty();
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
