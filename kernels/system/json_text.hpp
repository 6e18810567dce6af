// The JSON documents that programs print, as text, with or without the version of their format.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace warpwright {

// Keeps keys in the order in which they were added.
using Json = nlohmann::ordered_json;

// The version of the format of --json. Each object at the top has it, or each object of a list at the top. It is raised
// if a member is removed or changes its meaning or type; see docs/stability.md.
inline constexpr int json_version = 2;

// The text of a document, with its version. Bytes that are not UTF-8 (in a compiler's message, say) are replaced.
std::string json_text(const Json&);
// The same without the version, for files with formats of their own.
std::string plain_json_text(const Json&);

}  // namespace warpwright
