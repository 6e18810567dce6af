// Finds what changed since the previous session or run.
#include "reports/drift.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "kernels/core/text.hpp"
#include "kernels/core/verdict.hpp"
#include "reports/html.hpp"

namespace warpwright::reports {
namespace {

// Orders trials by how well they represent their session: the certified one first, then the fastest that was not
// stopped early.
bool speaks_before(const db::TrialView& a, const db::TrialView& b) {
  const auto order = [](const db::TrialView& view) {
    return std::tuple(view.certificates.empty(), view.trial.stopped_early, *view.trial.median_us);
  };
  return order(a) < order(b);
}

// Empty if the newest session did not measure the best, because then a change is not known.
std::optional<Drift> drift_of(const ProblemResults& results) {
  if (!results.measured() || !results.best || !results.best_before) return std::nullopt;
  const db::TrialView& before = *results.best_before;
  const db::TrialView& after = results.best->winner;
  const bool is_comparable = results.compares(before) && results.compares(after) && before.time_us().value_or(0) > 0;
  if (after.trial.id == before.trial.id || !is_comparable) return std::nullopt;
  Drift drift{.results = &results, .before = &before, .after = &after};
  if (drift.change() < 0 && after.trial.configuration_id != before.trial.configuration_id) drift.apart = new_best;
  return drift;
}

class Surroundings {
 public:
  void add(const std::string& name, const std::string& before, const std::string& after) {
    if (!before.empty() || !after.empty()) {
      found.push_back({.name = name, .before = before, .after = after, .differs = before != after});
    }
  }
  // Values that fluctuate count as different only if they differ by more than `share`.
  void add(const std::string& name, const char* unit, double share, const std::optional<double>& before,
           const std::optional<double>& after) {
    const auto text = [&](const std::optional<double>& value) {
      return value ? number(*value) + " " + unit : std::string();
    };
    add(name, text(before), text(after));
    if (before && after && !found.empty())
      found.back().differs = std::abs(*after - *before) > share * std::abs(*before);
  }
  std::vector<Difference> found{};
};

// The conformance run that was in progress at a moment; null if there was none.
const db::ConformanceRun* run_at(const std::vector<db::ConformanceRun>& runs, const std::string& moment) {
  const db::ConformanceRun* found = nullptr;
  for (const db::ConformanceRun& run : runs) {
    const bool within = run.started_at <= moment && (!run.ended_at || moment <= *run.ended_at);
    if (within && (!found || found->started_at <= run.started_at)) found = &run;
  }
  return found;
}

bool is_newest_of_its_kind(const std::vector<db::ConformanceRun>& runs, const db::ConformanceRun& run) {
  return std::ranges::none_of(runs, [&](const db::ConformanceRun& other) {
    return other.target == run.target && other.glob == run.glob && other.started_at > run.started_at;
  });
}

bool is_new(const Report& report, const db::Counterexample& counterexample) {
  if (const db::ConformanceRun* run = run_at(report.runs, counterexample.first_seen)) {
    return is_newest_of_its_kind(report.runs, *run);
  }
  const auto later = [&](const std::string& started) { return started > counterexample.first_seen; };
  return std::ranges::none_of(report.runs, [&](const db::ConformanceRun& run) { return later(run.started_at); }) &&
         std::ranges::none_of(report.sessions, [&](const auto& entry) { return later(entry.second.started_at); });
}

// Whether a trial with this verdict counts as a new failure if the trial before it passed.
bool fails(const std::string& verdict) {
  return is_wrong(verdict) || verdict == verdict::mistrusted || verdict == verdict::not_launchable;
}

// For each provenance the newest session that has trials of a problem.
std::map<std::string, db::Id> newest_sessions(const Report& report, const ProblemResults& results) {
  std::map<std::string, const db::Session*> newest;
  for (const db::TrialView& view : results.trials) {
    if (!view.trial.session_id || view.trial.verdict == verdict::skipped) continue;
    const db::Session& session = report.sessions.at(*view.trial.session_id);
    const db::Session*& known = newest[view.trial.provenance];
    if (!known || std::tie(known->started_at, known->id) < std::tie(session.started_at, session.id)) known = &session;
  }
  std::map<std::string, db::Id> ids;
  for (const auto& [provenance, session] : newest) ids[provenance] = session->id;
  return ids;
}

// Appends a failure for each newest trial of a problem that fails where its predecessor did not.
void compare_verdicts(const Report& report, const ProblemResults& results, std::vector<NewFailure>& failures) {
  const std::map<std::string, db::Id> newest = newest_sessions(report, results);
  using Key = std::pair<db::Id, std::string>;
  std::map<Key, const db::TrialView*> before;
  std::map<Key, const db::TrialView*> after;
  for (const db::TrialView& view : results.trials) {
    if (view.trial.verdict == verdict::skipped) continue;
    const auto session = newest.find(view.trial.provenance);
    const bool now = session != newest.end() && view.trial.session_id == session->second;
    (now ? after : before)[{view.trial.configuration_id, view.trial.provenance}] = &view;
  }
  for (const auto& [key, view] : after) {
    const std::string& verdict = view->trial.verdict;
    if (!fails(verdict)) continue;
    const auto known = before.find(key);
    const std::string was = known == before.end() ? "" : known->second->trial.verdict;
    const bool is_new = is_wrong(verdict) ? !is_wrong(was) : !was.empty() && !fails(was);
    if (!is_new) continue;
    failures.push_back({.what = fmt::format("{}/{} {} on {} ({}, {}): {}", view->pattern, view->kernel, view->params,
                                            results.title(), results.board.model, key.second, verdict),
                        .detail = view->trial.detail,
                        .repro = fmt::format("tunedb show {}", view->trial.id)});
  }
}

}  // namespace

std::vector<const db::TrialView*> bests_of_sessions(const Architecture& architecture, const ProblemResults& results) {
  std::map<db::Id, const db::TrialView*> by_session;
  for (const db::TrialView& view : results.trials) {
    if (!view.trial.session_id || !results.measured() || !results.compares(view)) continue;
    const db::TrialView*& best = by_session[*view.trial.session_id];
    if (!best || speaks_before(view, *best)) best = &view;
  }
  std::vector<const db::TrialView*> bests;
  for (const db::Session& session : architecture.sessions)
    if (const auto found = by_session.find(session.id); found != by_session.end()) bests.push_back(found->second);
  return bests;
}

std::vector<Drift> drifts(const Architecture& architecture) {
  std::vector<Drift> found;
  for (const ProblemResults& results : architecture.problems)
    if (const auto drift = drift_of(results)) found.push_back(*drift);
  std::ranges::stable_sort(found, [](const Drift& a, const Drift& b) { return a.change() > b.change(); });
  return found;
}

std::vector<Difference> surroundings(const Report& report, const db::TrialView& before, const db::TrialView& after) {
  Surroundings list;
  const auto environment = [&](const db::TrialView& view) {
    const auto found = report.environments.find(view.trial.environment_id.value_or(0));
    return found == report.environments.end() ? db::Environment{} : found->second;
  };
  const auto session = [&](const db::TrialView& view) {
    const auto found = report.sessions.find(view.trial.session_id.value_or(0));
    return found == report.sessions.end() ? db::Session{} : found->second;
  };
  const db::Environment env_before = environment(before);
  const db::Environment env_after = environment(after);
  const auto ecc = [](const db::Environment& e) { return e.ecc ? std::string(*e.ecc ? "on" : "off") : std::string(); };
  list.add("GPU", env_before.gpu_uuid, env_after.gpu_uuid);
  list.add("driver", env_before.driver, env_after.driver);
  list.add("CUDA", env_before.cuda, env_after.cuda);
  list.add("NVRTC", env_before.nvrtc, env_after.nvrtc);
  list.add("host compiler", env_before.host_compiler, env_after.host_compiler);
  list.add("ECC", ecc(env_before), ecc(env_after));
  list.add("operating system", env_before.os, env_after.os);
  const db::Session was = session(before);
  const db::Session is = session(after);
  list.add("warpwright", was.program_version, is.program_version);
  list.add("SM clock", "MHz", 0.02, was.sm_clock_mhz, is.sm_clock_mhz);
  list.add("power", "W", 0.1, was.power_w, is.power_w);
  list.add("temperature", "C", 0.1, was.temperature_c, is.temperature_c);
  list.add("copy ceiling", "GB/s", 0.02, was.copy_gbs, is.copy_gbs);
  list.add("read ceiling", "GB/s", 0.02, was.read_gbs, is.read_gbs);
  list.add("bus to the device", "GB/s", 0.05, was.bus_to_device_gbs, is.bus_to_device_gbs);
  list.add("bus to the host", "GB/s", 0.05, was.bus_to_host_gbs, is.bus_to_host_gbs);
  list.add("float arithmetic", "GFLOP/s", 0.02, was.float_gflops, is.float_gflops);
  list.add("double arithmetic", "GFLOP/s", 0.02, was.double_gflops, is.double_gflops);
  list.add("warnings", was.warnings, is.warnings);
  return std::move(list.found);
}

std::vector<NewFailure> new_failures(const Report& report) {
  std::vector<NewFailure> failures;
  for (const db::Counterexample& counterexample : report.counterexamples) {
    if (!is_open(counterexample) || !is_new(report, counterexample)) continue;
    failures.push_back(
        {.what = fmt::format("{}/{}: a new counterexample", counterexample.pattern, counterexample.kernel),
         .detail = counterexample.detail,
         .repro = repro_command(counterexample.file, counterexample.repro)});
  }
  for (const Architecture& architecture : report.architectures)
    for (const ProblemResults& results : architecture.problems) compare_verdicts(report, results, failures);
  return failures;
}

}  // namespace warpwright::reports
