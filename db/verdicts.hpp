// The words of verdicts in rows, and what they say of a kernel: those of kernels/model/verdict.hpp, which this folder
// may not include (a test of conformance compares them).
#pragma once

#include <span>
#include <string_view>

namespace warpwright::db {

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

// All of them.
std::span<const std::string_view> verdicts();

// Whether the kernel is at fault.
bool is_wrong(std::string_view word);

}  // namespace warpwright::db
