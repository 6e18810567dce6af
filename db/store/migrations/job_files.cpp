// A migration: the files that jobs' counterexamples came from.
#include "db/store/migrations/migrations.hpp"

namespace warpwright::db {

// Of rows that are older nobody noted it.
const char* const migration_job_files = R"sql(
ALTER TABLE counterexample ADD COLUMN file TEXT NOT NULL DEFAULT '';
)sql";

}  // namespace warpwright::db
