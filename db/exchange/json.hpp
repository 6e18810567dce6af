// Trials and best configurations as JSON: what --json prints and `tunedb export --format json` writes.
#pragma once

#include "db/query/query.hpp"
#include "kernels/system/json_text.hpp"

namespace warpwright::db {

// The params of a configuration as plain values, by name.
Json axes_of(const TrialView&);

Json json_of(const TrialView&);
Json json_of(const Launch&);
Json json_of(const Best&);
Json json_of(const ConformanceRun&);

}  // namespace warpwright::db
