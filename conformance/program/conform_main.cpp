// The program `conform`: checks whether every configuration of a kernel is correct on every shape.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <random>

#include "conformance/checks/case_result.hpp"
#include "conformance/program/command_line.hpp"
#include "conformance/program/listing.hpp"
#include "conformance/program/mutants_command.hpp"
#include "conformance/program/refused_jobs.hpp"
#include "conformance/program/sanitizer.hpp"
#include "conformance/program/sanitizer_tool.hpp"
#include "conformance/program/suite_command.hpp"
#include "conformance/properties/functions.hpp"
#include "conformance/properties/remarks.hpp"
#include "conformance/suite/calibration.hpp"
#include "conformance/suite/find_gpus.hpp"
#include "conformance/suite/known_names.hpp"
#include "db/store/store.hpp"
#include "kernels/core/text.hpp"
#include "kernels/job/jobs.hpp"
#include "kernels/job/questions.hpp"
#include "kernels/model/shard.hpp"
#include "kernels/system/command_line.hpp"
#include "kernels/system/output_file.hpp"

namespace {

namespace ww = warpwright;
namespace conf = warpwright::conformance;
namespace program = warpwright::program;

/// One year, as the longest possible run.
constexpr double kMostMinutes = 60 * 24 * 366;

using conf::Options;

/// The deadline and the interrupt flag that end the command.
ww::Stop stop_of(const Options& options) {
  ww::Stop stop{.asked = &program::interrupted()};
  if (options.minutes > 0)
    stop.deadline = ww::Stop::Clock::now() +
                    std::chrono::duration_cast<ww::Stop::Clock::duration>(
                        std::chrono::duration<double, std::ratio<60>>(std::min(options.minutes, kMostMinutes)));
  return stop;
}

int reproduce(const Options& options) {
  conf::require_kernel_of(options.catalogue(), options.repro);
  const conf::Case test = conf::parse_repro(options.catalogue(), options.repro);
  ww::worker::BuildService build(options.catalogue().sources(), options.cache, stop_of(options));
  const auto gpus = conf::find_gpus(build, test.target);
  const conf::CaseResult result = conf::check_one(options.catalogue(), build, gpus, test, options.is_strict());
  fmt::print("{}\n", conf::repro_line(test));
  if (result.is_right() && result.verdict != ww::Verdict::not_modelled)
    fmt::print("passed, {:.2f} of the bound\n", result.error_ratio);
  else if (is_refused(result.verdict))
    fmt::print("{}: {}\n", word_of(result.verdict), result.detail);
  else
    fmt::print("{}", conf::text_of(conf::diagnostic_of(options.catalogue(), test, result)));
  for (const conf::Tolerated& finding : result.tolerated) fmt::print("  {}\n", conf::describe(*test.kernel, finding));
  const bool is_wrong_source = result.verdict == ww::Verdict::not_compiled && !test.kernel->file.empty();
  if (is_refused(result.verdict) || is_wrong_source) return program::kUsage;
  return result.is_right() ? program::kDone : program::kWrong;
}

/// Whether the run is one of a series of nightly runs: the database knows what has not run for longest, and the next
/// run begins with that.
bool is_night(const Options& options) {
  return options.nightly || options.mutants_tier == "nightly";
}

/// Whether the run checks kernels on new cases, and does nothing else.
bool is_suite(const Options& options) {
  return !options.mutants && !options.sanitizer && !options.calibrate && options.repro.empty();
}

/// From the number of failures and the number of things that there was no time for.
int exit_code(const Options& options, int wrong, int not_run) {
  if (wrong > 0) return program::kWrong;
  if (not_run == 0) return program::kDone;
  return is_night(options) ? program::kOutOfTime : program::kWrong;
}

/// The database to record the run in; null if none is requested.
std::unique_ptr<ww::db::Store> open_store(const Options& options) {
  if (!is_night(options) && options.db.empty()) return nullptr;
  return std::make_unique<ww::db::Store>(options.db.empty() ? ww::db::default_path()
                                                            : std::filesystem::path(options.db));
}

ww::Form form_of(const Options& options) {
  return options.csv ? ww::Form::csv : options.json ? ww::Form::json : ww::Form::text;
}

/// In which a kernel of a job is checked at least: many are done with the usual number of cases in a fraction of it.
std::chrono::duration<double> least_time(const Options& options) {
  constexpr std::chrono::seconds least{3};
  const bool is_short = options.cases < conf::SuiteOptions{}.cases || !ww::is_host(options.target);
  return is_short ? std::chrono::seconds(0) : least;
}

int run(Options& options, const std::string& command) {
  // Different cases every night, unless a seed is given.
  if (options.nightly && !options.seed_given) options.seed = std::random_device{}();
  const auto store = open_store(options);
  ww::worker::BuildService build(options.catalogue().sources(), options.cache, stop_of(options));
  const auto gpus = conf::find_gpus(build, options.target, options.devices);
  if (const std::string words = conf::announcement(options.catalogue().matching(options.globs).size(), options);
      !words.empty())
    fmt::print(stderr, "conform: {}\n", words);
  conf::FailOn fail_on = conf::fail_on(options.fail_on);
  fail_on.no_oracle = options.require_oracle;
  const conf::SuiteSummary summary =
      conf::run_suite_command(options.catalogue(), build,
                              {.suite = {.globs = options.globs,
                                         .target = gpus.empty() ? options.target : gpus.front().device.arch(),
                                         .cases = options.cases,
                                         .seed = options.seed,
                                         .points = options.nightly && !options.points_given ? 0 : options.points,
                                         .max_steps = options.max_steps,
                                         // Fewer cases than usual ask for a short run.
                                         .samples_tuned_shapes = options.cases >= conf::SuiteOptions{}.cases,
                                         .least = least_time(options),
                                         .strict = options.is_strict(),
                                         .jobs = options.jobs,
                                         .gpus = gpus},
                               .command = command,
                               .store = store.get(),
                               .junit = options.junit,
                               .sarif = options.sarif,
                               .fail_on = fail_on,
                               .refused = options.own->refused(),
                               .verbose = options.verbose,
                               .form = form_of(options)});
  if (!summary.refused.empty()) {
    fmt::print(stderr, "conform: exit code {}: {}\n", int{program::kUsage}, conf::reminder_of(summary.refused));
    return program::kUsage;
  }
  if (!summary.not_compiled.empty()) {
    fmt::print(stderr, "conform: exit code {}: the source of {} does not compile\n", int{program::kUsage},
               fmt::join(summary.not_compiled, ", "));
    return program::kUsage;
  }
  return exit_code(options, summary.failures + static_cast<int>(summary.asked_for.size()), summary.not_run);
}

int run_calibration(const Options& options, const std::vector<const ww::Kernel*>& kernels) {
  ww::worker::BuildService build(options.catalogue().sources(), options.cache, stop_of(options));
  conf::find_gpus(build, options.target);  // throws if the simulator's compiler is missing
  conf::PropertyOptions drawn;
  drawn.cases = options.cases;
  drawn.seed = options.seed;
  drawn.max_steps = options.max_steps;
  drawn.stop = build.stop.asked;
  bool is_right = true;
  const ww::Form form = form_of(options);
  std::vector<std::pair<const ww::Kernel*, conf::Calibration>> calibrations;
  for (const ww::Kernel* kernel : kernels) {
    ww::worker::Process process(build.stop);
    const conf::Calibration& found =
        calibrations.emplace_back(kernel, conf::calibrate(options.catalogue(), *kernel, process, build.compiler, drawn))
            .second;
    if (form == ww::Form::text) fmt::print("{}", conf::describe(*kernel, found));
    is_right = is_right && found.failure.empty();
  }
  if (form != ww::Form::text) fmt::print("{}", ww::data_of(conf::table_of(calibrations), form));
  return is_right ? program::kDone : program::kWrong;
}

int run_mutants(const Options& options) {
  if (!ww::is_host(options.target))
    throw std::invalid_argument("mutants run in the simulator: leave out --target, or give --as sm_XX");
  const auto store = open_store(options);
  ww::worker::BuildService build(options.catalogue().sources(), options.cache, stop_of(options));
  conf::find_gpus(build, options.target);  // throws if the simulator's compiler is missing
  const conf::MutantsSummary summary = conf::run_mutants_command(options.catalogue(), build.pool, build.cache,
                                                                 {.globs = options.globs,
                                                                  .target = options.target,
                                                                  .tier = conf::mutant_tier_named(options.mutants_tier),
                                                                  .nights = options.nights,
                                                                  .limit = options.mutants_limit,
                                                                  .thorough = options.nightly,
                                                                  .seed = options.seed,
                                                                  .jobs = options.jobs,
                                                                  .store = store.get(),
                                                                  .stop = build.stop,
                                                                  .junit = options.junit,
                                                                  .sarif = options.sarif,
                                                                  .verbose = options.verbose,
                                                                  .form = form_of(options)});
  // A kernel without mutations is not verified, so it counts as wrong.
  return exit_code(options, summary.survived + summary.unmutated, summary.not_run);
}

int run_sanitizer(const Options& options) {
  const auto store = open_store(options);
  const ww::Stop stop = stop_of(options);
  conf::find_sanitizer(stop);
  ww::worker::BuildService build(options.catalogue().sources(), options.cache, stop);
  const auto gpus = conf::find_gpus(build, ww::is_host(options.target) ? "native" : options.target);
  if (gpus.empty()) throw ww::Stopped();
  if (const std::string& error = build.compiler.toolchain().host_error; !error.empty()) throw std::runtime_error(error);
  const conf::SanitizerSummary summary =
      conf::run_sanitizer_command(options.catalogue(), build.pool, build.cache, gpus.front(),
                                  {.globs = options.globs,
                                   .limit = options.mutants_limit,
                                   .jobs = options.jobs,
                                   .store = store.get(),
                                   .stop = build.stop,
                                   .verbose = options.verbose,
                                   .form = form_of(options)});
  return exit_code(options, summary.missed, summary.not_run);
}

/// Restricts the run to the kernels of the requested shard.
std::vector<const ww::Kernel*> keep_shard(Options& options, const std::vector<const ww::Kernel*>& kernels) {
  const ww::Shard shard = ww::parse_shard(options.shard);
  std::vector<ww::Piece> pieces;
  for (const ww::Kernel* kernel : kernels) pieces.push_back({.key = kernel->full_name()});
  const auto shards = ww::spread_pieces(pieces, shard.of);
  std::vector<const ww::Kernel*> kept;
  options.globs.clear();
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    if (shards[i] != shard.number) continue;
    kept.push_back(kernels[i]);
    options.globs.push_back(kernels[i]->full_name());
  }
  return kept;
}

/// Runs the requested command.
int run_mode(Options& options, const std::string& command) {
  options.repro = ww::unfolded(options.repro);
  if (options.globs.empty() && options.repro.empty() && !options.list && !is_night(options)) {
    options.globs = ww::job::jobs_in(".");
    if (!options.globs.empty())
      fmt::print(stderr, "conform: the job files of this folder: {} (for the catalogue: conform '*')\n",
                 fmt::join(options.globs, ", "));
  }
  if (std::ranges::none_of(options.globs, ww::job::is_job_file) &&
      options.repro.find("kernel=job:") != std::string::npos)
    throw std::invalid_argument("the line is of a job file: give that file too, as in: " +
                                ww::repro_command("", options.repro));
  for (const std::string& word : options.globs)
    if (ww::job::is_job_file(word)) fmt::print(stderr, "{}", ww::job::describe(word, ww::job::open_questions(word)));
  options.own = std::make_unique<const ww::job::Jobs>(ww::catalogue(), options.globs,
                                                      is_suite(options) || options.list
                                                          ? ww::job::Jobs::IfOneIsWrong::keep_others
                                                          : ww::job::Jobs::IfOneIsWrong::refuse_all);
  fmt::print(stderr, "{}", conf::describe(options.own->refused()));
  options.globs = options.own->globs();
  // "native" means the GPU of this machine; other names are architectures.
  options.target = ww::parse_target(options.as.empty() ? options.target : "host/" + options.as);
  if (options.devices != "first" && ww::is_host(options.target))
    throw std::invalid_argument("--devices chooses GPUs: give --target native, or --target sm_XX, too");
  if (!ww::is_host(options.target) && options.target != "native")
    options.target = fmt::format("sm_{}", ww::parse_arch(options.target));
  conf::require_names(options.catalogue(), options.globs);
  auto kernels = options.catalogue().matching(options.globs);
  if (!options.shard.empty()) {
    kernels = keep_shard(options, kernels);
    if (kernels.empty()) {
      if (!options.list) (void)open_store(options);
      fmt::print(stderr, "conform: the shard {} of these kernels is empty: there are more shards than kernels\n",
                 options.shard);
      return program::kDone;
    }
  }
  if (options.list) {
    conf::print_kernels(options.catalogue(), options.globs, options.target, form_of(options));
    return options.own->refused().empty() ? program::kDone : program::kUsage;
  }
  if (!options.junit.empty()) ww::require_writable(options.junit, "the JUnit report");
  if (!options.sarif.empty()) ww::require_writable(options.sarif, "the SARIF report");
  conf::require_functions(options.catalogue(), kernels, conf::simulated_device(options.target));
  if (options.calibrate) return run_calibration(options, kernels);
  if (options.sanitizer) return run_sanitizer(options);
  if (options.mutants) return run_mutants(options);
  return options.repro.empty() ? run(options, command) : reproduce(options);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Checks configurations of CUDA kernels on random problems and inputs, with or without a GPU.",
               "conform"};
  conf::add_options(app, options);
  return program::run(
      app, argc, argv,
      [&] {
        options.seed_given = app.count("--seed") > 0;
        options.points_given = app.count("--points") > 0;
        try {
          return run_mode(options, program::command_of(argc, argv));
        } catch (const ww::Stopped&) {
          fmt::print(stderr, "conform: ended before anything was run\n");
          return exit_code(options, 0, 1);
        }
      },
      conf::option_values);
}
