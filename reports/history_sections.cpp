// Page sections on the past: drift, nightly runs, mutants, sessions.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "db/query/progress.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/vocabulary.hpp"
#include "reports/figures.hpp"
#include "reports/html.hpp"
#include "reports/sections.hpp"
#include "reports/sentences.hpp"

namespace warpwright::reports {
namespace {

std::string section(const std::string& id, const std::string& title, const std::string& body) {
  return fmt::format("<section id={}><h2>{}</h2>\n{}</section>\n", id, escape(title), body);
}

// Environment differences between the sessions of the largest change. These sessions stand for all, because the
// environment is the same unless a session ran on several GPUs.
std::vector<Difference> differences_of(const Report& report, const std::vector<Drift>& drifts) {
  return drifts.empty() ? std::vector<Difference>{}
                        : surroundings(report, *drifts.front().before, *drifts.front().after);
}

// Bus rates to the device and to the host: "55.1 / 54.8"; empty if nothing crossed the bus.
Cell bus_of(const db::Session& session) {
  if (!session.bus_to_device_gbs && !session.bus_to_host_gbs) return Cell::figure("");
  return Cell::figure(fmt::format("{} / {}", number(session.bus_to_device_gbs.value_or(0)),
                                  number(session.bus_to_host_gbs.value_or(0))));
}

// Arithmetic rates of float and double in TFLOP/s: "56.2 / 28.1"; empty if not measured.
Cell arithmetic_of(const db::Session& session) {
  if (!session.float_gflops) return Cell::figure("");
  return Cell::figure(
      fmt::format("{} / {}", number(*session.float_gflops / 1e3), number(session.double_gflops.value_or(0) / 1e3)));
}

std::string sign_of(const Drift& drift) {
  if (!drift.comparable()) return drift.apart;
  return drift.change() > 0 ? "slower" : drift.change() < 0 ? "faster" : "same";
}

std::string tone_of_drift(const Drift& drift) {
  if (!drift.comparable() || std::abs(drift.change()) <= 0.01) return "";
  return drift.change() > 0 ? "bad" : "good";
}

std::string_view state_of(const db::Counterexample& one) {
  return one.obsolete ? "obsolete" : one.fixed_at ? "fixed" : "fails";
}

}  // namespace

std::string drift_section(const Report& report, const Architecture& architecture) {
  const std::vector<Drift> found = drifts(architecture);
  std::vector<Difference> differences = differences_of(report, found);
  Table table("Best median of each problem in the newest session and in the one before",
              {"problem", "board", "before \xC2\xB5s", "now \xC2\xB5s", "change", "which is", "settings before",
               "settings now", "session before", "session now"});
  const auto session = [&](const db::TrialView& view) {
    return moment(report.sessions.at(*view.trial.session_id).started_at);
  };
  const auto settings = [](const db::TrialView& view) { return Cell::code(view.settings()); };
  for (const Drift& drift : found) {
    table.add({drift.contest->title(), drift.contest->board.model, drift.before->trial.median_us,
               drift.after->trial.median_us,
               Cell::figure(fmt::format("{:+.1f} %", 100 * drift.change())).with_tone(tone_of_drift(drift)),
               sign_of(drift), settings(*drift.before), settings(*drift.after), session(*drift.before),
               session(*drift.after)});
  }
  std::ranges::stable_sort(differences, std::greater(), &Difference::differs);
  Table environments("Surroundings of the two sessions of the first row", {"what", "before", "now", "which is"});
  for (const Difference& difference : differences) {
    environments.add({difference.name, difference.before, difference.after, difference.differs ? "differs" : "same"});
  }
  const std::vector<NewFailure> failures = new_failures(report);
  Table failing("New failures", {"what", "finding", "to see it"});
  failing.with("id=failures");
  for (const NewFailure& failure : failures) {
    failing.add({failure.what, Cell(shortened(failure.detail, 300)).with_tone("bad"), Cell::code(failure.repro)});
  }
  return section("drift", "What changed since the last session",
                 paragraph(drift_sentence(found, differences)) + table.html() + environments.html() +
                     paragraph(failures_sentence(failures)) + failing.html());
}

std::string nightly_section(const Report& report) {
  if (report.runs.empty() && report.counterexamples.empty()) return "";
  Table runs("Runs of conform, oldest first",
             {"started", "target", "kernels", "seed", "cases", "failures", "cases / s", "refused", "ended"});
  runs.with("id=nightly-runs");
  for (const db::ConformanceRun& run : report.runs) {
    runs.add({moment(run.started_at), run.target, run.glob, Cell::figure(std::to_string(run.seed)), run.cases,
              Cell(run.failures).with_tone(run.failures > 0 ? "bad" : ""), run.cases_per_second, run.refused,
              run.ended_how.value_or("not ended")});
  }
  Table came("How far each kernel came in the newest run on each target, where that ended early",
             {"target", "kernel", "cases", "what came of it"});
  std::map<std::string, const db::ConformanceRun*> newest;
  for (const db::ConformanceRun& run : report.runs) newest[run.target] = &run;
  for (const auto& [target, run] : newest)
    for (const db::KernelProgress& one : db::unfinished(*run))
      came.add({target, one.kernel, one.cases, Cell(one.verdict).with_tone(one.cases == 0 ? "warn" : "")});
  Table counterexamples("Counterexamples",
                        {"kernel", "state", "finding", "reproduce with", "first seen", "last seen", "times", "fixed"});
  for (const char* state : {"fails", "fixed", "obsolete"}) {
    for (const db::Counterexample& one : report.counterexamples) {
      if (state_of(one) != state) continue;
      const std::string finding = one.obsolete ? one.detail + "; not replayed: " + *one.obsolete : one.detail;
      counterexamples.add({one.pattern + "/" + one.kernel, Cell(state).with_tone(state_of(one) == "fails" ? "bad" : ""),
                           shortened(finding, 300), Cell::code(repro_command(one.file, one.repro)),
                           moment(one.first_seen), moment(one.last_seen), one.times_seen,
                           one.fixed_at ? moment(*one.fixed_at) : ""});
    }
  }
  std::string charts;
  if (report.runs.size() > 1) {
    charts = "<div class=pair>\n" +
             figure("lines", "Cases of each run", "data-table=nightly-runs data-x=0 data-value=4 data-by=1") +
             figure("lines", "Failures of each run", "data-table=nightly-runs data-x=0 data-value=5 data-by=1") +
             figure("lines", "Cases per second", "data-table=nightly-runs data-x=0 data-value=6 data-by=1") +
             "</div>\n";
  }
  return section("nightly", "Nightly runs",
                 paragraph(nightly_sentence(report)) + runs.html() + charts + came.html() + counterexamples.html());
}

std::string mutants_section(const Report& report, bool every) {
  if (report.mutants.empty()) return "";
  using namespace outcome;
  // Counts of verdicts by rule and tool.
  std::map<std::pair<std::string, std::string>, std::map<std::string_view, std::int64_t>> outcomes;
  for (const db::Mutant& mutant : report.mutants) ++outcomes[{mutant.rule, mutant.tool}][mutant.outcome];
  Table rules("Mutants by rule", {"rule", "tool", "killed", "survived", "equivalent", "not compiled", "not modelled"});
  for (auto& [key, count] : outcomes) {
    rules.add({key.first, key.second, count[killed], Cell(count[survived]).with_tone(count[survived] > 0 ? "warn" : ""),
               count[equivalent], count[not_compiled], count[not_modelled]});
  }
  Table all("Every mutant, survivors first",
            {"kernel", "rule", "where", "change", "tool", "outcome", "how", "finding or reason", "seconds"});
  for (const bool survivors : {true, false}) {
    for (const db::Mutant& mutant : report.mutants) {
      if ((mutant.outcome == survived) != survivors) continue;
      all.add({mutant.kernel, mutant.rule, Cell::code(fmt::format("{}:{}", mutant.file, mutant.line)),
               Cell::code(mutant.change), mutant.tool, Cell(mutant.outcome).with_tone(survivors ? "warn" : ""),
               mutant.how, shortened(mutant.detail, 200), mutant.seconds});
    }
  }
  return section("mutants", "Mutants",
                 paragraph(mutants_sentence(report)) + rules.html() +
                     (every ? "<details><summary>Every mutant</summary>\n" + all.html() + "</details>\n"
                            : "<p><a href=\"index.html#mutants\">Every mutant</a></p>\n"));
}

std::string sessions_section(const Report& report, const Architecture& architecture) {
  Table table("Sessions that tuned for this architecture, newest first",
              {"started", "command", "strategy", "seed", "budget", "ended", "warpwright", "GPU and driver", "copy GB/s",
               "read GB/s", "bus GB/s", "arithmetic TFLOP/s", "SM MHz", "W", "C", "warnings"});
  std::map<db::Id, std::string> machines;
  for (const Contest& contest : architecture.contests) {
    for (const db::TrialView& view : contest.trials) {
      const auto environment = report.environments.find(view.trial.environment_id.value_or(0));
      if (!view.trial.session_id || environment == report.environments.end()) continue;
      std::string text = contest.board.model;
      if (!environment->second.driver.empty()) text += ", driver " + environment->second.driver;
      if (!environment->second.cuda.empty()) text += ", CUDA " + environment->second.cuda;
      machines[*view.trial.session_id] = text;
    }
  }
  for (auto session = architecture.sessions.rbegin(); session != architecture.sessions.rend(); ++session) {
    const auto machine = machines.find(session->id);
    table.add({moment(session->started_at), Cell::code(session->command), session->strategy,
               Cell::figure(std::to_string(session->seed)), session->budget, session->ended_how.value_or("not ended"),
               session->program_version, machine == machines.end() ? "" : machine->second, session->copy_gbs,
               session->read_gbs, bus_of(*session), arithmetic_of(*session), session->sm_clock_mhz, session->power_w,
               session->temperature_c, session->warnings});
  }
  if (table.empty()) return "";
  const db::Session& newest = architecture.sessions.back();
  return section("sessions", "Sessions",
                 paragraph(fmt::format("{} tuned for {}; the newest began at {} and {}.",
                                       counted(std::ssize(architecture.sessions), "session"), architecture.name,
                                       moment(newest.started_at),
                                       newest.ended_how ? "is " + *newest.ended_how : "has not ended")) +
                     table.html());
}

}  // namespace warpwright::reports
