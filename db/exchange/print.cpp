// Formats trials as aligned text.
#include "db/exchange/print.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>

#include "db/query/progress.hpp"
#include "db/query/rate.hpp"
#include "kernels/core/text.hpp"
#include "kernels/system/table.hpp"

namespace warpwright::db {
namespace {

using Row = std::vector<std::string>;

// Aligns rows; columns are as wide as needed; no trailing blanks.
std::string aligned(const std::vector<Row>& rows) {
  if (rows.empty()) return "";
  Table table(std::vector<Table::Column>(rows.front().size()));
  for (const Row& row : rows) table.add({row.begin(), row.end()});
  return table.text({.width = 0});
}

std::string microseconds(const std::optional<double>& value) {
  return value ? fmt::format("{:.2f}", *value) : "-";
}

std::string time_with_interval(const TrialView& view) {
  const Trial& trial = view.trial;
  std::string text = microseconds(view.time_us());
  if (view.time_us() && trial.low_us && trial.high_us) {
    text += fmt::format(" [{:.2f}, {:.2f}]", *trial.low_us, *trial.high_us);
  }
  return text;
}

// The work that every solution must do, if known.
std::string work_of(const Problem& problem) {
  if (problem.bytes_read + problem.bytes_written + problem.operations + problem.steps <= 0) return "";
  const std::string work = fmt::format("reads {:.6g} B, writes {:.6g} B, {:.6g} operations, {:.6g} thread steps",
                                       problem.bytes_read, problem.bytes_written, problem.operations, problem.steps);
  if (problem.bus_to_device + problem.bus_to_host <= 0) return work;
  return work + fmt::format("; over the bus {:.6g} B to the device, {:.6g} B to the host", problem.bus_to_device,
                            problem.bus_to_host);
}

// The first line of a text, shortened to fit a table.
std::string short_text(const std::string& text) {
  constexpr std::size_t longest = 60;
  std::string line = text.substr(0, text.find('\n'));
  return line.size() <= longest ? line : fmt::format("{}...", line.substr(0, longest - 3));
}

template <class T>
std::string or_nothing(const std::optional<T>& value, const char* unit = "") {
  return value ? fmt::format("{}{}", *value, unit) : "";
}

// At most `most` lines of a text; says how many are left out.
Row first_lines(const std::string& text, std::size_t most) {
  Row lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  if (lines.size() > most) {
    const std::size_t more = lines.size() - most;
    lines.resize(most);
    lines.push_back(fmt::format("... {} more lines: --json shows all", more));
  }
  return lines;
}

double ratio(std::int64_t a, std::int64_t b) {
  return b ? static_cast<double>(a) / static_cast<double>(b) : 0;
}

// Minimum, quartiles, maximum and relative standard deviation.
std::string summary(std::vector<double> values, const char* unit) {
  if (values.empty()) return "none";
  std::sort(values.begin(), values.end());
  const auto quantile = [&](double q) {
    return values[static_cast<std::size_t>(std::lround(q * static_cast<double>(values.size() - 1)))];
  };
  const auto count = static_cast<double>(values.size());
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / count;
  const double squares = std::accumulate(values.begin(), values.end(), 0.0,
                                         [&](double sum, double v) { return sum + (v - mean) * (v - mean); });
  const double deviation = mean > 0 ? 100 * std::sqrt(squares / count) / mean : 0;
  return fmt::format("{} samples: min {:.2f}, quartiles {:.2f} / {:.2f} / {:.2f}, max {:.2f} {}; deviation {:.1f} %",
                     values.size(), values.front(), quantile(0.25), quantile(0.5), quantile(0.75), values.back(), unit,
                     deviation);
}

// Headings and indented "name  value" lines.
class Sheet {
 public:
  void heading(const std::string& text) { rows_.push_back({printable(text)}); }
  void line(const std::string& name, const std::string& value) {
    if (!value.empty()) rows_.push_back({"  " + printable(name), printable(value)});
  }
  // Lines of text, not changed.
  void block(const std::string& name, const Row& lines) {
    if (lines.empty()) return;
    heading(name);
    for (const std::string& each : lines) heading("  " + each);
  }
  // A value that is wider than the screen continues below its beginning.
  std::string text(const Screen& screen) const {
    std::size_t names = 0;
    for (const Row& row : rows_) {
      if (row.size() > 1) names = std::max(names, row[0].size());
    }
    std::string text;
    for (const Row& row : rows_) {
      text += row.size() == 1 ? row[0] + "\n"
                              : wrapped(fmt::format("{:<{}}  {}", row[0], names, row[1]), screen.width, names + 2);
    }
    return text;
  }

 private:
  std::vector<Row> rows_;
};

void add_session(Sheet& sheet, const Session& session) {
  sheet.heading("session");
  sheet.line("command", session.command);
  sheet.line("strategy", session.strategy);
  sheet.line("seed", std::to_string(session.seed));
  sheet.line("budget", session.budget);
  sheet.line("time", fmt::format("{} to {} ({})", session.started_at, session.ended_at.value_or("?"),
                                 session.ended_how.value_or("running or killed")));
  sheet.line("program", session.program_version);
  if (session.copy_gbs) sheet.line("copy ceiling", fmt::format("{:.1f} GB/s", *session.copy_gbs));
  if (session.read_gbs) sheet.line("read ceiling", fmt::format("{:.1f} GB/s", *session.read_gbs));
  if (session.bus_to_device_gbs && session.bus_to_host_gbs)
    sheet.line("bus ceiling", fmt::format("{:.1f} GB/s to the device, {:.1f} GB/s to the host",
                                          *session.bus_to_device_gbs, *session.bus_to_host_gbs));
  if (session.float_gflops)
    sheet.line("arithmetic ceiling", fmt::format("{:.2f} TFLOP/s float, {:.2f} double", *session.float_gflops / 1e3,
                                                 session.double_gflops.value_or(0) / 1e3));
  if (session.sm_clock_mhz) sheet.line("SM clock", fmt::format("{:.0f} MHz", *session.sm_clock_mhz));
  if (session.power_w) sheet.line("power", fmt::format("{:.0f} W", *session.power_w));
  if (session.temperature_c) sheet.line("temperature", fmt::format("{:.0f} C", *session.temperature_c));
  sheet.line("warnings", session.warnings);
}

// `block_threads` is the block size of the counted launch, if known.
void add_access(Sheet& sheet, const Access& access, const std::optional<int>& block_threads) {
  const bool all = access.launch == Access::all_launches;
  sheet.heading(
      fmt::format("access of {} ({})", all ? "all launches" : fmt::format("launch {}", access.launch), access.target));
  sheet.line("global loads", fmt::format("{} requests, {:.2f} sectors each", access.global_load_requests,
                                         ratio(access.global_load_sectors, access.global_load_requests)));
  sheet.line("global stores", fmt::format("{} requests, {:.2f} sectors each", access.global_store_requests,
                                          ratio(access.global_store_sectors, access.global_store_requests)));
  sheet.line("shared", fmt::format("{} requests, {:.2f} transactions each", access.shared_requests,
                                   ratio(access.shared_transactions, access.shared_requests)));
  sheet.line("threads", std::to_string(access.threads));
  std::string barriers = fmt::format("{} of blocks", access.barriers);
  // Every thread of a block counts each barrier.
  if (block_threads)
    barriers += fmt::format(", {:.2f} a thread", ratio(access.barriers * *block_threads, access.threads));
  sheet.line("barriers", barriers);
  sheet.line("atomics", fmt::format("{}, {:.3f} a thread", access.atomics, ratio(access.atomics, access.threads)));
  sheet.line("branches", fmt::format("{} of warps, {} divergent", access.branches, access.divergent_branches));
  for (const auto& line : nlohmann::json::parse(access.lines)) {
    const bool global = line.at("space") == "global";
    sheet.line(fmt::format("{}:{}", line.at("file").get<std::string>(), line.at("line").get<int>()),
               fmt::format("{}: {} requests, {} {}, {} needed", line.at("space").get<std::string>(),
                           line.at("requests").get<std::int64_t>(), line.at("transactions").get<std::int64_t>(),
                           global ? "sectors" : "transactions", line.at("least").get<std::int64_t>()));
  }
}

// For a trial whose launches are not known.
void add_resources(Sheet& sheet, const Trial& trial) {
  sheet.heading("resources of the launch with most threads");
  sheet.line("registers", or_nothing(trial.registers));
  sheet.line("spills", or_nothing(trial.spill_bytes, " B"));
  sheet.line("static shared", or_nothing(trial.static_shared, " B"));
  sheet.line("dynamic shared", or_nothing(trial.dynamic_shared, " B"));
  sheet.line("blocks", or_nothing(trial.grid_blocks));
  sheet.line("block threads", or_nothing(trial.block_threads));
  if (trial.occupancy) {
    sheet.line("occupancy", fmt::format("{:.1f} %, limited by {}", 100 * *trial.occupancy, trial.occupancy_limit));
  }
}

// `params` are those of the trial.
void add_launch(Sheet& sheet, const Launch& launch, const std::string& params) {
  sheet.heading(fmt::format("launch {}", launch.number));
  sheet.line("entry", launch.entry);
  // Params that only affect the grid or the shared memory size are not in the code, so configurations share a program.
  if (launch.entry.find("_params{") != std::string::npos && launch.entry.find(params) == std::string::npos)
    sheet.line("program", "shared with other params, and named after one of them: what differs only sets the launch");
  sheet.line("times", std::to_string(launch.times));
  sheet.line("grid x block", fmt::format("{} x {}", launch.grid_blocks, launch.block_threads));
  sheet.line("registers", or_nothing(launch.registers));
  sheet.line("spills", or_nothing(launch.spill_bytes, " B"));
  sheet.line("static shared", or_nothing(launch.static_shared, " B"));
  sheet.line("dynamic shared", fmt::format("{} B", launch.dynamic_shared));
  if (launch.occupancy)
    sheet.line("occupancy", fmt::format("{:.1f} %, limited by {}", 100 * *launch.occupancy, launch.occupancy_limit));
}

void add_plan(Sheet& sheet, const PlanText& plan) {
  constexpr std::size_t most = 40;
  sheet.block("plan", first_lines(plan.text, most));
  sheet.block("compiler log", first_lines(plan.compile_log, most));
}

// The samples in the order of measurement, ten per line.
Row sample_lines(const Samples& samples) {
  constexpr std::size_t a_line = 10;
  Row lines;
  for (std::size_t i = 0; i < samples.microseconds.size(); ++i) {
    if (i % a_line == 0) lines.emplace_back();
    lines.back() += fmt::format("{:>10.3f}", samples.microseconds[i]);
  }
  return lines;
}

void add_time(Sheet& sheet, const Store& store, const TrialView& view) {
  const Trial& trial = view.trial;
  sheet.heading("time");
  if (trial.median_us) {
    sheet.line("median", fmt::format("{:.3f} us [{}, {}]", *trial.median_us, microseconds(trial.low_us),
                                     microseconds(trial.high_us)));
  }
  if (const auto time = view.time_us())
    if (const auto rate = rate_of(view.problem, *time)) sheet.line("rate", rate->text());
  if (trial.predicted_us) {
    sheet.line("model", fmt::format("{:.3f} us", *trial.predicted_us) +
                            (trial.median_us || !trial.low_us || !trial.high_us
                                 ? ""
                                 : fmt::format(" [{:.3f}, {:.3f}]", *trial.low_us, *trial.high_us)));
    sheet.line("limited by", trial.limited_by.value_or(""));
  }
  sheet.line("mode", trial.mode);
  if (trial.replay_us) sheet.line("graph replay", fmt::format("{:.3f} us", *trial.replay_us));
  if (trial.joules) sheet.line("energy", view.energy() + " a run");
  const Samples samples = store.samples(trial.id);
  sheet.line("samples", summary(samples.microseconds, "us"));
  if (!samples.clocks_mhz.empty()) sheet.line("SM clock", summary(samples.clocks_mhz, "MHz"));
  if (trial.stopped_early) sheet.line("stopped early", "yes: it could not win any more");
  if (trial.rank) {
    sheet.line("rank", fmt::format("{} of its problem in this session{}", *trial.rank,
                                   trial.tied ? ", cannot be told apart from the best" : ""));
  }
  sheet.block("samples, us", sample_lines(samples));
}

void add_board(Sheet& sheet, const Board& board) {
  sheet.heading("board");
  sheet.line("model", fmt::format("{} ({})", board.model, board.arch));
  sheet.line("size", fmt::format("{} SMs at {:.0f} MHz, {:.1f} GB/s, {} B L2", board.sm_count, board.sm_clock_mhz,
                                 board.memory_bandwidth_gbs, board.l2_bytes));
  sheet.line("source", board.source);
}

void add_environment(Sheet& sheet, const Environment& environment) {
  sheet.heading("environment");
  sheet.line("GPU", environment.gpu_uuid);
  sheet.line("driver", environment.driver);
  sheet.line("CUDA", environment.cuda);
  sheet.line("NVRTC", environment.nvrtc);
  sheet.line("host compiler", environment.host_compiler);
  if (environment.ecc) sheet.line("ECC", *environment.ecc ? "on" : "off");
  sheet.line("OS", environment.os);
}

// A baseline on the problem of a trial, with its comparison if it is among `compared`.
void add_baseline(Sheet& sheet, const Baseline& baseline, const std::vector<ComparedBaseline>& compared) {
  sheet.heading(fmt::format("baseline {}/{} {}", baseline.implementation, baseline.idiom, baseline.version));
  sheet.line("knobs", baseline.knobs);
  sheet.line("verdict", baseline.verdict + (baseline.detail.empty() ? "" : ": " + baseline.detail));
  sheet.line("median", microseconds(baseline.median_us) + " us");
  sheet.line("mode", baseline.mode);
  for (const auto& [known, comparison] : compared)
    if (known.id == baseline.id)
      sheet.line("compared", fmt::format("the trial is {:.3f} times as fast [{:.3f}, {:.3f}], {} alternating rounds",
                                         comparison.ratio, comparison.low, comparison.high, comparison.rounds));
}

}  // namespace

std::string text_table(const std::vector<TrialView>& views) {
  const bool has_energy = !std::ranges::all_of(views, &std::string::empty, &TrialView::energy);
  const bool has_accuracy = !std::ranges::all_of(views, &std::string::empty, &TrialView::accuracy);
  const bool has_limits =
      std::ranges::any_of(views, [](const TrialView& view) { return view.trial.limited_by.has_value(); });
  Table table({{.head = "ID"},
               {.head = "KERNEL"},
               {.head = "PARAMS"},
               {.head = "PROBLEM"},
               {.head = "ARCH"},
               {.head = "BOARD"},
               {.head = "PROVENANCE"},
               {.head = "VERDICT"},
               {.head = "TIME us"},
               {.head = "LIMITED BY", .only_as_data = !has_limits},
               {.head = "ENERGY", .only_as_data = !has_energy},
               {.head = "ACCURACY", .only_as_data = !has_accuracy},
               {.head = "DETAIL"}});
  for (const TrialView& view : views) {
    const std::string verdict = view.trial.verdict + (view.is_measured() ? "" : " (" + view.certainty() + ")");
    table.add({std::to_string(view.trial.id), view.pattern + "/" + view.kernel, unqualified(view.params),
               short_title(view.problem), view.trial.target, view.board ? view.board->model : "-",
               view.trial.provenance, verdict, time_with_interval(view), view.trial.limited_by.value_or(""),
               view.energy(), view.accuracy(), short_text(view.trial.detail)});
  }
  return table.text({.width = 0});
}

std::string text_table(const std::vector<ConformanceRun>& runs) {
  std::vector<Row> rows{{"started", "target", "kernels", "seed", "cases", "failures", "ended"}};
  std::vector<std::vector<Row>> below(1);
  for (const ConformanceRun& run : runs) {
    rows.push_back({run.started_at, run.target, run.glob, std::to_string(run.seed), std::to_string(run.cases),
                    std::to_string(run.failures), run.ended_how.value_or("not ended")});
    below.emplace_back();
    for (const KernelProgress& one : unfinished(run))
      below.back().push_back({"", one.kernel, counted(one.cases, "case"), one.verdict});
  }
  // One table per run, because their columns differ.
  std::string text;
  std::string heads = aligned(rows);
  for (std::size_t i = 0, at = 0; i < rows.size(); ++i) {
    const std::size_t end = heads.find('\n', at) + 1;
    text += heads.substr(at, end - at) + aligned(below[i]);
    at = end;
  }
  return text;
}

std::string sheet_of(const Store& store, const TrialView& view, const Screen& screen) {
  const Trial& trial = view.trial;
  Sheet sheet;
  sheet.heading(fmt::format("trial {} ({})", trial.id, trial.identity));
  sheet.line("kernel", view.pattern + "/" + view.kernel);
  sheet.line("params", view.params + (trial.is_default ? " (the default)" : ""));
  sheet.line("problem", title_of(view.problem));
  sheet.line("settings", settings_text(view.problem));
  sheet.line("its work", work_of(view.problem));
  sheet.line("target", trial.target);
  sheet.line("provenance", trial.provenance);
  sheet.line("verdict", trial.verdict + (trial.detail.empty() ? "" : ": " + trial.detail));
  sheet.line("certainty", view.certainty());
  if (trial.error_ratio) sheet.line("error / bound", fmt::format("{:.4g}", *trial.error_ratio));
  sheet.line("accuracy", view.accuracy());
  sheet.line("deterministic", view.determinism());
  sheet.line("config key", trial.config_key);
  sheet.line("created", trial.created_at);
  sheet.line("warnings", trial.warnings);
  const std::vector<Launch> launches = store.launches(trial.id);
  if (launches.empty()) add_resources(sheet, trial);
  for (const Launch& launch : launches) add_launch(sheet, launch, view.params);
  if (trial.plan_id) add_plan(sheet, store.plan(*trial.plan_id));
  add_time(sheet, store, view);
  if (view.board) add_board(sheet, *view.board);
  for (const Environment& environment : store.environments())
    if (environment.id == trial.environment_id) add_environment(sheet, environment);
  if (trial.session_id) add_session(sheet, store.session(*trial.session_id));
  for (const Access& access : store.accesses(trial.configuration_id, trial.problem_id, trial.target)) {
    const auto launch = std::ranges::find(launches, access.launch, &Launch::number);
    add_access(sheet, access, launch == launches.end() ? trial.block_threads : launch->block_threads);
  }
  const std::vector<ComparedBaseline> compared = compared_baselines(store, trial.id);
  for (const Baseline& baseline : store.baselines())
    if (baseline.problem_id == trial.problem_id && baseline.board_id == trial.board_id)
      add_baseline(sheet, baseline, compared);
  return sheet.text(screen);
}

}  // namespace warpwright::db
