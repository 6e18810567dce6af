// A migration: which evaluations are under way.
#include "db/store/migrations/migrations.hpp"

namespace warpwright::db {

// Of the moment and of this file alone: no record, nothing that merging carries.
const char* const migration_claims = R"sql(
CREATE TABLE claim (
  key TEXT PRIMARY KEY,
  session_id INTEGER NOT NULL REFERENCES session (id),
  expires_at INTEGER NOT NULL,
  is_done INTEGER NOT NULL DEFAULT 0 CONSTRAINT "claim.is_done is 0 or 1" CHECK (is_done IN (0, 1))
) STRICT;
CREATE INDEX claim_by_session ON claim (session_id);
)sql";

}  // namespace warpwright::db
