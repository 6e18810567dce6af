// Declares the command line of `tune`.
#include "tuner/program/command_line.hpp"

#include <fmt/format.h>

#include <set>

#include "db/query/query.hpp"
#include "kernels/core/boards.hpp"
#include "kernels/model/catalogue.hpp"
#include "kernels/system/help.hpp"

namespace warpwright::tuner {
namespace {

namespace group = program::group;

constexpr const char* kExamples = R"(
Examples:
  tune --arch native                              measure on the GPU of this machine
  tune --arch sm_90 --pattern reduce --budget 2m  predict for an architecture, without its GPU
  tune convolution.json --arch native             tune a kernel of your own, by its job file

Run the same command again to continue an interrupted run.
Exit codes: 0 done, 1 something is wrong with a kernel, 2 usage, 3 environment, 130 interrupted.)";

void add_what(CLI::App& app, Options& options) {
  TuningRequest& request = options.request;
  const auto all = CLI::MultiOptionPolicy::TakeAll;
  app.add_option("jobs", options.jobs, "Job files (.json) of CUDA kernels of your own")
      ->multi_option_policy(all)
      ->group(group::kWhat);
  app.add_option("--arch", options.arch,
                 "GPU architecture: sm_75, sm_90, ... If this machine has such a GPU, times are measured, else "
                 "predicted. native: the GPU of this machine")
      ->type_name("ARCH")
      ->group(group::kWhat);
  app.add_option("--board", options.board, "Board to predict for: 'RTX 2080 Ti' (default: a common one)")
      ->type_name("NAME")
      ->group(group::kWhat);
  app.add_option("--pattern", request.globs,
                 "What to tune of the catalogue: PATTERN or PATTERN/KERNEL, with * for any text. Default: all "
                 "patterns, for about two minutes")
      ->type_name("GLOB")
      ->multi_option_policy(all)
      ->group(group::kWhat);
  app.add_option("--size", request.sizes, "Sizes of the problem: 2^26, 8192x8192, or a range: 2^10..2^28:x4")
      ->type_name("SIZE")
      ->multi_option_policy(all)
      ->group(group::kWhat);
  app.add_option("--type", request.types, "Element types: float, double, ...; or all")
      ->type_name("TYPE")
      ->multi_option_policy(all)
      ->group(group::kWhat);
  app.add_option("--with", request.with,
                 "Settings of the problem: op=sum or filter=9,border=clamp; NAME=all for each value. Repeat it to tune "
                 "several problems")
      ->type_name("NAME=VALUE")
      ->multi_option_policy(all)
      ->group(group::kWhat);
  app.add_option("--set", options.params,
                 "Only configurations with these parameters: NAME=VALUE, NAME=LOW..HIGH or NAME=VALUE|VALUE, several "
                 "with commas. @FILE: only those that a file lists, a line for each: PATTERN/KERNEL NAME=VALUE,...")
      ->type_name("NAME=VALUE")
      ->multi_option_policy(all)
      ->group(group::kWhat);
}

void add_how(CLI::App& app, Options& options) {
  TuningRequest& request = options.request;
  app.add_option("--budget", options.budget, "Time for the whole run: 90s, 10m, 1h")
      ->type_name("TIME")
      ->group(group::kHow);
  app.add_option("--evaluations", request.budget_evaluations, "Configurations for each kernel and problem")
      ->check(CLI::PositiveNumber)
      ->group(group::kHow);
  app.add_option(
         "--strategy", request.strategy,
         "exhaustive, random, local or gaussian_process (default: exhaustive without a budget, gaussian_process with "
         "one)")
      ->type_name("NAME")
      ->group(group::kHow);
  app.add_option("--seed", request.seed, "Seed of inputs and search")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str()
      ->group(group::kHow);
  app.add_flag("--deterministic", options.deterministic,
               "Only configurations whose results have the same bits in every run: their kernels declare it, "
               "and the best one shows it in 50 schedules in the simulator and 100 runs on the GPU")
      ->group(group::kHow);
  app.add_option("--max-error", request.max_error,
                 "Only configurations whose largest error is known, and at most this many units in the last place")
      ->type_name("ULP")
      ->check(CLI::NonNegativeNumber)
      ->group(group::kHow);
  app.add_option("--objective", options.objective,
                 "What to minimise: the time, the energy of a run, or their product (edp). Energy needs a GPU with a "
                 "counter, and about half a second for each configuration")
      ->check(CLI::IsMember(objective_words))
      ->capture_default_str()
      ->group(group::kHow);
  app.add_option(
         "--robust", request.robust,
         "Also one configuration for all sizes (several --size): the one that loses least against the best of each "
         "size, in the worst case (worst) or on average (geomean)")
      ->check(CLI::IsMember(db::robust_words))
      ->group(group::kHow);
  app.add_flag("--remeasure", request.remeasure, "Measure again what the database already has")->group(group::kHow);
  app.add_flag("--predict", options.predict, "Predict, even where this machine has that GPU")->group(group::kHow);
  app.add_flag("--unchecked", options.unchecked,
               "Predict without checking whether results are right: for a machine without g++. The next run with g++ "
               "checks them")
      ->group(group::kHow);
  app.add_flag("--unjudged", options.unchecked)->group("");  // an older name, hidden from the help
  app.add_option("--shard", options.shard,
                 "Do only this part of the work: 3/16 is the third of 16 parts. Other machines do the other parts, and "
                 "`tunedb merge --parts` merges them. See: ./warpwright fleet")
      ->type_name("PART/PARTS")
      ->group(group::kHow);
}

void add_gpus(CLI::App& app, Options& options) {
  app.add_option("--devices,--device", options.devices,
                 "GPUs to measure on at the same time, by nvidia-smi's numbers: 1 or 0,1; or all (default: the first)")
      ->type_name("LIST")
      ->group(group::kGpus);
  app.add_flag("--whole-board", options.whole_board,
               "Nobody else uses the GPU: measure also what needs all of its memory")
      ->group(group::kGpus);
  // Not a std::optional flag, because CLI11 sets it to false if the flag is missing.
  app.add_flag_function(
         "--baselines,!--no-baselines", [&options](std::int64_t sum) { options.baselines = sum > 0; },
         "Also time the libraries (CUB, cuBLAS, cuDNN, Kokkos) and compare the best kernels with them. Default: if "
         "`./warpwright baselines` has built them")
      ->group(group::kGpus);
}

void add_results(CLI::App& app, Options& options) {
  app.add_option("--db", options.db, "Database (default: $WARPWRIGHT_DB or ~/.local/share/warpwright/warpwright.db)")
      ->type_name("FILE")
      ->group(group::kFiles);
  app.add_option("--cache", options.cache, "Compiled programs (default: $WARPWRIGHT_CACHE or ~/.cache/warpwright)")
      ->type_name("FOLDER")
      ->group(group::kFiles);
  app.add_option("--report", options.report, "HTML report (default: report/ beside the database)")
      ->type_name("FOLDER")
      ->group(group::kFiles);
  app.add_flag("--no-report", options.no_report, "Write no report")->group(group::kFiles);
  app.add_flag("--list", options.list, "Print patterns, kernels and their parameters, and end")->group(group::kOutput);
  app.add_flag("--dry-run", options.dry_run, "Print what would be done, and end")->group(group::kOutput);
  app.add_flag("-v,--verbose", options.verbose, "Also parameters, intervals, ties, libraries and rates")
      ->group(group::kOutput);
  CLI::Option* json =
      app.add_flag("--json", options.json, "Print the best configurations, or what --list or --dry-run finds, as JSON")
          ->group(group::kOutput);
  app.add_flag("--csv", options.csv, "The same as CSV")->excludes(json)->group(group::kOutput);
}

}  // namespace

void add_options(CLI::App& app, Options& options) {
  app.footer(kExamples);
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  add_what(app, options);
  add_how(app, options);
  add_gpus(app, options);
  add_results(app, options);
}

std::vector<std::string> option_values(const std::string& option) {
  std::set<std::string> words;
  const Catalogue& catalogue = warpwright::catalogue();
  if (option == "--arch") words = {"native"};
  if (option == "--arch")
    for (const int capability : supported_architectures()) words.insert(fmt::format("sm_{}", capability));
  if (option == "--board")
    for (const Board& board : boards()) words.insert(board.device.model);
  if (option == "--strategy") return strategy_names();
  if (option == "--pattern") return catalogue.names();
  if (option == "--devices") return {"all"};
  for (const Pattern& pattern : catalogue.patterns()) {
    if (option == "--type")
      for (const auto& types : pattern.types) words.insert(types_text(types));
    if (option != "--with") continue;
    for (const auto& [axis, choices] : pattern.variants)
      for (const std::string& choice : choices) words.insert(axis + "=" + choice);
    for (const InputKind& kind : pattern.data) words.insert("data=" + kind.name);
    for (const Number& number : pattern.numbers) words.insert(number.name + "=" + number_text(number.preferred));
  }
  return {words.begin(), words.end()};
}

}  // namespace warpwright::tuner
