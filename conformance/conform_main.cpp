// The program `conform`: is every configuration right, on every shape?
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <chrono>
#include <memory>
#include <random>
#include <span>

#include "conformance/bench.hpp"
#include "conformance/functions.hpp"
#include "conformance/listing.hpp"
#include "conformance/mutation/mode.hpp"
#include "conformance/remarks.hpp"
#include "conformance/sanitizer.hpp"
#include "conformance/suite_mode.hpp"
#include "db/program.hpp"
#include "db/store.hpp"
#include "db/text.hpp"
#include "kernels/job/jobs.hpp"
#include "kernels/model/shard.hpp"

namespace {

namespace ww = warpwright;
namespace conf = warpwright::conformance;
namespace program = warpwright::program;

/// A year: longer runs are not meant.
constexpr double kMostMinutes = 60 * 24 * 366;
constexpr unsigned kMostJobs = 1024;

struct Options {
  std::vector<std::string> globs;
  std::string target = "host";
  std::string as;
  std::string devices = "first";
  int cases = 200;
  double minutes = 0;
  std::uint64_t seed = 1;
  bool seed_given = false;
  std::size_t points = 12;
  double max_steps = 8192;
  bool points_given = false;
  std::string repro;
  std::string strict = "on";
  bool is_strict() const { return strict == "on"; }
  std::string shard;
  bool nightly = false;
  bool mutants = false;
  bool sanitizer = false;
  std::size_t mutants_limit = 0;
  std::string mutants_tier = "all";
  std::size_t nights = 7;
  std::string junit;
  std::string sarif;
  std::vector<std::string> fail_on;
  bool verbose = false;
  std::string db;
  std::string cache;
  unsigned jobs = 0;
  bool list = false;
  bool json = false;
  std::unique_ptr<const ww::job::Jobs> own = {};

  const ww::Catalogue& catalogue() const { return own->catalogue(); }
};

constexpr const char* kExamples = R"(
Examples:
  conform                                   every kernel on the host target, 200 cases each
  conform convolution.json                  a kernel of your own, which a job file describes
  conform 'reduce/*' --minutes 5            five minutes of fresh cases of the reductions
  conform transpose --as sm_75              the host stands in for that architecture
  conform transpose --target sm_90          on the GPU of this machine
  conform --target native --devices all     on all of its GPUs, which share the kernels
  conform --nightly                         whole spaces, stored counterexamples first, recorded in the database
  conform --mutants 'reduce/*'              kernels with one mistake each: all must be found
  conform --mutants --mutants-tier commit   of every kernel one of each of two families
  conform --sanitizer --mutants-limit 60    the same under compute-sanitizer, on the GPU of this machine
  conform --nightly --shard 3/16            the third of sixteen parts, for many machines: ./warpwright fleet
  conform --list --json                     the kernels that there are, and how many configurations they have
  conform --repro 'kernel=reduce/sequential params={.block_size = 32} problem=reduce[op=sum,float,33] input=exact:7'

Exit codes: 0 all right, 1 something is wrong with a kernel or something was not run as the time was over, 2 usage,
3 environment, 4 nothing is wrong, but the time of a night (--nightly, --mutants-tier nightly) was over before all was
run, which the next night begins with, 130 interrupted (Ctrl-C): what was found is kept.)";

/// When all that the command asks for ends.
ww::Stop stop_of(const Options& options) {
  ww::Stop stop{.asked = &program::interrupted()};
  if (options.minutes > 0)
    stop.deadline = ww::Stop::Clock::now() +
                    std::chrono::duration_cast<ww::Stop::Clock::duration>(
                        std::chrono::duration<double, std::ratio<60>>(std::min(options.minutes, kMostMinutes)));
  return stop;
}

int reproduce(const Options& options) {
  const conf::Case test = conf::parse_repro(options.catalogue(), options.repro);
  conf::Bench bench(options.catalogue(), options.cache, test.target, stop_of(options));
  const conf::CaseResult result = bench.check_one(options.catalogue(), test, options.is_strict());
  fmt::print("{}\n", conf::repro_line(test));
  if (result.is_right() && result.verdict != ww::Verdict::not_judged)
    fmt::print("passed, {:.2f} of the bound\n", result.error_ratio);
  else if (is_refused(result.verdict))
    fmt::print("{}: {}\n", word_of(result.verdict), result.detail);
  else
    fmt::print("{}", conf::text_of(conf::diagnostic_of(options.catalogue(), test, result)));
  for (const conf::Note& note : result.notes) fmt::print("  {}\n", conf::words_of(*test.kernel, note));
  if (is_refused(result.verdict)) return program::kUsage;
  return result.is_right() ? program::kDone : program::kWrong;
}

/// Whether the run is one of many: the database knows what was not run for longest, and the next one begins with it.
bool is_night(const Options& options) {
  return options.nightly || options.mutants_tier == "nightly";
}

/// Of so many mistakes, and so many things that there was no time for.
int exit_code(const Options& options, int wrong, int not_run) {
  if (wrong > 0) return program::kWrong;
  if (not_run == 0) return program::kDone;
  return is_night(options) ? program::kOutOfTime : program::kWrong;
}

/// The database that the run is recorded in; none where nobody asks for it.
std::unique_ptr<ww::db::Store> open_store(const Options& options) {
  if (!is_night(options) && options.db.empty()) return nullptr;
  return std::make_unique<ww::db::Store>(options.db.empty() ? ww::db::default_path()
                                                            : std::filesystem::path(options.db));
}

int run(Options& options, const std::string& command) {
  // Every night other cases, unless a seed is asked for.
  if (options.nightly && !options.seed_given) options.seed = std::random_device{}();
  const auto store = open_store(options);
  conf::Bench bench(options.catalogue(), options.cache, options.target, stop_of(options), options.devices);
  const conf::SuiteSummary summary =
      conf::run_suite_mode(options.catalogue(), bench,
                           {.suite = {.globs = options.globs,
                                      .target = bench.name_of(options.target),
                                      .cases = options.cases,
                                      .seed = options.seed,
                                      .points = options.nightly && !options.points_given ? 0 : options.points,
                                      .max_steps = options.max_steps,
                                      .strict = options.is_strict(),
                                      .jobs = options.jobs},
                            .command = command,
                            .store = store.get(),
                            .junit = options.junit,
                            .sarif = options.sarif,
                            .fail_on = conf::fail_on(options.fail_on),
                            .verbose = options.verbose});
  return exit_code(options, summary.failures + summary.asked_for, summary.not_run);
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
  if (option == "--devices") return {"all"};
  if (option == "--fail-on") return conf::fail_on_words();
  if (option == "--mutants-tier") return conf::mutant_tier_names();
  return {};
}

int run_mutants(const Options& options) {
  if (!ww::is_host(options.target))
    throw std::invalid_argument("mutants run on the host: --as sm_XX, or --target host");
  const auto store = open_store(options);
  conf::Bench bench(options.catalogue(), options.cache, options.target, stop_of(options));
  const conf::MutantsSummary summary = conf::run_mutants_mode(options.catalogue(), bench.pool, bench.cache,
                                                              {.globs = options.globs,
                                                               .target = options.target,
                                                               .tier = conf::mutant_tier_named(options.mutants_tier),
                                                               .nights = options.nights,
                                                               .limit = options.mutants_limit,
                                                               .thorough = options.nightly,
                                                               .jobs = options.jobs,
                                                               .store = store.get(),
                                                               .stop = bench.stop,
                                                               .junit = options.junit,
                                                               .sarif = options.sarif,
                                                               .verbose = options.verbose});
  // Where nothing was mutated nothing is shown.
  return exit_code(options, summary.survived + summary.unmutated, summary.not_run);
}

int run_sanitizer(const Options& options) {
  const auto store = open_store(options);
  const ww::Stop stop = stop_of(options);
  conf::find_sanitizer(stop);
  conf::Bench bench(options.catalogue(), options.cache, ww::is_host(options.target) ? "native" : options.target, stop);
  if (bench.gpus.empty()) throw ww::Stopped();
  if (const std::string& error = bench.compiler.toolchain().host_error; !error.empty()) throw std::runtime_error(error);
  const conf::SanitizerSummary summary =
      conf::run_sanitizer_mode(options.catalogue(), bench.pool, bench.cache, bench.gpus.front(),
                               {.globs = options.globs,
                                .limit = options.mutants_limit,
                                .jobs = options.jobs,
                                .store = store.get(),
                                .stop = bench.stop,
                                .verbose = options.verbose});
  return exit_code(options, summary.missed, summary.not_run);
}

/// The kernels of the shard that is asked for, which are then all that is asked for.
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

/// What the command line asks for.
int run_mode(Options& options, const std::string& command) {
  if (std::ranges::none_of(options.globs, ww::job::is_job_file) &&
      options.repro.find("kernel=job:") != std::string::npos)
    throw std::invalid_argument("the line is of a job: give its file too, " + ww::db::repro_command("", options.repro));
  options.own = std::make_unique<const ww::job::Jobs>(ww::catalogue(), options.globs);
  options.globs = options.own->globs();
  // "native" is whatever GPU there is; any other name is of an architecture.
  options.target = ww::parse_target(options.as.empty() ? options.target : "host/" + options.as);
  if (options.devices != "first" && ww::is_host(options.target))
    throw std::invalid_argument("--devices is of GPUs: give --target native, or sm_XX, too");
  if (!ww::is_host(options.target) && options.target != "native")
    options.target = fmt::format("sm_{}", ww::parse_arch(options.target));
  auto kernels = options.catalogue().matching(options.globs);  // throws for a glob that matches nothing
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
    conf::print_kernels(options.catalogue(), options.globs, options.target, options.json);
    return program::kDone;
  }
  conf::require_functions(options.catalogue(), kernels, conf::stand_in(options.target));
  if (options.sanitizer) return run_sanitizer(options);
  if (options.mutants) return run_mutants(options);
  return options.repro.empty() ? run(options, command) : reproduce(options);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Property tests of CUDA kernels: params, problem, input and schedule drawn and shrunk together.",
               "conform"};
  app.footer(kExamples);
  app.add_option("kernels", options.globs,
                 "Patterns or PATTERN/KERNEL globs (default: all); or job files (.json) of kernels of your own");
  CLI::Option* target =
      app.add_option("--target", options.target,
                     fmt::format("host/sm_XX: the CPU, standing in for that architecture (host: for sm_{}); or a GPU: "
                                 "sm_XX or native",
                                 ww::default_architecture))
          ->capture_default_str();
  CLI::Option* devices = app.add_option("--devices", options.devices,
                                        "GPUs that share the kernels, each one at a time: indices as nvidia-smi "
                                        "counts, e.g. 0,1; or all of that architecture (default: the first)");
  CLI::Option* as = app.add_option("--as", options.as, "sm_XX: the same as --target host/sm_XX")->excludes(target);
  app.add_option("--cases", options.cases, "Cases per kernel")->check(CLI::PositiveNumber)->capture_default_str();
  CLI::Option* minutes = app.add_option("--minutes", options.minutes,
                                        "Keep drawing fresh cases for so long, in turns of all kernels; with mutants "
                                        "or the sanitizer: end by then")
                             ->check(CLI::PositiveNumber);
  const CLI::Option* seed =
      app.add_option("--seed", options.seed, "Seed of everything that is drawn (--nightly: a new one each time)")
          ->capture_default_str();
  const CLI::Option* points =
      app.add_option("--points", options.points,
                     "Configurations drawn from per kernel; 0: the whole space (--nightly: that)")
          ->capture_default_str();
  app.add_option("--max-steps", options.max_steps,
                 "Steps of a problem's work at most (for most patterns: elements); one case in sixteen may have eight "
                 "times as many, a few 24 times; shapes around a kernel's tile and its own edges 64 times")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  CLI::Option* repro = app.add_option("--repro", options.repro, "Run the one case of this line, on its target")
                           ->excludes(target)
                           ->excludes(as)
                           ->excludes(devices)
                           ->excludes(minutes);
  app.add_flag("--nightly", options.nightly,
               "Stored counterexamples first, then whole spaces; the run is recorded in the database");
  CLI::Option* mutants = app.add_flag(
      "--mutants", options.mutants,
      "Break the kernels by rules, one mistake each, and expect every mutant to fail (with --nightly: more cases "
      "before one counts as a survivor; recorded)");
  CLI::Option* sanitizer = app.add_flag(
      "--sanitizer", options.sanitizer,
      "Run correct kernels and mutants under compute-sanitizer on a GPU, beside our own judge (--minutes ends it "
      "early)");
  CLI::Option* limit = app.add_option("--mutants-limit", options.mutants_limit,
                                      "A sample of so many mutants over all kernels and rules");
  app.add_option(
         "--mutants-tier", options.mutants_tier,
         "all; commit: of every kernel one of each of two families of rules; nightly: what the database has not seen "
         "run for longest, a share so large that --nights see all")
      ->check(CLI::IsMember(conf::mutant_tier_names()))
      ->needs(mutants)
      ->excludes(limit)
      ->capture_default_str();
  app.add_option("--nights", options.nights, "Nights in which --mutants-tier nightly sees every mutant")
      ->check(CLI::PositiveNumber)
      ->needs(mutants)
      ->capture_default_str();
  app.add_option("--strict", options.strict,
                 "off: what much code does and hardware forgives (several threads that store one same value, leaving "
                 "before a barrier, reading what nobody wrote without using it, a fence on one side only) is noted and "
                 "no failure; a kernel may declare so for itself")
      ->check(CLI::IsMember({"on", "off"}))
      ->excludes(mutants)
      ->excludes(sanitizer)
      ->capture_default_str();
  app.add_option("--shard", options.shard,
                 "A part of the kernels, the same whoever asks, e.g. 3/16; --list shows what it holds")
      ->excludes(repro)
      ->excludes(mutants)
      ->excludes(sanitizer);
  app.add_option("--junit", options.junit, "Write a JUnit report to this file")->excludes(sanitizer)->excludes(repro);
  app.add_option("--sarif", options.sarif,
                 "Write what is wrong to this file as SARIF 2.1.0, which code scanning shows beside the lines")
      ->excludes(sanitizer)
      ->excludes(repro);
  app.add_option("--fail-on", options.fail_on,
                 "Exit with 1 for these too: not-modelled (the simulator has no model of a kernel), skipped (nothing "
                 "that was drawn fits it), tolerated (it does what it, or --strict off, asks to tolerate), warnings "
                 "(no oracle, a guessed bound, a header left out)")
      ->delimiter(',')
      ->check(CLI::IsMember(conf::fail_on_words()))
      ->excludes(mutants)
      ->excludes(sanitizer)
      ->excludes(repro);
  app.add_flag("-v,--verbose", options.verbose,
               "Also print rates, what was left out, what was tolerated, and how a failing case was shrunk");
  devices->excludes(as)->excludes(mutants)->excludes(sanitizer);
  app.add_option("--db", options.db, "Database to record the run in (with --nightly: the default one)");
  app.add_option("--cache", options.cache, "Folder of compiled programs");
  app.add_option("--jobs", options.jobs, "Kernels tested side by side (default: one per core)")
      ->check(CLI::Range(1U, kMostJobs));
  CLI::Option* list = app.add_flag("--list", options.list, "Print the kernels and end");
  app.add_flag("--json", options.json, "Print the list as JSON")->needs(list);
  return program::run(
      app, argc, argv,
      [&] {
        options.seed_given = seed->count() > 0;
        options.points_given = points->count() > 0;
        try {
          return run_mode(options, fmt::format("{}", fmt::join(std::span(argv, argc), " ")));
        } catch (const ww::Stopped&) {
          fmt::print(stderr, "conform: ended before anything was run\n");
          return exit_code(options, 0, 1);
        }
      },
      option_values);
}
