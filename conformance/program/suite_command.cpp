// Runs, prints and records the suite.
#include "conformance/program/suite_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <map>
#include <mutex>
#include <utility>

#include "conformance/checks/checker.hpp"
#include "conformance/checks/oracle_answer.hpp"
#include "conformance/program/junit.hpp"
#include "conformance/program/refused_jobs.hpp"
#include "conformance/program/sarif.hpp"
#include "conformance/program/status_line.hpp"
#include "conformance/program/suite_data.hpp"
#include "conformance/properties/remarks.hpp"
#include "conformance/suite/counterexamples.hpp"
#include "db/query/progress.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/vocabulary.hpp"
#include "kernels/system/say.hpp"

namespace warpwright::conformance {
namespace {

/// Tolerated findings and what the audit found, in words, for the database.
std::vector<std::string> notes_of(const PropertyReport& property) {
  std::vector<std::string> notes;
  for (const CountedTolerated& counted : property.tolerated)
    notes.push_back(fmt::format("{}; {} cases", describe(*property.kernel, counted.finding), counted.cases));
  std::ranges::move(property.audit.warnings(), std::back_inserter(notes));
  return notes;
}

std::vector<std::string> names_of(const std::vector<const Kernel*>& kernels) {
  std::vector<std::string> names;
  for (const Kernel* kernel : kernels) names.push_back(kernel->full_name());
  return names;
}

/// One run of the command.
class CommandRun {
 public:
  CommandRun(const Catalogue& catalogue, worker::BuildService& build, SuiteCommand& mode)
      : catalogue_(catalogue),
        build_(build),
        mode_(mode),
        target_(mode.suite.target),
        table_(names_of(catalogue.matching(mode.suite.globs)), screen_of(STDOUT_FILENO)) {
    if (mode_.suite.globs.empty()) mode_.suite.globs = {"*"};
    mode_.suite.stop = build.stop;
  }

  SuiteSummary run() {
    // At once, since the first row may take seconds.
    if (is_text()) fmt::print("{}\n", table_.header());
    std::fflush(stdout);
    refuse_wrong_oracles();
    if (mode_.store != nullptr) begin_record();
    const bool in_slices = build_.stop.deadline.has_value();
    run_kernels(in_slices);
    for (const PropertyReport& property : report_.properties)
      if (in_slices ? property.ok() : property.verdict() == Verdict::not_run) print_property(property);
    SuiteSummary summary{
        .failures = report_.failures(), .not_run = report_.count(Verdict::not_run), .refused = mode_.refused};
    summary.failures += static_cast<int>(std::ranges::count_if(replays_, &Replay::failed));
    summary.not_run += static_cast<int>(std::ranges::count_if(replays_, &Replay::not_run));
    for (const PropertyReport& property : report_.properties)
      if (!property.ok() && property.failure.verdict == Verdict::not_compiled && !property.kernel->file.empty())
        summary.not_compiled.push_back(property.kernel->file);
    if (mode_.store != nullptr) end_record(summary);
    const SuiteResults results = results_of();
    for (const auto& one : results.kernels)
      if (one.report.ok() && one.report.fault.empty() && has_error(one.diagnostics))
        summary.asked_for.push_back(one.report.kernel->full_name());
    write_files(results);
    if (is_text())
      fmt::print("{}\n", summary_of(report_, replays_, mode_.refused.size(), target_, mode_.suite.seed));
    else
      fmt::print("{}", data_of(results, mode_.form));
    if (mode_.verbose && is_text()) print_rates();
    std::fflush(stdout);
    say_what_is_missing(summary);
    return summary;
  }

 private:
  void run_kernels(bool in_slices) {
    std::mutex mutex;
    SuiteProgress progress{.kernels = catalogue_.matching(mode_.suite.globs).size()};
    std::map<const Kernel*, int> cases;
    const auto begin = Stop::Clock::now();
    const auto seconds = [](Stop::Clock::duration time) { return std::chrono::duration<double>(time).count(); };
    const StatusLine status([&, end = build_.stop.deadline] {
      const std::scoped_lock lock(mutex);
      const auto now = Stop::Clock::now();
      progress.seconds = seconds(now - begin);
      if (end) progress.seconds_left = std::max(0.0, seconds(*end - now));
      return progress_text(progress);
    });
    report_ = run_suite(catalogue_, build_.compiler, mode_.suite, [&](const PropertyReport& property) {
      {
        const std::scoped_lock lock(mutex);
        ++progress.done;
        if (!property.ok()) ++progress.failed;
        progress.cases += property.cases - std::exchange(cases[property.kernel], property.cases);
      }
      if (property.verdict() != Verdict::not_run && (!in_slices || !property.ok())) print_property(property);
    });
  }

  /// Begins the record, and runs stored counterexamples of this target again.
  void begin_record() {
    const std::string globs = fmt::format("{}", fmt::join(mode_.suite.globs, " "));
    run_id_ = mode_.store->begin_conformance_run(
        {.command = mode_.command, .target = target_, .glob = globs, .seed = mode_.suite.seed});
    mode_.suite.came = came_before(*mode_.store, target_);
    static const std::atomic<bool> never = false;
    for (const std::string& glob : mode_.suite.globs)
      std::ranges::move(replay_counterexamples(
                            *mode_.store, catalogue_, glob, target_,
                            [&](const Case& test) {
                              return check_one(catalogue_, build_, mode_.suite.gpus, test, mode_.suite.strict);
                            },
                            [this](const std::string& line) {
                              std::FILE* const out = is_text() ? stdout : stderr;
                              fmt::print(out, "{}\n", line);
                              std::fflush(out);
                            },
                            build_.stop.asked != nullptr ? *build_.stop.asked : never),
                        std::back_inserter(replays_));
    for (const Replay& replay : replays_)
      if (replay.failed() && is_text()) fmt::print("{}", text_of(diagnostic_of(catalogue_, replay)));
    std::fflush(stdout);
  }

  void end_record(const SuiteSummary& summary) {
    std::int64_t refused = 0;
    for (const PropertyReport& property : report_.properties) {
      refused += property.refused;
      if (!property.ok()) store_counterexample(*mode_.store, *property.counterexample, property.failure.detail);
    }
    const auto runs = mode_.store->conformance_runs();
    db::ConformanceRun record = *std::ranges::find(runs, run_id_, &db::ConformanceRun::id);
    record.cases_per_second = report_.seconds > 0 ? report_.cases() / report_.seconds : 0;
    record.progress = progress_json(report_.properties);
    mode_.store->update_conformance_run(run_id_, record);
    mode_.store->end_conformance_run(run_id_,
                                     build_.stop.is_asked()  ? ending::interrupted
                                     : build_.stop.is_late() ? ending::out_of_time
                                                             : ending::complete,
                                     report_.cases(), summary.failures, refused);
  }

  void refuse_wrong_oracles() {
    const auto kernels = catalogue_.matching(mode_.suite.globs);
    std::vector<const Pattern*> patterns;
    for (const Kernel* kernel : kernels)
      if (!kernel->file.empty()) patterns.push_back(&catalogue_.pattern(kernel->pattern));
    const std::vector<WrongOracle> wrong = wrong_oracles(patterns, build_.compiler);
    if (wrong.empty()) return;
    std::vector<std::string> left;
    std::vector<job::RefusedJob> refused;
    for (const Kernel* kernel : kernels) {
      const auto found =
          std::ranges::find(wrong, kernel->pattern, [](const WrongOracle& one) { return one.pattern->name; });
      if (found == wrong.end())
        left.push_back(kernel->full_name());
      else
        refused.push_back({.file = kernel->file, .why = found->why});
    }
    if (left.empty()) {
      std::vector<std::string> all;
      for (const job::RefusedJob& one : refused) all.push_back(one.why);
      throw std::invalid_argument(fmt::format("{}", fmt::join(all, "\n")));
    }
    fmt::print(stderr, "{}", describe(refused));
    mode_.suite.globs = left;
    std::ranges::move(refused, std::back_inserter(mode_.refused));
  }

  bool is_text() const { return mode_.form == Form::text; }

  void print_property(const PropertyReport& property) {
    if (!is_text()) return;
    std::string text = table_.row(property) + "\n";
    for (const Diagnostic& one : diagnostics_of(catalogue_, property, mode_.fail_on))
      text += text_of(one, mode_.verbose);
    for (const std::string& caveat : property.warnings())
      if (!mode_.fail_on.has_warning(caveat)) text += wrapped("  warning: " + printable(caveat), 100, 4);
    if (mode_.verbose)
      for (const std::string& line : verbose_lines(property)) text += wrapped("  " + printable(line), 100, 6);
    program::print(text);
  }

  SuiteResults results_of() const {
    SuiteResults results{.target = target_,
                         .seed = mode_.suite.seed,
                         .seconds = report_.seconds,
                         .complete = !build_.stop.is_asked(),
                         .stored = {},
                         .kernels = {},
                         .refused = {}};
    for (const job::RefusedJob& refused : mode_.refused)
      results.refused.push_back({refused.file, diagnostic_of(refused)});
    for (const Replay& replay : replays_) {
      results.stored.push_back({.replay = replay, .diagnostics = {}});
      if (replay.failed()) results.stored.back().diagnostics.push_back(diagnostic_of(catalogue_, replay));
    }
    for (const PropertyReport& property : report_.properties)
      results.kernels.push_back({property, diagnostics_of(catalogue_, property, mode_.fail_on)});
    return results;
  }

  void write_files(const SuiteResults& results) const {
    if (!mode_.junit.empty()) write_junit(mode_.junit, results);
    if (mode_.sarif.empty()) return;
    std::vector<Diagnostic> all;
    for (const auto& one : results.stored) std::ranges::copy(one.diagnostics, std::back_inserter(all));
    for (const auto& one : results.kernels) std::ranges::copy(one.diagnostics, std::back_inserter(all));
    for (const auto& one : results.refused) all.push_back(one.diagnostic);
    write_sarif(mode_.sarif, {.target = target_, .complete = results.complete, .diagnostics = all}, catalogue_);
  }

  void print_rates() const {
    std::uint64_t steps = 0, threads = 0;
    for (const PropertyReport& property : report_.properties) {
      steps += property.steps;
      threads += property.threads;
    }
    const std::string rate = rate_of(steps, threads, report_.seconds);
    fmt::print("{:.3g} cases/s{}{}\n", report_.seconds > 0 ? report_.cases() / report_.seconds : 0.0,
               rate.empty() ? "" : ", ", rate);
  }

  void say_what_is_missing(const SuiteSummary& summary) const {
    if (build_.stop.is_asked()) fmt::print(stderr, "conform: interrupted: what was found until then is kept\n");
    for (const PropertyReport& property : report_.properties)
      if (!property.fault.empty())
        fmt::print(stderr, "conform: this run is not clean: {} was not run, as {}\n", property.kernel->full_name(),
                   property.fault);
    if (!summary.asked_for.empty())
      fmt::print(stderr, "conform: exit code 1 because of {}, as asked by {}\n", fmt::join(summary.asked_for, ", "),
                 fmt::join(mode_.fail_on.options(), " and "));
    if (summary.not_run == faults() || build_.stop.is_asked()) return;
    fmt::print(stderr, "conform: this run is not clean: its time was over before a first case of what is not run. {}\n",
               mode_.store == nullptr ? "Give more --minutes, or name fewer kernels."
                                      : "The next run that is recorded begins with it; or give more --minutes.");
  }

  int faults() const {
    return static_cast<int>(std::ranges::count_if(
        report_.properties, [](const PropertyReport& property) { return !property.fault.empty(); }));
  }

  const Catalogue& catalogue_;
  worker::BuildService& build_;
  SuiteCommand& mode_;
  const std::string target_;
  db::Id run_id_ = 0;
  const SuiteTable table_;
  std::vector<Replay> replays_;
  SuiteReport report_;
};

}  // namespace

SuiteSummary run_suite_command(const Catalogue& catalogue, worker::BuildService& build, SuiteCommand mode) {
  return CommandRun(catalogue, build, mode).run();
}

CaseResult check_one(const Catalogue& catalogue, worker::BuildService& build, const std::vector<GpuTarget>& gpus,
                     const Case& test, bool strict) {
  worker::Process process(build.stop);
  const CheckerOptions options{.strict = strict, .in_words = true};
  Checker checker = gpus.empty() ? Checker(catalogue, process, build.compiler, options)
                                 : Checker(catalogue, process, build.compiler, gpus.front(), options);
  CaseResult result = checker.check(test);
  result.detail += checker.tolerance_of(test, result);
  return result;
}

std::map<std::string, std::int64_t> came_before(const db::Store& store, const std::string& target) {
  std::map<std::string, std::int64_t> came;
  for (const db::ConformanceRun& run : store.conformance_runs())
    if (run.target == target)
      for (const db::KernelProgress& kernel : db::progress_of(run)) came[kernel.kernel] = kernel.cases;
  return came;
}

std::string progress_json(const std::vector<PropertyReport>& properties) {
  std::vector<db::KernelProgress> progress;
  for (const PropertyReport& property : properties)
    progress.push_back({.kernel = property.kernel->full_name(),
                        .cases = property.cases,
                        .verdict = std::string(word_of(property.verdict())),
                        .notes = notes_of(property)});
  return db::progress_text(progress);
}

}  // namespace warpwright::conformance
