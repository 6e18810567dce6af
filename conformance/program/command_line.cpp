// Declares the command line of `conform`.
#include "conformance/program/command_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "conformance/program/mutants_command.hpp"
#include "conformance/program/suite_output.hpp"
#include "kernels/core/text.hpp"
#include "kernels/model/catalogue.hpp"
#include "kernels/system/help.hpp"

namespace warpwright::conformance {
namespace {

namespace group = program::group;

constexpr unsigned kMostJobs = 1024;

constexpr const char* kWhat = "What to check";
constexpr const char* kHow = "How thoroughly";
constexpr const char* kMutants = "Mutants and compute-sanitizer";

constexpr const char* kExamples = R"(
Examples:
  conform 'reduce/*' --minutes 5                  five minutes of fresh cases of the reductions
  conform convolution.json                        a kernel of your own, by its job file
  conform transpose --target native               on the GPU of this machine

Exit codes: 0 all right, 1 something is wrong with a kernel, or the time ran out before a kernel's
first case, 2 usage, 3 environment, 4 nothing is wrong, but the time of a night (--nightly,
--mutants-tier nightly) ran out before everything was run, and the next night begins with the rest,
130 interrupted (Ctrl-C): what was found is kept.)";

void add_what(CLI::App& app, Options& options) {
  app.add_option(
         "kernels", options.globs,
         "PATTERN or PATTERN/KERNEL, also as a glob; or job files (.json) of your own kernels (default: the job files "
         "in this folder, or else all kernels)")
      ->group(kWhat);
  app.add_option("--target", options.target,
                 fmt::format("host/sm_XX: the simulator, as that architecture (host: as sm_{}); or a GPU: sm_XX or "
                             "native",
                             default_architecture))
      ->type_name("TARGET")
      ->capture_default_str()
      ->group(kWhat);
  app.add_option("--as", options.as, "sm_XX: the same as --target host/sm_XX")
      ->type_name("ARCH")
      ->excludes("--target")
      ->group(kWhat);
  app.add_option("--repro", options.repro,
                 "Run one case again: LINE is what a finding shows behind 'reproduce:'. With a job file, give the file "
                 "too")
      ->type_name("LINE")
      ->excludes("--target")
      ->excludes("--as")
      ->group(kWhat);
  app.add_option("--shard", options.shard,
                 "One part of the kernels, the same on every machine: 3/16. --list shows what it holds")
      ->type_name("PART/PARTS")
      ->excludes("--repro")
      ->group(kWhat);
}

void add_cases(CLI::App& app, Options& options) {
  app.add_option("--cases", options.cases,
                 "Cases for each kernel. Each of its check_shapes that is not too large gets at least one")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group(kHow);
  app.add_option(
         "--minutes", options.minutes,
         "Draw new cases of all kernels, in turn, for this long; with mutants or compute-sanitizer: end by then")
      ->check(CLI::PositiveNumber)
      ->excludes("--repro")
      ->group(kHow);
  app.add_option("--seed", options.seed, "Seed of everything that is drawn (--nightly: a new one each time)")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->group(kHow);
  app.add_option("--points", options.points,
                 "Configurations of each kernel to draw from; 0: all of them (--nightly: all)")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->group(kHow);
  app.add_option("--max-steps", options.max_steps,
                 "Largest problem of an ordinary case, in steps of work. For most patterns a step is one element. Some "
                 "cases are larger: one in 16 up to 8 times, a few 24 times, edge cases of a kernel 64 times")
      ->check(CLI::PositiveNumber)
      ->capture_default_str()
      ->group(kHow);
  app.add_flag("--nightly", options.nightly,
               "Stored counterexamples first, then all configurations; the run is recorded in the database")
      ->group(kHow);
}

/// What counts as a failure.
void add_failures(CLI::App& app, Options& options) {
  app.add_option(
         "--strict", options.strict,
         "off: tolerate four mistakes that usually do no harm on hardware: threads that store the same value to "
         "one location, threads that leave before a barrier, loads of unwritten memory whose value is not used, "
         "and a fence on one side only. A job file can also tolerate them (\"strict\")")
      ->check(CLI::IsMember({"on", "off"}))
      ->capture_default_str()
      ->group(kHow);
  app.add_option(
         "--fail-on", options.fail_on,
         "Exit with 1 for these too: not-modelled (the simulator has no model of a kernel), skipped (it supports "
         "no drawn problem), tolerated (a finding was tolerated), warnings (a line that begins with \"warning:\", "
         "such as a missing oracle or a guessed bound)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("WORDS")
      ->check(CLI::IsMember(fail_on_words()))
      ->excludes("--repro")
      ->group(kHow);
  app.add_flag("--require-oracle", options.require_oracle,
               "Exit with 1 if a kernel has no source of right answers but itself, so that its values were not checked")
      ->excludes("--repro")
      ->group(kHow);
}

void add_how(CLI::App& app, Options& options) {
  add_cases(app, options);
  add_failures(app, options);
  app.add_flag("--calibrate", options.calibrate,
               "Measure the rounding errors of the default configuration in all cases, and suggest a \"bound\"")
      ->excludes("--repro")
      ->excludes("--target")
      ->excludes("--as")
      ->excludes("--minutes")
      ->excludes("--nightly")
      ->group(kHow);
  app.add_option("--jobs", options.jobs, "Kernels checked at the same time (default: one for each core)")
      ->check(CLI::Range(1U, kMostJobs))
      ->group(kHow);
  app.add_option("--devices", options.devices,
                 "GPUs that share the kernels, by nvidia-smi's numbers: 0,1; or all (default: the first)")
      ->type_name("LIST")
      ->excludes("--as")
      ->excludes("--repro")
      ->group(group::kGpus);
}

void add_mutants(CLI::App& app, Options& options) {
  app.add_flag(
         "--mutants", options.mutants,
         "Plant one bug in each copy of a kernel, by rules; every copy must fail (with --nightly: more cases before "
         "one counts as survived, and the run is recorded)")
      ->excludes("--shard")
      ->excludes("--strict")
      ->excludes("--fail-on")
      ->excludes("--devices")
      ->group(kMutants);
  app.add_flag("--sanitizer", options.sanitizer,
               "Run right kernels and mutants under compute-sanitizer on a GPU, beside the simulator")
      ->excludes("--shard")
      ->excludes("--strict")
      ->excludes("--fail-on")
      ->excludes("--devices")
      ->group(kMutants);
  app.add_option("--mutants-limit", options.mutants_limit,
                 "Test at most this many mutants, a sample over all kernels and rules")
      ->check(CLI::NonNegativeNumber)
      ->group(kMutants);
  app.add_option(
         "--mutants-tier", options.mutants_tier,
         "commit: of each kernel one mutant of each of two families of rules; nightly: those tested longest ago, "
         "so that all are tested within --nights")
      ->check(CLI::IsMember(mutant_tier_names()))
      ->needs("--mutants")
      ->excludes("--mutants-limit")
      ->capture_default_str()
      ->group(kMutants);
  app.add_option("--nights", options.nights, "Nights within which --mutants-tier nightly tests every mutant once")
      ->check(CLI::PositiveNumber)
      ->needs("--mutants")
      ->capture_default_str()
      ->group(kMutants);
}

void add_results(CLI::App& app, Options& options) {
  app.add_option("--junit", options.junit, "Write a JUnit report")
      ->type_name("FILE")
      ->excludes("--sanitizer")
      ->excludes("--repro")
      ->group(group::kFiles);
  app.add_option("--sarif", options.sarif,
                 "Write what is wrong as SARIF 2.1.0, which code scanning shows next to the lines")
      ->type_name("FILE")
      ->excludes("--sanitizer")
      ->excludes("--repro")
      ->group(group::kFiles);
  app.add_option("--db", options.db, "Database to record the run in (with --nightly: the default one)")
      ->type_name("FILE")
      ->group(group::kFiles);
  app.add_option("--cache", options.cache, "Compiled programs (default: $WARPWRIGHT_CACHE or ~/.cache/warpwright)")
      ->type_name("FOLDER")
      ->group(group::kFiles);
  app.add_flag("-v,--verbose", options.verbose,
               "Also print rates, what was left out, what was tolerated, and how a failing case was shrunk")
      ->group(group::kOutput);
  app.add_flag("--list", options.list, "Print the kernels, and end")->group(group::kOutput);
  app.add_flag("--json", options.json, "Print the results, or the list, as JSON and nothing else")
      ->excludes("--repro")
      ->group(group::kOutput);
  app.add_flag("--csv", options.csv, "Print the results, or the list, as CSV: one row for each kernel or mutant")
      ->excludes("--json")
      ->excludes("--repro")
      ->group(group::kOutput);
  // It has output of its own, for the default configuration.
  for (const char* other : {"--points", "--strict", "--fail-on", "--require-oracle", "--jobs", "--devices", "--mutants",
                            "--sanitizer", "--junit", "--sarif", "--db", "--verbose"})
    app.get_option("--calibrate")->excludes(other);
}

}  // namespace

void add_options(CLI::App& app, Options& options) {
  app.footer(kExamples);
  add_what(app, options);
  add_how(app, options);
  add_mutants(app, options);
  add_results(app, options);
}

std::string announcement(std::size_t kernels, const Options& options) {
  // Rough time of one case on one core, averaged over the catalogue (a GPU is faster); and the time from which a run
  // counts as long.
  constexpr double kSecondsOfCase = 0.06, kLong = 60;
  if (options.minutes > 0) return {};
  const bool on_cpu = warpwright::is_host(options.target);
  const auto cores = options.jobs > 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
  const auto jobs = std::min<std::size_t>(cores, std::max<std::size_t>(kernels, 1));
  const double seconds =
      static_cast<double>(kernels) * options.cases * kSecondsOfCase / (on_cpu ? static_cast<double>(jobs) : 1.0);
  if (seconds < kLong) return {};
  const std::string time = on_cpu ? fmt::format(", about {} on {}", counted(std::llround(seconds / kLong), "minute"),
                                                counted(static_cast<std::int64_t>(jobs), "core"))
                                  : "";
  return fmt::format("{}, {} each{}\nfor less: --cases 20, or --minutes 2, or name kernels, as in: conform 'reduce/*'",
                     counted(static_cast<std::int64_t>(kernels), "kernel"), counted(options.cases, "case"), time);
}

std::vector<std::string> option_values(const std::string& option) {
  if (option == "kernels") return warpwright::catalogue().names();
  if (option == "--target" || option == "--as") {
    std::vector<std::string> words;
    for (const int capability : supported_architectures()) words.push_back(fmt::format("sm_{}", capability));
    if (option == "--as") return words;
    for (std::string& word : words) word.insert(0, "host/");
    words.insert(words.begin(), {"host", "native"});
    return words;
  }
  if (option == "--devices") return {"all"};
  if (option == "--fail-on") return fail_on_words();
  if (option == "--mutants-tier") return mutant_tier_names();
  return {};
}

}  // namespace warpwright::conformance
