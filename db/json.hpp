// Trials and best settings as JSON: what --json prints and `tunedb export --format json` writes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "db/query.hpp"

namespace warpwright::db {

// Keys in the order they are written.
using Json = nlohmann::ordered_json;

Json json_of(const TrialView&);
Json json_of(const Launch&);
Json json_of(const Best&);
Json json_of(const ConformanceRun&);

// The version of what --json prints, in each object at the top and in each object of a list at the top. Raised when a
// member goes, or means or is something else than before; docs/stability.md.
inline constexpr int json_version = 1;

// Text of a document, with its version; bytes that are no UTF-8 (of a compiler's message, say) are replaced.
std::string text_of(const Json&);
// The same without the version: of files that have a format of their own.
std::string plain_text_of(const Json&);

}  // namespace warpwright::db
