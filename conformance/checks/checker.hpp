// Checks one case: findings of the simulator, and outputs against the oracle within the bound or against a law.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "conformance/cases/comparison.hpp"
#include "conformance/checks/answer_cache.hpp"
#include "conformance/checks/audit.hpp"
#include "conformance/checks/case_result.hpp"
#include "conformance/checks/case_runner.hpp"
#include "conformance/checks/oracle_answer.hpp"
#include "conformance/checks/page_cache.hpp"
#include "kernels/system/stop.hpp"

namespace warpwright::conformance {

/// Executions of a check of all schedules, at most.
inline constexpr std::uint64_t kMostExplored = 1000;

struct CheckerOptions {
  /// Start compiling all programs of a property before its first case. Not within a task of the pool that compiles.
  bool compile_ahead = false;
  /// Only what a kernel declares `lenient` is tolerated; else everything that can be.
  bool strict = true;
  /// If set, only at this shape: what can be tolerated is no failure at others. It is then in CaseResult::tolerated.
  std::optional<std::vector<std::int64_t>> strict_shape = std::nullopt;
  /// If a law holds, the detail of the result is the law's sentence about the case.
  bool in_words = false;
  /// Where other checkers of the same catalogue leave the oracle's answers; null: the checker keeps its own.
  std::shared_ptr<AnswerCache> answers = nullptr;
  /// The same for pages of inputs that blocks of large problems needed.
  std::shared_ptr<PageCache> pages = nullptr;
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

  /// The device for which plans are made on that target.
  const Device& device_of(const std::string& target) const { return runner_->device(target); }

  /// Starts compiling the programs of these cases, if the options say so.
  void compile_ahead(const std::vector<Case>& cases);

  /// What a configuration does wrong is in the verdict. If there is an `audit`, a case that is compared with an oracle
  /// is also audited. Throws std::runtime_error if the worker cannot do its work, or if the pattern's own observation
  /// fails.
  CaseResult check(const Case& test, const RunLimits& limits = {}, Audit* audit = nullptr);

  /// What would tolerate the finding of a case that failed within these limits, as a note behind its detail:
  /// "; note: ..."; empty for nothing.
  std::string tolerance_of(const Case& test, const CaseResult& result, const RunLimits& limits = {});

  /// Whether outputs have equal bits in so many runs: in the simulator under as many schedules, the case's own and
  /// those after number `from`. "Not run" if `stop` ends it before.
  CaseResult check_equal_bits(const Case& test, int runs, int from, const Stop& stop);

  /// The same for a simulator case without a law; also counts the memory accesses of the run. `access` stays empty if
  /// the run fails. `answer` is that of the case's problem and input.
  CaseResult check_and_count(const Case& test, const OracleAnswer& answer, std::optional<CountedAccess>& access);

  /// Counts the accesses of a problem that may be too large to run, from a few blocks of each launch; see
  /// sampled_blocks.hpp.
  CaseResult count_blocks(const Case& test, std::optional<CountedAccess>& access);

 private:
  /// The conditions of all runs of a check.
  struct Conditions {
    RunLimits limits = {};
    std::optional<int> poison = {};  ///< the byte in memory that nobody wrote; none: drawn, and kPoison in outputs
    std::optional<int> matrix_adder = {};  ///< see SimulationOptions
    std::optional<bool> contracts = {};    ///< likewise
    std::uint64_t explored = 0;            ///< see RunRequest
    bool strict = true;                    ///< see CheckerOptions
    Audit* audit = nullptr;                ///< of the case itself

    /// The byte in outputs before the run.
    std::uint8_t filled() const { return poison ? static_cast<std::uint8_t>(*poison) : kPoison; }
  };
  struct Run : RunResult {
    std::vector<Bytes> outputs = {};                     ///< as observed
    std::vector<std::vector<Bytes>> other_outputs = {};  ///< likewise, of `others`
  };
  /// What `attempt(strict)` finds; if that is no failure at the case's shape, what it finds if it is not strict.
  template <class Attempt>
  CaseResult at_shape(const Case& test, Attempt attempt) const;
  /// Whether the result may be one of a strict rule that is only noted at the case's shape.
  bool is_noted_only(const Case& test, const CaseResult& result) const;
  Device device_of(const Case& test) const { return device_for(test, device_of(test.target)); }
  /// Takes over the verdict, and sums the other members.
  static void add(CaseResult& result, const Run& run);
  worker::CompiledPlan compiled(const Case& test, const Problem& problem);
  Run run(const Case& test, const Problem& problem, const std::vector<Bytes>& inputs, std::uint8_t poison,
          bool count_accesses, const Conditions& conditions, int runs = 1);
  std::vector<Bytes> observe(const Case& test, const Problem& problem, const std::vector<Bytes>& inputs,
                             const std::vector<Bytes>& outputs, std::uint8_t poison);
  CaseResult check_under(const Case& test, Conditions conditions);
  CaseResult check_as_is(const Case& test, const Conditions& conditions);
  /// Throws OracleFault if the case has no data.
  CaseResult check_with_data(const Case& test, const Conditions& conditions);
  /// If memory was read that nobody wrote, checks again with other contents of it: none may matter.
  CaseResult with_other_poison(const Case& test, CaseResult result, Conditions conditions);
  CaseResult check_oracle(const Case& test, const OracleAnswer& answer, std::optional<CountedAccess>* access,
                          const Conditions& conditions);
  /// For a case whose oracle has no answer: the finding in the kernel itself, or else the verdict `otherwise` with that
  /// reason.
  CaseResult check_without_answer(const Case& test, Verdict otherwise, const std::string& why,
                                  std::optional<CountedAccess>* access, const Conditions& conditions);
  /// A run that was stopped may only be long. It hangs if a problem that is hardly smaller needs very little.
  CaseResult told_from_hang(const Case& test, CaseResult result, const Conditions& conditions);
  /// Empty if the kernel does not take another problem that the law needs, such as the transposed one.
  std::optional<CaseResult> check_law(const Case& test, const Conditions& conditions);
  CaseResult check_determinism(const Case& test, Conditions conditions, int runs = 2, int from = 0,
                               const Stop& stop = {});

  const Catalogue& catalogue_;
  worker::Process& process_;
  worker::Compiler& compiler_;
  std::unique_ptr<CaseRunner> runner_;
  CheckerOptions options_;
};

}  // namespace warpwright::conformance
