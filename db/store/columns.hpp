// The mapping from members of records to columns, used by writing, reading, identifying and merging.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

#include "db/store/records.hpp"

namespace warpwright::db {

// A column's name, and for one with row ids the table to which they refer.
struct Column {
  const char* name;
  const char* refers = nullptr;
  // Whether it is part of the row's identity. The other columns may change. On merging the greater row stays, compared
  // by the JSON array of these columns in this order (so `updated_at` comes first); a value is greater than none.
  bool key = true;
};
inline Column changes(const char* name) {
  return {.name = name, .key = false};
}

template <class R, class T>
concept Like = std::same_as<std::remove_const_t<R>, T>;

template <class R>
inline constexpr const char* table_of = nullptr;
template <>
inline constexpr const char* table_of<Board> = "board";
template <>
inline constexpr const char* table_of<Environment> = "environment";
template <>
inline constexpr const char* table_of<Kernel> = "kernel";
template <>
inline constexpr const char* table_of<Configuration> = "configuration";
template <>
inline constexpr const char* table_of<Problem> = "problem";
template <>
inline constexpr const char* table_of<Space> = "space";
template <>
inline constexpr const char* table_of<Session> = "session";
template <>
inline constexpr const char* table_of<PlanText> = "plan";
template <>
inline constexpr const char* table_of<Trial> = "trial";
template <>
inline constexpr const char* table_of<Launch> = "launch";
template <>
inline constexpr const char* table_of<StepTime> = "step";
template <>
inline constexpr const char* table_of<Access> = "access";
template <>
inline constexpr const char* table_of<Certificate> = "certificate";
template <>
inline constexpr const char* table_of<Baseline> = "baseline";
template <>
inline constexpr const char* table_of<Comparison> = "comparison";
template <>
inline constexpr const char* table_of<ConformanceRun> = "conformance_run";
template <>
inline constexpr const char* table_of<Counterexample> = "counterexample";
template <>
inline constexpr const char* table_of<Mutant> = "mutant";

template <Like<Board> R, class V>
void columns(R& r, V&& v) {
  v(Column{"model"}, r.model);
  v(Column{"arch"}, r.arch);
  v(Column{"sm_count"}, r.sm_count);
  v(Column{"sm_clock_mhz"}, r.sm_clock_mhz);
  v(Column{"memory_bandwidth_gbs"}, r.memory_bandwidth_gbs);
  v(Column{"l2_bytes"}, r.l2_bytes);
  v(Column{"source"}, r.source);
  v(changes("fp32_lanes_per_sm"), r.fp32_lanes_per_sm);
  v(changes("fp64_lanes_per_sm"), r.fp64_lanes_per_sm);
}

template <Like<Environment> R, class V>
void columns(R& r, V&& v) {
  v(Column{"gpu_uuid"}, r.gpu_uuid);
  v(Column{"driver"}, r.driver);
  v(Column{"cuda"}, r.cuda);
  v(Column{"nvrtc"}, r.nvrtc);
  v(Column{"host_compiler"}, r.host_compiler);
  v(Column{"ecc"}, r.ecc);
  v(Column{"os"}, r.os);
}

template <Like<Kernel> R, class V>
void columns(R& r, V&& v) {
  v(Column{"pattern"}, r.pattern);
  v(Column{"kernel"}, r.kernel);
  v(changes("updated_at"), r.updated_at);
  v(changes("source_hash"), r.source_hash);
  v(changes("axes"), r.axes);
  v(changes("default_params"), r.default_params);
}

template <Like<Configuration> R, class V>
void columns(R& r, V&& v) {
  v(Column{"kernel_id", "kernel"}, r.kernel_id);
  v(Column{"params"}, r.params);
  v(changes("params_json"), r.params_json);
}

template <Like<Problem> R, class V>
void columns(R& r, V&& v) {
  v(Column{"pattern"}, r.pattern);
  v(Column{"variant"}, r.variant);
  v(Column{"numbers"}, r.numbers);
  v(Column{"types"}, r.types);
  v(Column{"shape"}, r.shape);
  v(Column{"data"}, r.data);
  v(changes("bytes_read"), r.bytes_read);
  v(changes("bytes_written"), r.bytes_written);
  v(changes("operations"), r.operations);
  v(changes("steps"), r.steps);
  v(changes("bus_to_device"), r.bus_to_device);
  v(changes("bus_to_host"), r.bus_to_host);
  v(changes("arithmetic"), r.arithmetic);
  v(changes("title"), r.title);
  v(changes("amount"), r.amount);
  v(changes("unit"), r.unit);
}

template <Like<Space> R, class V>
void columns(R& r, V&& v) {
  v(Column{"problem_id", "problem"}, r.problem_id);
  v(Column{"board_id", "board"}, r.board_id);
  v(Column{"kernel_id", "kernel"}, r.kernel_id);
  v(changes("updated_at"), r.updated_at);
  v(changes("configurations"), r.configurations);
}

template <Like<Session> R, class V>
void columns(R& r, V&& v) {
  v(Column{"uid"}, r.uid);
  v(changes("updated_at"), r.updated_at);
  v(changes("command"), r.command);
  v(changes("strategy"), r.strategy);
  v(changes("seed"), r.seed);
  v(changes("budget"), r.budget);
  v(changes("started_at"), r.started_at);
  v(changes("ended_at"), r.ended_at);
  v(changes("ended_how"), r.ended_how);
  v(changes("target"), r.target);
  v(changes("program_version"), r.program_version);
  v(changes("copy_gbs"), r.copy_gbs);
  v(changes("read_gbs"), r.read_gbs);
  v(changes("bus_to_device_gbs"), r.bus_to_device_gbs);
  v(changes("bus_to_host_gbs"), r.bus_to_host_gbs);
  v(changes("float_gflops"), r.float_gflops);
  v(changes("double_gflops"), r.double_gflops);
  v(changes("sm_clock_mhz"), r.sm_clock_mhz);
  v(changes("power_w"), r.power_w);
  v(changes("temperature_c"), r.temperature_c);
  v(changes("warnings"), r.warnings);
}

template <Like<PlanText> R, class V>
void columns(R& r, V&& v) {
  v(Column{"text"}, r.text);
  v(Column{"compile_log"}, r.compile_log);
}

template <Like<Trial> R, class V>
void columns(R& r, V&& v) {
  v(Column{"configuration_id", "configuration"}, r.configuration_id);
  v(Column{"problem_id", "problem"}, r.problem_id);
  v(Column{"board_id", "board"}, r.board_id);
  v(Column{"environment_id", "environment"}, r.environment_id);
  v(Column{"session_id", "session"}, r.session_id);
  v(Column{"created_at"}, r.created_at);
  v(Column{"target"}, r.target);
  v(Column{"provenance"}, r.provenance);
  v(Column{"verdict"}, r.verdict);
  v(Column{"detail"}, r.detail);
  v(Column{"simulated_cases"}, r.simulated_cases);
  v(Column{"full_property"}, r.full_property);
  v(Column{"config_key"}, r.config_key);
  v(Column{"registers"}, r.registers);
  v(Column{"spill_bytes"}, r.spill_bytes);
  v(Column{"static_shared"}, r.static_shared);
  v(Column{"dynamic_shared"}, r.dynamic_shared);
  v(Column{"block_threads"}, r.block_threads);
  v(Column{"grid_blocks"}, r.grid_blocks);
  v(Column{"occupancy"}, r.occupancy);
  v(Column{"occupancy_limit"}, r.occupancy_limit);
  v(Column{"error_ratio"}, r.error_ratio);
  v(Column{"mode"}, r.mode);
  v(Column{"median_us"}, r.median_us);
  v(Column{"low_us"}, r.low_us);
  v(Column{"high_us"}, r.high_us);
  v(Column{"predicted_us"}, r.predicted_us);
  v(Column{"stopped_early"}, r.stopped_early);
  v(Column{"is_default"}, r.is_default);
  v(Column{"warnings"}, r.warnings);
  v(Column{"plan_id", "plan", false}, r.plan_id);
  v(changes("relative_error"), r.relative_error);
  v(changes("error_ulp"), r.error_ulp);
  v(changes("deterministic"), r.deterministic);
  v(changes("joules"), r.joules);
  v(changes("replay_us"), r.replay_us);
  v(changes("limited_by"), r.limited_by);
}

template <Like<Launch> R, class V>
void columns(R& r, V&& v) {
  v(Column{"trial_id", "trial"}, r.trial_id);
  v(Column{"number"}, r.number);
  v(changes("entry"), r.entry);
  v(changes("times"), r.times);
  v(changes("grid_blocks"), r.grid_blocks);
  v(changes("block_threads"), r.block_threads);
  v(changes("registers"), r.registers);
  v(changes("spill_bytes"), r.spill_bytes);
  v(changes("static_shared"), r.static_shared);
  v(changes("dynamic_shared"), r.dynamic_shared);
  v(changes("occupancy"), r.occupancy);
  v(changes("occupancy_limit"), r.occupancy_limit);
}

template <Like<StepTime> R, class V>
void columns(R& r, V&& v) {
  v(Column{"trial_id", "trial"}, r.trial_id);
  v(Column{"number"}, r.number);
  v(changes("kind"), r.kind);
  v(changes("name"), r.name);
  v(changes("stream"), r.stream);
  v(changes("times"), r.times);
  v(changes("start_us"), r.start_us);
  v(changes("end_us"), r.end_us);
  v(changes("us"), r.us);
}

template <Like<Access> R, class V>
void columns(R& r, V&& v) {
  v(Column{"configuration_id", "configuration"}, r.configuration_id);
  v(Column{"problem_id", "problem"}, r.problem_id);
  v(Column{"launch"}, r.launch);
  v(Column{"target"}, r.target);
  v(changes("updated_at"), r.updated_at);
  v(changes("global_load_requests"), r.global_load_requests);
  v(changes("global_load_sectors"), r.global_load_sectors);
  v(changes("global_store_requests"), r.global_store_requests);
  v(changes("global_store_sectors"), r.global_store_sectors);
  v(changes("shared_requests"), r.shared_requests);
  v(changes("shared_transactions"), r.shared_transactions);
  v(changes("barriers"), r.barriers);
  v(changes("atomics"), r.atomics);
  v(changes("threads"), r.threads);
  v(changes("branches"), r.branches);
  v(changes("divergent_branches"), r.divergent_branches);
  v(changes("lines"), r.lines);
}

template <Like<Certificate> R, class V>
void columns(R& r, V&& v) {
  v(Column{"trial_id", "trial"}, r.trial_id);
  v(Column{"cases"}, r.cases);
  v(Column{"seed"}, r.seed);
  v(Column{"simulated_cases"}, r.simulated_cases);
  v(Column{"not_modelled"}, r.not_modelled);
  v(Column{"created_at"}, r.created_at);
}

template <Like<Baseline> R, class V>
void columns(R& r, V&& v) {
  v(Column{"implementation"}, r.implementation);
  v(Column{"version"}, r.version);
  v(Column{"knobs"}, r.knobs);
  v(Column{"problem_id", "problem"}, r.problem_id);
  v(Column{"board_id", "board"}, r.board_id);
  v(Column{"environment_id", "environment"}, r.environment_id);
  v(Column{"session_id", "session"}, r.session_id);
  v(Column{"created_at"}, r.created_at);
  v(Column{"verdict"}, r.verdict);
  v(Column{"detail"}, r.detail);
  v(Column{"mode"}, r.mode);
  v(Column{"median_us"}, r.median_us);
  v(Column{"low_us"}, r.low_us);
  v(Column{"high_us"}, r.high_us);
  v(Column{"samples_us"}, r.samples_us);
  v(Column{"idiom"}, r.idiom);
  v(Column{"is_default"}, r.is_default);
  v(Column{"error_ratio"}, r.error_ratio);
}

template <Like<Comparison> R, class V>
void columns(R& r, V&& v) {
  v(Column{"trial_id", "trial"}, r.trial_id);
  v(Column{"baseline_id", "baseline"}, r.baseline_id);
  v(Column{"session_id", "session"}, r.session_id);
  v(Column{"created_at"}, r.created_at);
  v(Column{"rounds"}, r.rounds);
  v(Column{"ratio"}, r.ratio);
  v(Column{"low"}, r.low);
  v(Column{"high"}, r.high);
}

template <Like<ConformanceRun> R, class V>
void columns(R& r, V&& v) {
  v(Column{"uid"}, r.uid);
  v(changes("updated_at"), r.updated_at);
  v(changes("command"), r.command);
  v(changes("target"), r.target);
  v(changes("glob"), r.glob);
  v(changes("seed"), r.seed);
  v(changes("started_at"), r.started_at);
  v(changes("ended_at"), r.ended_at);
  v(changes("ended_how"), r.ended_how);
  v(changes("cases"), r.cases);
  v(changes("failures"), r.failures);
  v(changes("cases_per_second"), r.cases_per_second);
  v(changes("program_version"), r.program_version);
  v(changes("refused"), r.refused);
  v(changes("progress"), r.progress);
}

template <Like<Counterexample> R, class V>
void columns(R& r, V&& v) {
  v(Column{"repro"}, r.repro);
  v(changes("last_seen"), r.last_seen);
  v(changes("pattern"), r.pattern);
  v(changes("kernel"), r.kernel);
  v(changes("detail"), r.detail);
  v(changes("first_seen"), r.first_seen);
  v(changes("times_seen"), r.times_seen);
  v(changes("fixed_at"), r.fixed_at);
  v(changes("obsolete"), r.obsolete);
  v(changes("file"), r.file);
}

template <Like<Mutant> R, class V>
void columns(R& r, V&& v) {
  v(Column{"kernel"}, r.kernel);
  v(Column{"rule"}, r.rule);
  v(Column{"file"}, r.file);
  v(Column{"line"}, r.line);
  v(Column{"change"}, r.change);
  v(Column{"tool"}, r.tool);
  v(changes("updated_at"), r.updated_at);
  v(changes("outcome"), r.outcome);
  v(changes("how"), r.how);
  v(changes("detail"), r.detail);
  v(changes("seconds"), r.seconds);
}

// Calls v(R{}) for every record type; a table comes after all tables to which it refers.
template <class V>
void each_record_type(V&& v) {
  v(Board{});
  v(Environment{});
  v(Kernel{});
  v(Configuration{});
  v(Problem{});
  v(Space{});
  v(Session{});
  v(PlanText{});
  v(Trial{});
  v(Launch{});
  v(StepTime{});
  v(Access{});
  v(Certificate{});
  v(Baseline{});
  v(Comparison{});
  v(ConformanceRun{});
  v(Counterexample{});
  v(Mutant{});
}

}  // namespace warpwright::db
