// Stores sessions, configurations and trials.
#include "tuner/records/recorder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "kernels/core/hash.hpp"
#include "kernels/core/statistics.hpp"
#include "kernels/core/target.hpp"
#include "kernels/core/warnings.hpp"
#include "kernels/runtime/messages/step_times.hpp"
#include "tuner/records/param_kinds.hpp"
#include "tuner/records/title.hpp"

namespace warpwright::tuner {
namespace {

constexpr std::size_t kLongestLog = 8192;

std::string compile_log(const CompiledProgram& built) {
  std::string log = built.log;
  for (const auto& [entry, instance] : built.instances) log += instance.log;
  if (log.size() > kLongestLog) log = log.substr(0, kLongestLog) + "\n(cut here)\n";
  return log;
}

std::string code_of(const CompiledConfiguration& configuration) {
  return configuration.built.ok ? configuration.built.code_hash() : configuration.built.log;
}

/// The launch steps of a compiled configuration, as rows.
std::vector<db::Launch> launch_rows(const CompiledConfiguration& configuration) {
  std::vector<db::Launch> rows;
  if (!configuration.built.ok) return rows;
  for (const auto& [launch, times] : launches_of(configuration.plan)) {
    const Resources& resources = configuration.built.instances.at(launch.entry).resources;
    const Occupancy& occupancy = configuration.occupancy.at(rows.size());
    rows.push_back({.number = static_cast<int>(rows.size()),
                    .entry = launch.entry,
                    .times = times,
                    .grid_blocks = static_cast<std::int64_t>(launch.grid.count()),
                    .block_threads = static_cast<int>(launch.block.count()),
                    .registers = resources.registers,
                    .spill_bytes = resources.spill_store_bytes + resources.spill_load_bytes,
                    .static_shared = resources.static_shared,
                    .dynamic_shared = static_cast<int>(launch.shared_bytes),
                    .occupancy = occupancy.fraction,
                    .occupancy_limit = occupancy.limit});
  }
  return rows;
}

/// "not in the time: constant weights, launch fill_bins and 2 more"; empty if all steps of the plan are timed.
std::string words_of_untimed(const CompiledConfiguration& configuration) {
  constexpr std::size_t kMost = 4;
  std::vector<std::string> words;
  for (const gpu::StepTime& step : gpu::untimed_steps(configuration.plan)) {
    const std::string name = step.name.substr(0, step.name.find('<'));
    const std::size_t scope = name.rfind("::");
    std::string word = step.kind + " " + (scope == std::string::npos ? name : name.substr(scope + 2));
    if (std::ranges::find(words, word) == words.end()) words.push_back(std::move(word));
  }
  if (words.empty()) return {};
  const std::size_t more = words.size() > kMost ? words.size() - kMost : 0;
  words.resize(words.size() - more);
  return untimed_warning(
             configuration.kernel->file.empty() ? Warning::Kind::untimed_by_pattern : Warning::Kind::untimed_by_job,
             fmt::format("{}{}", fmt::join(words, ", "), more > 0 ? fmt::format(" and {} more", more) : ""))
      .text;
}

}  // namespace

void raise_rates(db::Session& session, const gpu::Rates& seen) {
  const auto raise = [](std::optional<double>& known, double rate) {
    if (rate > 0) known = std::max(known.value_or(0), rate);
  };
  raise(session.copy_gbs, seen.copy_gbs);
  raise(session.read_gbs, seen.read_gbs);
  raise(session.bus_to_device_gbs, seen.bus.to_device_gbs);
  raise(session.bus_to_host_gbs, seen.bus.to_host_gbs);
  raise(session.float_gflops, seen.float_gflops);
  raise(session.double_gflops, seen.double_gflops);
}

db::Rates rates_of(const gpu::Rates& seen) {
  db::Session session;
  raise_rates(session, seen);
  return db::rates_of(session);
}

void warn(db::Trial& trial, const std::string& warning) {
  add_warning(trial.warnings, warning);
}

void set_times(db::Trial& trial, const std::vector<double>& microseconds) {
  const Interval interval = median_interval(microseconds);
  trial.median_us = median(microseconds);
  trial.low_us = interval.low;
  trial.high_us = interval.high;
}

void set_accuracy(db::Trial& trial, const Accuracy& accuracy) {
  if (!std::isfinite(accuracy.relative)) return;
  trial.relative_error = std::max(trial.relative_error.value_or(0), accuracy.relative);
  trial.error_ulp = std::max(trial.error_ulp.value_or(0), accuracy.ulp);
}

Recorder::Recorder(db::Store& store, const Catalogue& catalogue, const Device& device, const std::string& board_source,
                   const db::Environment& environment, db::Session session)
    : store_(store), catalogue_(catalogue), device_(device), environment_(environment), session_(std::move(session)) {
  store_.transaction([&] {
    board_id_ = store_.upsert(db::Board{.model = device.model,
                                        .arch = device.arch(),
                                        .sm_count = device.sm_count,
                                        .sm_clock_mhz = static_cast<double>(device.sm_clock_mhz),
                                        .memory_bandwidth_gbs = device.memory_bandwidth_gbs,
                                        .l2_bytes = device.l2_bytes,
                                        .source = board_source,
                                        .fp32_lanes_per_sm = device.fp32_lanes_per_sm,
                                        .fp64_lanes_per_sm = device.fp64_lanes_per_sm});
    environment_id_ = store_.upsert(environment);
    session_id_ = store_.begin_session(session_);
  });
  session_ = store_.session(session_id_);
}

void Recorder::update_session(const db::Session& session) {
  session_ = session;
  store_.update_session(session_id_, session_);
}

void Recorder::end(std::string_view how) {
  store_.end_session(session_id_, how);
}

std::string Recorder::known_by(const CompiledConfiguration& configuration, const Problem& problem,
                               const std::string& provenance, const std::string& code) const {
  const nlohmann::json plan = configuration.plan;
  // Predicted configurations were checked by the simulator for the device's architecture.
  const std::string simulated =
      provenance == "predicted"
          ? fmt::format("\n{} {} {}", host_target(device_.compute_capability), kSimulatorVersion, kPredictingVersion)
          : "";
  return fmt::format("{}{}\n{}\n{}\n{}\n{}\n{}\n{}\n{}", provenance, simulated, kMeasuringVersion,
                     configuration.kernel->full_name(), configuration.kernel->space.text(configuration.params),
                     plan.dump(), code, problem_text(problem), device_.model);
}

std::string Recorder::key_on(const std::string& gpu_uuid, const std::string& known_by) const {
  return hash_text(fmt::format("{}\n{}\n{}", known_by, gpu_uuid, environment_.driver));
}

std::string Recorder::config_key(const CompiledConfiguration& configuration, const Problem& problem,
                                 const std::string& provenance) const {
  return key_on(environment_.gpu_uuid, known_by(configuration, problem, provenance, code_of(configuration)));
}

std::vector<std::string> Recorder::measured_keys(const CompiledConfiguration& configuration, const Problem& problem,
                                                 std::span<const std::string> gpu_uuids) const {
  const std::string known = known_by(configuration, problem, "measured", code_of(configuration));
  std::vector<std::string> keys{key_on(environment_.gpu_uuid, known)};
  for (const std::string& uuid : gpu_uuids)
    if (uuid != environment_.gpu_uuid) keys.push_back(key_on(uuid, known));
  return keys;
}

std::string Recorder::lease_key(const CompiledConfiguration& configuration, const Problem& problem,
                                const std::string& programs) const {
  return key_on(environment_.gpu_uuid, known_by(configuration, problem, "predicted", programs));
}

db::Id Recorder::problem_id(const Problem& problem) {
  auto [known, is_new] = problems_.try_emplace(problem_text(problem));
  if (is_new) {
    const Pattern& pattern = catalogue_.pattern(problem.pattern);
    const Work work = pattern.work(problem);
    const Amount amount = pattern.amount ? pattern.amount(problem) : Amount{};
    known->second = store_.upsert(db::Problem{.pattern = problem.pattern,
                                              .variant = variant_text(problem),
                                              .numbers = numbers_text(problem),
                                              .types = types_text(problem),
                                              .shape = shape_text(problem.shape),
                                              .data = problem.data,
                                              .bytes_read = work.bytes_read,
                                              .bytes_written = work.bytes_written,
                                              .operations = work.operations,
                                              .steps = work.steps,
                                              .bus_to_device = work.bus_to_device,
                                              .bus_to_host = work.bus_to_host,
                                              .arithmetic = std::string(name_of(work.arithmetic)),
                                              .title = short_title(pattern, problem),
                                              .amount = amount.count,
                                              .unit = amount.unit});
  }
  return known->second;
}

void Recorder::store_spaces(const Problem& problem, const std::map<const Kernel*, std::size_t>& spaces) {
  store_.transaction([&] {
    for (const auto& [kernel, configurations] : spaces)
      store_.put_space({.problem_id = problem_id(problem),
                        .board_id = board_id_,
                        .kernel_id = kernel_id(*kernel),
                        .configurations = static_cast<std::int64_t>(configurations)});
  });
}

db::Id Recorder::kernel_id(const Kernel& kernel) {
  auto [kernel_row, is_new_kernel] = kernels_.try_emplace(kernel.full_name());
  if (is_new_kernel)
    kernel_row->second = store_.upsert(db::Kernel{.pattern = kernel.pattern,
                                                  .kernel = kernel.name,
                                                  .source_hash = catalogue_.source_hash(kernel.source),
                                                  .axes = kernel.space.axes_json().dump(),
                                                  .default_params = kernel.space.text(kernel.default_point)});
  return kernel_row->second;
}

db::Id Recorder::configuration_id(const Kernel& kernel, const Point& params) {
  const std::string text = kernel.space.text(params);
  auto [row, is_new] = configurations_.try_emplace(kernel.full_name() + text);
  if (is_new)
    row->second = store_.upsert(db::Configuration{
        .kernel_id = kernel_id(kernel), .params = text, .params_json = kernel.space.json(params).dump()});
  return row->second;
}

db::Baseline Recorder::baseline(const Problem& problem) {
  return {.problem_id = problem_id(problem),
          .board_id = board_id_,
          .environment_id = environment_id_,
          .session_id = session_id_};
}

db::Trial Recorder::trial(const CompiledConfiguration& configuration, const Problem& problem,
                          const std::string& provenance, std::optional<std::string> key) {
  db::Trial trial{.configuration_id = configuration_id(*configuration.kernel, configuration.params),
                  .problem_id = problem_id(problem),
                  .board_id = board_id_,
                  .environment_id = environment_id_,
                  .session_id = session_id_,
                  .target = device_.arch(),
                  .provenance = provenance,
                  .config_key = key ? std::move(*key) : config_key(configuration, problem, provenance)};
  // Predictions of different versions are not compared, like times that were measured in different modes.
  if (provenance == "predicted") trial.mode = fmt::format("model {}", kPredictingVersion);
  trial.is_default = configuration.params == configuration.kernel->default_point;
  trial.warnings = configuration.warning;
  for (const std::string& caveat : catalogue_.pattern(configuration.kernel->pattern).caveats) warn(trial, caveat);
  if (const std::string untimed = words_of_untimed(configuration); !untimed.empty()) warn(trial, untimed);
  const std::vector<db::Launch> launches = launch_rows(configuration);
  if (const Kernel& kernel = *configuration.kernel; !kernel.file.empty() && !reach_.contains(kernel.full_name()))
    reach_[kernel.full_name()] = param_kinds(kernel, configuration.params, problem, device_);
  if (launches.empty()) return trial;
  // The summary of a trial describes the launch with the most threads.
  const auto main =
      std::ranges::max_element(launches, {}, [](const db::Launch& l) { return l.grid_blocks * l.block_threads; });
  trial.registers = main->registers;
  trial.spill_bytes = main->spill_bytes;
  trial.static_shared = main->static_shared;
  trial.dynamic_shared = main->dynamic_shared;
  trial.block_threads = main->block_threads;
  trial.grid_blocks = main->grid_blocks;
  trial.occupancy = main->occupancy;
  trial.occupancy_limit = main->occupancy_limit;
  return trial;
}

db::Id Recorder::store_trial(const CompiledConfiguration& configuration, db::Trial trial,
                             std::span<const double> samples_us, std::span<const double> clocks_mhz) {
  std::string plan = describe(configuration.plan);
  if (const auto reach = reach_.find(configuration.kernel->full_name()); reach != reach_.end())
    plan += param_lines(*configuration.kernel, configuration.params, reach->second);
  return store_.transaction([&] {
    trial.plan_id = store_.upsert(db::PlanText{.text = plan, .compile_log = compile_log(configuration.built)});
    return store_.add_trial(trial, samples_us, clocks_mhz, launch_rows(configuration));
  });
}

}  // namespace warpwright::tuner
