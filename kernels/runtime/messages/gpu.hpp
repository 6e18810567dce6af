// What a parent and the worker of a GPU exchange: problems, candidates, outcomes, times, and properties of a GPU.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "kernels/core/device.hpp"
#include "kernels/core/verdict.hpp"
#include "kernels/model/accuracy.hpp"
#include "kernels/model/pattern.hpp"
#include "kernels/model/program.hpp"
#include "kernels/model/work.hpp"

namespace warpwright::gpu {

/// A GPU as the driver describes it.
struct GpuInfo {
  Device device;
  int index = 0;
  std::string uuid;
  std::string driver_version;  ///< CUDA version the driver supports, "13.0"
  bool ecc = false;
};

struct Sensors {
  std::string driver;  ///< "580.159.03", empty without the library
  std::optional<double> power_w;
  std::optional<double> temperature_c;
  std::optional<double> sm_clock_mhz;
  bool counts_energy = false;          ///< whether the board has a counter
  std::optional<int> other_processes;  ///< processes other than this one that compute on the GPU
  std::string throttle_reasons;        ///< in words; empty if the clocks are not reduced
};

/// What ends a sample: an event after the last step, or the host after waiting for that step.
enum class Clock { events, host };

/// How something was timed, as it is stored with every time; `graph` for plans replayed as one.
std::string timing_mode(bool graph, Clock clock = Clock::events);

struct Sample {
  double microseconds = 0;
  double sm_clock_mhz = 0;  ///< at about the time of the sample
};

/// What many runs of a plan with a warm cache show of one of them.
struct Repeated {
  std::optional<double> joules;     ///< by the board's energy counter
  std::optional<double> replay_us;  ///< in a graph of many runs
};

/// The runs of a plan, and of its restoring, that its energy takes if they are long.
inline constexpr int kMostEnergyRuns = 8;

/// Memory rates in the timer's mode: the best of a few plain kernels and the driver's copy.
struct Rates {
  double copy_gbs = 0;  ///< bytes read plus bytes written
  double read_gbs = 0;
  double float_gflops = 0, double_gflops = 0;  ///< 1e9 operations a second, a multiply-add counts as two
  BusRates bus = {};                           ///< only if needed
};

/// Which callable, with which knobs, on which problem.
struct CallableChoice {
  std::string name;  ///< "kokkos/mdrange"
  Point knobs;
  Problem problem;
};

/// One way to fill the in and inout buffers: the steps for the fill program.
struct FilledInput {
  std::string text;  ///< "exact:7"
  Plan fill;
};

/// How outputs are turned into the values that are compared.
struct BuiltObservation {
  std::string name;
  Plan plan;
  CompiledProgram built;
};

/// What is needed to verify a problem at any size. The last input is used for timing.
struct ProblemSetup {
  std::vector<Buffer> buffers;  ///< the problem's: in, inout, out
  std::vector<FilledInput> inputs;
  CompiledProgram fills;
  std::vector<BuiltObservation> observations;  ///< those that candidates name; empty: outputs are compared directly
  Plan reference_plan;
  CompiledProgram reference;
  double reference_depth = 0;
};

/// What is verified and timed: a configuration's plan and program, or a callable.
struct Candidate {
  Plan plan;  ///< without steps for a callable
  CompiledProgram built;
  std::vector<std::vector<Bound>> bounds;  ///< per input of the set-up and observed output; empty: nothing is compared
  std::string observation = {};            ///< one of the set-up's observations; empty: the first
  std::optional<CallableChoice> callable = {};
};

/// The result of a trial: passed, failed, mistrusted, not launchable; on the parent's side also crashed, timed out,
/// too slow.
struct Outcome {
  Verdict verdict = Verdict::passed;
  std::string detail = {};
  std::string input = {};  ///< the input on which it failed, in the spelling of ProblemSetup
  double error_ratio = 0;  ///< the worst error / bound
  Accuracy accuracy = {};  ///< likewise
  bool damaged = false;    ///< an input or memory beside a buffer was written: set the problem up again
  std::string mode = {};   ///< how it was timed, where it was
};

}  // namespace warpwright::gpu
