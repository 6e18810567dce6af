// Writes banners about problems that need attention.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "db/query/band.hpp"
#include "kernels/core/shape.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/verdict.hpp"
#include "kernels/core/vocabulary.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/html.hpp"
#include "reports/parts.hpp"
#include "reports/sections.hpp"

namespace warpwright::reports {
namespace {

constexpr std::size_t named = 4;  // names in a banner, before "and N more"

std::string link(const std::string& target, const std::string& text) {
  return fmt::format("<a href=\"{}\">{}</a>", target, escape(charts::with_powers(text)));
}

std::string altered_rows(const Report& report) {
  if (report.altered.empty()) return "";
  std::vector<std::string> rows;
  for (const db::AlteredRow& row : report.altered) rows.push_back(escape(fmt::format("{} {}", row.table, row.id)));
  return banner(
      "bad", "wrong",
      fmt::format("<b>{}:</b> changed by another program, so results that depend on them are not reliable: {}. "
                  "<code>tunedb check</code> lists them.",
                  counted(std::ssize(report.altered), "altered row"), listed(rows, named)));
}

// "nbody 2^16": short enough for a banner.
std::string short_name(const ProblemResults& results) {
  return results.problem.pattern + " " + short_shape(results.problem.shape);
}

// The results that an alert is about.
using Chosen = std::vector<const ProblemResults*>;

// How many configurations were checked, and how; of those that are not wrong.
struct Checks {
  std::int64_t measured = 0;   // right on a GPU
  std::int64_t simulated = 0;  // predicted, and right in the simulator
  std::int64_t unchecked = 0;  // with a time, predicted or imported

  bool none() const { return measured + simulated == 0; }
  std::string in_words() const {
    if (simulated + unchecked == 0) return "every configuration that was timed is right";
    const auto part = [](std::int64_t count, const char* what, const std::string& verb) {
      return fmt::format("{}{} {}", what, count == 1 ? "configuration" : "configurations", verb);
    };
    std::vector<std::string> parts;
    if (measured > 0)
      parts.push_back(grouped(measured) + " " + part(measured, "measured ", measured == 1 ? "is right" : "are right"));
    if (simulated > 0)
      parts.push_back(grouped(simulated) + " " + part(simulated, "predicted ", "passed in the simulator"));
    if (unchecked > 0)
      parts.push_back(fmt::format("{} {} not checked", grouped(unchecked), unchecked == 1 ? "is" : "are"));
    return listed(parts);
  }
};

Checks checks_of(const Chosen& chosen) {
  Checks checks;
  for (const ProblemResults* results : chosen) {
    for (const Row& row : results->rows) {
      const db::Trial& trial = row.trial();
      const bool passed = trial.verdict == verdict::passed;
      if (passed && row.view->is_measured()) {
        ++checks.measured;
      } else if (passed && trial.provenance == provenance::predicted && trial.simulated_cases != 0) {
        ++checks.simulated;
      } else if (is_timed(*row.view)) {
        ++checks.unchecked;
      }
    }
  }
  return checks;
}

std::string failures(const Summaries& all, const Chosen& chosen, bool everywhere) {
  const Report& report = all.report;
  std::vector<std::string> parts;
  for (const ProblemResults* results : chosen) {
    const auto wrong =
        std::ranges::count_if(results->rows, [](const Row& row) { return tone_of(row.trial().verdict) == "bad"; });
    if (wrong > 0)
      parts.push_back(fmt::format("{} of {}{}", counted(wrong, "configuration"),
                                  link(results->file() + "#correctness", short_name(*results)),
                                  everywhere ? " (" + escape(results->board.model) + ")" : ""));
  }
  const auto open = std::ranges::count_if(report.counterexamples, is_open);
  if (open > 0)
    parts.push_back(
        link("index.html#nights", counted(open, "counterexample") + (open == 1 ? " is open" : " are open")));
  const auto newly = everywhere ? std::ssize(all.new_failures) : 0;
  if (newly > 0) parts.push_back(link("index.html#changes", counted(newly, "new failure")));
  const auto survived = std::ranges::count(report.mutants, outcome::survived, &db::Mutant::outcome);
  if (!parts.empty()) return banner("bad", "wrong", "<b>Failing:</b> " + listed(parts, named) + ".");
  if (survived > 0)
    return banner("warn", "warning",
                  link("index.html#mutants", counted(survived, "mutant")) + " survived every check.");
  const std::string mutants =
      report.mutants.empty() ? "" : fmt::format(", 0 of {} survive", counted(std::ssize(report.mutants), "mutant"));
  const std::string runs = report.runs.empty() ? ". No run of conform is stored" : ", 0 counterexamples are open";
  const Checks checks = checks_of(chosen);
  if (checks.none()) return banner("warn", "warning", "<b>Nothing was checked</b>" + mutants + runs + ".");
  return banner("good", "ok", "Nothing fails: " + checks.in_words() + mutants + runs + ".");
}

std::string slower(const std::vector<Drift>& drifts, const std::string& board) {
  std::vector<std::string> parts;
  for (const Drift& drift : drifts) {
    if (!drift.comparable() || drift.change() <= noise) continue;
    if (!board.empty() && drift.results->board.model != board) continue;
    parts.push_back(fmt::format("{} by {:.1f} % ({} to {} \u00B5s{})",
                                link(drift.results->file(), short_name(*drift.results)), 100 * drift.change(),
                                charts::time_us(*drift.before->time_us()), charts::time_us(*drift.after->time_us()),
                                board.empty() ? ", " + escape(drift.results->board.model) : ""));
  }
  if (parts.empty()) return "";
  return banner("warn", "warning",
                "<b>Slower than before the newest session:</b> " + listed(parts, named) +
                    ". <a href=\"index.html#changes\">What changed</a>");
}

}  // namespace

std::string not_measured(const std::string& board, const Chosen& chosen) {
  Chosen timed;
  std::ranges::copy_if(chosen, std::back_inserter(timed),
                       [](const ProblemResults* one) { return one->best.has_value(); });
  const auto all = [&](bool (ProblemResults::*is)() const) {
    return !timed.empty() && std::ranges::all_of(timed, [&](const ProblemResults* one) { return (one->*is)(); });
  };
  const std::string where = board.empty() ? "" : " for " + escape(board);
  if (all(&ProblemResults::predicted))
    return banner("warn", "predicted",
                  fmt::format("<b>Predicted, not measured.</b> A model ranks the configurations{}; it does not time "
                              "them. {} {}",
                              where, db::equals_words(), db::range_words()));
  if (all(&ProblemResults::imported))
    return banner("warn", "predicted",
                  fmt::format("<b>Imported, not measured here.</b> These times{} are from another tuner; their "
                              "correctness was not checked.",
                              where));
  return "";
}

std::string alerts(const Summaries& all, const ArchitectureSummary* only, const std::string& board) {
  const std::string html = altered_rows(all.report);
  Chosen chosen;
  std::vector<Drift> drifted;
  for (const ArchitectureSummary& one : all.architectures) {
    if (only && only != &one) continue;
    for (const Summary& summary : one.problems)
      if (board.empty() || summary.results->board.model == board) chosen.push_back(summary.results);
    drifted.insert(drifted.end(), one.drifts.begin(), one.drifts.end());
  }
  return html + not_measured(board, chosen) + slower(drifted, board) + failures(all, chosen, !only);
}

}  // namespace warpwright::reports
