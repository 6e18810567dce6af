// The words of verdicts and findings.
#include "kernels/core/verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

namespace warpwright {
namespace {

/// An enum whose last enumerator is `last`, and a word for each.
template <class Enum, Enum last>
struct Vocabulary {
  static constexpr std::size_t count = static_cast<std::size_t>(last) + 1;
  const char* what;
  std::array<std::string_view, count> words;

  consteval bool is_complete() const {
    return std::ranges::none_of(words, [](std::string_view word) { return word.empty(); });
  }

  std::string_view word(Enum value) const { return words.at(static_cast<std::size_t>(value)); }

  Enum value(std::string_view word) const {
    const auto known = std::ranges::find(words, word);
    if (known == words.end()) throw std::invalid_argument(fmt::format("'{}' is no {}", word, what));
    return static_cast<Enum>(known - words.begin());
  }

  static std::span<const Enum> all() {
    static constexpr auto values = [] {
      std::array<Enum, count> made{};
      for (std::size_t i = 0; i < count; ++i) made[i] = static_cast<Enum>(i);
      return made;
    }();
    return values;
  }
};

constexpr Vocabulary<Verdict, Verdict::not_run> kVerdicts{
    .what = "verdict",
    .words = {verdict::passed, verdict::failed, verdict::mistrusted, verdict::unchecked, verdict::rejected,
              verdict::not_compiled, verdict::not_launchable, verdict::crashed, verdict::timed_out, verdict::too_slow,
              verdict::skipped, verdict::not_modelled, verdict::not_run}};
static_assert(kVerdicts.is_complete());

constexpr Vocabulary<FindingKind, FindingKind::no_model> kFindings{
    .what = "kind of finding",
    .words = {"out of bounds", "misaligned", "input written", "barrier divergence", "bad warp mask", "hang",
              "illegal launch", "unknown entry", "trap", "uninitialised read", "race", "uninitialised local",
              "wrong arguments", "unfinished copy", "scratch not restored", "kept state", "signed overflow",
              "too much work", "no CPU model"}};
static_assert(kFindings.is_complete());

constexpr Vocabulary<StrictRule, StrictRule::one_sided_fence> kStrictRules{
    .what = "rule of the simulator whose findings can be tolerated",
    .words = {"same_value_stores", "early_exit", "discarded_read", "one_sided_fence"}};
static_assert(kStrictRules.is_complete());

}  // namespace

std::span<const Verdict> all_verdicts() {
  return kVerdicts.all();
}

std::span<const std::string_view> all_verdict_words() {
  return kVerdicts.words;
}

std::string_view word_of(Verdict verdict) {
  return kVerdicts.word(verdict);
}

Verdict verdict_of(std::string_view word) {
  return kVerdicts.value(word);
}

bool is_wrong(Verdict verdict) {
  return verdict == Verdict::failed || verdict == Verdict::not_compiled || verdict == Verdict::crashed ||
         verdict == Verdict::timed_out;
}

bool is_wrong(std::string_view word) {
  const auto known = std::ranges::find(kVerdicts.words, word);
  return known != kVerdicts.words.end() && is_wrong(static_cast<Verdict>(known - kVerdicts.words.begin()));
}

bool is_refused(Verdict verdict) {
  return verdict == Verdict::rejected || verdict == Verdict::skipped;
}

std::span<const FindingKind> all_finding_kinds() {
  return kFindings.all();
}

std::string_view word_of(FindingKind kind) {
  return kFindings.word(kind);
}

FindingKind finding_kind_of(std::string_view word) {
  return kFindings.value(word);
}

std::span<const StrictRule> all_strict_rules() {
  return kStrictRules.all();
}

std::string_view word_of(StrictRule rule) {
  return kStrictRules.word(rule);
}

StrictRule strict_rule_of(std::string_view word) {
  return kStrictRules.value(word);
}

Verdict verdict_of(FindingKind kind) {
  if (kind == FindingKind::hang) return Verdict::timed_out;
  if (kind == FindingKind::illegal_launch) return Verdict::not_launchable;
  if (kind == FindingKind::wrong_arguments) return Verdict::not_compiled;
  if (kind == FindingKind::no_model || kind == FindingKind::too_much_work) return Verdict::not_modelled;
  return Verdict::failed;
}

void to_json(nlohmann::json& json, Verdict verdict) {
  json = word_of(verdict);
}

void from_json(const nlohmann::json& json, Verdict& verdict) {
  verdict = verdict_of(json.get_ref<const std::string&>());
}

void to_json(nlohmann::json& json, FindingKind kind) {
  json = word_of(kind);
}

void from_json(const nlohmann::json& json, FindingKind& kind) {
  kind = finding_kind_of(json.get_ref<const std::string&>());
}

void to_json(nlohmann::json& json, StrictRule rule) {
  json = word_of(rule);
}

void from_json(const nlohmann::json& json, StrictRule& rule) {
  rule = strict_rule_of(json.get_ref<const std::string&>());
}

}  // namespace warpwright
