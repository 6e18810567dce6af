// Evaluates conditions of the preprocessor, as far as possible before anything is compiled.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace warpwright::job {

/// The value of the expression after #if, if only these macros and those of the compilers are defined. Empty if it
/// depends on a macro of the compilers, or cannot be parsed.
std::optional<long long> condition_value(const std::string& text, const std::map<std::string, std::string>& macros);

}  // namespace warpwright::job
