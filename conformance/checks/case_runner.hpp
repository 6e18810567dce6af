// Runs the plans of cases in the simulator or on a GPU; the checker is the same for both.
#pragma once

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/cases/case.hpp"
#include "conformance/checks/case_result.hpp"
#include "kernels/runtime/build/compiled_plan.hpp"
#include "kernels/runtime/build/compiler.hpp"
#include "kernels/runtime/client/process.hpp"
#include "kernels/runtime/simulator/results/options.hpp"

namespace warpwright::conformance {

/// When a run is stopped. In the simulator it may make so many checked accesses and waits, and more for each step of
/// the kernel's work and each thread.
struct RunLimits {
  double accesses = 20e6;
  double per_step_of_work = 500;
  double per_thread = 1000;
  double blocks = 5e8;                     ///< basic blocks, and more for its accesses
  bool beyond_hangs = false;               ///< what is stopped hangs: it is known to be far too long
  std::chrono::milliseconds time{30'000};  ///< and more for its accesses
  std::chrono::milliseconds most_time{std::chrono::hours(24)};  ///< including that
  std::chrono::milliseconds on_device{4'000};                   ///< on a GPU, and more for its steps of work

  worker::Process::Believe believe = worker::Process::Believe::second_loss;

  /// Limits of `part` times the accesses and blocks, and at most `seconds` seconds.
  RunLimits times(double part, double seconds) const;
};

/// The time that a run with this many steps of work may take on a GPU.
std::chrono::milliseconds gpu_time_limit(double steps, const RunLimits& limits);

/// One run of a case's plan.
struct RunRequest {
  const Case& test;
  const worker::CompiledPlan& compiled;
  std::vector<Bytes> buffers;  ///< contents of the plan's buffers before the run
  double steps = 0;            ///< of the kernel's work, at most
  const RunLimits& limits;
  std::vector<StrictRule> lenient = {};  ///< findings of these rules are tolerated
  std::optional<int> poison = {};        ///< the byte that fills unwritten memory; none: the schedule's seed chooses it
  std::optional<int> matrix_adder = {};  ///< likewise, see SimulationOptions
  std::optional<bool> contracts = {};    ///< likewise
  bool count_accesses = false;
  std::uint64_t explored = 0;  ///< in the simulator: as many executions, with other schedules; 0: that of the case
  int runs = 1;                ///< on a GPU: so many, until one leaves other bits in outputs than the first
};

struct RunResult {
  Verdict verdict = Verdict::passed;
  std::optional<simulator::Finding> found = std::nullopt;
  std::string detail = {};
  std::vector<Bytes> buffers = {};  ///< of the plan, as the run left them; of several as the first did
  int runs = 1;                     ///< that were made
  /// As the last of several left the buffers, if outputs have other bits then. In the simulator: as a second run left
  /// them, which started with what the first one left in variables of the module, or as other executions did.
  std::vector<std::vector<Bytes>> others = {};
  std::uint64_t explored = 0;  ///< executions that were made, if that was asked for
  bool is_exhausted = false;   ///< these are all that differ
  CountedAccess access = {};
  std::uint64_t steps = 0, blocks = 0, threads = 0;  ///< see CaseResult
  double of_limit = 0, seconds = 0;
  std::vector<Tolerated> tolerated = {};
  std::vector<simulator::Finding> arithmetic = {};  ///< see Execution
  std::vector<simulator::Finding> exchanged = {};   ///< likewise
  std::string schedule = {};  ///< the order of threads, if the case chose it: "SEED:RESIDENT_BLOCKS"
  std::string hints = {};     ///< for the detail of a wrong result: possible causes
  std::string warning = {};   ///< also for the detail: the host compiler's warnings about locals of the kernel
};

class CaseRunner {
 public:
  virtual ~CaseRunner() = default;
  /// The device that plans are made for on that target. Throws std::invalid_argument for a target of the other kind.
  virtual const Device& device(const std::string& target) const = 0;
  /// An error of the kernel is in the verdict. Throws std::runtime_error if the worker cannot do its work.
  virtual RunResult run(RunRequest request) = 0;
  /// Runs a plan that must not fail. Returns its buffers but inputs by name.
  virtual std::map<std::string, Bytes> run_plan(const worker::CompiledPlan& compiled, const std::vector<Bytes>& inputs,
                                                const Device& device) = 0;
  /// The result of a case without a law, compared with the pattern's reference, where it runs, instead of the oracle;
  /// empty if the runner cannot do that.
  virtual std::optional<CaseResult> check_by_reference(const Case& test) = 0;
};

/// Runs cases for "host/sm_XX".
std::unique_ptr<CaseRunner> simulator_runner(worker::Process& process);

/// A GPU that cases for "sm_XX" run on.
struct GpuTarget {
  Device device;
  int index = 0;
};
std::unique_ptr<CaseRunner> gpu_runner(const Catalogue& catalogue, worker::Process& process, worker::Compiler& compiler,
                                       const GpuTarget& gpu);

}  // namespace warpwright::conformance
