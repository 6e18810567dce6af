// A migration: trials that were imported.
#include "db/store/migrations/migrations.hpp"

namespace warpwright::db {

// Another word for where a time comes from. A check goes with its column, so the column is made anew, and with it the
// one whose check names it and the index that it is in.
const char* const migration_imported = R"sql(
DROP INDEX trial_by_group;
ALTER TABLE trial ADD COLUMN new_provenance TEXT NOT NULL DEFAULT 'predicted'
  CONSTRAINT "trial.provenance is measured, predicted or imported"
  CHECK (new_provenance IN ('measured', 'predicted', 'imported'));
ALTER TABLE trial ADD COLUMN new_judged_cases INTEGER
  CONSTRAINT "trial.judged_cases is 0 or more, of a predicted trial"
  CHECK (new_judged_cases IS NULL OR (new_judged_cases >= 0 AND new_provenance = 'predicted'));
UPDATE trial SET new_provenance = provenance, new_judged_cases = judged_cases;
ALTER TABLE trial DROP COLUMN judged_cases;
ALTER TABLE trial DROP COLUMN provenance;
ALTER TABLE trial RENAME COLUMN new_provenance TO provenance;
ALTER TABLE trial RENAME COLUMN new_judged_cases TO judged_cases;
CREATE INDEX trial_by_group ON trial (problem_id, board_id, provenance);
)sql";

}  // namespace warpwright::db
