// Running, printing and recording the suite.
#include "conformance/suite_mode.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>

#include "conformance/counterexamples.hpp"
#include "conformance/junit.hpp"
#include "conformance/remarks.hpp"
#include "db/progress.hpp"
#include "db/text.hpp"
#include "db/vocabulary.hpp"

namespace warpwright::conformance {
namespace {

/// What the executor did in a time, for the end of a line; empty where it did nothing.
std::string work_of(std::uint64_t steps, std::uint64_t threads, double seconds) {
  if (steps == 0 || seconds <= 0) return {};
  constexpr double million = 1e6;
  return fmt::format("; {:.1f} million accesses/s, {:.2f} million threads/s",
                     static_cast<double>(steps) / seconds / million, static_cast<double>(threads) / seconds / million);
}

std::string words_of(const PropertyReport& property) {
  const Verdict verdict = property.verdict();
  if (!property.fault.empty()) return fmt::format("{}: {}", word_of(verdict), property.fault);
  if (!property.ok()) return "FAILED";
  if (verdict == Verdict::not_run) return std::string(word_of(verdict));
  if (property.interrupted) return "interrupted";
  if (verdict == Verdict::skipped) return fmt::format("{}: {}", word_of(verdict), property.skipped);
  if (verdict == Verdict::not_judged)
    return fmt::format("{}: {} (in {} of {} cases)", word_of(verdict), property.not_judged, property.unjudged,
                       property.cases);
  return property.refused > 0 ? fmt::format("passed ({} drawn again)", property.refused) : "passed";
}

void print_property(const PropertyReport& property) {
  fmt::print("{:<28} {:>7} cases  {:>7.1f} s  {:>7.0f} cases/s  {:>6.2f} of the bound  {}{}\n",
             db::printable(property.kernel->full_name()), property.cases, property.seconds,
             property.seconds > 0 ? property.cases / property.seconds : 0.0, property.worst_error_ratio,
             words_of(property), work_of(property.steps, property.threads, property.seconds));
  if (!property.ok())
    fmt::print("  {}: {}\n  as drawn:  {}\n  reproduce: {}\n", word_of(property.failure.verdict),
               property.failure.detail, repro_line(*property.first_failure),
               db::repro_command(property.kernel->file, repro_line(*property.counterexample)));
  for (const std::string& remark : remarks_on(property)) fmt::print("  {}\n", remark);
  std::fflush(stdout);
}

/// For the record.
std::vector<std::string> notes_of(const PropertyReport& property) {
  std::vector<std::string> notes;
  for (const CountedNote& counted : property.notes)
    notes.push_back(fmt::format("{}; {} cases", words_of(*property.kernel, counted.note), counted.cases));
  return notes;
}

/// One run of the mode.
class ModeRun {
 public:
  ModeRun(const Catalogue& catalogue, Bench& bench, SuiteMode& mode)
      : catalogue_(catalogue), bench_(bench), mode_(mode), target_(mode.suite.target) {
    if (mode_.suite.globs.empty()) mode_.suite.globs = {"*"};
    mode_.suite.gpus = bench.gpus;
    mode_.suite.stop = bench.stop;
  }

  SuiteSummary run() {
    if (mode_.store != nullptr) begin_record();
    const bool in_slices = bench_.stop.deadline.has_value();
    report_ = run_suite(catalogue_, bench_.compiler, mode_.suite, [&](const PropertyReport& property) {
      if (property.verdict() != Verdict::not_run && (!in_slices || !property.ok())) print_property(property);
    });
    for (const PropertyReport& property : report_.properties)
      if (in_slices ? property.ok() : property.verdict() == Verdict::not_run) print_property(property);
    SuiteSummary summary{.failures = report_.failures(), .not_run = report_.count(Verdict::not_run)};
    summary.failures += static_cast<int>(std::ranges::count_if(replays_, &Replay::failed));
    summary.not_run += static_cast<int>(std::ranges::count_if(replays_, &Replay::not_run));
    if (mode_.store != nullptr) end_record(summary);
    if (!mode_.junit.empty()) write_junit(mode_.junit, target_, replays_, report_.properties);
    print_end(summary);
    return summary;
  }

 private:
  /// Also runs again what failed before on this target.
  void begin_record() {
    const std::string globs = fmt::format("{}", fmt::join(mode_.suite.globs, " "));
    run_id_ = mode_.store->begin_conformance_run(
        {.command = mode_.command, .target = target_, .glob = globs, .seed = mode_.suite.seed});
    mode_.suite.came = came_before(*mode_.store, target_);
    static const std::atomic<bool> never = false;
    for (const std::string& glob : mode_.suite.globs)
      std::ranges::move(replay_counterexamples(
                            *mode_.store, catalogue_, glob, target_,
                            [&](const Case& test) { return bench_.check_one(catalogue_, test, mode_.suite.strict); },
                            [](const std::string& line) {
                              fmt::print("{}\n", line);
                              std::fflush(stdout);
                            },
                            bench_.stop.asked != nullptr ? *bench_.stop.asked : never),
                        std::back_inserter(replays_));
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
                                     bench_.stop.is_asked()  ? db::ending::interrupted
                                     : bench_.stop.is_late() ? db::ending::out_of_time
                                                             : db::ending::complete,
                                     report_.cases(), summary.failures, refused);
  }

  void print_end(const SuiteSummary& summary) const {
    std::uint64_t steps = 0, threads = 0;
    for (const PropertyReport& property : report_.properties) {
      steps += property.steps;
      threads += property.threads;
    }
    std::vector<std::string> ends;
    if (summary.failures > 0) ends.push_back(fmt::format("{} kernel(s) or stored cases FAILED", summary.failures));
    if (summary.not_run > 0) ends.push_back(fmt::format("{} kernel(s) or stored cases NOT RUN", summary.not_run));
    const int not_judged = report_.count(Verdict::not_judged);
    if (ends.empty())
      ends.push_back(not_judged == 0 ? "all passed"
                                     : fmt::format("nothing is wrong, {} kernel(s) not judged", not_judged));
    fmt::print("{} cases on {} in {:.1f} s ({:.0f} cases/s{}), seed {}: {}{}\n", report_.cases(), target_,
               report_.seconds, report_.seconds > 0 ? report_.cases() / report_.seconds : 0.0,
               work_of(steps, threads, report_.seconds), mode_.suite.seed, fmt::join(ends, ", "),
               bench_.stop.is_asked() ? " (interrupted)" : "");
    for (const PropertyReport& property : report_.properties)
      if (!property.fault.empty())
        fmt::print("This run is not clean: {} was not run, as {}.\n", property.kernel->full_name(), property.fault);
    if (summary.not_run == faults() || bench_.stop.is_asked()) return;
    fmt::print("This run is not clean: its time was over before a first case of what is not run. {}\n",
               mode_.store == nullptr ? "Give more --minutes, or name fewer kernels."
                                      : "The next run that is recorded begins with it; or give more --minutes.");
  }

  int faults() const {
    return static_cast<int>(std::ranges::count_if(
        report_.properties, [](const PropertyReport& property) { return !property.fault.empty(); }));
  }

  const Catalogue& catalogue_;
  Bench& bench_;
  SuiteMode& mode_;
  const std::string target_;
  db::Id run_id_ = 0;
  std::vector<Replay> replays_;
  SuiteReport report_;
};

}  // namespace

SuiteSummary run_suite_mode(const Catalogue& catalogue, Bench& bench, SuiteMode mode) {
  return ModeRun(catalogue, bench, mode).run();
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
