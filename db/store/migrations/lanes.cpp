// A migration: the lanes of a board's multiprocessors, which with its clock give its peak of arithmetic.
#include "db/store/migrations/migrations.hpp"

namespace warpwright::db {

// Not known (0) of a board until a session stores it again.
const char* const migration_lanes = R"sql(
ALTER TABLE board ADD COLUMN fp32_lanes_per_sm INTEGER NOT NULL DEFAULT 0;
ALTER TABLE board ADD COLUMN fp64_lanes_per_sm INTEGER NOT NULL DEFAULT 0;
)sql";

}  // namespace warpwright::db
