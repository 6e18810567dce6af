// Maps verdicts to the words of other tuners.
#include "db/exchange/recording_words.hpp"

#include <algorithm>
#include <array>

#include "kernels/core/verdict.hpp"

namespace warpwright::db {
namespace {

struct Words {
  std::string_view verdict;
  const char* t4;
  const char* kernel_tuner;
};

constexpr std::array words{Words{verdict::passed, t4::correct, ""},
                           Words{verdict::rejected, t4::constraints, "InvalidConfig"},
                           Words{verdict::failed, t4::correctness, "RuntimeFailedConfig"},
                           Words{verdict::mistrusted, t4::correctness, "RuntimeFailedConfig"},
                           Words{verdict::not_compiled, t4::compile, "CompilationFailedConfig"},
                           Words{verdict::not_launchable, t4::runtime, "RuntimeFailedConfig"},
                           Words{verdict::crashed, t4::runtime, "RuntimeFailedConfig"},
                           Words{verdict::timed_out, t4::timeout, "RuntimeFailedConfig"},
                           Words{verdict::too_slow, t4::timeout, "RuntimeFailedConfig"}};

}  // namespace

std::optional<std::string> t4_word(std::string_view verdict) {
  const auto found = std::ranges::find(words, verdict, &Words::verdict);
  return found == words.end() ? std::nullopt : std::optional<std::string>(found->t4);
}

std::string kernel_tuner_word(std::string_view verdict) {
  const auto found = std::ranges::find(words, verdict, &Words::verdict);
  return found == words.end() ? "InvalidConfig" : found->kernel_tuner;
}

std::optional<std::string> verdict_of_word(std::string_view word) {
  if (word.empty()) return std::nullopt;
  if (word == t4::correct) return std::string(verdict::unchecked);
  // A failure at run time is most often a rejected launch.
  if (word == t4::runtime || word == "RuntimeFailedConfig") return std::string(verdict::not_launchable);
  for (const Words& one : words)
    if (word == one.t4 || word == one.kernel_tuner) return std::string(one.verdict);
  return std::nullopt;
}

}  // namespace warpwright::db
