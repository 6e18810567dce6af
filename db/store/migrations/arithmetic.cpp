// A migration: the rate of arithmetic that a session measured.
#include "db/store/migrations/migrations.hpp"

namespace warpwright::db {

// Of multiply-adds in either precision, and which of them is that of a problem.
const char* const migration_arithmetic = R"sql(
ALTER TABLE session ADD COLUMN float_gflops REAL;
ALTER TABLE session ADD COLUMN double_gflops REAL;
ALTER TABLE problem ADD COLUMN arithmetic TEXT NOT NULL DEFAULT '';
)sql";

}  // namespace warpwright::db
