// The program `tune`: which configuration is fastest on this GPU, among those that are right?
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/utsname.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <set>
#include <span>

#include "db/export.hpp"
#include "db/program.hpp"
#include "db/query.hpp"
#include "db/store.hpp"
#include "tuner/boards.hpp"
#include "tuner/gpu_lock.hpp"
#include "tuner/tune/baselines.hpp"
#include "tuner/tune/failures.hpp"
#include "tuner/tune/measure.hpp"
#include "tuner/tune/output.hpp"
#include "tuner/tune/predict.hpp"
#include "tuner/tune/report.hpp"
#include "tuner/tune/session.hpp"
#include "tuner/worker_bench.hpp"

namespace {

namespace ww = warpwright;
namespace tuner = warpwright::tuner;
namespace program = warpwright::program;

const std::atomic<bool>& interrupted = program::interrupted();

struct Options {
  tuner::TuneRequest request;
  std::string arch;
  std::string board;
  std::string budget;
  std::string db;
  std::string cache;
  std::string devices = "first";
  std::optional<bool> baselines;
  bool predict = false;
  bool whole_board = false;
  bool list = false;
  bool dry_run = false;
  bool no_report = false;
  std::string report;
  bool json = false;

  std::filesystem::path database() const { return db.empty() ? ww::db::default_path() : std::filesystem::path(db); }
};

constexpr const char* kExamples = R"(
Examples:
  tune --arch sm_75                              predict for an architecture, with or without that GPU
  tune --arch sm_75 --board 'RTX 2080 Ti'        the same for one board
  tune --arch native                             measure on the GPU of this machine
  tune --arch native --pattern reduce --size 2^28 --type float --budget 2m
  tune --arch native --baselines                 the same, then the winners against CUB, cuBLAS, Kokkos
  tune --list                                    patterns, kernels, parameters
  tune --arch native --dry-run                   what would be done

A run that was interrupted goes on where it ended when the same command is given again.
Exit codes: 0 done, 1 something is wrong with a kernel, 2 usage, 3 environment.)";

std::string system_name() {
  utsname name{};
  ::uname(&name);
  return fmt::format("{} {}", name.sysname, name.release);
}

struct Totals {
  int configurations = 0, resumed = 0, wrong = 0;
  double seconds = 0;

  void add(const tuner::TuneOutcome& outcome) {
    configurations += outcome.configurations;
    resumed += outcome.resumed;
    wrong += outcome.wrong;
    seconds += outcome.seconds;
  }
};

tuner::BestLine best_line(const ww::db::Store& store, const ww::Problem& problem, const ww::Device& device,
                          const ww::gpu::Ceilings& ceilings) {
  const auto found = ww::db::best(store, {.arch = device.arch(),
                                          .pattern = problem.pattern,
                                          .kernel = {},
                                          .settings = ww::parse_settings(ww::settings_text(problem)),
                                          .types = ww::types_text(problem),
                                          .shape = problem.shape,
                                          .board = device.model});
  if (found.empty())
    throw std::runtime_error(
        "no configuration of " + ww::problem_text(problem) +
        " was right and could be ranked (the model predicts no plan with streams or host buffers)");
  return {.best = found.front(), .work = ww::catalogue().pattern(problem.pattern).work(problem), .ceilings = ceilings};
}

/// The worker with baselines for that architecture; empty where there is none, or none is wanted.
std::filesystem::path baselines_worker(const Options& options, const std::string& arch) {
  if (!options.baselines.value_or(true)) return {};
  auto program = ww::worker::baselines_program(arch);
  if (program.empty() && options.baselines)
    throw std::runtime_error(
        fmt::format("there is no worker with baselines for {0}: build it with ./warpwright baselines --arch {0}, or "
                    "leave out --baselines",
                    arch));
  return program;
}

/// Everything a run has open.
struct Run {
  const Options& options;
  ww::db::Store store;
  ww::DiskCache cache;
  ww::worker::Pool pool;
  ww::worker::Compiler compiler;
  std::vector<tuner::TuneItem> items;
  std::vector<tuner::BestLine> lines;
  Totals totals;

  Run(const Options& given, std::vector<tuner::TuneItem> asked)
      : options(given),
        store(given.database()),
        cache(given.cache.empty() ? ww::DiskCache::default_folder() : std::filesystem::path(given.cache)),
        compiler(pool, cache, ww::catalogue().sources()),
        items(std::move(asked)) {}

  ww::db::Session session(const std::string& target) const {
    return {.command = options.arch,
            .strategy = options.request.strategy_name(),
            .seed = options.request.seed,
            .budget = options.budget,
            .target = target};
  }

  void add_line(const ww::Problem& problem, const ww::Device& device, const ww::gpu::Ceilings& ceilings) {
    try {
      lines.push_back(best_line(store, problem, device, ceilings));
    } catch (const std::runtime_error& nothing) {
      fmt::print(stderr, "tune: {}\n", nothing.what());
    }
  }

  void predict(const tuner::Board& board, const std::string& command) {
    ww::db::Environment environment{.nvrtc = compiler.toolchain().nvrtc_version,
                                    .host_compiler = compiler.toolchain().host_fingerprint,
                                    .os = system_name()};
    ww::db::Session opened = session(board.device.arch());
    opened.command = command;
    tuner::Recorder recorder(store, ww::catalogue(), board.device, "table: " + board.source, environment, opened);
    const tuner::Workshop shop{ww::catalogue(), pool, compiler, board.device, interrupted};
    totals.wrong += tuner::replay_stored(shop, items, store);
    for (const tuner::TuneItem& item : items) {
      if (interrupted) break;
      totals.add(tuner::predict_item(shop, item, options.request, recorder));
      if (!interrupted) add_line(item.problem, board.device, {});
    }
    recorder.end(interrupted ? "interrupted" : "complete");
  }

  void measure(const ww::gpu::GpuInfo& info, const std::string& command) {
    const tuner::GpuLock lock(info.uuid);
    const tuner::Workshop shop{ww::catalogue(), pool, compiler, info.device, interrupted};
    const ww::Built support = tuner::compile_ahead(shop, items, options.request);
    if (!support.ok) throw std::runtime_error("the runtime's own kernels do not compile: " + support.log);
    const auto baselines = baselines_worker(options, info.device.arch());
    ww::worker::GpuClient client(info, support, baselines.empty() ? ww::worker::worker_program() : baselines);
    const ww::gpu::Sensors sensors = client.sensors();
    ww::db::Environment environment{.gpu_uuid = info.uuid,
                                    .driver = sensors.driver.empty() ? info.driver_version : sensors.driver,
                                    .cuda = info.driver_version,
                                    .nvrtc = compiler.toolchain().nvrtc_version,
                                    .host_compiler = compiler.toolchain().host_fingerprint,
                                    .ecc = info.ecc,
                                    .os = system_name()};
    ww::db::Session opened = session(info.device.arch());
    opened.command = command;
    opened.sm_clock_mhz = sensors.sm_clock_mhz;
    opened.power_w = sensors.power_w;
    opened.temperature_c = sensors.temperature_c;
    const double ratio = client.sensor_ratio();
    if (!tuner::check_sensor(1, ratio).passed)
      throw std::runtime_error(
          fmt::format("the clock of this GPU cannot be trusted: twice the work took {:.2f} times "
                      "as long. Is another process using it? See nvidia-smi",
                      ratio));
    tuner::GpuWatch watch(
        [&client] { return client.sensors(); },
        [](const std::string& warning) { fmt::print(stderr, "\ntune: warning: {}; times may suffer\n", warning); });
    opened.warnings = watch.look();
    tuner::Recorder recorder(store, ww::catalogue(), info.device, "device", environment, opened);
    tuner::WorkerBench bench(shop, client);
    totals.wrong += tuner::replay_stored(shop, items, store, {{.device = info.device, .index = info.index}});
    for (const tuner::TuneItem& item : items) {
      if (interrupted) break;
      const auto measured =
          tuner::measure_item(ww::catalogue(), item, options.request, recorder, bench, watch, interrupted);
      totals.add(measured.outcome);
      for (const std::string& note : measured.notes) fmt::print(stderr, "tune: baseline {}\n", note);
      ww::db::Session seen = recorder.session();
      tuner::raise_ceilings(seen, measured.ceilings);
      seen.warnings = watch.seen();
      recorder.update_session(seen);
      if (!interrupted) add_line(item.problem, info.device, measured.ceilings);
    }
    recorder.end(interrupted ? "interrupted" : "complete");
  }
};

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
    if (native) throw;
    return {};
  }
  if (native && found.empty())
    throw std::runtime_error("this machine has no GPU: name an architecture, e.g. --arch sm_75");
  for (ww::gpu::GpuInfo& info : found) info.device.is_ours_alone = options.whole_board;
  if (options.devices == "all") return found;
  if (!found.empty()) found.resize(1);
  return found;
}

/// Throws std::invalid_argument for what no run can be asked for, and reads the budget.
void check(Options& options) {
  if (options.arch.empty())
    throw std::invalid_argument("which architecture? Give --arch sm_75 (or another), or --arch native");
  if (options.arch != "native") ww::parse_arch(options.arch);
  if (!options.budget.empty()) options.request.budget_seconds = tuner::parse_duration(options.budget);
  const auto names = tuner::strategy_names();
  if (!options.request.strategy.empty() && std::ranges::find(names, options.request.strategy) == names.end())
    throw std::invalid_argument(
        fmt::format("unknown strategy '{}'; known: {}", options.request.strategy, fmt::join(names, ", ")));
}

/// Says why kernels are left out, and drops problems that none is left for.
void drop_unsolved(std::vector<tuner::TuneItem>& items) {
  for (const tuner::TuneItem& item : items)
    if (item.kernels.empty())
      for (const tuner::LeftOut& left : item.left_out)
        fmt::print(stderr, "tune: {} on {}: skipped: {}\n", left.kernel->full_name(), ww::problem_text(item.problem),
                   left.reason);
  std::erase_if(items, [](const tuner::TuneItem& item) { return item.kernels.empty(); });
}

/// What people read at the end of a run; a board without its GPU was predicted for.
void print_end(Run& run, double seconds, const std::optional<tuner::Board>& predicted, const std::string& arch) {
  const Options& options = run.options;
  tuner::print_best(run.lines);
  fmt::print("\n{} configurations {} in {:.1f} s ({:.0f}/s)", run.totals.configurations,
             predicted ? "compiled and judged" : "checked and timed", seconds,
             run.totals.configurations / std::max(seconds, 1e-9));
  if (run.totals.resumed > 0) fmt::print(", {} taken over from earlier runs", run.totals.resumed);
  fmt::print("; programs: {} compiled, {} from the cache\n", run.compiler.compiled(), run.compiler.cached());
  if (predicted) {
    fmt::print("Nothing was measured: no {} GPU was used. The times are predictions of a model for the {}.\n", arch,
               predicted->device.model);
    if (const auto baselines = baselines_worker(options, arch); !baselines.empty())
      fmt::print("{}\n", tuner::untimed_baselines(baselines));
    if (!run.compiler.toolchain().host_error.empty())
      fmt::print("Nothing was judged either: {}.\n", run.compiler.toolchain().host_error);
  }
  fmt::print("Stored in {} (see: tunedb best --arch {})\n", run.store.path().string(), arch);
  const auto folder =
      options.report.empty() ? tuner::default_report_folder(run.store.path()) : std::filesystem::path(options.report);
  if (!options.no_report && !interrupted)
    if (const auto index = tuner::write_report(run.store.path(), folder); !index.empty())
      fmt::print("Report: {}\n", index.string());
}

int run(Options& options, const std::string& command) {
  if (options.list) {
    const int capability = options.arch.empty() || options.arch == "native" ? ww::supported_architectures().front()
                                                                            : ww::parse_arch(options.arch);
    tuner::print_list(ww::catalogue(), options.request.glob, tuner::default_board(capability).device);
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
  auto items = tuner::tune_items(ww::catalogue(), options.request, device);
  options.request.budget_seconds /= static_cast<double>(items.size());
  if (options.dry_run) {
    tuner::print_dry_run(items, options.request, device,
                         tuner::expected_rate(options.database(), device.arch(), !gpus.empty()));
    return program::kDone;
  }

  (void)baselines_worker(options, device.arch());
  drop_unsolved(items);
  if (items.empty()) return program::kDone;

  Run run(options, std::move(items));
  if (!run.compiler.toolchain().nvrtc_error.empty()) throw std::runtime_error(run.compiler.toolchain().nvrtc_error);
  const auto begin = std::chrono::steady_clock::now();
  for (const ww::gpu::GpuInfo& info : gpus) run.measure(info, command);
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
  return program::kDone;
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
  Options options;
  CLI::App app{"Finds the fastest configuration of CUDA kernels among those that are right.", "tune"};
  app.footer(kExamples);
  app.option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  tuner::TuneRequest& request = options.request;
  app.add_option("--arch", options.arch, "sm_XX, or native for the GPU of this machine");
  app.add_option("--board", options.board, "Board to predict for, e.g. 'RTX 2080 Ti' (default: the common one)");
  app.add_option("--pattern", request.glob, "Patterns or PATTERN/KERNEL glob")->capture_default_str();
  for (auto* list : {app.add_option("--size", request.sizes, "Sizes, e.g. 2^26 or 8192x8192"),
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
  app.add_option("--seed", request.seed, "Seed of inputs and search")->capture_default_str();
  app.add_option("--db", options.db, "Database (default: $WARPWRIGHT_DB or ~/.local/share/warpwright/warpwright.db)");
  app.add_option("--cache", options.cache, "Folder of compiled programs (default: ~/.cache/warpwright)");
  app.add_option("--devices", options.devices, "all: every GPU of that architecture, one after the other")
      ->check(CLI::IsMember({"first", "all"}));
  app.add_flag("--predict", options.predict, "Predict even if the machine has that GPU");
  app.add_flag("--whole-board", options.whole_board,
               "Nobody else uses the GPU: also measure what takes more memory than it has");
  app.add_flag("--remeasure", request.remeasure, "Measure again what the database holds");
  app.add_flag("--baselines,!--no-baselines", options.baselines,
               "Compare the winners with the libraries (default: where bin/baselines_ARCH was built)");
  app.add_flag("--list", options.list, "Show patterns, kernels and their parameters");
  app.add_flag("--dry-run", options.dry_run, "Show what would be done");
  app.add_option("--report", options.report, "Folder of the HTML report (default: report/ beside the database)");
  app.add_flag("--no-report", options.no_report, "Write no report");
  app.add_flag("--json", options.json, "Print the best settings as JSON");
  return program::run(
      app, argc, argv, [&] { return run(options, fmt::format("{}", fmt::join(std::span(argv, argc), " "))); },
      option_values);
}
