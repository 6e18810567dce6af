// A migration: how far each kernel came in a run of `conform`.
#include "db/store/migrations/migrations.hpp"

namespace warpwright::db {

// Another word for how a run ended: a check goes with its column, so the column is made anew.
const char* const migration_conformance_progress = R"sql(
ALTER TABLE conformance_run ADD COLUMN new_ended_how TEXT
  CONSTRAINT "conformance_run.ended_how is complete, out of time, interrupted or failed"
  CHECK (new_ended_how IN ('complete', 'out of time', 'interrupted', 'failed'));
UPDATE conformance_run SET new_ended_how = ended_how;
ALTER TABLE conformance_run DROP COLUMN ended_how;
ALTER TABLE conformance_run RENAME COLUMN new_ended_how TO ended_how;
ALTER TABLE conformance_run ADD COLUMN progress TEXT NOT NULL DEFAULT '[]'
  CONSTRAINT "conformance_run.progress is JSON" CHECK (json_valid(progress));
)sql";

}  // namespace warpwright::db
