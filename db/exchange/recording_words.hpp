// What other tuners call the verdicts; for the files of db/ only.
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

// T4's "invalidity" of a verdict; nothing for those that decide nothing (skipped, not run, ...).
std::optional<std::string> t4_word(std::string_view verdict);
// Kernel Tuner's word in place of a time; it has none for wrong answers, which are its failures at run time.
std::string kernel_tuner_word(std::string_view verdict);

// The verdict that a word of either means; nothing for a word of neither. What another tuner calls correct is
// unchecked.
std::optional<std::string> verdict_of_word(std::string_view word);

}  // namespace warpwright::db
