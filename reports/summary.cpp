// Summarizes problems, and patterns of several problems.
#include "reports/summary.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>

#include "kernels/core/verdict.hpp"

namespace warpwright::reports {
namespace {

std::string of_what(const db::Ceiling& ceiling) {
  const std::string name = ceiling.name == "arithmetic" ? "FMA" : ceiling.name;
  if (!ceiling.is_peak) return name;
  return ceiling.name == "arithmetic" ? "peak FMA" : "peak";
}

std::string certainty_of(const Summary& summary) {
  const ProblemResults& results = *summary.results;
  if (!results.best) return summary.wrong > 0 ? "failing" : "not timed";
  if (!results.measured()) return results.provenance;
  return results.best->winner.certificates.empty() ? "measured" : "certified";
}

}  // namespace

bool Summary::library_is_faster() const {
  return libraries.vendor && libraries.vendor->ratio.value_or(1) < faster_below;
}

Summary summary_of(const Architecture& architecture, const ProblemResults& results, const std::vector<Drift>& drifts) {
  Summary summary{.results = &results,
                  .libraries = fastest_libraries(results),
                  .bests_of_sessions = bests_of_sessions(architecture, results)};
  for (const Row& row : results.rows) summary.wrong += is_wrong(row.trial().verdict) ? 1 : 0;
  if (results.best) {
    summary.us = results.best->winner.time_us();
    summary.kernel = results.best->winner.kernel;
    summary.share = results.share_of_ceiling(summary.us);
    summary.searched = results.best->searched;
  }
  if (summary.share) summary.of = of_what(*results.ceiling);
  const auto drift = std::ranges::find(drifts, &results, &Drift::results);
  if (drift != drifts.end()) {
    summary.change = drift->change();
    summary.apart = drift->apart;
  } else if (summary.bests_of_sessions.size() > 1) {
    const auto us = [&](std::size_t back) {
      return *summary.bests_of_sessions[summary.bests_of_sessions.size() - back]->time_us();
    };
    if (us(2) > 0) summary.change = us(1) / us(2) - 1;
    summary.apart = not_again;
  }
  summary.certainty = certainty_of(summary);
  return summary;
}

const Summary* PatternSummary::on(const std::string& board) const {
  const auto found =
      std::ranges::find(problems, board, [](const Summary& summary) { return summary.results->board.model; });
  return found == problems.end() ? nullptr : &*found;
}

Summaries summaries_of(const Report& report) {
  Summaries all{.report = report, .architectures = {}, .new_failures = new_failures(report)};
  for (const Architecture& architecture : report.architectures) {
    ArchitectureSummary one{.architecture = architecture, .drifts = drifts(architecture)};
    for (const ProblemResults& results : architecture.problems)
      one.problems.push_back(summary_of(architecture, results, one.drifts));
    all.architectures.push_back(std::move(one));
  }
  return all;
}

std::vector<PatternSummary> patterns_of(const ArchitectureSummary& architecture) {
  std::map<std::string, PatternSummary> by_pattern;
  std::map<std::string, int> boards;          // by title
  std::map<std::string, std::size_t> trials;  // by title
  std::map<std::string, db::Id> first;        // problem of that title
  for (const Summary& summary : architecture.problems) {
    const ProblemResults& results = *summary.results;
    PatternSummary& pattern = by_pattern[results.problem.pattern];
    pattern.pattern = results.problem.pattern;
    pattern.problems.push_back(summary);
    boards[results.title()] += results.measured() ? 1000 : 1;
    trials[results.title()] += results.trials.size();
    db::Id& id = first.try_emplace(results.title(), results.problem.id).first->second;
    id = std::min(id, results.problem.id);
  }
  std::vector<PatternSummary> patterns;
  for (auto& [name, pattern] : by_pattern) {
    std::ranges::stable_sort(pattern.problems, {}, [&](const Summary& summary) {
      const std::string title = summary.results->title();
      return std::tuple(!summary.us, -boards[title], -static_cast<std::int64_t>(trials[title]), first[title]);
    });
    patterns.push_back(std::move(pattern));
  }
  return patterns;
}

std::optional<double> geometric_mean(const std::vector<double>& values) {
  if (values.empty()) return std::nullopt;
  double sum = 0;
  for (const double value : values) sum += std::log(value);
  return std::exp(sum / static_cast<double>(values.size()));
}

}  // namespace warpwright::reports
