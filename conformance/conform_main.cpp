// The program `conform`: is every configuration right, on every shape?
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <memory>
#include <random>
#include <span>

#include "conformance/junit.hpp"
#include "conformance/mutation/mode.hpp"
#include "conformance/sanitizer.hpp"
#include "conformance/suite.hpp"
#include "db/program.hpp"
#include "db/store.hpp"
#include "kernels/runtime/worker/gpu_client.hpp"

namespace {

namespace ww = warpwright;
namespace conf = warpwright::conformance;
namespace program = warpwright::program;

const std::atomic<bool>& interrupted = program::interrupted();

struct Options {
  std::vector<std::string> globs;
  std::string target = "host";
  std::string as;
  int cases = 200;
  double minutes = 0;
  std::uint64_t seed = 1;
  bool seed_given = false;
  std::size_t points = 12;
  double max_steps = 8192;
  bool points_given = false;
  std::string repro;
  bool nightly = false;
  bool mutants = false;
  bool sanitizer = false;
  std::size_t mutants_limit = 0;
  std::string mutants_tier = "all";
  std::size_t nights = 7;
  std::string junit;
  std::string db;
  std::string cache;
  unsigned jobs = 0;
};

constexpr const char* kExamples = R"(
Examples:
  conform                                   every kernel on the host target, 200 cases each
  conform 'reduce/*' --minutes 5            five minutes of fresh cases of the reductions
  conform transpose --as sm_75              the host stands in for that architecture
  conform transpose --target sm_90          on the GPU of this machine
  conform --nightly                         whole spaces, stored counterexamples first, recorded in the database
  conform --mutants 'reduce/*'              kernels with one mistake each: all must be found
  conform --mutants --mutants-tier commit   one of every kernel and family of rules
  conform --sanitizer --mutants-limit 60    the same under compute-sanitizer, on the GPU of this machine
  conform --repro 'kernel=reduce/sequential params={.block_size = 32} problem=reduce[op=sum,float,33] input=exact:7'

Exit codes: 0 all right, 1 something is wrong with a kernel, 2 usage, 3 environment.)";

/// What the executor did in a time, for the end of a line; empty where it did nothing.
std::string work_of(std::uint64_t steps, std::uint64_t threads, double seconds) {
  if (steps == 0 || seconds <= 0) return {};
  constexpr double million = 1e6;
  return fmt::format("; {:.1f} million accesses/s, {:.2f} million threads/s",
                     static_cast<double>(steps) / seconds / million, static_cast<double>(threads) / seconds / million);
}

std::string words_of(const conf::PropertyReport& property) {
  if (!property.ok()) return "FAILED";
  if (property.interrupted) return "interrupted";
  if (!property.skipped.empty()) return "skipped: " + property.skipped;
  if (!property.not_judged.empty())
    return fmt::format("{}: {} (in {} of {} cases)", word_of(ww::Verdict::not_judged), property.not_judged,
                       property.unjudged, property.cases);
  return property.refused > 0 ? fmt::format("passed ({} drawn again)", property.refused) : "passed";
}

void print_property(const conf::PropertyReport& property) {
  fmt::print("{:<28} {:>7} cases  {:>7.0f} cases/s  {:>6.2f} of the bound  {}{}\n", property.kernel->full_name(),
             property.cases, property.seconds > 0 ? property.cases / property.seconds : 0.0, property.worst_error_ratio,
             words_of(property), work_of(property.steps, property.threads, property.seconds));
  if (!property.ok())
    fmt::print("  {}: {}\n  as drawn:  {}\n  reproduce: conform --repro '{}'\n", word_of(property.failure.verdict),
               property.failure.detail, conf::repro_line(*property.first_failure),
               conf::repro_line(*property.counterexample));
  std::fflush(stdout);
}

/// What a run on the asked target needs; throws std::runtime_error when the machine lacks it.
struct Bench {
  ww::DiskCache cache;
  ww::worker::Pool pool;
  ww::worker::Compiler compiler;
  std::optional<conf::Checker::GpuTarget> gpu;

  Bench(const std::string& cache_folder, const std::string& target)
      : cache(cache_folder.empty() ? ww::DiskCache::default_folder() : std::filesystem::path(cache_folder)),
        compiler(pool, cache, ww::catalogue().sources()) {
    const auto& tools = compiler.toolchain();
    if (ww::is_host(target)) {
      if (!tools.host_error.empty()) throw std::runtime_error(tools.host_error);
      return;
    }
    if (!tools.nvrtc_error.empty()) throw std::runtime_error(tools.nvrtc_error);
    ww::worker::Process process;
    std::vector<std::string> found;
    for (const ww::gpu::GpuInfo& info : ww::worker::list_gpus(process)) {
      if (info.device.arch() == target || target == "native") {
        gpu = {.device = info.device, .index = info.index};
        return;
      }
      found.push_back(fmt::format("{} ({})", info.device.arch(), info.device.model));
    }
    throw std::runtime_error(
        fmt::format("this machine has no {} GPU; it has {}. --target host needs none", target, fmt::join(found, ", ")));
  }
};

conf::CaseResult check_one(Bench& bench, const conf::Case& test) {
  ww::worker::Process process;
  conf::Checker checker(ww::catalogue(), process, bench.compiler, conf::Checker::Compile::when_needed, bench.gpu);
  return checker.check(test);
}

int reproduce(const Options& options) {
  const conf::Case test = conf::parse_repro(ww::catalogue(), options.repro);
  Bench bench(options.cache, test.target);
  const conf::CaseResult result = check_one(bench, test);
  fmt::print("{}\n{}{}{} ({:.3g} of the bound)\n", conf::repro_line(test), word_of(result.verdict),
             result.detail.empty() ? "" : ": ", result.detail, result.error_ratio);
  if (is_refused(result.verdict)) return program::kUsage;
  return result.is_right() ? program::kDone : program::kWrong;
}

/// Runs again what failed before on this target.
std::vector<conf::Replay> replay_stored(ww::db::Store& store, const std::string& glob, const std::string& target,
                                        Bench& bench) {
  return conf::replay_counterexamples(
      store, ww::catalogue(), glob, target, [&](const conf::Case& test) { return check_one(bench, test); },
      [](const std::string& line) {
        fmt::print("{}\n", line);
        std::fflush(stdout);
      },
      interrupted);
}

/// The database that the run is recorded in; none where nobody asks for it.
std::unique_ptr<ww::db::Store> open_store(const Options& options) {
  // A nightly share is what was not run for longest: the database knows.
  const bool remembers = options.nightly || options.mutants_tier == "nightly";
  if (!remembers && options.db.empty()) return nullptr;
  return std::make_unique<ww::db::Store>(options.db.empty() ? ww::db::default_path()
                                                            : std::filesystem::path(options.db));
}

int run(Options& options, const std::string& command) {
  // Every night other cases, unless a seed is asked for.
  if (options.nightly && !options.seed_given) options.seed = std::random_device{}();
  const auto store = open_store(options);
  const std::vector<std::string> globs = options.globs.empty() ? std::vector<std::string>{"*"} : options.globs;
  ww::catalogue().matching(globs);  // throws for one that matches nothing
  Bench bench(options.cache, options.target);
  const std::string target = bench.gpu ? bench.gpu->device.arch() : options.target;

  int failures = 0;
  int refused = 0;
  std::vector<conf::Replay> replays;
  ww::db::ConformanceRun record{
      .command = command, .target = target, .glob = fmt::format("{}", fmt::join(globs, " ")), .seed = options.seed};
  ww::db::Id run_id = 0;
  if (store) {
    run_id = store->begin_conformance_run(record);
    for (const std::string& glob : globs)
      std::ranges::move(replay_stored(*store, glob, target, bench), std::back_inserter(replays));
    failures = static_cast<int>(std::ranges::count_if(replays, &conf::Replay::failed));
  }
  const bool rounds = options.minutes > 0;
  const auto report = conf::run_suite(ww::catalogue(), bench.compiler,
                                      {.globs = globs,
                                       .target = target,
                                       .cases = options.cases,
                                       .minutes = options.minutes,
                                       .seed = options.seed,
                                       .points = options.nightly && !options.points_given ? 0 : options.points,
                                       .max_steps = options.max_steps,
                                       .jobs = options.jobs,
                                       .gpu = bench.gpu,
                                       .stop = &interrupted},
                                      [&](const conf::PropertyReport& property) {
                                        if (!rounds || !property.ok()) print_property(property);
                                      });
  if (rounds)
    for (const conf::PropertyReport& property : report.properties)
      if (property.ok()) print_property(property);
  failures += report.failures();
  const double seconds = report.seconds;
  const int cases = report.cases();

  std::uint64_t steps = 0, threads = 0;
  for (const conf::PropertyReport& property : report.properties) {
    steps += property.steps;
    threads += property.threads;
    refused += property.refused;
    if (store && !property.ok()) conf::store_counterexample(*store, *property.counterexample, property.failure.detail);
  }
  if (store) {
    const auto runs = store->conformance_runs();
    record = *std::ranges::find(runs, run_id, &ww::db::ConformanceRun::id);
    record.cases_per_second = seconds > 0 ? cases / seconds : 0;
    store->update_conformance_run(run_id, record);
    store->end_conformance_run(run_id, interrupted ? "interrupted" : "complete", cases, failures, refused);
  }
  if (!options.junit.empty()) conf::write_junit(options.junit, target, replays, report.properties);
  const std::string passed = report.not_judged() == 0
                                 ? "all passed"
                                 : fmt::format("nothing is wrong, {} kernel(s) not judged", report.not_judged());
  fmt::print("{} cases on {} in {:.1f} s ({:.0f} cases/s{}), seed {}: {}{}\n", cases, target, seconds,
             seconds > 0 ? cases / seconds : 0.0, work_of(steps, threads, seconds), options.seed,
             failures == 0 ? passed : fmt::format("{} kernel(s) or stored cases FAILED", failures),
             interrupted ? " (interrupted)" : "");
  return failures == 0 ? program::kDone : program::kWrong;
}

std::vector<std::string> option_values(const std::string& option) {
  if (option == "kernels") return ww::catalogue().names();
  if (option == "--target" || option == "--as") {
    std::vector<std::string> words;
    for (const int capability : ww::supported_architectures()) words.push_back(fmt::format("sm_{}", capability));
    if (option == "--as") return words;
    for (std::string& word : words) word.insert(0, "host/");
    words.insert(words.begin(), {"host", "native"});
    return words;
  }
  if (option == "--mutants-tier") return conf::mutant_tier_names();
  return {};
}

int run_mutants(const Options& options) {
  const auto store = open_store(options);
  ww::catalogue().matching(options.globs);  // throws for one that matches nothing
  if (!ww::is_host(options.target))
    throw std::invalid_argument("mutants run on the host: --as sm_XX, or --target host");
  Bench bench(options.cache, options.target);
  const int survived = conf::run_mutants_mode(ww::catalogue(), bench.pool, bench.cache,
                                              {.globs = options.globs,
                                               .target = options.target,
                                               .tier = conf::mutant_tier_named(options.mutants_tier),
                                               .nights = options.nights,
                                               .limit = options.mutants_limit,
                                               .thorough = options.nightly,
                                               .jobs = options.jobs,
                                               .store = store.get(),
                                               .stop = &interrupted});
  return survived == 0 ? program::kDone : program::kWrong;
}

int run_sanitizer(const Options& options) {
  const auto store = open_store(options);
  ww::catalogue().matching(options.globs);  // throws for one that matches nothing
  conf::find_sanitizer();
  Bench bench(options.cache, ww::is_host(options.target) ? "native" : options.target);
  if (const std::string& error = bench.compiler.toolchain().host_error; !error.empty()) throw std::runtime_error(error);
  const int missed = conf::run_sanitizer_mode(ww::catalogue(), bench.pool, bench.cache, *bench.gpu,
                                              {.globs = options.globs,
                                               .limit = options.mutants_limit,
                                               .minutes = options.minutes,
                                               .jobs = options.jobs,
                                               .store = store.get(),
                                               .stop = &interrupted});
  return missed == 0 ? program::kDone : program::kWrong;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Property tests of CUDA kernels: params, problem, input and schedule drawn and shrunk together.",
               "conform"};
  app.footer(kExamples);
  app.add_option("kernels", options.globs, "Patterns or PATTERN/KERNEL globs (default: all)");
  CLI::Option* target =
      app.add_option("--target", options.target,
                     fmt::format("host/sm_XX: the CPU, standing in for that architecture (host: for sm_{}); or a GPU: "
                                 "sm_XX or native",
                                 ww::default_architecture))
          ->capture_default_str();
  CLI::Option* as = app.add_option("--as", options.as, "sm_XX: the same as --target host/sm_XX")->excludes(target);
  app.add_option("--cases", options.cases, "Cases per kernel")->check(CLI::PositiveNumber)->capture_default_str();
  app.add_option("--minutes", options.minutes, "Keep drawing fresh cases for so long")->check(CLI::PositiveNumber);
  const CLI::Option* seed =
      app.add_option("--seed", options.seed, "Seed of everything that is drawn (--nightly: a new one each time)")
          ->capture_default_str();
  const CLI::Option* points =
      app.add_option("--points", options.points,
                     "Configurations drawn from per kernel; 0: the whole space (--nightly: that)")
          ->capture_default_str();
  app.add_option("--max-steps", options.max_steps,
                 "Steps of a problem's work at most (for most patterns: elements); one case in sixteen may have eight "
                 "times as many, and a shape around a kernel's tile is always drawn")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--repro", options.repro, "Run the one case of this line, on its target")
      ->excludes(target)
      ->excludes(as);
  app.add_flag("--nightly", options.nightly,
               "Stored counterexamples first, then whole spaces; the run is recorded in the database");
  CLI::Option* mutants = app.add_flag(
      "--mutants", options.mutants,
      "Break the kernels by rules, one mistake each, and expect every mutant to fail (with --nightly: more cases "
      "before one counts as a survivor; recorded)");
  app.add_flag(
      "--sanitizer", options.sanitizer,
      "Run correct kernels and mutants under compute-sanitizer on a GPU, beside our own judge (--minutes ends it "
      "early)");
  CLI::Option* limit = app.add_option("--mutants-limit", options.mutants_limit,
                                      "A sample of so many mutants over all kernels and rules");
  app.add_option(
         "--mutants-tier", options.mutants_tier,
         "all; commit: one of every kernel and family of rules; nightly: what the database has not seen run for "
         "longest, a share so large that --nights see all")
      ->check(CLI::IsMember(conf::mutant_tier_names()))
      ->needs(mutants)
      ->excludes(limit)
      ->capture_default_str();
  app.add_option("--nights", options.nights, "Nights in which --mutants-tier nightly sees every mutant")
      ->check(CLI::PositiveNumber)
      ->needs(mutants)
      ->capture_default_str();
  app.add_option("--junit", options.junit, "Write a JUnit report to this file");
  app.add_option("--db", options.db, "Database to record the run in (with --nightly: the default one)");
  app.add_option("--cache", options.cache, "Folder of compiled programs");
  app.add_option("--jobs", options.jobs, "Kernels tested side by side (default: one per core)");
  return program::run(
      app, argc, argv,
      [&] {
        options.seed_given = seed->count() > 0;
        options.points_given = points->count() > 0;
        options.target = ww::parse_target(options.as.empty() ? options.target : "host/" + options.as);
        if (options.sanitizer) return run_sanitizer(options);
        if (options.mutants) return run_mutants(options);
        return options.repro.empty() ? run(options, fmt::format("{}", fmt::join(std::span(argv, argc), " ")))
                                     : reproduce(options);
      },
      option_values);
}
