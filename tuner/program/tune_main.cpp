// The program `tune`: finds the fastest configuration on this GPU among the correct ones.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <filesystem>

#include "conformance/checks/oracle_answer.hpp"
#include "conformance/suite/known_names.hpp"
#include "db/exchange/best_table.hpp"
#include "db/exchange/export.hpp"
#include "db/query/query.hpp"
#include "kernels/job/jobs.hpp"
#include "kernels/runtime/client/gpu_choice.hpp"
#include "kernels/runtime/client/gpu_client.hpp"
#include "kernels/system/command_line.hpp"
#include "kernels/system/output_file.hpp"
#include "kernels/system/say.hpp"
#include "kernels/system/stop.hpp"
#include "tuner/measuring/baselines.hpp"
#include "tuner/program/command_line.hpp"
#include "tuner/program/ending.hpp"
#include "tuner/program/finding_text.hpp"
#include "tuner/program/job_commands.hpp"
#include "tuner/program/listing.hpp"
#include "tuner/program/tune_run.hpp"
#include "tuner/tasks/left_out.hpp"
#include "tuner/tasks/shards.hpp"
#include "tuner/tasks/simulator_checks.hpp"

namespace {

namespace ww = warpwright;
namespace tuner = warpwright::tuner;
namespace program = warpwright::program;
using tuner::Options;

const std::atomic<bool>& interrupted = program::interrupted();

/// The time budget of a run for which only an architecture was given, whatever the number of kernels.
constexpr double kSurveySeconds = 140;

constexpr const char* kTooShort =
    "the budget was over before one configuration was evaluated: give it more time (--budget)";

/// The GPUs of this machine to run on; none if times are to be predicted.
std::vector<ww::gpu::GpuInfo> gpus_for(const Options& options) {
  if (options.predict) return {};
  const bool native = options.arch == "native";
  std::vector<ww::gpu::GpuInfo> found;
  try {
    ww::worker::Process process;
    for (ww::gpu::GpuInfo& info : ww::worker::list_gpus(process))
      if (native || info.device.compute_capability == ww::parse_arch(options.arch)) found.push_back(std::move(info));
  } catch (const std::runtime_error& none) {
    if (native)
      throw std::runtime_error(
          fmt::format("{}\nwithout a GPU: name an architecture to predict for, e.g. --arch sm_75", none.what()));
    if (options.devices != "first") throw;
  }
  if (native && found.empty())
    throw std::runtime_error("this machine has no GPU: name an architecture, e.g. --arch sm_75");
  for (ww::gpu::GpuInfo& info : found) info.device.is_ours_alone = options.whole_board;
  if (found.empty() && options.devices != "first")
    throw std::runtime_error(
        fmt::format("this machine has no {} GPU: leave out --devices to predict for one", options.arch));
  if (found.empty() && !options.shard.empty() && !options.dry_run)
    throw std::runtime_error(fmt::format(
        "this machine has no {} GPU, and the other shards may be measured on one: run where there is one, or "
        "have all shards predicted with --predict",
        options.arch));
  return ww::worker::GpuChoice(options.devices).among(std::move(found), options.arch);
}

/// Throws std::invalid_argument for requests that are not possible; also parses the budget.
void check(Options& options) {
  if (options.arch.empty())
    throw std::invalid_argument("which architecture? Give --arch sm_75 (or another), or --arch native");
  if (options.arch != "native") ww::parse_arch(options.arch);
  (void)ww::worker::GpuChoice(options.devices);
  if (options.predict && options.devices != "first")
    throw std::invalid_argument("--predict uses no GPU: leave out --predict or --devices");
  if (!options.shard.empty()) (void)ww::parse_shard(options.shard);
  if (!options.shard.empty() && !options.request.robust.empty())
    throw std::invalid_argument(
        "--robust needs all sizes, and a shard has only some: merge the shards, then run "
        "`tunedb best --robust`");
  options.request.params = tuner::ParamFilter(options.params);
  options.request.params.only_deterministic = options.deterministic;
  options.request.objective = ww::objective_of(options.objective);
  if (!options.budget.empty()) options.request.budget_seconds = tuner::parse_duration(options.budget);
  options.survey = options.request.globs.empty() && options.budget.empty() && options.request.budget_evaluations == 0 &&
                   options.request.strategy.empty();
  if (options.survey) {
    options.request.budget_seconds = kSurveySeconds;
    options.budget = fmt::format("{:.0f}s", kSurveySeconds);
  }
  if (!options.request.strategy.empty()) tuner::check_strategy(options.request.strategy);
}

/// The tasks for a device; with --shard only that part, which is also noted in the request.
std::vector<tuner::TuningTask> tasks_for(Options& options, const ww::Catalogue& catalogue, const ww::Device& device,
                                         tuner::Pieces pieces) {
  auto tasks = tuner::tuning_tasks(catalogue, options.request, device);
  if (options.survey) tuner::keep_one_a_pattern(tasks);
  if (!options.shard.empty()) tuner::keep_shard(ww::parse_shard(options.shard), pieces, device, options.request, tasks);
  return tasks;
}

/// Leaves out kernels for which something is missing on this machine.
void leave_out(const ww::Catalogue& catalogue, const ww::worker::Toolchain& tools, const ww::Device& device,
               std::vector<tuner::TuningTask>& tasks) {
  if (!tools.host_error.empty()) {
    tuner::leave_out_host_steps(catalogue, tasks, device, tools.host_error);
    tuner::drop_unsolved(tasks);
  }
  if (!tools.linker_error.empty()) {
    tuner::leave_out_device_launches(catalogue, tasks, device, tools.linker_error);
    tuner::drop_unsolved(tasks);
  }
}

/// The board to predict for; none if a GPU measures. Throws std::invalid_argument for options that need a GPU.
std::optional<ww::Board> board_without_gpu(const Options& options, const std::vector<ww::gpu::GpuInfo>& gpus) {
  if (!gpus.empty()) return {};
  const int capability = ww::parse_arch(options.arch);
  auto board = options.board.empty() ? ww::default_board(capability) : ww::find_board(options.board, capability);
  if (options.deterministic)
    throw std::invalid_argument(
        "--deterministic needs a GPU, and this machine has none of that architecture: leave the option out");
  if (options.request.objective != ww::Objective::time)
    throw std::invalid_argument(fmt::format(
        "--objective {} needs a GPU that counts its energy, and this machine has none of that architecture: leave the "
        "option out",
        options.objective));
  return board;
}

/// Makes the folder of the report, if one is asked for, before the run: afterwards the report would be lost if that
/// failed.
void make_report_folder(const Options& options) {
  if (options.report.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(options.report, error);
  ww::require_writable(std::filesystem::path(options.report) / "index.html", "the report");
}

/// Prints the results of a run that has ended. Returns the exit code.
int print_results(const Options& options, tuner::Run& run, ww::Form form, double seconds,
                  const std::optional<ww::Board>& board, const std::vector<ww::gpu::GpuInfo>& gpus) {
  bool is_written = true;
  if (form != ww::Form::text) {
    program::print(options.csv ? ww::db::best_table(run.best).csv() : ww::db::to_json(run.best));
    if (run.totals.has_wrong()) tuner::say_faults(options, run.totals);
  } else {
    is_written = tuner::print_end(run, seconds, board, gpus);
  }
  if (run.totals.has_wrong()) return program::kWrong;
  if (interrupted) program::say("tune: interrupted; the same command goes on from here");
  if (!interrupted && run.totals.configurations + run.totals.resumed == 0) throw std::runtime_error(kTooShort);
  if (!is_written) return program::kEnvironment;
  return interrupted || !options.shard.empty() || !run.best.empty() ? program::kDone : program::kWrong;
}

int run(Options& options, const std::vector<std::string>& subcommands, const std::string& command) {
  const ww::job::Jobs jobs(ww::catalogue(), options.jobs);
  const ww::Catalogue& catalogue = jobs.catalogue();
  options.request.globs.insert(options.request.globs.end(), jobs.globs().begin(), jobs.globs().end());
  ww::conformance::require_names(catalogue, options.request.globs, subcommands);
  const ww::Form form = options.csv ? ww::Form::csv : options.json ? ww::Form::json : ww::Form::text;
  if (options.list) {
    const int capability = options.arch.empty() || options.arch == "native" ? ww::supported_architectures().front()
                                                                            : ww::parse_arch(options.arch);
    tuner::print_list(catalogue, options.request.globs, ww::default_board(capability).device, form);
    return program::kDone;
  }
  check(options);
  const tuner::Budget budget(options.request.budget_seconds);
  const auto gpus = gpus_for(options);
  const std::optional<ww::Board> board = board_without_gpu(options, gpus);
  const ww::Device device = board ? board->device : gpus.front().device;
  // Does not depend on what is missing here, because the machines of a fleet may differ.
  auto tasks =
      tasks_for(options, catalogue, device, options.predict ? tuner::Pieces::configurations : tuner::Pieces::problems);
  if (options.dry_run) {
    tuner::print_dry_run(tasks, options.request, device,
                         tuner::expected_rate(options.database(), device.arch(), !gpus.empty()), form, options.verbose);
    return program::kDone;
  }

  make_report_folder(options);
  (void)tuner::baselines_worker(options, device.arch());
  tuner::drop_unsolved(tasks);
  if (tasks.empty()) {
    if (!options.shard.empty()) tuner::say_empty(options.shard, options.database());
    return program::kDone;
  }

  const bool is_robust = !options.request.robust.empty();
  if (is_robust) tuner::add_tasks_for_all_sizes(tasks);
  tuner::Run run(options, catalogue, std::move(tasks), budget, board.has_value());
  const ww::worker::Toolchain& tools = run.build.compiler.toolchain();
  if (!tools.nvrtc_error.empty()) throw std::runtime_error(tools.nvrtc_error);
  if (board && !options.unchecked) tuner::require_simulator(tools.host_error);
  leave_out(catalogue, tools, device, run.tasks);
  const auto begin = std::chrono::steady_clock::now();
  const auto tasks_for_other = [&](const ww::Device& other) {
    auto found = tasks_for(options, catalogue, other, tuner::Pieces::problems);
    tuner::drop_unsolved(found);
    if (is_robust) tuner::add_tasks_for_all_sizes(found);
    leave_out(catalogue, tools, other, found);
    return found;
  };
  try {
    if (!gpus.empty()) run.measure(gpus, tasks_for_other, command);
    if (board) run.predict(*board, command);
  } catch (const ww::conformance::OracleFault& fault) {
    run.progress.end();
    program::say(tuner::oracle_fault_text(fault));
    return program::kWrong;
  }
  run.find_settings_for_all_sizes();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  run.progress.end();
  run.build.cache.trim();
  return print_results(options, run, form, seconds, board, gpus);
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  CLI::App app{"Finds the fastest correct configuration of CUDA kernels.", "tune"};
  tuner::add_options(app, options);
  const tuner::JobCommands job_commands(app);
  return program::run(
      app, argc, argv,
      [&] {
        if (job_commands.are_asked()) return job_commands.run();
        try {
          return run(options, job_commands.names(), program::command_of(argc, argv));
        } catch (const ww::Stopped&) {
          if (interrupted) throw;
          throw std::runtime_error(kTooShort);
        }
      },
      tuner::option_values);
}
