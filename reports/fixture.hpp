// Databases of plausible content for the tests of reports/ and for looking at pages.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "db/store.hpp"

namespace warpwright::reports {

// Fills a store. All moments are given, so that what is read back is the same every time (but for updated_at).
class Filler {
 public:
  explicit Filler(db::Store& store) : store_(store) {}

  db::Id board(const std::string& model, const std::string& arch, int sms, double gbs) {
    arch_ = arch;
    return board_ = store_.upsert(db::Board{.model = model,
                                            .arch = arch,
                                            .sm_count = sms,
                                            .sm_clock_mhz = 1980,
                                            .memory_bandwidth_gbs = gbs,
                                            .l2_bytes = 50 << 20,
                                            .source = "device"});
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
                                            .sm_clock_mhz = 1980,
                                            .power_w = 410,
                                            .temperature_c = temperature});
  }
  db::Id problem(const std::string& pattern, const std::string& variant, const std::string& shape,
                 std::int64_t elements, double bytes_written, const std::string& types = "float") {
    const double bytes = static_cast<double>(elements) * (types == "float" ? 4 : 8);
    return problem_ = store_.upsert(db::Problem{.pattern = pattern,
                                                .variant = variant,
                                                .types = types,
                                                .shape = shape,
                                                .elements = elements,
                                                .size_class = db::size_class(elements),
                                                .bytes_read = bytes,
                                                .bytes_written = bytes_written,
                                                .flops = 0});
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

  // A trial of the session, board, environment and problem set last, a second later than the one before.
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
    trial.check_state = "host-checked";
    trial.predicted_us = us;
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
  void access(db::Id configuration, double sectors, double transactions, const std::string& lines = "[]") {
    store_.put_access({.configuration_id = configuration,
                       .problem_id = problem_,
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
                       .divergent_branches = 32,
                       .lines = lines});
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
                                  .target = "host",
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

constexpr const char* sequential_axes =
    R"([{"name": "block_size", "values": [32, 64, 128, 256]}, {"name": "coarsening", "values": [1, 4]}])";
constexpr const char* grid_stride_axes =
    R"([{"name": "block_size", "values": [32, 64, 128, 256]}, {"name": "coarsening", "values": [1, 4]},)"
    R"( {"name": "finish", "values": [0, 1], "labels": ["atomic", "second_kernel"]}])";
constexpr const char* tiled_axes =
    R"([{"name": "tile_dim", "values": [16, 32]}, {"name": "bank_pad", "values": [0, 1]}])";
constexpr const char* wasteful_lines =
    R"([{"file": "kernels/transpose/tiled.cuh", "line": 41, "space": "shared", "requests": 500, "transactions": 16000,)"
    R"( "least": 500}, {"file": "kernels/transpose/tiled.cuh", "line": 33, "space": "global", "requests": 1000,)"
    R"( "transactions": 4000, "least": 4000}])";

// Trials of `reduce` in the current session; `slowdown` scales the times. Returns the best trial.
inline db::Id fill_reduce(Filler& filler, double slowdown, bool measured = true) {
  filler.problem("reduce", "op=sum", "67108864", 1 << 26, 4);
  db::Id best = 0;
  double best_us = 1e9;
  for (const char* name : {"sequential", "grid_stride"}) {
    const bool persistent = std::string(name) == "grid_stride";
    filler.kernel("reduce", name, persistent ? grid_stride_axes : sequential_axes,
                  "{.block_size = 128, .coarsening = 1}");
    for (const int block : {32, 64, 128, 256}) {
      for (const int coarsening : {1, 4}) {
        for (const int finish : persistent ? std::vector{0, 1} : std::vector{0}) {
          std::vector<std::pair<std::string, int>> params{{"block_size", block}, {"coarsening", coarsening}};
          if (persistent) params.emplace_back("finish", finish);
          const db::Id configuration = filler.configuration(params);
          const double us = slowdown * (63.6 + 2000.0 / block / coarsening + (persistent ? 0 : 24) + 2.5 * finish);
          db::Trial trial = measured ? filler.measured(configuration, us) : filler.predicted(configuration, us);
          Filler::give_resources(trial, block, 24 + 6 * coarsening, block * 4);
          trial.error_ratio = 0.01 * coarsening + 0.0001 * block;
          trial.is_default = block == 128 && coarsening == 1 && finish == 0;
          const db::Id id = filler.store().add_trial(trial);
          filler.access(configuration, 4, 1 + 4.0 / coarsening);
          if (us < best_us) best = id;
          best_us = std::min(us, best_us);
        }
      }
    }
  }
  return best;
}

inline db::Id fill_transpose(Filler& filler, double slowdown) {
  filler.problem("transpose", "", "8192x8192", 1 << 26, 4.0 * (1 << 26));
  filler.kernel("transpose", "tiled", tiled_axes, "{.tile_dim = 32, .bank_pad = 0}");
  db::Id best = 0;
  for (const int tile : {16, 32}) {
    for (const int pad : {0, 1}) {
      const db::Id configuration = filler.configuration({{"tile_dim", tile}, {"bank_pad", pad}});
      db::Trial trial = filler.measured(configuration, slowdown * (pad ? 129.5 : 190) * (tile == 16 ? 1.2 : 1));
      Filler::give_resources(trial, 256, 32, tile * (tile + pad) * 4);
      trial.error_ratio = 0;
      trial.is_default = tile == 32 && pad == 0;
      const db::Id id = filler.store().add_trial(trial);
      if (tile == 32 && pad == 1) best = id;
      filler.access(configuration, 4, pad ? 1 : tile, pad ? "[]" : wasteful_lines);
    }
  }
  return best;
}

// Verdicts that are none of the good ones; the texts try to break out of the page.
inline void fill_failures(Filler& filler, const std::string& verdict) {
  filler.kernel("transpose", "tiled_vector", tiled_axes, "{.tile_dim = 32, .bank_pad = 1}");
  db::Trial trial = filler.trial(filler.configuration({{"tile_dim", 64}, {"bank_pad", 1}}));
  trial.provenance = "measured";
  trial.verdict = verdict;
  trial.detail = "output[3] is <script>alert(1)</script> & not \"4\"";
  filler.store().add_trial(trial);
  db::Trial log = filler.trial(filler.configuration({{"tile_dim", 128}, {"bank_pad", 1}}));
  log.provenance = "measured";
  log.verdict = "not compiled";
  log.detail = "error: uses too much shared data (0x10400 bytes, 0xc000 max)";
  filler.store().add_trial(log);
}

// An H200 measured in two sessions with libraries beside it, nightly runs with counterexamples, mutants; and an
// RTX 2080 Ti with predictions. In the second session everything takes `slowdown` times as long.
inline void fill(db::Store& store, double slowdown = 1.08) {
  store.transaction([&] {
    Filler filler(store);
    filler.board("NVIDIA H200", "sm_90", 132, 4800);
    filler.environment("580.10");
    filler.session("2026-11-19T10:00:00.000Z", 41);
    filler.certify(fill_reduce(filler, 1));
    filler.certify(fill_transpose(filler, 1));
    fill_failures(filler, "failed");
    filler.environment("585.02");
    filler.session("2026-11-20T10:00:00.000Z", 52);
    const db::Id reduce = fill_reduce(filler, slowdown);
    filler.certify(reduce);
    filler.comparison(reduce, filler.baseline("cub", "device_reduce", "", true, 73.4), 1.04);
    filler.comparison(reduce, filler.baseline("kokkos", "parallel_reduce", "{.team = 128}", true, 117.5), 1.66);
    filler.baseline("kokkos", "parallel_reduce", "{.team = 512}", false, 96);
    filler.baseline("kokkos", "parallel_reduce", "{.team = 1024}", false, 99);
    filler.baseline("thrust", "reduce", "", true, 71);
    filler.certify(fill_transpose(filler, 1));
    filler.baseline("cublas", "geam", "", true, 139);
    filler.baseline("kokkos", "mdrange", "", true, 0);
    fill_failures(filler, "failed");

    filler.board("RTX 2080 Ti", "sm_75", 68, 616);
    filler.session("2026-11-20T12:00:00.000Z", 0);
    fill_reduce(filler, 9, false);

    filler.run("2026-11-17", 98000, 0);
    filler.run("2026-11-18", 101000, 2);
    filler.run("2026-11-19", 104500, 1);
    filler.run("2026-11-20", 103000, 1);
    const auto seen = [&](const char* repro, const char* when) {
      store.saw_counterexample({.pattern = "reduce",
                                .kernel = "sequential",
                                .repro = repro,
                                .detail = "out[0] is 31, not 32",
                                .last_seen = when});
    };
    seen("kernel=reduce/sequential params={.block_size = 32} problem=reduce[op=sum,float,33] input=exact:7",
         "2026-11-18T02:10:00.000Z");
    seen("kernel=reduce/sequential params={.block_size = 96} problem=reduce[op=sum,float,97] input=exact:3",
         "2026-11-20T02:20:00.000Z");
    store.fixed_counterexample(
        "kernel=reduce/sequential params={.block_size = 32} problem=reduce[op=sum,float,33] input=exact:7");
    const auto mutant = [&](const char* rule, int line, const char* outcome, const char* how) {
      store.put_mutant({.kernel = "reduce/sequential",
                        .rule = rule,
                        .file = "kernels/reduce/sequential.cuh",
                        .line = line,
                        .change = "__syncthreads(); -> (nothing)",
                        .tool = "host",
                        .outcome = outcome,
                        .how = how,
                        .detail = "data race on tile[3]",
                        .seconds = 0.4});
    };
    mutant("remove a barrier", 21, "killed", "race");
    mutant("remove a barrier", 27, "survived", "");
    mutant("swap < and <=", 24, "equivalent", "");
  });
}

// One kernel with so many measured configurations, in one session.
inline void fill_large(db::Store& store, int trials) {
  store.transaction([&] {
    Filler filler(store);
    filler.board("NVIDIA H200", "sm_90", 132, 4800);
    filler.environment("580.10");
    filler.session("2026-11-20T10:00:00.000Z", 43);
    const std::vector<std::pair<const char*, std::int64_t>> sizes{
        {"16777216", 1 << 24}, {"67108864", 1 << 26}, {"268435456", 1 << 28}, {"1000003", 1000003}};
    int made = 0;
    for (const auto& [shape, elements] : sizes) {
      for (const char* types : {"float", "double"}) {
        filler.problem("reduce", "op=sum", shape, elements, 4, types);
        for (const char* name : {"interleaved", "sequential", "first_add_on_load", "warp_shuffle", "grid_stride"}) {
          filler.kernel("reduce", name, "[]", "{}");
          for (int i = 0; made < trials && i < trials / 40; ++i, ++made) {
            const db::Id configuration = filler.configuration({{"block_size", 32 << (i % 6)},
                                                               {"coarsening", 1 << (i / 6 % 5)},
                                                               {"vector_width", 1 << (i / 30 % 3)},
                                                               {"grid_blocks_per_sm", 1 + i / 90}});
            const double us =
                static_cast<double>(elements) / 1e6 * (1 + 0.37 * std::sin(made) * std::sin(made)) + 3.217;
            db::Trial trial = filler.measured(configuration, us);
            Filler::give_resources(trial, 32 << (i % 6), 24 + i % 48, 1024 * (i % 20));
            trial.error_ratio = 0.0123 + 0.001 * (i % 7);
            trial.stopped_early = i % 3 == 0;
            store.add_trial(trial);
            filler.access(configuration, 4 + 0.37 * (i % 9), 1 + 0.25 * (i % 5));
          }
        }
      }
    }
  });
}

}  // namespace warpwright::reports
