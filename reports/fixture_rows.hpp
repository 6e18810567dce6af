// Writes database rows for the tests of reports/; each new row refers to the latest rows of the other tables.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "db/store/store.hpp"
#include "kernels/core/shape.hpp"

namespace warpwright::reports {

// Fills a store. All timestamps are fixed, so that reports are reproducible (except for updated_at).
class Rows {
 public:
  explicit Rows(db::Store& store) : store_(store) {}

  db::Id board(const std::string& model, const std::string& arch, int sms, double gbs) {
    arch_ = arch;
    return board_ = store_.upsert(db::Board{.model = model,
                                            .arch = arch,
                                            .sm_count = sms,
                                            .sm_clock_mhz = 1980,
                                            .memory_bandwidth_gbs = gbs,
                                            .l2_bytes = 50 << 20,
                                            .source = "device",
                                            .fp32_lanes_per_sm = 128,
                                            .fp64_lanes_per_sm = 64});
  }
  db::Id environment(const std::string& driver) {
    return environment_ = store_.upsert(db::Environment{.gpu_uuid = "GPU-1",
                                                        .driver = driver,
                                                        .cuda = "13.0",
                                                        .nvrtc = "13.0",
                                                        .host_compiler = "g++ 12.2",
                                                        .ecc = true,
                                                        .os = "Linux"});
  }
  db::Id session(const std::string& started_at, double temperature) {
    clock_ = started_at;
    minute_ = 0;
    return session_ = store_.begin_session({.uid = "session " + started_at,
                                            .command = "tune --arch native --remeasure",
                                            .strategy = "exhaustive",
                                            .seed = 7,
                                            .started_at = started_at,
                                            .ended_at = started_at,
                                            .ended_how = "complete",
                                            .target = arch_,
                                            .program_version = "0.1.0",
                                            .copy_gbs = 4290,
                                            .read_gbs = 4524,
                                            .bus_to_device_gbs = 55,
                                            .bus_to_host_gbs = 50,
                                            .sm_clock_mhz = 1980,
                                            .power_w = 410,
                                            .temperature_c = temperature});
  }
  db::Id problem(const std::string& pattern, const std::string& variant, const std::string& shape, double bytes_written,
                 const std::string& types = "float", const std::string& numbers = "",
                 const std::string& data = "uniform") {
    double bytes = types == "float" ? 4 : 8;
    for (const std::int64_t extent : parse_shape(shape)) bytes *= static_cast<double>(extent);
    return problem_ = store_.upsert(db::Problem{.pattern = pattern,
                                                .variant = variant,
                                                .numbers = numbers,
                                                .types = types,
                                                .shape = shape,
                                                .data = data,
                                                .bytes_read = bytes,
                                                .bytes_written = bytes_written});
  }
  db::Id kernel(const std::string& pattern, const std::string& name, const std::string& axes,
                const std::string& default_params) {
    return kernel_ = store_.upsert(db::Kernel{.pattern = pattern,
                                              .kernel = name,
                                              .source_hash = "hash",
                                              .axes = axes,
                                              .default_params = default_params});
  }
  db::Id configuration(const std::vector<std::pair<std::string, int>>& params) {
    std::string text;
    std::string json;
    for (const auto& [axis, value] : params) {
      text += fmt::format("{}.{} = {}", text.empty() ? "" : ", ", axis, value);
      json += fmt::format("{}\"{}\": {}", json.empty() ? "" : ", ", axis, value);
    }
    return store_.upsert(
        db::Configuration{.kernel_id = kernel_, .params = "{" + text + "}", .params_json = "{" + json + "}"});
  }

  // Sets how many configurations the current kernel has for the current problem and board.
  void space(std::int64_t configurations) {
    store_.put_space(
        {.problem_id = problem_, .board_id = board_, .kernel_id = kernel_, .configurations = configurations});
  }

  // A trial of the current session, board, environment and problem, one second later than the previous trial.
  db::Trial trial(db::Id configuration) {
    return {.configuration_id = configuration,
            .problem_id = problem_,
            .board_id = board_,
            .environment_id = environment_,
            .session_id = session_,
            .created_at = later(),
            .target = arch_,
            .config_key = "key"};
  }
  db::Trial measured(db::Id configuration, double us) {
    db::Trial trial = this->trial(configuration);
    trial.provenance = "measured";
    trial.verdict = "passed";
    trial.mode = mode;
    trial.median_us = us;
    trial.low_us = us * 0.995;
    trial.high_us = us * 1.006;
    return trial;
  }
  db::Trial predicted(db::Id configuration, double us) {
    db::Trial trial = this->trial(configuration);
    trial.provenance = "predicted";
    trial.verdict = "passed";
    trial.simulated_cases = 1;
    trial.predicted_us = us;
    trial.low_us = us * 0.7;
    trial.high_us = us * 1.5;
    trial.limited_by = "DRAM";
    return trial;
  }
  static void give_resources(db::Trial& trial, int block, int registers, int shared) {
    trial.registers = registers;
    trial.spill_bytes = registers > 64 ? 16 : 0;
    trial.static_shared = shared;
    trial.dynamic_shared = 0;
    trial.block_threads = block;
    trial.grid_blocks = 1 << 12;
    trial.occupancy = std::min(1.0, 32.0 / registers * (block == 32 ? 0.5 : 1.0));
    trial.occupancy_limit = registers > 40   ? "registers"
                            : block == 32    ? "blocks"
                            : shared > 16000 ? "shared memory"
                                             : "threads";
  }
  void access(db::Id configuration, double sectors, double transactions, int launch = 0) {
    store_.put_access({.configuration_id = configuration,
                       .problem_id = problem_,
                       .launch = launch,
                       .target = "host/" + arch_,
                       .global_load_requests = 1000,
                       .global_load_sectors = std::llround(1000 * sectors),
                       .global_store_requests = 100,
                       .global_store_sectors = std::llround(100 * sectors),
                       .shared_requests = 500,
                       .shared_transactions = std::llround(500 * transactions),
                       .barriers = 2048,
                       .atomics = 16,
                       .threads = 1024,
                       .branches = 640,
                       .divergent_branches = 32});
  }
  // Makes a trial the certified best of the current problem.
  void certify(db::Id trial) {
    store_.add_certificate({.trial_id = trial, .cases = 200, .seed = 7, .created_at = later()});
    store_.set_ranking(problem_, board_, "measured",
                       std::vector<db::Ranked>{{.trial_id = trial, .rank = 1, .tied = true}});
  }
  db::Id baseline(const std::string& implementation, const std::string& idiom, const std::string& knobs,
                  bool is_default, double us) {
    db::Baseline row{.implementation = implementation,
                     .idiom = idiom,
                     .version = "13.0",
                     .knobs = knobs,
                     .is_default = is_default,
                     .problem_id = problem_,
                     .board_id = board_,
                     .environment_id = environment_,
                     .session_id = session_,
                     .created_at = later(),
                     .verdict = us > 0 ? "passed" : "not compiled",
                     .mode = mode};
    if (us > 0) {
      row.median_us = us;
      row.low_us = us * 0.99;
      row.high_us = us * 1.01;
    } else {
      row.detail = "no CUDA Kokkos was found";
    }
    return store_.add_baseline(row);
  }
  void comparison(db::Id trial, db::Id baseline, double ratio) {
    store_.add_comparison({.trial_id = trial,
                           .baseline_id = baseline,
                           .session_id = session_,
                           .created_at = later(),
                           .rounds = 30,
                           .ratio = ratio,
                           .low = ratio * 0.995,
                           .high = ratio * 1.005});
  }
  void run(const std::string& day, std::int64_t cases, std::int64_t failures) {
    store_.begin_conformance_run({.uid = "run " + day,
                                  .command = "conform --nightly",
                                  .target = "host/sm_90",
                                  .glob = "*",
                                  .seed = 11,
                                  .started_at = day + "T02:00:00.000Z",
                                  .ended_at = day + "T03:00:00.000Z",
                                  .ended_how = "complete",
                                  .cases = cases,
                                  .failures = failures,
                                  .cases_per_second = static_cast<double>(cases) / 3600,
                                  .program_version = "0.1.0"});
  }

  db::Store& store() { return store_; }

  static constexpr const char* mode = "clean cold L2";

 private:
  std::string later() {
    ++minute_;
    return clock_.substr(0, 11) +
           fmt::format("{:02}:{:02}:{:02}.000Z", 10 + minute_ / 3600, minute_ / 60 % 60, minute_ % 60);
  }

  db::Store& store_;
  db::Id board_ = 0, environment_ = 0, session_ = 0, problem_ = 0, kernel_ = 0;
  std::string arch_;
  std::string clock_ = "2026-11-19T10:00:00.000Z";
  int minute_ = 0;
};

}  // namespace warpwright::reports
