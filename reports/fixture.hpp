// Databases with plausible content for the tests of reports/ and for viewing pages by hand.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "reports/fixture_rows.hpp"

namespace warpwright::reports {

constexpr const char* sequential_axes =
    R"([{"name": "block_size", "values": [32, 64, 128, 256]}, {"name": "coarsening", "values": [1, 4]}])";
constexpr const char* grid_stride_axes =
    R"([{"name": "block_size", "values": [32, 64, 128, 256]}, {"name": "coarsening", "values": [1, 4]},)"
    R"( {"name": "finish", "values": [0, 1]}])";
constexpr const char* tiled_axes =
    R"([{"name": "tile_dim", "values": [16, 32]}, {"name": "bank_pad", "values": [0, 1]}])";
// Adds trials of `reduce` to the current session; `slowdown` scales the times. Returns the best trial.
inline db::Id fill_reduce(Rows& rows, double slowdown, bool measured = true) {
  rows.problem("reduce", "op=sum", "67108864", 4);
  db::Id best = 0;
  double best_us = 1e9;
  for (const char* name : {"sequential", "grid_stride"}) {
    const bool persistent = std::string(name) == "grid_stride";
    rows.kernel("reduce", name, persistent ? grid_stride_axes : sequential_axes,
                "{.block_size = 128, .coarsening = 1}");
    rows.space(persistent ? 16 : 8);
    for (const int block : {32, 64, 128, 256}) {
      for (const int coarsening : {1, 4}) {
        for (const int finish : persistent ? std::vector{0, 1} : std::vector{0}) {
          std::vector<std::pair<std::string, int>> params{{"block_size", block}, {"coarsening", coarsening}};
          if (persistent) params.emplace_back("finish", finish);
          const db::Id configuration = rows.configuration(params);
          const double us = slowdown * (63.6 + 2000.0 / block / coarsening + (persistent ? 0 : 24) + 2.5 * finish);
          db::Trial trial = measured ? rows.measured(configuration, us) : rows.predicted(configuration, us);
          Rows::give_resources(trial, block, 24 + 6 * coarsening, block * 4);
          trial.error_ratio = 0.01 * coarsening + 0.0001 * block;
          trial.is_default = block == 128 && coarsening == 1 && finish == 0;
          rows.access(configuration, 4, 1 + 4.0 / coarsening);
          if (persistent && finish == 0) rows.access(configuration, 8, 1, 1);  // a second launch
          const db::Id id = rows.store().add_trial(trial);
          if (us < best_us) best = id;
          best_us = std::min(us, best_us);
        }
      }
    }
  }
  return best;
}

inline db::Id fill_transpose(Rows& rows, double slowdown) {
  rows.problem("transpose", "", "8192x8192", 4.0 * (1 << 26));
  rows.kernel("transpose", "tiled", tiled_axes, "{.tile_dim = 32, .bank_pad = 0}");
  rows.space(4);
  db::Id best = 0;
  for (const int tile : {16, 32}) {
    for (const int pad : {0, 1}) {
      const db::Id configuration = rows.configuration({{"tile_dim", tile}, {"bank_pad", pad}});
      db::Trial trial = rows.measured(configuration, slowdown * (pad ? 129.5 : 190) * (tile == 16 ? 1.2 : 1));
      Rows::give_resources(trial, 256, 32, tile * (tile + pad) * 4);
      trial.error_ratio = 0;
      trial.is_default = tile == 32 && pad == 0;
      const db::Id id = rows.store().add_trial(trial);
      if (tile == 32 && pad == 1) best = id;
      rows.access(configuration, 4, pad ? 1 : tile);
    }
  }
  return best;
}

// Adds trials that failed; their texts try to inject markup into the page.
inline void fill_failures(Rows& rows, const std::string& verdict) {
  rows.kernel("transpose", "tiled_vector", tiled_axes, "{.tile_dim = 32, .bank_pad = 1}");
  rows.space(900);
  db::Trial trial = rows.trial(rows.configuration({{"tile_dim", 64}, {"bank_pad", 1}}));
  trial.provenance = "measured";
  trial.verdict = verdict;
  trial.detail = "output[3] is <script>alert(1)</script> & not \"4\"";
  rows.store().add_trial(trial);
  db::Trial log = rows.trial(rows.configuration({{"tile_dim", 128}, {"bank_pad", 1}}));
  log.provenance = "measured";
  log.verdict = "not compiled";
  log.detail = "error: uses too much shared data (0x10400 bytes, 0xc000 max)";
  rows.store().add_trial(log);
}

// An H200 measured in two sessions, with libraries, nightly runs, counterexamples and mutants, and an RTX 2080 Ti with
// predictions only. In the second session all times are `slowdown` times as long.
inline void fill(db::Store& store, double slowdown = 1.08) {
  store.transaction([&] {
    Rows rows(store);
    rows.board("NVIDIA H200", "sm_90", 132, 4800);
    rows.environment("580.10");
    rows.session("2026-11-19T10:00:00.000Z", 41);
    rows.certify(fill_reduce(rows, 1));
    rows.certify(fill_transpose(rows, 1));
    fill_failures(rows, "failed");
    rows.environment("585.02");
    rows.session("2026-11-20T10:00:00.000Z", 52);
    const db::Id reduce = fill_reduce(rows, slowdown);
    rows.certify(reduce);
    rows.comparison(reduce, rows.baseline("cub", "device_reduce", "", true, 73.4), 1.04);
    rows.comparison(reduce, rows.baseline("kokkos", "parallel_reduce", "{.team = 128}", true, 117.5), 1.66);
    rows.baseline("kokkos", "parallel_reduce", "{.team = 512}", false, 96);
    rows.baseline("kokkos", "parallel_reduce", "{.team = 1024}", false, 99);
    rows.baseline("thrust", "reduce", "", true, 71);
    rows.certify(fill_transpose(rows, 1));
    rows.baseline("cublas", "geam", "", true, 139);
    rows.baseline("kokkos", "mdrange", "", true, 0);
    fill_failures(rows, "failed");

    rows.board("RTX 2080 Ti", "sm_75", 68, 616);
    rows.session("2026-11-20T12:00:00.000Z", 0);
    fill_reduce(rows, 9, false);

    rows.run("2026-11-17", 98000, 0);
    rows.run("2026-11-18", 101000, 2);
    rows.run("2026-11-19", 104500, 1);
    rows.run("2026-11-20", 103000, 1);
    const auto seen = [&](const char* repro, const char* when) {
      store.saw_counterexample({.pattern = "reduce",
                                .kernel = "sequential",
                                .repro = repro,
                                .detail = "out[0] is 31, not 32",
                                .last_seen = when});
    };
    seen(
        "kernel=reduce/sequential params={.block_size = 32} problem=reduce[op=sum,data=uniform,float,33] input=exact:7",
        "2026-11-18T02:10:00.000Z");
    seen(
        "kernel=reduce/sequential params={.block_size = 96} problem=reduce[op=sum,data=uniform,float,97] input=exact:3",
        "2026-11-20T02:20:00.000Z");
    store.fixed_counterexample(
        "kernel=reduce/sequential params={.block_size = 32} problem=reduce[op=sum,data=uniform,float,33] "
        "input=exact:7");
    const auto mutant = [&](const char* rule, int line, const char* outcome, const char* how) {
      store.put_mutant({.kernel = "reduce/sequential",
                        .rule = rule,
                        .file = "kernels/reduce/sequential.cuh",
                        .line = line,
                        .change = "__syncthreads(); -> (nothing)",
                        .tool = "host/sm_90",
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

// Two problems on an H100 and an H200, which have different best transposes; one of them also on a T4, which measured
// only some of the configurations.
inline void fill_boards(db::Store& store) {
  store.transaction([&] {
    Rows rows(store);
    const auto transpose = [&](std::initializer_list<std::pair<int, double>> times) {
      rows.problem("transpose", "", "8192x8192", 4.0 * (1 << 26));
      rows.kernel("transpose", "tiled", tiled_axes, "{.tile_dim = 32, .bank_pad = 0}");
      for (const auto& [tile, us] : times)
        store.add_trial(rows.measured(rows.configuration({{"tile_dim", tile}, {"bank_pad", 1}}), us));
    };
    rows.environment("580.10");
    rows.board("NVIDIA H100 80GB HBM3", "sm_90", 132, 3352);
    rows.session("2026-11-19T10:00:00.000Z", 41);
    fill_reduce(rows, 1.4);
    transpose({{16, 188}, {32, 181}, {64, 184}});
    rows.board("NVIDIA H200", "sm_90", 132, 4800);
    rows.session("2026-11-20T10:00:00.000Z", 44);
    fill_reduce(rows, 1);
    transpose({{16, 129.5}, {32, 144.4}, {64, 132}});
    rows.board("Tesla T4", "sm_75", 40, 320);
    rows.session("2026-11-21T10:00:00.000Z", 60);
    transpose({{8, 2400}, {16, 2650}});
  });
}

// One kernel with `trials` measured configurations in one session.
inline void fill_large(db::Store& store, int trials) {
  store.transaction([&] {
    Rows rows(store);
    rows.board("NVIDIA H200", "sm_90", 132, 4800);
    rows.environment("580.10");
    rows.session("2026-11-20T10:00:00.000Z", 43);
    const std::vector<std::pair<const char*, std::int64_t>> sizes{
        {"16777216", 1 << 24}, {"67108864", 1 << 26}, {"268435456", 1 << 28}, {"1000003", 1000003}};
    int made = 0;
    for (const auto& [shape, elements] : sizes) {
      for (const char* types : {"float", "double"}) {
        rows.problem("reduce", "op=sum", shape, 4, types);
        for (const char* name : {"interleaved", "sequential", "first_add_on_load", "warp_shuffle", "grid_stride"}) {
          rows.kernel("reduce", name, "[]", "{}");
          for (int i = 0; made < trials && i < trials / 40; ++i, ++made) {
            const db::Id configuration = rows.configuration({{"block_size", 32 << (i % 6)},
                                                             {"coarsening", 1 << (i / 6 % 5)},
                                                             {"vector_width", 1 << (i / 30 % 3)},
                                                             {"grid_blocks_per_sm", 1 + i / 90}});
            const double us =
                static_cast<double>(elements) / 1e6 * (1 + 0.37 * std::sin(made) * std::sin(made)) + 3.217;
            db::Trial trial = rows.measured(configuration, us);
            Rows::give_resources(trial, 32 << (i % 6), 24 + i % 48, 1024 * (i % 20));
            trial.error_ratio = 0.0123 + 0.001 * (i % 7);
            trial.stopped_early = i % 3 == 0;
            store.add_trial(trial);
            rows.access(configuration, 4 + 0.37 * (i % 9), 1 + 0.25 * (i % 5));
          }
        }
      }
    }
  });
}

}  // namespace warpwright::reports
