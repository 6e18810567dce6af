// The numbered migrations that make up the schema, as SQL; for the files of db/ only.
#pragma once

#include <span>

namespace warpwright::db {

// Migration n, from 1, is element n - 1.
std::span<const char* const> migrations();

extern const char* const migration_1;
extern const char* const migration_2;
extern const char* const migration_3;
extern const char* const migration_4;
extern const char* const migration_conformance_progress;
extern const char* const migration_bus_and_cases;
extern const char* const migration_claims;
extern const char* const migration_arithmetic;
extern const char* const migration_imported;
extern const char* const migration_job_files;
extern const char* const migration_lanes;
extern const char* const migration_space;

}  // namespace warpwright::db
