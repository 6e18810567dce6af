// Writes how reliable the results of a problem are: checks of each kernel, its errors, mutants and counterexamples.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "kernels/core/text.hpp"
#include "kernels/core/verdict.hpp"
#include "kernels/core/vocabulary.hpp"
#include "reports/charts/error_strip.hpp"
#include "reports/charts/escape.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/html.hpp"
#include "reports/parts.hpp"
#include "reports/sections.hpp"

namespace warpwright::reports {
namespace {

constexpr std::size_t wrong_shown = 20;

// The checks of one kernel's results.
struct Checked {
  std::int64_t right = 0;
  std::int64_t wrong = 0;
  std::int64_t undecided = 0;     // timed out, not compiled, ...
  std::int64_t cases = 0;         // of conform, on each target in the newest run that has the kernel
  std::int64_t trial_cases = 0;   // on which the simulator checked its configurations
  std::optional<double> error{};  // the largest of those that are right, as a part of the bound
};

std::map<std::string, Checked> checked_kernels(const Subject& subject) {
  std::map<std::string, Checked> kernels;
  for (const Row& row : subject.results.rows) {
    Checked& kernel = kernels[row.view->kernel];
    const db::Trial& trial = row.trial();
    kernel.trial_cases += trial.simulated_cases.value_or(0);
    if (trial.verdict == verdict::passed) {
      ++kernel.right;
      if (trial.error_ratio) kernel.error = std::max(kernel.error.value_or(0), *trial.error_ratio);
    } else if (tone_of(trial.verdict) == "bad") {
      ++kernel.wrong;
    } else {
      ++kernel.undecided;
    }
  }
  for (auto& [name, kernel] : kernels) {
    const auto cases = subject.report.cases.find(subject.results.problem.pattern + "/" + name);
    if (cases != subject.report.cases.end()) kernel.cases = cases->second;
  }
  return kernels;
}

std::string table_of(const Subject& subject, const std::map<std::string, Checked>& kernels) {
  std::vector<std::optional<double>> errors;
  Checked all;
  for (const auto& [name, kernel] : kernels) {
    errors.push_back(kernel.error);
    all.wrong += kernel.wrong;
    all.undecided += kernel.undecided;
    all.cases += kernel.cases;
    all.trial_cases += kernel.trial_cases;
  }
  const charts::ErrorAxis axis = charts::error_axis(errors);
  std::vector<std::string> order;
  for (const auto& [name, kernel] : kernels) order.push_back(name);
  std::ranges::stable_sort(order, {}, [&](const std::string& name) {
    const int rank = subject.results.rank_of(name);
    return rank > 0 ? rank : 1'000'000;
  });
  // Empty columns are left out.
  const auto head = [](std::int64_t any, const char* name) {
    return any > 0 ? fmt::format("<th scope=col class=n>{}</th>", name) : std::string();
  };
  std::string html = fmt::format(
      "<table class=checked aria-label=\"Checks of each kernel\"><thead><tr><th scope=col>kernel</th><th scope=col "
      "class=n>right</th>{}{}{}{}<th scope=col "
      "class=strip-cell>largest error<span class=full>, % of the bound</span>{}</th><th scope=col class=n>% of "
      "bound</th></tr></thead>\n<tbody>",
      head(all.wrong, "failing"), head(all.undecided, "undecided"), head(all.cases, "conform cases"),
      head(all.trial_cases, "simulated cases"), charts::error_header(axis));
  for (const std::string& name : order) {
    const Checked& kernel = kernels.at(name);
    const int rank = subject.results.rank_of(name);
    const auto count = [](std::int64_t value, const char* tone) {
      return fmt::format("<td class=\"n{}\">{}</td>", value > 0 ? tone : " soft", grouped(value));
    };
    html += fmt::format("<tr><th scope=row>{}{}</th>", rank > 0 ? fmt::format("{}\u00A0", rank) : "", breakable(name));
    html += count(kernel.right, "");
    if (all.wrong > 0) html += count(kernel.wrong, " bad");
    if (all.undecided > 0) html += count(kernel.undecided, " warn");
    if (all.cases > 0) html += count(kernel.cases, "");
    if (all.trial_cases > 0) html += count(kernel.trial_cases, "");
    html +=
        fmt::format("<td class=strip-cell>{}</td><td class=n>{}</td></tr>\n", charts::error_strip(kernel.error, axis),
                    kernel.error ? charts::two_digits(100 * *kernel.error) : "");
  }
  return "<div class=scroll>" + html + "</tbody></table></div>\n";
}

// The configurations that were wrong, and those without a verdict on the kernel.
std::string wrong_configurations(const ProblemResults& results) {
  std::vector<const Row*> rows;
  for (const Row& row : results.rows)
    if (!tone_of(row.trial().verdict).empty()) rows.push_back(&row);
  std::ranges::stable_sort(rows, {}, [](const Row* row) { return tone_of(row->trial().verdict); });
  Table table("Configurations that did not pass", {"kernel", "params", "verdict", "finding", "to see it"});
  for (std::size_t i = 0; i < std::min(rows.size(), wrong_shown); ++i) {
    const db::Trial& trial = rows[i]->trial();
    table.add({rows[i]->view->kernel, Cell::code(unqualified(rows[i]->view->params)),
               Cell(trial.verdict).with_tone(tone_of(trial.verdict)), finding_of(trial.detail),
               Cell::code(fmt::format("tunedb show {}", trial.id))});
  }
  if (rows.empty()) return "";
  return fmt::format("<h3>Did not pass <small>{}{}</small></h3>\n<div class=wrong>{}</div>\n",
                     counted(std::ssize(rows), "configuration"),
                     rows.size() > wrong_shown ? fmt::format(", {} of them here", wrong_shown) : "", table.html());
}

std::string mutants(const Subject& subject) {
  const charts::MutantsBar bar = mutants_of(subject.report, subject.results.problem.pattern);
  const std::int64_t all = bar.killed + bar.equivalent + bar.survived + bar.undecided;
  return fmt::format("<h3>Mutants <small>{}</small></h3>\n{}",
                     all == 0 ? "no verdict on this pattern is stored" : "of this pattern\u2019s kernels",
                     all == 0 ? "" : charts::mutants_bar(bar));
}

std::vector<const db::Counterexample*> open_counterexamples(const Subject& subject) {
  std::vector<const db::Counterexample*> open;
  for (const db::Counterexample& one : subject.report.counterexamples)
    if (one.pattern == subject.results.problem.pattern && is_open(one)) open.push_back(&one);
  return open;
}

std::string counterexamples(const std::vector<const db::Counterexample*>& open) {
  std::string html = fmt::format("<h3>Counterexamples <small>{} open</small></h3>\n", open.size());
  for (std::size_t i = 0; i < open.size(); ++i) {
    const std::string id = fmt::format("repro{}", i + 1);
    html += fmt::format("<div class=example><p>{}: {}</p>\n<pre id={} tabindex=0>{}</pre>{}</div>\n",
                        escape(open[i]->kernel), escape(finding_of(open[i]->detail)), id,
                        escape(repro_command(open[i]->file, open[i]->repro)), copy_button(id, "Copy repro line"));
  }
  return html;
}

std::string certificate(const ProblemResults& results) {
  if (!results.best) return "";
  const db::TrialView& winner = results.best->winner;
  const bool certified = !winner.certificates.empty();
  const std::string& warnings = winner.trial.warnings;
  return fmt::format("<p>The best: <span class={}>{} {}</span>.{}</p>\n", certified ? "good" : "soft",
                     icon(certified            ? "ok"
                          : results.measured() ? "half"
                                               : "predicted"),
                     escape(checked_words(winner)), warnings.empty() ? "" : " Warning: " + escape(warnings) + ".");
}

}  // namespace

Figure correctness_section(const Subject& subject) {
  const std::map<std::string, Checked> kernels = checked_kernels(subject);
  if (kernels.empty()) return {};
  std::int64_t wrong = 0;
  std::optional<double> error;
  for (const auto& [name, kernel] : kernels) {
    wrong += kernel.wrong;
    if (kernel.error) error = std::max(error.value_or(0), *kernel.error);
  }
  std::string finding =
      wrong == 0 ? "No configuration fails" : counted(wrong, "configuration") + (wrong == 1 ? " fails" : " fail");
  if (error == 0.0) finding += ", and every right result is exact";
  if (error.value_or(0) > 0)
    finding += fmt::format(", and no kernel used more than {} % of the error that rounding analysis allows",
                           charts::two_digits(100 * *error));
  const auto open = open_counterexamples(subject);
  return Figure{.id = "correctness",
                .title = "Correctness",
                .finding = escape(finding + "."),
                .body = "<div class=two><div>" + table_of(subject, kernels) + "</div><div>" +
                        certificate(subject.results) + mutants(subject) + (open.empty() ? counterexamples(open) : "") +
                        "</div></div>\n" + (open.empty() ? "" : counterexamples(open)) +
                        wrong_configurations(subject.results)};
}

}  // namespace warpwright::reports
