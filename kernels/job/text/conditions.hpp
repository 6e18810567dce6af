// Which lines of the preprocessor let their text through, as far as it can be known before anything is compiled.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace warpwright::job {

/// The value of what stands behind #if, where macros with these texts are defined, and no others but those that the
/// compilers bring; nothing where it depends on such a one, or is not understood.
std::optional<long long> condition_value(const std::string& text, const std::map<std::string, std::string>& macros);

}  // namespace warpwright::job
