// Runs one case on its target and judges it: findings of the executor, the oracle within the bound, or a law.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>

#include "conformance/cases/case.hpp"
#include "conformance/checks/run_plan.hpp"
#include "kernels/core/verdict.hpp"
#include "kernels/model/pattern.hpp"
#include "kernels/model/program.hpp"
#include "kernels/runtime/build/compiler.hpp"
#include "kernels/runtime/client/process.hpp"
#include "kernels/runtime/simulator/results/execution.hpp"
#include "kernels/runtime/simulator/results/options.hpp"

namespace warpwright::conformance {

/// What the host target was lenient about.
struct Tolerated {
  StrictRule rule = StrictRule::same_value_stores;
  std::string location;  ///< file and line, of both sides
  std::string text;
  simulator::Finding found = {};
};

struct CaseResult {
  Verdict verdict = Verdict::passed;
  std::optional<FindingKind> finding = std::nullopt;       ///< host: what was found first
  std::optional<simulator::Finding> found = std::nullopt;  ///< the same with all that is known of it
  std::string detail = {};
  double error_ratio = 0;                 ///< error / bound
  std::uint64_t steps = 0;                ///< host: checked accesses and waits
  std::uint64_t threads = 0;              ///< host: CUDA threads run
  std::vector<Tolerated> tolerated = {};  ///< host: each rule and location once
  double seconds = 0;                     ///< of a worker, without compiling
  double of_limit = 0;                    ///< host: the greatest part of its step limit that a run took
  bool ok() const { return verdict == Verdict::passed; }
  /// Nothing is wrong. Outputs that are rightly zero everywhere were poisoned before, so they were written; what the
  /// host target has no model of is neither right nor wrong there.
  bool is_right() const { return ok() || verdict == Verdict::mistrusted || verdict == Verdict::not_modelled; }
};

/// What a run on the host asked of the memory system.
struct CountedAccess {
  simulator::AccessCounts counts;
  std::vector<simulator::AccessCounts> launches;  ///< of each launch step of the plan, as launches_of lists them
  std::vector<std::uint64_t> launch_threads;      ///< likewise, CUDA threads
  std::vector<std::vector<simulator::AtomicCounts>> launch_atomics;  ///< likewise, by buffer of the plan
  std::vector<simulator::LineAccess> lines;
  std::uint64_t threads = 0;
};

/// What every configuration is judged by on one problem with one input.
struct OracleAnswer {
  std::vector<Bytes> inputs;
  Expectation expected;
  std::string unknown = {};  ///< why the host has no answer: it has no model of what the reference does; else empty
};

/// A pattern without an oracle of its own has its reference run on the host target, by that worker. Throws OracleFault
/// where that finds fault with the reference itself.
OracleAnswer oracle_answer(const Pattern& pattern, const Problem& problem, const Input& input, worker::Process& process,
                           worker::Compiler& compiler);

/// What a case needs beside the catalogue: a worker of its own, what compiles, and the devices that plans are made for.
class Checker {
 public:
  /// Whether the programs of a property are all begun before its first case. Not within a task of the pool that
  /// compiles.
  enum class Compile { when_needed, ahead };

  /// `gpu` is the GPU that sm_XX cases run on; without one only host cases can be checked.
  struct GpuTarget {
    Device device;
    int index = 0;
  };
  Checker(const Catalogue& catalogue, worker::Process& process, worker::Compiler& compiler,
          Compile compile = Compile::when_needed, std::optional<GpuTarget> gpu = std::nullopt);

  /// When a run on the host, or any run, counts as one that hangs. Checked accesses and waits: so many, and more for
  /// each step of the kernel's work and each thread that is started.
  struct Limits {
    double steps = 20e6;
    double per_step_of_work = 500;
    double per_thread = 1000;
    double blocks = static_cast<double>(simulator::Limits().blocks);  ///< basic blocks with hardly an access
    std::chrono::milliseconds time{30'000};                           ///< and more for its steps
    std::chrono::milliseconds most_time{std::chrono::hours(24)};      ///< with what steps add
    std::chrono::milliseconds on_device{4'000};                       ///< likewise; a worker's first case opens the GPU

    worker::Process::Believe believe = worker::Process::Believe::second_loss;

    /// That part of the steps and blocks, and at most so many seconds.
    Limits times(double part, double seconds) const;
  };
  /// Those of checks that name none.
  void set_limits(Limits limits) { limits_ = limits; }
  const Limits& limits() const { return limits_; }
  /// Steps that one run of the case's plan on that problem may take: on a GPU those that it should, on the host many
  /// times as many.
  double step_limit(const Case& test, const Problem& problem, const Plan& plan, const Limits& limits) const;
  /// What a worker has for a run of so many steps.
  static std::chrono::milliseconds time_limit(const Case& test, double steps, const Limits& limits);
  /// Whether all that a kernel does not ask for lenience about is held against it; else nothing that can be let pass.
  void set_strict(bool strict) { is_strict_ = strict; }

  /// Whether what a law has to say of a case in which it holds becomes the result's detail.
  void set_in_words(bool in_words) { in_words_ = in_words; }

  /// The device that plans are made for on that target.
  const Device& device_of(const std::string& target) const;
  /// The device that the case's plan is made for.
  Device device_of(const Case& test) const;

  /// Begins to compile what these cases need, if that is wanted.
  void compile_ahead(const std::vector<Case>& cases);

  /// A GPU's case that is too large for the oracle is verified there, as tuning does. What a configuration does wrong
  /// is in the verdict; throws std::runtime_error when the worker cannot do its work,
  /// or the pattern's own observation fails.
  CaseResult check(const Case& test) { return check(test, limits_); }
  CaseResult check(const Case& test, const Limits& limits);

  /// The same for a host case without a law, counting the memory accesses of the run; `access` stays empty when it does
  /// not get through. `answer` is that of the case's problem and input.
  CaseResult check_and_count(const Case& test, const OracleAnswer& answer, std::optional<CountedAccess>& access);

 private:
  /// What holds for all runs of a check.
  struct Conditions {
    Limits limits;
    std::optional<int> poison = {};  ///< the byte in memory that nobody wrote, but for outputs
  };
  struct Run {
    Verdict verdict = Verdict::passed;
    std::optional<simulator::Finding> found = std::nullopt;
    std::string detail = {};
    std::vector<Bytes> buffers = {};  ///< of the plan, as the run left them
    std::vector<Bytes> outputs = {};  ///< observed
    CountedAccess access = {};
    std::uint64_t steps = 0, threads = 0;
    double of_limit = 0, seconds = 0;
    std::vector<Tolerated> tolerated = {};
    std::string warning = {};  ///< of the host compiler, about locals of the kernel
    std::string noted = {};    ///< host: what a wrong result may come from
  };
  /// Takes over the verdict, and adds up the rest.
  static void add(CaseResult& result, const Run& run);
  Run run(const Case& test, const Problem& problem, const std::vector<Bytes>& inputs, std::uint8_t poison,
          bool count_accesses, const Conditions& conditions);
  /// Without the outputs; `limit` is that of its steps.
  Run simulate(const Case& test, const Plan& plan, const CompiledProgram& built, std::vector<Bytes> contents,
               double limit, bool count_accesses, const Conditions& conditions);
  Run run_on_gpu(const Case& test, const Plan& plan, const CompiledProgram& built, std::vector<Bytes> contents,
                 double limit, const Limits& limits);
  std::vector<Bytes> observe(const Case& test, const Problem& problem, const std::vector<Bytes>& inputs,
                             const std::vector<Bytes>& outputs, std::uint8_t poison);
  std::vector<StrictRule> lenient_about(const Kernel& kernel) const;
  CaseResult check_as_is(const Case& test, const Conditions& conditions);
  /// The same, where memory that nobody wrote was read, under other contents of it: none may matter.
  CaseResult with_other_poison(const Case& test, CaseResult result, const Limits& limits);
  CaseResult check_oracle(const Case& test, const OracleAnswer& answer, std::optional<CountedAccess>* access,
                          const Conditions& conditions);
  /// Of a case whose oracle has no answer: what is found in the kernel itself, else the verdict `otherwise` for that
  /// reason.
  CaseResult check_without_answer(const Case& test, Verdict otherwise, const std::string& why,
                                  std::optional<CountedAccess>* access, const Conditions& conditions);
  /// Whether it is a GPU's case that the oracle would take too long for.
  bool is_for_session(const Case& test) const;
  /// Of a GPU's case: with inputs made there, and its reference in place of the oracle.
  CaseResult check_at_size(const Case& test);
  CaseResult check_law(const Case& test, const Conditions& conditions);
  CaseResult check_determinism(const Case& test, const Conditions& conditions);

  const Catalogue& catalogue_;
  worker::Process& process_;
  worker::Compiler& compiler_;
  Compile compile_;
  std::optional<GpuTarget> gpu_;
  Limits limits_;
  bool is_strict_ = true;
  bool in_words_ = false;
};

/// The problem that stands for `problem` where the accesses of a configuration are counted: a small one, or itself
/// where it is smaller still.
Problem traced_problem(const Catalogue& catalogue, const Problem& problem);

/// Why a case cannot be asked for on a device: a constraint of the space that its params break (rejected), or the
/// kernel's own reason (skipped).
struct Refusal {
  Verdict verdict = Verdict::rejected;
  std::string reason;
};
std::optional<Refusal> refusal_of(const Case& test, const Device& device);

/// Steps of all threads that the kernel takes on the problem: its own figure, or the pattern's.
double steps_of(const Pattern& pattern, const Kernel& kernel, const Point& params, const Problem& problem);

/// What a check with any input may take: a kernel's own figure is that of the problem's data, the pattern's that of its
/// oracle.
double most_steps_of(const Pattern& pattern, const Kernel& kernel, const Point& params, const Problem& problem);

/// What constraints of a space may ask for.
Surroundings surroundings_of(const Problem& problem, const Device& device);

/// The program of a configuration, for a problem of any size: the entries of its plan for this problem and, where the
/// kernel takes it, for the pattern's trace problem, so that small and empty problems need no program of their own.
Program program_for(const Catalogue& catalogue, const Kernel& kernel, const Point& params, const Problem& problem,
                    const Device& device);

}  // namespace warpwright::conformance
