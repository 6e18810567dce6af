// The program `tune`: which configuration is fastest on this GPU, among those that are right?
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <set>
#include <span>

#include "db/export.hpp"
#include "db/program.hpp"
#include "db/query.hpp"
#include "kernels/job/jobs.hpp"
#include "kernels/runtime/worker/gpu_choice.hpp"
#include "kernels/runtime/worker/gpu_client.hpp"
#include "tuner/tune/baselines.hpp"
#include "tuner/tune/job_commands.hpp"
#include "tuner/tune/judge.hpp"
#include "tuner/tune/left_out.hpp"
#include "tuner/tune/listing.hpp"
#include "tuner/tune/report.hpp"
#include "tuner/tune/run.hpp"
#include "tuner/tune/shards.hpp"

namespace {

namespace ww = warpwright;
namespace tuner = warpwright::tuner;
namespace program = warpwright::program;
using tuner::Options;

const std::atomic<bool>& interrupted = program::interrupted();

/// What a run takes that was asked for nothing but an architecture, however many kernels there are.
constexpr double kSurveySeconds = 140;

constexpr const char* kExamples = R"(
Examples:
  tune --arch sm_75                              predict for an architecture, with or without that GPU
  tune --arch sm_75 --board 'RTX 2080 Ti'        the same for one board
  tune --arch native                             measure on the GPU of this machine
  tune --arch native --pattern reduce --size 2^28 --type float --budget 2m
  tune --arch native --pattern transpose --set tile_dim=32,bank_pad=0..1 --size 1024x1024..8192x8192:x2
  tune --arch native --devices all               on all of its GPUs at the same time
  tune --arch native --baselines                 the same, then the winners against CUB, cuBLAS, Kokkos
  tune convolution.json --arch sm_90             kernels of your own, which a job file describes
  tune init convolution.cu                       drafts such a file from the text
  tune import-t1 problem.json --source kernel.cu   the same from a T1 description
  tune --arch sm_90 --predict --shard 3/16       the third of sixteen parts, for many machines: ./warpwright fleet
  tune --list                                    patterns, kernels, parameters
  tune --arch native --dry-run                   what would be done

A run that was interrupted goes on where it ended when the same command is given again.
Runs that predict at the same time share the work of one database. A run that measures shares nothing: its times need the
GPU to themselves.
Exit codes: 0 done, 1 something is wrong with a kernel, 2 usage, 3 environment.)";

/// GPUs of this machine that the run is for; none when it is to be predicted.
std::vector<ww::gpu::GpuInfo> gpus_for(const Options& options) {
  if (options.predict) return {};
  const bool native = options.arch == "native";
  std::vector<ww::gpu::GpuInfo> found;
  try {
    ww::worker::Process process;
    for (ww::gpu::GpuInfo& info : ww::worker::list_gpus(process))
      if (native || info.device.compute_capability == ww::parse_arch(options.arch)) found.push_back(std::move(info));
  } catch (const std::runtime_error& none) {
    if (native || options.devices != "first") throw;
  }
  if (native && found.empty())
    throw std::runtime_error("this machine has no GPU: name an architecture, e.g. --arch sm_75");
  for (ww::gpu::GpuInfo& info : found) info.device.is_ours_alone = options.whole_board;
  if (found.empty() && options.devices != "first")
    throw std::runtime_error(
        fmt::format("this machine has no {} GPU: without --devices the run predicts for one", options.arch));
  if (found.empty() && !options.shard.empty() && !options.dry_run)
    throw std::runtime_error(fmt::format(
        "this machine has no {} GPU, and the other shards may be measured on one: run where there is one, or "
        "have all shards predicted with --predict",
        options.arch));
  return ww::worker::GpuChoice(options.devices).among(std::move(found), options.arch);
}

/// Throws std::invalid_argument for what no run can be asked for, and reads the budget.
void check(Options& options) {
  if (options.arch.empty())
    throw std::invalid_argument("which architecture? Give --arch sm_75 (or another), or --arch native");
  if (options.arch != "native") ww::parse_arch(options.arch);
  (void)ww::worker::GpuChoice(options.devices);
  if (options.predict && options.devices != "first")
    throw std::invalid_argument("--predict uses no GPU: leave it out, or --devices");
  if (!options.shard.empty()) (void)ww::parse_shard(options.shard);
  options.request.params = tuner::ParamFilter(options.params);
  if (!options.budget.empty()) options.request.budget_seconds = tuner::parse_duration(options.budget);
  options.survey = options.request.globs.empty() && options.budget.empty() && options.request.budget_evaluations == 0 &&
                   options.request.strategy.empty();
  if (options.survey) {
    options.request.budget_seconds = kSurveySeconds;
    options.request.covers = true;
    options.budget = fmt::format("{:.0f}s", kSurveySeconds);
  }
  const auto names = tuner::strategy_names();
  if (!options.request.strategy.empty() && std::ranges::find(names, options.request.strategy) == names.end())
    throw std::invalid_argument(
        fmt::format("unknown strategy '{}'; known: {}", options.request.strategy, fmt::join(names, ", ")));
}

/// What a run with a budget did not look at, and how to go on.
void print_left(const tuner::Run& run, const std::string& arch) {
  for (const std::string& one : run.left) fmt::print("Looked at of {}\n", one);
  if (!run.left.empty())
    fmt::print("The rest: {}\n", run.options.survey ? "tune --pattern PATTERN --arch " + arch
                                                    : "the same command without its --budget or --evaluations");
}

/// What people read at the end of a run; a board without its GPU was predicted for.
void print_end(tuner::Run& run, double seconds, const std::optional<tuner::Board>& predicted, const std::string& arch) {
  const Options& options = run.options;
  tuner::print_best(run.lines);
  fmt::print("\n{} configurations {} in {:.1f} s ({:.0f}/s)", run.totals.configurations,
             predicted ? "compiled and judged" : "checked and timed", seconds,
             run.totals.configurations / std::max(seconds, 1e-9));
  if (run.totals.judged > 0) fmt::print(", {} of them judged on the host too", run.totals.judged);
  if (const int earlier = run.totals.resumed - run.totals.shared; earlier > 0)
    fmt::print(", {} taken over from earlier runs", earlier);
  if (run.totals.shared > 0) fmt::print(", {} taken over from another run beside this one", run.totals.shared);
  fmt::print("; programs: {} compiled, {} from the cache\n", run.compiler.compiled(), run.compiler.cached());
  if (predicted) {
    fmt::print("Nothing was measured: no {} GPU was used. The times are predictions of a model for the {}.\n", arch,
               predicted->device.model);
    if (const auto baselines = tuner::baselines_worker(options, arch); !baselines.empty())
      fmt::print("{}\n", tuner::untimed_baselines(baselines));
    if (!run.compiler.toolchain().host_error.empty())
      fmt::print("Nothing was judged either: {}.\n", run.compiler.toolchain().host_error);
  }
  print_left(run, arch);
  fmt::print("Stored in {} (see: tunedb best --arch {})\n", run.store.path().string(), arch);
  const auto folder =
      options.report.empty() ? tuner::default_report_folder(run.store.path()) : std::filesystem::path(options.report);
  if (!options.no_report && !interrupted)
    if (const auto index = tuner::write_report(run.store.path(), folder); !index.empty())
      fmt::print("Report: {}\n", index.string());
}

/// What is asked for on a device; of a shard its part, which the request says too.
std::vector<tuner::TuneItem> items_for(Options& options, const ww::Catalogue& catalogue, const ww::Device& device,
                                       tuner::Pieces pieces) {
  auto items = tuner::tune_items(catalogue, options.request, device);
  if (options.survey) tuner::keep_one_a_pattern(items);
  if (!options.shard.empty()) tuner::keep_shard(ww::parse_shard(options.shard), pieces, device, options.request, items);
  return items;
}

/// Kernels that need what this machine has not.
void leave_out(const ww::Catalogue& catalogue, const ww::worker::Toolchain& tools, const ww::Device& device,
               std::vector<tuner::TuneItem>& items) {
  if (!tools.host_error.empty()) {
    tuner::leave_out_host_steps(catalogue, items, device, tools.host_error);
    tuner::drop_unsolved(items);
  }
  if (!tools.linker_error.empty()) {
    tuner::leave_out_device_launches(catalogue, items, device, tools.linker_error);
    tuner::drop_unsolved(items);
  }
}

int run(Options& options, const std::string& command) {
  const ww::job::Jobs jobs(ww::catalogue(), options.jobs);
  const ww::Catalogue& catalogue = jobs.catalogue();
  options.request.globs.insert(options.request.globs.end(), jobs.globs().begin(), jobs.globs().end());
  const tuner::Form form = options.json ? tuner::Form::json : tuner::Form::text;
  if (options.list) {
    const int capability = options.arch.empty() || options.arch == "native" ? ww::supported_architectures().front()
                                                                            : ww::parse_arch(options.arch);
    tuner::print_list(catalogue, options.request.globs, tuner::default_board(capability).device, form);
    return program::kDone;
  }
  check(options);
  const auto gpus = gpus_for(options);
  std::optional<tuner::Board> board;
  if (gpus.empty()) {
    const int capability = ww::parse_arch(options.arch);
    board = options.board.empty() ? tuner::default_board(capability) : tuner::find_board(options.board, capability);
  }
  const ww::Device device = board ? board->device : gpus.front().device;
  const bool is_sharded = !options.shard.empty();
  // Not by what this machine has: a fleet's machines may differ.
  auto items =
      items_for(options, catalogue, device, options.predict ? tuner::Pieces::configurations : tuner::Pieces::problems);
  if (options.dry_run) {
    tuner::print_dry_run(items, options.request, device,
                         tuner::expected_rate(options.database(), device.arch(), !gpus.empty()), form);
    return program::kDone;
  }

  (void)tuner::baselines_worker(options, device.arch());
  tuner::drop_unsolved(items);
  if (items.empty()) {
    if (is_sharded) tuner::say_empty(options.shard, options.database());
    return program::kDone;
  }

  tuner::Run run(options, catalogue, std::move(items));
  const ww::worker::Toolchain& tools = run.compiler.toolchain();
  if (!tools.nvrtc_error.empty()) throw std::runtime_error(tools.nvrtc_error);
  if (board && !options.unjudged) tuner::require_judge(tools.host_error);
  leave_out(catalogue, tools, device, run.items);
  const auto begin = std::chrono::steady_clock::now();
  const auto items_of_another = [&](const ww::Device& other) {
    auto found = items_for(options, catalogue, other, tuner::Pieces::problems);
    tuner::drop_unsolved(found);
    leave_out(catalogue, tools, other, found);
    return found;
  };
  if (!gpus.empty()) run.measure(gpus, items_of_another, command);
  if (board) run.predict(*board, command);
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  run.cache.trim();

  if (options.json) {
    std::vector<ww::db::Best> found;
    for (const auto& line : run.lines) found.push_back(line.best);
    fmt::print("{}\n", ww::db::to_json(found));
  } else {
    print_end(run, seconds, board, device.arch());
  }
  if (run.totals.wrong > 0) {
    fmt::print(stderr,
               "tune: {} configuration(s) are wrong, crashed, hung or did not compile: see tunedb trials "
               "--verdict failed\n",
               run.totals.wrong);
    return program::kWrong;
  }
  if (interrupted) fmt::print(stderr, "tune: interrupted; the same command goes on from here\n");
  if (!interrupted && run.totals.configurations + run.totals.resumed == 0)
    throw std::runtime_error("the budget was over before one configuration was looked at: give it more time");
  return interrupted || is_sharded || !run.lines.empty() ? program::kDone : program::kWrong;
}

std::vector<std::string> option_values(const std::string& option) {
  std::set<std::string> words;
  const ww::Catalogue& catalogue = ww::catalogue();
  if (option == "--arch") words = {"native"};
  if (option == "--arch")
    for (const int capability : ww::supported_architectures()) words.insert(fmt::format("sm_{}", capability));
  if (option == "--board")
    for (const tuner::Board& board : tuner::boards()) words.insert(board.device.model);
  if (option == "--strategy") return tuner::strategy_names();
  if (option == "--pattern") return catalogue.names();
  if (option == "--devices") return {"all"};
  for (const ww::Pattern& pattern : catalogue.patterns()) {
    if (option == "--type")
      for (const auto& types : pattern.types) words.insert(ww::types_text(types));
    if (option != "--with") continue;
    for (const auto& [axis, choices] : pattern.variants)
      for (const std::string& choice : choices) words.insert(axis + "=" + choice);
    for (const ww::InputKind& kind : pattern.data) words.insert("data=" + kind.name);
    for (const ww::Number& number : pattern.numbers)
      words.insert(number.name + "=" + ww::number_text(number.preferred));
  }
  return {words.begin(), words.end()};
}

}  // namespace

int main(int argc, char** argv) {
  if (tuner::is_job_command(argc, argv)) return tuner::run_job_command(argc, argv);
  Options options;
  CLI::App app{"Finds the fastest configuration of CUDA kernels among those that are right.", "tune"};
  app.footer(kExamples);
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  tuner::TuneRequest& request = options.request;
  app.add_option("jobs", options.jobs, "Job files (.json) of kernels in CUDA text of your own")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--arch", options.arch, "sm_XX, or native for the GPU of this machine");
  app.add_option("--board", options.board, "Board to predict for, e.g. 'RTX 2080 Ti' (default: the common one)");
  app.add_option("--pattern", request.globs, "Patterns or PATTERN/KERNEL globs (default: a short look at each pattern)")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  for (auto* list : {app.add_option("--size", request.sizes, "Sizes, e.g. 2^26, 8192x8192 or 2^10..2^28:x4"),
                     app.add_option("--type", request.types, "Element types, e.g. float; all"),
                     app.add_option("--with", request.with,
                                    "Settings of the problem: NAME=VALUE, several with commas, e.g. op=sum or "
                                    "filter=9,border=clamp,data=uniform; NAME=all; given again: one more problem")})
    list->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_option("--budget", options.budget, "Time for the whole run, e.g. 90s, 10m, 1h");
  app.add_option("--evaluations", request.budget_evaluations, "Configurations per kernel and problem")
      ->check(CLI::PositiveNumber);
  app.add_option("--strategy", request.strategy,
                 "exhaustive, random, local or smac (default: exhaustive without a budget, smac with one)");
  app.add_option("--shard", options.shard,
                 "A part of the whole, the same whoever asks, e.g. 3/16: of configurations when predicted, of problems "
                 "when measured");
  app.add_option("--seed", request.seed, "Seed of inputs and search")->capture_default_str();
  app.add_option("--db", options.db, "Database (default: $WARPWRIGHT_DB or ~/.local/share/warpwright/warpwright.db)");
  app.add_option("--cache", options.cache, "Folder of compiled programs (default: ~/.cache/warpwright)");
  app.add_option("--devices,--device", options.devices,
                 "GPUs to measure on at the same time: indices as nvidia-smi counts, e.g. 1 or 0,1; or all of that "
                 "architecture (default: the first)");
  app.add_option("--set", options.params,
                 "Keep to params: NAME=VALUE, NAME=LOW..HIGH or NAME=VALUE|VALUE, several with commas")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  app.add_flag("--predict", options.predict, "Predict even if the machine has that GPU");
  app.add_flag("--unjudged", options.unjudged, "Without a host compiler: predict what nobody can judge here");
  app.add_flag("--whole-board", options.whole_board,
               "Nobody else uses the GPU: also measure what takes more memory than it has");
  app.add_flag("--remeasure", request.remeasure, "Measure again what the database holds");
  app.add_flag("--baselines,!--no-baselines", options.baselines,
               "Compare the winners with the libraries (default: where bin/baselines_ARCH was built)");
  app.add_flag("--list", options.list, "Show patterns, kernels and their parameters");
  app.add_flag("--dry-run", options.dry_run, "Show what would be done");
  app.add_option("--report", options.report, "Folder of the HTML report (default: report/ beside the database)");
  app.add_flag("--no-report", options.no_report, "Write no report");
  app.add_flag("--json", options.json, "Print the best settings, or what --list and --dry-run show, as JSON");
  return program::run(
      app, argc, argv, [&] { return run(options, fmt::format("{}", fmt::join(std::span(argv, argc), " "))); },
      option_values);
}
