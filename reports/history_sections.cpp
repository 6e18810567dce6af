// Writes the history sections of the index: changes, nightly runs, mutants, sessions.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "db/query/progress.hpp"
#include "kernels/core/shape.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/vocabulary.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/html.hpp"
#include "reports/parts.hpp"
#include "reports/sections.hpp"

namespace warpwright::reports {
namespace {

constexpr std::size_t survivors_shown = 100;

// Two rates, such as those to the device and to the host: "55.1 / 54.8"; empty if neither is known.
Cell both(const std::optional<double>& first, const std::optional<double>& second, double unit = 1) {
  if (!first && !second) return Cell::figure("");
  const auto text = [&](const std::optional<double>& rate) { return rate ? number(*rate / unit) : "not known"; };
  return Cell::figure(fmt::format("{} / {}", text(first), text(second)));
}

std::string sign_of(const Drift& drift) {
  if (!drift.comparable()) return drift.apart;
  return drift.change() > noise ? "slower" : drift.change() < -noise ? "faster" : "the same";
}

std::string tone_of_drift(const std::string& sign) {
  return sign == "slower" ? "warn" : sign == "faster" || sign == new_best ? "good" : "";
}

std::string_view state_of(const db::Counterexample& one) {
  return is_open(one) ? "open" : one.obsolete ? "obsolete" : "fixed";
}

// The differences between the environments of two sessions, in words.
std::string surroundings_text(const Report& report, const Drift& drift) {
  std::string text;
  for (const Difference& one : surroundings(report, *drift.before, *drift.after))
    if (one.differs)
      text += fmt::format("{}{} {} \u2192 {}", text.empty() ? "" : "; ", one.name, shortened(one.before, 40),
                          shortened(one.after, 40));
  return text.empty() ? "nothing that is recorded" : text;
}

}  // namespace

Figure changes_section(const Summaries& summaries) {
  const Report& report = summaries.report;
  std::vector<Drift> all;
  for (const ArchitectureSummary& one : summaries.architectures)
    all.insert(all.end(), one.drifts.begin(), one.drifts.end());
  Table table("Best time of each problem before and after the newest session on its board",
              {"problem", "board", "before \u00B5s", "now \u00B5s", "change", "which is", "params now"});
  std::map<std::string, std::int64_t> signs;
  std::vector<std::string> new_bests;
  std::map<std::string, std::string> differences;  // by board
  for (const Drift& drift : all) {
    const std::string sign = sign_of(drift);
    ++signs[sign];
    if (sign == new_best)
      new_bests.push_back(fmt::format("{} {} {}", drift.results->problem.pattern,
                                      charts::with_powers(short_shape(drift.results->problem.shape)),
                                      charts::change_text(drift.change())));
    std::string& words = differences[drift.results->board.model];
    if (words.empty())
      words = fmt::format(" Between the sessions on {} differ: {}.", drift.results->board.model,
                          surroundings_text(report, drift));
    table.add({Cell::markup(fmt::format("<a href=\"{}\">{}</a>", drift.results->file(),
                                        escape(charts::with_powers(drift.results->title())))),
               drift.results->board.model, Cell::figure(charts::time_us(*drift.before->time_us())),
               Cell::figure(charts::time_us(*drift.after->time_us())),
               Cell::figure(charts::change_text(drift.change())).with_tone(tone_of_drift(sign)), sign,
               Cell::code(drift.after->settings())});
  }
  Table failing("New failures", {"what", "finding", "to see it"});
  const std::vector<NewFailure>& failures = summaries.new_failures;
  for (const NewFailure& failure : failures)
    failing.add({failure.what, Cell(finding_of(failure.detail)).with_tone("bad"), Cell::code(failure.repro)});
  if (all.empty() && failures.empty()) return {};
  std::string finding = all.empty()
                            ? "No best has a new time."
                            : fmt::format(
                                  "Of {} whose best has a new time, {} got slower by more than {:.0f} "
                                  "%, {} faster with the params of before.",
                                  counted(std::ssize(all), "problem"), signs["slower"], 100 * noise, signs["faster"]);
  if (!new_bests.empty())
    finding +=
        fmt::format(" {} a new best: {}.", new_bests.size() == 1 ? "1 has" : fmt::format("{} have", new_bests.size()),
                    listed(new_bests, 6));
  finding += fmt::format(
      " {}.", failures.empty() ? "Nothing fails that did not before" : counted(std::ssize(failures), "new failure"));
  for (const auto& [board, words] : differences) finding += words;
  return Figure{.id = "changes",
                .title = "What changed since last time",
                .finding = escape(finding),
                .body = failing.html() + (all.size() > 8 ? details("The problems", table.html()) : table.html())};
}

Figure nights_section(const Report& report) {
  if (report.runs.empty() && report.counterexamples.empty()) return {};
  Table runs("Runs of conform, newest first",
             {"started", "target", "kernels", "seed", "cases", "failures", "cases / s", "refused", "ended"});
  std::int64_t cases = 0;
  for (auto run = report.runs.rbegin(); run != report.runs.rend(); ++run) {
    cases += run->cases;
    runs.add({moment(run->started_at), run->target, run->glob, Cell::figure(std::to_string(run->seed)), run->cases,
              Cell(run->failures).with_tone(run->failures > 0 ? "bad" : ""), run->cases_per_second, run->refused,
              run->ended_how.value_or("not ended")});
  }
  Table unfinished("How far each kernel came in the newest run on each target, where that ended early",
                   {"target", "kernel", "cases", "verdict"});
  for (const auto& [target, run] : newest_runs(report))
    for (const db::KernelProgress& one : db::unfinished(*run))
      unfinished.add({target, one.kernel, one.cases, Cell(one.verdict).with_tone(one.cases == 0 ? "warn" : "")});
  Table counterexamples("Counterexamples",
                        {"kernel", "state", "finding", "reproduce with", "first seen", "last seen", "times"});
  std::map<std::string_view, std::int64_t> states;
  for (const char* state : {"open", "fixed", "obsolete"}) {
    for (const db::Counterexample& one : report.counterexamples) {
      if (state_of(one) != state) continue;
      ++states[state];
      const std::string finding = finding_of(one.detail) + (one.obsolete ? "; not replayed: " + *one.obsolete : "");
      counterexamples.add({one.pattern + "/" + one.kernel, Cell(state).with_tone(is_open(one) ? "bad" : ""),
                           shortened(finding, 400), Cell::code(repro_command(one.file, one.repro)),
                           Cell::figure(moment(one.first_seen)), Cell::figure(moment(one.last_seen)), one.times_seen});
    }
  }
  return Figure{.id = "nights",
                .title = "Nights",
                .finding = fmt::format("{}. Counterexamples: {} open, {} fixed, {} that can no longer be replayed.",
                                       report.runs.empty()
                                           ? "No run of conform is stored"
                                           : fmt::format("{} of conform, {}", counted(std::ssize(report.runs), "run"),
                                                         counted(cases, "case")),
                                       states["open"], states["fixed"], states["obsolete"]),
                .body = counterexamples.html() + runs.html() + details("Unfinished kernels", unfinished.html())};
}

Figure mutants_section(const Report& report) {
  if (report.mutants.empty()) return {};
  using namespace outcome;
  const charts::MutantsBar bar = mutants_of(report);
  std::map<std::pair<std::string, std::string>, std::map<std::string_view, std::int64_t>> outcomes;  // by rule and tool
  for (const db::Mutant& mutant : report.mutants) ++outcomes[{mutant.rule, mutant.tool}][mutant.outcome];
  Table rules("By rule", {"rule", "tool", "killed", "survived", "equivalent", "not compiled", "not modelled"});
  for (auto& [key, count] : outcomes)
    rules.add({key.first, key.second, count[killed], Cell(count[survived]).with_tone(count[survived] > 0 ? "warn" : ""),
               count[equivalent], count[not_compiled], count[not_modelled]});
  Table survivors("Mutants that survived", {"kernel", "rule", "where", "change", "tool"});
  for (const db::Mutant& mutant : report.mutants) {
    if (mutant.outcome != survived || survivors.size() == survivors_shown) continue;
    survivors.add({mutant.kernel, mutant.rule, Cell::code(fmt::format("{}:{}", mutant.file, mutant.line)),
                   Cell::code(mutant.change), mutant.tool});
  }
  return Figure{
      .id = "mutants",
      .title = "Mutants",
      .finding = fmt::format("{} of {} survived.", bar.survived, counted(std::ssize(report.mutants), "mutant")),
      .body = charts::mutants_bar(bar) + survivors.html() + details("By rule", rules.html())};
}

charts::MutantsBar mutants_of(const Report& report, const std::string& pattern) {
  charts::MutantsBar bar;
  for (const db::Mutant& mutant : report.mutants) {
    if (!pattern.empty() && !mutant.kernel.starts_with(pattern + "/")) continue;
    ++(mutant.outcome == outcome::killed       ? bar.killed
       : mutant.outcome == outcome::survived   ? bar.survived
       : mutant.outcome == outcome::equivalent ? bar.equivalent
                                               : bar.undecided);
  }
  return bar;
}

std::map<db::Id, std::string> machines_of(const Report& report) {
  std::map<db::Id, std::string> machines;
  for (const Architecture& architecture : report.architectures) {
    for (const ProblemResults& results : architecture.problems) {
      for (const db::TrialView& view : results.trials) {
        const auto environment = report.environments.find(view.trial.environment_id.value_or(0));
        if (!view.trial.session_id || machines.contains(*view.trial.session_id)) continue;
        std::string& text = machines[*view.trial.session_id] = results.board.model;
        if (environment == report.environments.end()) continue;
        if (!environment->second.driver.empty()) text += ", driver " + environment->second.driver;
        if (!environment->second.cuda.empty()) text += ", CUDA " + environment->second.cuda;
      }
    }
  }
  return machines;
}

Figure sessions_section(const Report& report) {
  Table table("Sessions of tune, newest first",
              {"started", "target", "command", "strategy", "budget", "ended", "GPU and driver", "copy GB/s",
               "read GB/s", "bus GB/s", "TFLOP/s", "SM MHz", "W", "\u00B0C", "warnings"});
  const std::map<db::Id, std::string> machines = machines_of(report);
  std::vector<const db::Session*> sessions;
  for (const auto& [id, session] : report.sessions)
    if (machines.contains(id)) sessions.push_back(&session);
  std::ranges::stable_sort(sessions, std::greater(), &db::Session::started_at);
  for (const db::Session* session : sessions)
    table.add({moment(session->started_at), session->target, Cell::code(session->command), session->strategy,
               session->budget, session->ended_how.value_or("not ended"), machines.at(session->id), session->copy_gbs,
               session->read_gbs, both(session->bus_to_device_gbs, session->bus_to_host_gbs),
               both(session->float_gflops, session->double_gflops, 1e3), session->sm_clock_mhz, session->power_w,
               session->temperature_c, session->warnings});
  if (sessions.empty()) return {};
  const bool rates = std::ranges::any_of(sessions, [](const db::Session* one) { return one->copy_gbs.has_value(); });
  return Figure{.id = "sessions",
                .title = "Sessions",
                .finding = rates
                               ? "Rates are those measured in the session; bus: to the device / to the host, TFLOP/s: "
                                 "float / double."
                               : "",
                .body = table.html()};
}

}  // namespace warpwright::reports
