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

// Text of a document; bytes that are no UTF-8 (of a compiler's message, say) are replaced.
std::string text_of(const Json&);

}  // namespace warpwright::db
