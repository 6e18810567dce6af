// The text of JSON documents that programs print: with the version of what --json prints, or without.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace warpwright {

// Keys in the order they are written.
using Json = nlohmann::ordered_json;

// The version of what --json prints, in each object at the top and in each object of a list at the top. Raised when a
// member goes, or means or is something else than before; docs/stability.md.
inline constexpr int json_version = 1;

// Text of a document, with its version; bytes that are no UTF-8 (of a compiler's message, say) are replaced.
std::string json_text(const Json&);
// The same without the version: of files that have a format of their own.
std::string plain_json_text(const Json&);

}  // namespace warpwright
