// Verdicts on a configuration and the kinds of findings that lead to them, with their words.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string_view>

namespace warpwright {

/// What became of a configuration or a case. The words are those of the database, the reports and the programs.
enum class Verdict {
  passed,
  failed,          ///< a wrong answer, or a finding of the host target
  mistrusted,      ///< nothing contradicts it, but it shows too little: all zero where that is right, or too fast
  unchecked,       ///< nobody looked
  rejected,        ///< a constraint of the space, which is named
  not_compiled,    ///< by a compiler, or the kernel does not take what its plan passes
  not_launchable,  ///< the device refuses it
  crashed,         ///< the process that ran it died
  timed_out,
  skipped,     ///< the kernel refuses the problem, with its reason
  not_judged,  ///< the CPU has no model of what the kernel does, which is named
  not_run,
};

/// Their words, as they are stored and printed.
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
inline constexpr std::string_view skipped = "skipped";
inline constexpr std::string_view not_judged = "not judged";
inline constexpr std::string_view not_run = "not run";
}  // namespace verdict

/// All of them, in the order above.
std::span<const Verdict> all_verdicts();
/// The words of all of them.
std::span<const std::string_view> all_verdict_words();

/// "passed", "not compiled", ...
std::string_view word_of(Verdict verdict);

/// The inverse. Throws std::invalid_argument for a word that is none of them.
Verdict verdict_of(std::string_view word);

/// Whether the kernel is at fault: what `conform` and `tune` exit with 1 for.
bool is_wrong(Verdict verdict);
/// The same of a stored word; no, for a word that is none of them.
bool is_wrong(std::string_view word);

/// Whether the case or configuration was not asked for: rejected or skipped, with a reason.
bool is_refused(Verdict verdict);

/// What the host target finds.
enum class FindingKind {
  out_of_bounds,         ///< an access outside every buffer, or outside the shared array it indexes
  misaligned,            ///< an address that is no multiple of the access's size
  input_written,         ///< a store to a buffer whose role is `in`
  barrier_divergence,    ///< threads of a block that do not meet at one __syncthreads
  bad_warp_mask,         ///< a mask that omits its caller, names lanes that are not there, or disagrees with another
  hang,                  ///< nothing can run, or nothing gets on, or the step limit is reached
  illegal_launch,        ///< a launch that the device refuses
  unknown_entry,         ///< a kernel or constant that the module does not have
  trap,                  ///< the kernel called __trap
  uninitialised_read,    ///< a load of global or shared memory that nobody wrote
  race,                  ///< two accesses that nothing orders, at least one of them a plain store
  uninitialised_local,   ///< a float in an output that holds the pattern of locals that nobody wrote
  wrong_arguments,       ///< a launch passes what its kernel does not take: see argument_mismatch
  unfinished_copy,       ///< memory is used, or a kernel ends, while an asynchronous copy is under way
  scratch_not_restored,  ///< self-restoring scratch that is not all zero after the run
  no_model,              ///< nothing is wrong: the kernel does what the executor has no model of, and cannot judge
};

/// All of them, in the order above.
std::span<const FindingKind> all_finding_kinds();

/// What the host target finds although much code does it and hardware forgives it: it can be lenient about these.
enum class StrictRule {
  same_value_stores,  ///< several threads store one same value to one place, and nothing orders them: a race
  early_exit,         ///< threads, or lanes of a mask, that have left (or never were) are waited for
  discarded_read,     ///< a load of memory that nobody wrote, on whose value no result depends
  one_sided_fence,    ///< a fence before a flag is raised, and none behind the load that sees it: a race
};

/// All of them, in the order above.
std::span<const StrictRule> all_strict_rules();

/// "same-value stores", "early exit", "discarded read", "one-sided fence"
std::string_view word_of(StrictRule rule);

/// The inverse. Throws std::invalid_argument for a word that is none of them.
StrictRule strict_rule_of(std::string_view word);

/// The kind in words, as it is stored and printed: "out of bounds", "barrier divergence", ...
std::string_view word_of(FindingKind kind);

/// The inverse. Throws std::invalid_argument for a word that is none of them.
FindingKind finding_kind_of(std::string_view word);

/// The verdict on what has such a finding.
Verdict verdict_of(FindingKind kind);

/// As words.
void to_json(nlohmann::json& json, Verdict verdict);
void from_json(const nlohmann::json& json, Verdict& verdict);
void to_json(nlohmann::json& json, FindingKind kind);
void from_json(const nlohmann::json& json, FindingKind& kind);
void to_json(nlohmann::json& json, StrictRule rule);
void from_json(const nlohmann::json& json, StrictRule& rule);

}  // namespace warpwright
