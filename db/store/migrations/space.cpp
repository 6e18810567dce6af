// A migration: how many configurations there are to search, and the names of problems for people.
#include "db/store/migrations/migrations.hpp"

namespace warpwright::db {

// Not known of problems that no session has stored since: their share searched is not shown, and their names have all
// settings.
const char* const migration_space = R"sql(
ALTER TABLE problem ADD COLUMN title TEXT NOT NULL DEFAULT '';
CREATE TABLE space (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  problem_id INTEGER NOT NULL REFERENCES problem (id),
  board_id INTEGER NOT NULL REFERENCES board (id),
  kernel_id INTEGER NOT NULL REFERENCES kernel (id),
  updated_at TEXT NOT NULL,
  configurations INTEGER NOT NULL CONSTRAINT "space.configurations is a count" CHECK (configurations >= 0),
  UNIQUE (problem_id, board_id, kernel_id)
) STRICT;
)sql";

}  // namespace warpwright::db
