// Verdicts on configurations, the kinds of findings that lead to them, and the words for both.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string_view>

namespace warpwright {

/// The result for a configuration or a case. The words are used in the database, in reports and by all programs.
enum class Verdict {
  passed,
  failed,          ///< a wrong result, or a finding of the simulator
  mistrusted,      ///< no error was found, but the result is not credible: all zeros, or an impossible time
  unchecked,       ///< nothing checked the results
  rejected,        ///< a constraint of the space forbids it; the reason names the constraint
  not_compiled,    ///< the compiler refused it, or the kernel's parameters are not what its plan passes
  not_launchable,  ///< the device refuses the launch
  crashed,         ///< the process that ran it died
  timed_out,       ///< it hangs, as far as is known
  too_slow,        ///< its run was ended, because it took many times as long as the best configuration
  skipped,         ///< the kernel refuses the problem and says why
  not_modelled,    ///< the simulator has no model of what the kernel does, or no time for it; the reason names it
  not_run,
};

/// The words of verdicts, as they are stored and printed.
namespace verdict {
inline constexpr std::string_view passed = "passed";
inline constexpr std::string_view failed = "failed";
inline constexpr std::string_view mistrusted = "mistrusted";
inline constexpr std::string_view unchecked = "unchecked";
inline constexpr std::string_view rejected = "rejected";
inline constexpr std::string_view not_compiled = "not compiled";
inline constexpr std::string_view not_launchable = "not launchable";
inline constexpr std::string_view crashed = "crashed";
inline constexpr std::string_view timed_out = "timed out";
inline constexpr std::string_view too_slow = "too slow";
inline constexpr std::string_view skipped = "skipped";
inline constexpr std::string_view not_modelled = "not modelled";
inline constexpr std::string_view not_run = "not run";
}  // namespace verdict

/// All verdicts, in the order above.
std::span<const Verdict> all_verdicts();
/// The words of all verdicts.
std::span<const std::string_view> all_verdict_words();

/// "passed", "not compiled", ...
std::string_view word_of(Verdict verdict);

/// The verdict with that word. Throws std::invalid_argument if there is none.
Verdict verdict_of(std::string_view word);

/// Whether the kernel is at fault. If so, `conform` and `tune` exit with 1.
bool is_wrong(Verdict verdict);
/// The same for a stored word. False if it is not the word of a verdict.
bool is_wrong(std::string_view word);

/// Whether the case or configuration is outside of what the kernel supports: rejected or skipped, with a reason.
bool is_refused(Verdict verdict);

/// The kinds of findings of the simulator.
enum class FindingKind {
  out_of_bounds,         ///< an access outside of every buffer, or outside of the shared array that is indexed
  misaligned,            ///< an address that is not a multiple of the size of the access
  input_written,         ///< a store to a buffer whose role is `in`
  barrier_divergence,    ///< threads of a block that wait at different calls of __syncthreads
  bad_warp_mask,         ///< a mask without its caller, with lanes that do not exist, or unlike another lane's
  hang,                  ///< no thread can run, or all that can go in circles
  illegal_launch,        ///< a launch that the device refuses
  unknown_entry,         ///< a kernel or constant that is not in the module
  trap,                  ///< the kernel called __trap
  uninitialised_read,    ///< a load of global or shared memory that was never written
  race,                  ///< two accesses without an order between them, at least one of them a plain store
  uninitialised_local,   ///< a float in an output that holds the bit pattern of uninitialised locals
  wrong_arguments,       ///< a launch passes arguments that its kernel does not take: see argument_mismatch
  unfinished_copy,       ///< memory is used, or a kernel ends, while an asynchronous copy is under way
  scratch_not_restored,  ///< self-restoring scratch memory that is not all zero after the run
  kept_state,            ///< a load of what an earlier run of the plan left in a variable of the module
  signed_overflow,       ///< an access out of bounds that comes from one
  too_much_work,         ///< no error: the run was stopped at its limit, and may only be long
  no_model,              ///< no error: the kernel does something that the simulator has no model of
};

/// All kinds, in the order above.
std::span<const FindingKind> all_finding_kinds();

/// Findings that much code has and that hardware forgives. Each rule can be switched off, so that they are tolerated.
enum class StrictRule {
  same_value_stores,  ///< several threads store the same value to one location without an order: a race
  early_exit,         ///< a barrier or a mask waits for threads that have exited or never existed
  discarded_read,     ///< a load of uninitialised memory whose value affects no result
  one_sided_fence,    ///< a fence before the store to a flag, but none after the load that reads it: a race
};

/// All rules, in the order above.
std::span<const StrictRule> all_strict_rules();

/// "same_value_stores", "early_exit", "discarded_read", "one_sided_fence"
std::string_view word_of(StrictRule rule);

/// The rule with those words. Throws std::invalid_argument if there is none.
StrictRule strict_rule_of(std::string_view word);

/// The words of a kind, as they are stored and printed: "out of bounds", "barrier divergence", ...
std::string_view word_of(FindingKind kind);

/// The kind with those words. Throws std::invalid_argument if there is none.
FindingKind finding_kind_of(std::string_view word);

/// The verdict on a configuration with such a finding.
Verdict verdict_of(FindingKind kind);

/// As JSON strings.
void to_json(nlohmann::json& json, Verdict verdict);
void from_json(const nlohmann::json& json, Verdict& verdict);
void to_json(nlohmann::json& json, FindingKind kind);
void from_json(const nlohmann::json& json, FindingKind& kind);
void to_json(nlohmann::json& json, StrictRule rule);
void from_json(const nlohmann::json& json, StrictRule& rule);

}  // namespace warpwright
