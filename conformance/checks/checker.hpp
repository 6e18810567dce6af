// Checks one case: findings of the simulator, and outputs against the oracle within the bound or against a law.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/checks/case_result.hpp"
#include "conformance/checks/case_runner.hpp"
#include "conformance/checks/oracle_answer.hpp"

namespace warpwright::conformance {

struct CheckerOptions {
  /// Begin to compile all programs of a property before its first case. Not within a task of the pool that compiles.
  bool compile_ahead = false;
  /// Only what a kernel declares `lenient` is tolerated; else everything that can be.
  bool strict = true;
  /// If a law holds, the detail of the result is what the law has to say about the case.
  bool in_words = false;
};

class Checker {
 public:
  /// For cases in the simulator. `process` also runs references in place of oracles.
  Checker(const Catalogue& catalogue, worker::Process& process, worker::Compiler& compiler,
          const CheckerOptions& options = {});
  /// For cases on a GPU.
  Checker(const Catalogue& catalogue, worker::Process& process, worker::Compiler& compiler, const GpuTarget& gpu,
          const CheckerOptions& options = {});
  Checker(const Catalogue& catalogue, worker::Process& process, worker::Compiler& compiler,
          std::unique_ptr<CaseRunner> runner, const CheckerOptions& options = {});

  /// The device that plans are made for on that target.
  const Device& device_of(const std::string& target) const { return runner_->device(target); }

  /// Begins to compile what these cases need, if the options say so.
  void compile_ahead(const std::vector<Case>& cases);

  /// What a configuration does wrong is in the verdict. Throws std::runtime_error if the worker cannot do its work, or
  /// if the pattern's own observation fails.
  CaseResult check(const Case& test, const RunLimits& limits = {});

  /// The same for a simulator case without a law; also counts the memory accesses of the run. `access` stays empty if
  /// the run fails. `answer` is that of the case's problem and input.
  CaseResult check_and_count(const Case& test, const OracleAnswer& answer, std::optional<CountedAccess>& access);

 private:
  /// What holds for all runs of a check.
  struct Conditions {
    RunLimits limits;
    std::optional<int> poison = {};  ///< the byte in memory that nobody wrote, but for outputs
  };
  struct Run : RunResult {
    std::vector<Bytes> outputs = {};  ///< as observed
  };
  Device device_of(const Case& test) const { return device_for(test, device_of(test.target)); }
  /// Takes over the verdict, and adds up the rest.
  static void add(CaseResult& result, const Run& run);
  Run run(const Case& test, const Problem& problem, const std::vector<Bytes>& inputs, std::uint8_t poison,
          bool count_accesses, const Conditions& conditions);
  std::vector<Bytes> observe(const Case& test, const Problem& problem, const std::vector<Bytes>& inputs,
                             const std::vector<Bytes>& outputs, std::uint8_t poison);
  std::vector<StrictRule> lenient_about(const Kernel& kernel) const;
  CaseResult check_as_is(const Case& test, const Conditions& conditions);
  /// If memory was read that nobody wrote, checks again with other contents of it: none may matter.
  CaseResult with_other_poison(const Case& test, CaseResult result, const RunLimits& limits);
  CaseResult check_oracle(const Case& test, const OracleAnswer& answer, std::optional<CountedAccess>* access,
                          const Conditions& conditions);
  /// Of a case whose oracle has no answer: what is found in the kernel itself, else the verdict `otherwise` for that
  /// reason.
  CaseResult check_without_answer(const Case& test, Verdict otherwise, const std::string& why,
                                  std::optional<CountedAccess>* access, const Conditions& conditions);
  /// A run that was stopped may only be long. It hangs if a problem that is hardly smaller needs very little.
  CaseResult told_from_hang(const Case& test, CaseResult result, const Conditions& conditions);
  CaseResult check_law(const Case& test, const Conditions& conditions);
  CaseResult check_determinism(const Case& test, const Conditions& conditions);

  const Catalogue& catalogue_;
  worker::Process& process_;
  worker::Compiler& compiler_;
  std::unique_ptr<CaseRunner> runner_;
  CheckerOptions options_;
};

}  // namespace warpwright::conformance
