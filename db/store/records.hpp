// The rows of the database as plain aggregates, which the tuner, conform and reports read and write.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright::db {

// A row id: local to one file, never part of a row's identity. 0 means "not stored".
using Id = std::int64_t;

// Times of day are UTC text, "2026-11-21T06:01:28.123Z"; an empty `started_at` or `created_at` is filled on storing.
// Absent numbers are std::nullopt. A field `id` is set by reading and ignored by writing.

// A GPU model, from a device or from the table of boards.
struct Board {
  Id id = 0;
  std::string model{};
  std::string arch{};  // "sm_90"
  int sm_count = 0;
  double sm_clock_mhz = 0;
  double memory_bandwidth_gbs = 0;
  std::int64_t l2_bytes = 0;
  std::string source{};       // "device", or "table: <where the numbers come from>"
  int fp32_lanes_per_sm = 0;  // multiply-adds per clock; 0 if not known
  int fp64_lanes_per_sm = 0;
};

// The software and the GPU of a trial.
struct Environment {
  Id id = 0;
  std::string gpu_uuid{};
  std::string driver{};
  std::string cuda{};
  std::string nvrtc{};
  std::string host_compiler{};
  std::optional<bool> ecc{};
  std::string os{};
};

// One kernel, identified by (pattern, kernel); storing it again replaces the rest.
struct Kernel {
  Id id = 0;
  std::string pattern{};
  std::string kernel{};
  std::string source_hash{};
  std::string axes = "[]";       // JSON: [{"name": ..., "values": [...], "labels": [...] (optional)}]
  std::string default_params{};  // C++ spelling
  std::string updated_at{};      // set by writing
};

// One point of a kernel's space, identified by (pattern, kernel, params).
struct Configuration {
  Id id = 0;
  Id kernel_id = 0;
  std::string params{};            // C++ spelling: "{.block_size = 256, .bank_pad = 1}"
  std::string params_json = "{}";  // JSON object: axis -> value
};

// A problem, identified by everything except its costs.
struct Problem {
  Id id = 0;
  std::string pattern{};
  std::string variant{};         // "op=sum"; several parts are joined by ","; may be empty
  std::string numbers{};         // "alpha=0.5,bins=256": the named numbers; may be empty
  std::string types{};           // "float", "unsigned int/float"
  std::string shape{};           // "8192x8192": see db/shape.hpp
  std::string data = "uniform";  // the data set that it is timed on
  // The data that every solution must move, its operations, and the steps of all threads together; 0 if unknown.
  double bytes_read = 0;
  double bytes_written = 0;
  double operations = 0;
  double steps = 0;
  double bus_to_device = 0;  // bytes that must cross the bus in this direction
  double bus_to_host = 0;
  std::string arithmetic{};  // the type whose peak rate limits the operations: "float", "double"; empty if not known
  std::string title{};       // for people, without settings at their default: "2^26 float, zipf"; may be empty
  double amount = 0;         // amount of work in its unit; 0 if not known (db/query/rate.hpp)
  std::string unit{};        // the unit of its rates: "keys", "FLOP"
};

// One run of `tune`. `uid` identifies it in every file into which it is merged; an empty one is drawn on storing.
struct Session {
  Id id = 0;
  std::string uid{};
  std::string command{};
  std::string strategy{};
  std::uint64_t seed = 0;
  std::string budget{};
  std::string started_at{};
  std::optional<std::string> ended_at{};
  std::optional<std::string> ended_how{};  // one of vocabulary.hpp; nullopt while it runs or if killed
  std::string target{};
  std::string program_version{};
  std::optional<double> copy_gbs{};  // ceilings measured in this session
  std::optional<double> read_gbs{};
  std::optional<double> bus_to_device_gbs{};  // only if data crossed the bus
  std::optional<double> bus_to_host_gbs{};
  std::optional<double> float_gflops{};  // a multiply-add counts as two
  std::optional<double> double_gflops{};
  std::optional<double> sm_clock_mhz{};
  std::optional<double> power_w{};
  std::optional<double> temperature_c{};
  std::string warnings{};
  std::string updated_at{};  // set by writing
};

// The plan of a trial as text.
struct PlanText {
  Id id = 0;
  std::string text{};         // one step per line
  std::string compile_log{};  // the compiler's messages about the instances
};

// One configuration evaluated once. Its resources are those of the launch with most threads; every launch has its own
// row (see Launch). Its identity is the hash of all of it (with what it refers to and its samples),
// except id, the plan's text, relative_error, error_ulp, deterministic, joules, replay_us, limited_by, and the three
// selection fields at the end.
struct Trial {
  Id id = 0;
  std::string identity{};  // 32 hex digits; set by reading
  Id configuration_id = 0;
  Id problem_id = 0;
  std::optional<Id> board_id{};
  std::optional<Id> environment_id{};
  std::optional<Id> session_id{};
  std::string created_at{};
  std::string target{};      // "sm_90" or "host/sm_90"
  std::string provenance{};  // one of vocabulary.hpp
  std::string verdict{};     // one of verdicts.hpp
  std::string detail{};      // the constraint's name, the error's text, the finding
  // For a predicted trial: how many cases ran in the simulator (unknown for some), and whether they were the full
  // property, as for a certificate.
  std::optional<int> simulated_cases{};
  bool full_property = false;
  std::string config_key{};
  std::optional<int> registers{};
  std::optional<int> spill_bytes{};
  std::optional<int> static_shared{};   // bytes
  std::optional<int> dynamic_shared{};  // bytes
  std::optional<int> block_threads{};
  std::optional<std::int64_t> grid_blocks{};
  std::optional<double> occupancy{};    // 0..1
  std::string occupancy_limit{};        // the limiting resource
  std::optional<double> error_ratio{};  // error / bound
  // The largest error of outputs in floating point: as a share of the element's magnitude, and in units in its last
  // place. 0 is exact.
  std::optional<double> relative_error{}, error_ulp{};
  std::optional<bool> deterministic{};  // shown by equal bits in many runs; false: refuted by two of them
  std::optional<double> joules{};       // energy of a run, from the board's counter over many runs with a warm cache
  std::optional<double> replay_us{};    // time of a run in a graph of many runs, with a warm cache
  std::string mode{};                   // "clean cold L2, stream": how the time was taken
  std::optional<double> median_us{};
  std::optional<double> low_us{};  // interval around the median, or around the predicted time
  std::optional<double> high_us{};
  std::optional<double> predicted_us{};
  std::optional<std::string> limited_by{};  // what takes most of the predicted time: "DRAM"
  bool stopped_early = false;
  bool is_default = false;
  std::string warnings{};
  std::optional<Id> plan_id{};
  std::int64_t samples = 0;  // set by reading: how many samples are stored

  std::optional<int> rank{};  // 1 = best of its selection; written by Store::set_ranking only
  bool tied = false;          // tied with the best
  std::string selection{};    // the name of the ranking to which rank and tied belong
};

// One launch step of a trial's plan, with its compiled instance and its launch. Identified by (trial, number); not part
// of the trial's identity.
struct Launch {
  Id trial_id = 0;         // set by Store::add_trial
  int number = 0;          // number of the launch step in the plan, in order of first execution, from 0
  std::string entry{};     // C++ name of the kernel instance
  std::int64_t times = 1;  // executions per run of the plan
  std::int64_t grid_blocks = 0;
  int block_threads = 0;
  std::optional<int> registers{};
  std::optional<int> spill_bytes{};
  std::optional<int> static_shared{};  // bytes
  int dynamic_shared = 0;              // bytes
  std::optional<double> occupancy{};   // 0..1
  std::string occupancy_limit{};       // the limiting resource
};

// The time of one step of a finalist's plan, in microseconds since the start of a run. Identified by (trial, number);
// not part of the trial's identity.
struct StepTime {
  Id trial_id = 0;
  int number = 0;      // number of the step in the timed part, from 0; repeats are replaced by their steps
  std::string kind{};  // "launch", "memset", "copy", "copy to GPU", "copy to CPU", "constant", "texture", "prefetch",
                       // "host", "wait"
  std::string name{};  // the kernel's instance, the function of the CPU, or the buffers
  int stream = 0;
  std::int64_t times = 1;  // executions per run
  double start_us = 0;     // of its first execution
  double end_us = 0;       // of its last one
  double us = 0;           // total of all executions
};

// The samples of one trial, in the order they were taken.
struct Samples {
  std::vector<double> microseconds{};
  std::vector<double> clocks_mhz{};  // SM clock of each sample; may be empty
};

// The number of configurations of a kernel for a problem on a board: the size of the search space.
struct Space {
  Id id = 0;
  Id problem_id = 0;
  Id board_id = 0;
  Id kernel_id = 0;
  std::string updated_at{};  // set by writing
  std::int64_t configurations = 0;
};

// The simulator's counts for all executions of one launch step of a configuration on a problem. Storing it again
// replaces it.
struct Access {
  static constexpr int all_launches = -1;
  Id configuration_id = 0;
  Id problem_id = 0;
  int launch = 0;        // Launch::number; all_launches for counts of all launches together
  std::string target{};  // "host/sm_90": the simulated architecture
  std::int64_t global_load_requests = 0;
  std::int64_t global_load_sectors = 0;
  std::int64_t global_store_requests = 0;
  std::int64_t global_store_sectors = 0;
  std::int64_t shared_requests = 0;
  std::int64_t shared_transactions = 0;  // wavefronts
  std::int64_t barriers = 0;
  std::int64_t atomics = 0;
  std::int64_t threads = 0;             // CUDA threads that ran
  std::int64_t branches = 0;            // conditional branches that a warp executed
  std::int64_t divergent_branches = 0;  // of these, with lanes on both paths
  // JSON: the lines with the most excess sectors and wavefronts, worst first. [{"file", "line", "space": "global" or
  // "shared", "requests", "transactions" (sectors or wavefronts), "least"}]
  std::string lines = "[]";
  std::string updated_at{};  // set by writing
};

// A measured best that passed property tests on its target, and in the simulator.
struct Certificate {
  Id id = 0;
  Id trial_id = 0;
  std::int64_t cases = 0;  // on its target
  std::uint64_t seed = 0;
  std::int64_t simulated_cases = 0;  // in the simulator
  std::string not_modelled{};        // why it was not simulated
  std::string created_at{};
};

// A library's time on the same problem.
struct Baseline {
  Id id = 0;
  std::string identity{};        // set by reading
  std::string implementation{};  // "cub", "kokkos", "cublas", ...
  std::string idiom{};           // one of several ways to use it: "mdrange", "team_scratch", "geam"
  std::string version{};
  std::string knobs{};      // "{.tile_x = 32, .tile_y = 8}"; empty if there are none
  bool is_default = false;  // the knobs are the library's defaults
  Id problem_id = 0;
  std::optional<Id> board_id{};
  std::optional<Id> environment_id{};
  std::optional<Id> session_id{};
  std::string created_at{};
  std::string verdict{};  // one of verdicts.hpp
  std::string detail{};
  std::optional<double> error_ratio{};  // error / bound
  std::string mode{};
  std::optional<double> median_us{};
  std::optional<double> low_us{};
  std::optional<double> high_us{};
  std::vector<double> samples_us{};
};

// A trial and a baseline measured in alternating rounds on the same buffers. The ratio is the baseline's time divided
// by the trial's: above 1, the trial is faster.
struct Comparison {
  Id id = 0;
  Id trial_id = 0;
  Id baseline_id = 0;
  std::optional<Id> session_id{};
  std::string created_at{};
  std::int64_t rounds = 0;
  double ratio = 0;  // median of the paired ratios
  double low = 0;    // interval around it
  double high = 0;
};

// One run of `conform`. `uid` as for Session.
struct ConformanceRun {
  Id id = 0;
  std::string uid{};
  std::string command{};
  std::string target{};
  std::string glob{};
  std::uint64_t seed = 0;
  std::string started_at{};
  std::optional<std::string> ended_at{};
  std::optional<std::string> ended_how{};  // as for Session, or "out of time": at the end of its --minutes
  std::int64_t cases = 0;
  std::int64_t failures = 0;
  std::int64_t refused = 0;  // cases that were drawn again, because the kernel refused them
  std::optional<double> cases_per_second{};
  std::string program_version{};
  // JSON: how far each kernel got. [{"kernel", "cases", "verdict": one of verdicts.hpp}]
  std::string progress = "[]";
  std::string updated_at{};  // set by writing
};

// A failing case, identified by its reproducing line.
struct Counterexample {
  Id id = 0;
  std::string pattern{};
  std::string kernel{};
  std::string repro{};
  std::string detail{};
  std::string first_seen{};
  std::string last_seen{};
  std::int64_t times_seen = 0;
  std::optional<std::string> fixed_at{};
  std::optional<std::string> obsolete{};  // why the line cannot be replayed any more
  std::string file{};                     // for a job's kernel: the path of the job file, as given
};

// A kernel with one planted bug, and its outcome; identified by all fields up to `tool`.
struct Mutant {
  Id id = 0;
  std::string kernel{};  // "reduce/sequential"
  std::string rule{};
  std::string file{};
  std::int64_t line = 0;
  std::string change{};   // "__syncthreads(); -> (nothing)"
  std::string tool{};     // "host/sm_90", "compute-sanitizer racecheck", ...
  std::string outcome{};  // one of vocabulary.hpp
  std::string how{};      // what killed it: "out of bounds", "race", "wrong value", "mistrusted", "hang", ...
  std::string detail{};   // the finding, or why it is equivalent
  double seconds = 0;
  std::string updated_at{};  // set by writing
};

// The current time as UTC text, as in records, to the millisecond.
std::string now_utc();

}  // namespace warpwright::db
