// Shared by the tests of db/: stores with plausible content, and helpers for texts.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>
#include <string>

#include "db/store/connection.hpp"
#include "db/store/store.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright::db {

// A folder in memory, for tests that make hundreds of databases and would otherwise wait for the disk.
inline std::filesystem::path memory_folder() {
  return access("/dev/shm", W_OK) == 0 ? "/dev/shm" : std::filesystem::temp_directory_path();
}

// The length of the longest line.
inline std::size_t longest_line(const std::string& text) {
  std::size_t longest = 0;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    longest = std::max(longest, end - at);
    at = end + 1;
  }
  return longest;
}

// A new store, copied from an empty one, because making the tables takes longer than most tests.
inline Store new_store(const std::filesystem::path& path) {
  static const TemporaryFolder folder(memory_folder());
  static const std::filesystem::path empty = Store(folder / "empty.db").path();
  std::filesystem::copy_file(empty, path);
  return Store(path);
}

inline std::string bytes_of(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The text of the Error that f() throws; fails the test if it throws none.
inline std::string error_of(const auto& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no db::Error was thrown";
  return "";
}

// Runs f() in a child process and returns its exit status as waitpid gives it; an exception of f() is exit code 99.
inline int status_in_child(const auto& f) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      f();
    } catch (...) {
      _exit(99);
    }
    _exit(0);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

// One kernel, problem, board, environment and session to which trials refer.
struct ExampleTrials {
  Store& store;
  std::string arch = "sm_90";
  Id kernel = store.upsert(Kernel{.pattern = "transpose",
                                  .kernel = "tiled",
                                  .source_hash = "s1",
                                  .axes = R"([{"name": "tile_dim", "values": [16, 32]}])",
                                  .default_params = "{.tile_dim = 16}",
                                  .updated_at = ""});
  Id problem = problem_of("8192x8192");
  Id board = store.upsert(Board{.model = "NVIDIA H200",
                                .arch = arch,
                                .sm_count = 132,
                                .sm_clock_mhz = 1980,
                                .memory_bandwidth_gbs = 4800,
                                .l2_bytes = 50 << 20,
                                .source = "device"});
  Id environment = store.upsert(Environment{.gpu_uuid = "GPU-1", .driver = "580", .ecc = true, .os = "Linux"});
  Id session = store.begin_session(Session{.uid = "session-1", .command = "tune", .seed = 7});

  Id configuration(int tile_dim) {
    const std::string value = std::to_string(tile_dim);
    return store.upsert(Configuration{
        .kernel_id = kernel, .params = "{.tile_dim = " + value + "}", .params_json = "{\"tile_dim\": " + value + "}"});
  }
  Id problem_of(const std::string& shape, const std::string& variant = "", const std::string& numbers = "",
                const std::string& data = "uniform") {
    return store.upsert(Problem{.pattern = "transpose",
                                .variant = variant,
                                .numbers = numbers,
                                .types = "float",
                                .shape = shape,
                                .data = data});
  }
  Trial measured(int tile_dim, double median_us) {
    return {.configuration_id = configuration(tile_dim),
            .problem_id = problem,
            .board_id = board,
            .environment_id = environment,
            .session_id = session,
            .created_at = "2026-01-01T00:00:00.000Z",
            .target = arch,
            .provenance = "measured",
            .verdict = "passed",
            .config_key = "key-" + std::to_string(tile_dim),
            .mode = "clean cold L2",
            .median_us = median_us};
  }
  Trial predicted(int tile_dim, double time_us) {
    Trial trial = measured(tile_dim, 0);
    trial.provenance = "predicted";
    trial.verdict = "unchecked";
    trial.simulated_cases = 0;
    trial.mode = "";
    trial.median_us.reset();
    trial.predicted_us = time_us;
    return trial;
  }
};

// The number of statements that SQLite executes during `work`.
inline int statements_of(const Store& store, const auto& work) {
  int count = 0;
  sqlite3* const handle = store.connection().database().getHandle();
  const auto counts = [](unsigned, void* counter, void*, void*) { return ++*static_cast<int*>(counter), 0; };
  sqlite3_trace_v2(handle, SQLITE_TRACE_STMT, counts, &count);
  work();
  sqlite3_trace_v2(handle, 0, nullptr, nullptr);
  return count;
}

}  // namespace warpwright::db
