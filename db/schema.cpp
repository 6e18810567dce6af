// The tables of the database, as numbered migrations; a migration that was released is never edited.
#include "db/schema.hpp"

#include <fmt/core.h>

#include <array>
#include <string>

#include "db/records.hpp"

namespace warpwright::db {
namespace {

// `identity` is the hash of what makes a row itself, whatever file it is in: see db/columns.hpp.
constexpr const char* migration_1 = R"sql(
CREATE TABLE schema (
  version INTEGER PRIMARY KEY,
  program TEXT NOT NULL,
  applied_at TEXT NOT NULL
) STRICT;

CREATE TABLE board (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  model TEXT NOT NULL,
  arch TEXT NOT NULL,
  sm_count INTEGER NOT NULL,
  sm_clock_mhz REAL NOT NULL,
  memory_bandwidth_gbs REAL NOT NULL,
  l2_bytes INTEGER NOT NULL,
  source TEXT NOT NULL
) STRICT;

CREATE TABLE environment (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  gpu_uuid TEXT NOT NULL,
  driver TEXT NOT NULL,
  cuda TEXT NOT NULL,
  nvrtc TEXT NOT NULL,
  host_compiler TEXT NOT NULL,
  ecc INTEGER,
  os TEXT NOT NULL
) STRICT;

CREATE TABLE kernel (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  pattern TEXT NOT NULL,
  kernel TEXT NOT NULL,
  source_hash TEXT NOT NULL,
  axes TEXT NOT NULL CONSTRAINT "kernel.axes is JSON" CHECK (json_valid(axes)),
  default_params TEXT NOT NULL,
  updated_at TEXT NOT NULL,
  UNIQUE (pattern, kernel)
) STRICT;

CREATE TABLE configuration (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  kernel_id INTEGER NOT NULL REFERENCES kernel (id),
  params TEXT NOT NULL,
  params_json TEXT NOT NULL CONSTRAINT "configuration.params_json is JSON" CHECK (json_valid(params_json)),
  UNIQUE (kernel_id, params)
) STRICT;

CREATE TABLE problem (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  pattern TEXT NOT NULL,
  variant TEXT NOT NULL,
  types TEXT NOT NULL,
  shape TEXT NOT NULL,
  elements INTEGER NOT NULL,
  size_class TEXT NOT NULL
) STRICT;

CREATE TABLE session (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  uid TEXT NOT NULL UNIQUE,
  command TEXT NOT NULL,
  strategy TEXT NOT NULL,
  seed INTEGER NOT NULL,
  budget TEXT NOT NULL,
  started_at TEXT NOT NULL,
  ended_at TEXT,
  ended_how TEXT CONSTRAINT "session.ended_how is complete, interrupted or failed"
    CHECK (ended_how IN ('complete', 'interrupted', 'failed')),
  target TEXT NOT NULL,
  program_version TEXT NOT NULL,
  copy_gbs REAL,
  read_gbs REAL,
  sm_clock_mhz REAL,
  power_w REAL,
  temperature_c REAL,
  warnings TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE trial (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  configuration_id INTEGER NOT NULL REFERENCES configuration (id),
  problem_id INTEGER NOT NULL REFERENCES problem (id),
  board_id INTEGER REFERENCES board (id),
  environment_id INTEGER REFERENCES environment (id),
  session_id INTEGER REFERENCES session (id),
  created_at TEXT NOT NULL,
  target TEXT NOT NULL,
  provenance TEXT NOT NULL CONSTRAINT "trial.provenance is measured or predicted"
    CHECK (provenance IN ('measured', 'predicted')),
  verdict TEXT NOT NULL CONSTRAINT "trial.verdict is one of the verdict words"
    CHECK (verdict IN ('passed', 'failed', 'mistrusted', 'unchecked', 'rejected', 'not compiled', 'not launchable',
                       'crashed', 'timed out', 'skipped')),
  detail TEXT NOT NULL,
  check_state TEXT CONSTRAINT "trial.check_state is host-checked or unchecked, of a predicted trial"
    CHECK (check_state IS NULL OR (check_state IN ('host-checked', 'unchecked') AND provenance = 'predicted')),
  config_key TEXT NOT NULL,
  registers INTEGER,
  spill_bytes INTEGER,
  static_shared INTEGER,
  dynamic_shared INTEGER,
  block_threads INTEGER,
  grid_blocks INTEGER,
  occupancy REAL CONSTRAINT "trial.occupancy is between 0 and 1" CHECK (occupancy BETWEEN 0 AND 1),
  occupancy_limit TEXT NOT NULL,
  error_ratio REAL,
  mode TEXT NOT NULL,
  median_us REAL,
  low_us REAL,
  high_us REAL,
  predicted_us REAL,
  stopped_early INTEGER NOT NULL,
  is_default INTEGER NOT NULL,
  warnings TEXT NOT NULL,
  rank INTEGER CONSTRAINT "trial.rank is 1 or more" CHECK (rank >= 1),
  tied INTEGER NOT NULL DEFAULT 0,
  selection TEXT NOT NULL DEFAULT ''
) STRICT;
CREATE INDEX trial_by_key ON trial (config_key);
CREATE INDEX trial_by_group ON trial (problem_id, board_id, provenance);
CREATE INDEX trial_by_configuration ON trial (configuration_id);
CREATE INDEX trial_by_session ON trial (session_id);
CREATE INDEX trial_by_time ON trial (created_at);

CREATE TABLE sample (
  trial_id INTEGER PRIMARY KEY REFERENCES trial (id),
  microseconds BLOB NOT NULL,
  clocks_mhz BLOB
) STRICT;

CREATE TABLE access (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  configuration_id INTEGER NOT NULL REFERENCES configuration (id),
  problem_id INTEGER NOT NULL REFERENCES problem (id),
  global_load_requests INTEGER NOT NULL,
  global_load_sectors INTEGER NOT NULL,
  global_store_requests INTEGER NOT NULL,
  global_store_sectors INTEGER NOT NULL,
  shared_requests INTEGER NOT NULL,
  shared_transactions INTEGER NOT NULL,
  barriers INTEGER NOT NULL,
  atomics INTEGER NOT NULL,
  branch_divergence REAL,
  updated_at TEXT NOT NULL,
  UNIQUE (configuration_id, problem_id)
) STRICT;

CREATE TABLE certificate (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  trial_id INTEGER NOT NULL REFERENCES trial (id),
  cases INTEGER NOT NULL,
  seed INTEGER NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX certificate_by_trial ON certificate (trial_id);

CREATE TABLE baseline (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  implementation TEXT NOT NULL,
  version TEXT NOT NULL,
  knobs TEXT NOT NULL,
  problem_id INTEGER NOT NULL REFERENCES problem (id),
  board_id INTEGER REFERENCES board (id),
  environment_id INTEGER REFERENCES environment (id),
  session_id INTEGER REFERENCES session (id),
  created_at TEXT NOT NULL,
  verdict TEXT NOT NULL CONSTRAINT "baseline.verdict is one of the verdict words"
    CHECK (verdict IN ('passed', 'failed', 'mistrusted', 'unchecked', 'rejected', 'not compiled', 'not launchable',
                       'crashed', 'timed out', 'skipped')),
  detail TEXT NOT NULL,
  mode TEXT NOT NULL,
  median_us REAL,
  low_us REAL,
  high_us REAL,
  samples_us BLOB NOT NULL
) STRICT;
CREATE INDEX baseline_by_problem ON baseline (problem_id);

CREATE TABLE conformance_run (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  uid TEXT NOT NULL UNIQUE,
  command TEXT NOT NULL,
  target TEXT NOT NULL,
  glob TEXT NOT NULL,
  seed INTEGER NOT NULL,
  started_at TEXT NOT NULL,
  ended_at TEXT,
  ended_how TEXT CONSTRAINT "conformance_run.ended_how is complete, interrupted or failed"
    CHECK (ended_how IN ('complete', 'interrupted', 'failed')),
  cases INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  cases_per_second REAL,
  program_version TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE counterexample (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  repro TEXT NOT NULL UNIQUE,
  pattern TEXT NOT NULL,
  kernel TEXT NOT NULL,
  detail TEXT NOT NULL,
  first_seen TEXT NOT NULL,
  last_seen TEXT NOT NULL,
  times_seen INTEGER NOT NULL,
  fixed_at TEXT
) STRICT;
)sql";

// What was run as text, what a problem costs, library knobs and paired ratios, where accesses stand in the source,
// mutants.
constexpr const char* migration_2 = R"sql(
CREATE TABLE plan (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  text TEXT NOT NULL,
  compile_log TEXT NOT NULL
) STRICT;
ALTER TABLE trial ADD COLUMN plan_id INTEGER REFERENCES plan (id);

ALTER TABLE problem ADD COLUMN bytes_read REAL NOT NULL DEFAULT 0;
ALTER TABLE problem ADD COLUMN bytes_written REAL NOT NULL DEFAULT 0;
ALTER TABLE problem ADD COLUMN flops REAL NOT NULL DEFAULT 0;

ALTER TABLE access ADD COLUMN threads INTEGER NOT NULL DEFAULT 0;
ALTER TABLE access ADD COLUMN branches INTEGER NOT NULL DEFAULT 0;
ALTER TABLE access ADD COLUMN divergent_branches INTEGER NOT NULL DEFAULT 0;
ALTER TABLE access ADD COLUMN lines TEXT NOT NULL DEFAULT '[]'
  CONSTRAINT "access.lines is JSON" CHECK (json_valid(lines));
ALTER TABLE access DROP COLUMN branch_divergence;

ALTER TABLE baseline ADD COLUMN idiom TEXT NOT NULL DEFAULT '';
ALTER TABLE baseline ADD COLUMN is_default INTEGER NOT NULL DEFAULT 0;
ALTER TABLE baseline ADD COLUMN error_ratio REAL;

CREATE TABLE comparison (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  trial_id INTEGER NOT NULL REFERENCES trial (id),
  baseline_id INTEGER NOT NULL REFERENCES baseline (id),
  session_id INTEGER REFERENCES session (id),
  created_at TEXT NOT NULL,
  rounds INTEGER NOT NULL,
  ratio REAL NOT NULL,
  low REAL NOT NULL,
  high REAL NOT NULL
) STRICT;
CREATE INDEX comparison_by_trial ON comparison (trial_id);
CREATE INDEX comparison_by_baseline ON comparison (baseline_id);

CREATE TABLE mutant (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  kernel TEXT NOT NULL,
  rule TEXT NOT NULL,
  file TEXT NOT NULL,
  line INTEGER NOT NULL,
  change TEXT NOT NULL,
  tool TEXT NOT NULL,
  outcome TEXT NOT NULL CONSTRAINT "mutant.outcome is killed, survived, equivalent or not compiled"
    CHECK (outcome IN ('killed', 'survived', 'equivalent', 'not compiled')),
  how TEXT NOT NULL,
  detail TEXT NOT NULL,
  seconds REAL NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;
)sql";

constexpr std::array migrations = {migration_1, migration_2};

int stored_version(Connection& connection) {
  Statement has_schema(connection, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'schema'");
  has_schema.step();
  if (has_schema.get<int>(0) == 0) return 0;
  Statement version(connection, "SELECT coalesce(max(version), 0) FROM schema");
  version.step();
  return version.get<int>(0);
}

}  // namespace

std::string_view program_version() {
  return WARPWRIGHT_VERSION;
}

int schema_version() {
  return static_cast<int>(migrations.size());
}

int inspect_schema(Connection& connection) {
  Statement header(connection,
                   "SELECT application_id, (SELECT count(*) FROM sqlite_schema) FROM pragma_application_id");
  header.step();
  const int id = header.get<int>(0);
  const bool empty = id == 0 && header.get<int>(1) == 0;
  if (empty) return 0;
  if (id != application_id) {
    throw Error(fmt::format("{}: this SQLite file was not made by warpwright. Name another file with --db.",
                            connection.path().string()));
  }
  const int version = stored_version(connection);
  if (version > schema_version()) {
    throw Error(
        fmt::format("{}: this file has schema version {}, made by a newer warpwright; this program ({}) knows "
                    "versions up to {}. Use the newer program, or name another file with --db.",
                    connection.path().string(), version, WARPWRIGHT_VERSION, schema_version()));
  }
  return version;
}

void migrate(Connection& connection) {
  if (stored_version(connection) == schema_version()) return;
  connection.begin();
  try {
    // Another process may have migrated while this one waited.
    for (int version = stored_version(connection); version < schema_version(); ++version) {
      connection.execute(migrations[static_cast<std::size_t>(version)]);
      Statement row(connection, "INSERT INTO schema (version, program, applied_at) VALUES (?, ?, ?)");
      row.bind_all(version + 1, std::string(WARPWRIGHT_VERSION), now_utc());
      row.step();
    }
    connection.execute(fmt::format("PRAGMA application_id = {}", application_id));
    connection.commit();
  } catch (...) {
    connection.rollback();
    throw;
  }
}

}  // namespace warpwright::db
