// A migration: what crosses the bus, and how many cases judged a prediction.
#include "db/store/migrations/migrations.hpp"

namespace warpwright::db {

// The bus: what problems move over it, and its rates as a session measured them. Rankings are found by their name. How
// many cases judged a prediction takes the place of "host-checked", which was said of any number above one, and of
// "unchecked", which was said of one.
const char* const migration_bus_and_cases = R"sql(
ALTER TABLE session ADD COLUMN bus_to_device_gbs REAL;
ALTER TABLE session ADD COLUMN bus_to_host_gbs REAL;
ALTER TABLE problem ADD COLUMN bus_to_device REAL NOT NULL DEFAULT 0;
ALTER TABLE problem ADD COLUMN bus_to_host REAL NOT NULL DEFAULT 0;

ALTER TABLE trial ADD COLUMN judged_cases INTEGER
  CONSTRAINT "trial.judged_cases is 0 or more, of a predicted trial"
  CHECK (judged_cases IS NULL OR (judged_cases >= 0 AND provenance = 'predicted'));
ALTER TABLE trial ADD COLUMN whole_property INTEGER NOT NULL DEFAULT 0;
UPDATE trial SET judged_cases = CASE
    WHEN verdict IN ('unchecked', 'not compiled', 'not launchable', 'skipped', 'not judged', 'not run') THEN 0
    WHEN verdict = 'passed' AND check_state = 'unchecked' THEN 1
  END
  WHERE provenance = 'predicted';
ALTER TABLE trial DROP COLUMN check_state;
CREATE INDEX trial_by_selection ON trial (selection);
)sql";

}  // namespace warpwright::db
