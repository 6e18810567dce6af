// Maps verdicts to the words of other tuners. Internal to db/.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpwright::db {

namespace t4 {
inline constexpr const char* schema = "1.0.0";
inline constexpr const char* correct = "correct";
inline constexpr const char* constraints = "constraints";
inline constexpr const char* correctness = "correctness";
inline constexpr const char* compile = "compile";
inline constexpr const char* runtime = "runtime";
inline constexpr const char* timeout = "timeout";
}  // namespace t4

// T4's "invalidity" for a verdict; nothing for verdicts that decide nothing (skipped, not run, ...).
std::optional<std::string> t4_word(std::string_view verdict);
// The word that Kernel Tuner writes instead of a time. It has no word for wrong answers and counts them as failures at
// run time.
std::string kernel_tuner_word(std::string_view verdict);

// The verdict for a word of either format; nothing for other words. What another tuner calls correct is "unchecked".
std::optional<std::string> verdict_of_word(std::string_view word);

}  // namespace warpwright::db
