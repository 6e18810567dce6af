// What is computed from one problem's results, and small questions to the model.
#include "reports/model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <tuple>

#include "kernels/core/hash.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/verdict.hpp"
#include "kernels/core/vocabulary.hpp"
#include "reports/html.hpp"

namespace warpwright::reports {

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

bool is_timed(const db::TrialView& view) {
  const db::Trial& trial = view.trial;
  const bool right = trial.verdict == verdict::passed || (trial.verdict == verdict::unchecked && !view.is_measured());
  return right && view.time_us().has_value();
}

}  // namespace warpwright::reports
