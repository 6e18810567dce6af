// The numbered migrations that make up the schema, as SQL; for the files of db/ only.
#pragma once

#include <span>

namespace warpwright::db {

// Migration n, from 1, is element n - 1.
std::span<const char* const> migrations();

extern const char* const migration_conformance_progress;
extern const char* const migration_bus_and_cases;
extern const char* const migration_claims;

}  // namespace warpwright::db
