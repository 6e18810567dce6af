// The first four migrations.
#include "db/store/migrations/migrations.hpp"

namespace warpwright::db {

// `identity` is the hash of what makes a row itself, whatever file it is in: see db/store/columns.hpp.
const char* const migration_1 = R"sql(
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
const char* const migration_2 = R"sql(
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

// Problems have numbers and data and no class of size, launches have rows and counts of their own, and lines that
// cannot be replayed any more say so. Identities and repro lines change with it: see migrate().
const char* const migration_3 = R"sql(
ALTER TABLE problem ADD COLUMN numbers TEXT NOT NULL DEFAULT '';
ALTER TABLE problem ADD COLUMN data TEXT NOT NULL DEFAULT 'uniform';
ALTER TABLE problem ADD COLUMN steps REAL NOT NULL DEFAULT 0;
ALTER TABLE problem RENAME COLUMN flops TO operations;
ALTER TABLE problem DROP COLUMN elements;
ALTER TABLE problem DROP COLUMN size_class;
UPDATE problem SET variant = replace(variant, ', ', ',');

CREATE TABLE launch (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  trial_id INTEGER NOT NULL REFERENCES trial (id),
  number INTEGER NOT NULL CONSTRAINT "launch.number is 0 or more" CHECK (number >= 0),
  entry TEXT NOT NULL,
  times INTEGER NOT NULL,
  grid_blocks INTEGER NOT NULL,
  block_threads INTEGER NOT NULL,
  registers INTEGER,
  spill_bytes INTEGER,
  static_shared INTEGER,
  dynamic_shared INTEGER NOT NULL,
  occupancy REAL CONSTRAINT "launch.occupancy is between 0 and 1" CHECK (occupancy BETWEEN 0 AND 1),
  occupancy_limit TEXT NOT NULL
) STRICT;
CREATE INDEX launch_by_trial ON launch (trial_id);

CREATE TABLE access_by_launch (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  configuration_id INTEGER NOT NULL REFERENCES configuration (id),
  problem_id INTEGER NOT NULL REFERENCES problem (id),
  launch INTEGER NOT NULL CONSTRAINT "access.launch is a launch, or -1 for all of them" CHECK (launch >= -1),
  global_load_requests INTEGER NOT NULL,
  global_load_sectors INTEGER NOT NULL,
  global_store_requests INTEGER NOT NULL,
  global_store_sectors INTEGER NOT NULL,
  shared_requests INTEGER NOT NULL,
  shared_transactions INTEGER NOT NULL,
  barriers INTEGER NOT NULL,
  atomics INTEGER NOT NULL,
  threads INTEGER NOT NULL,
  branches INTEGER NOT NULL,
  divergent_branches INTEGER NOT NULL,
  lines TEXT NOT NULL CONSTRAINT "access.lines is JSON" CHECK (json_valid(lines)),
  updated_at TEXT NOT NULL
) STRICT;
INSERT INTO access_by_launch
  SELECT id, identity, configuration_id, problem_id, -1, global_load_requests, global_load_sectors,
         global_store_requests, global_store_sectors, shared_requests, shared_transactions, barriers, atomics, threads,
         branches, divergent_branches, lines, updated_at
  FROM access;
DROP TABLE access;
ALTER TABLE access_by_launch RENAME TO access;
CREATE INDEX access_by_configuration ON access (configuration_id, problem_id);

ALTER TABLE conformance_run ADD COLUMN refused INTEGER NOT NULL DEFAULT 0;
ALTER TABLE counterexample ADD COLUMN obsolete TEXT;
)sql";

// More words for verdicts: a check goes with its column, so the column is made anew. The host stands in for an
// architecture that its targets name; before, it was always sm_75. Certificates say what the host judged.
const char* const migration_4 = R"sql(
ALTER TABLE trial ADD COLUMN new_verdict TEXT NOT NULL DEFAULT 'not run'
  CONSTRAINT "trial.verdict is one of the verdict words"
  CHECK (new_verdict IN ('passed', 'failed', 'mistrusted', 'unchecked', 'rejected', 'not compiled', 'not launchable',
                         'crashed', 'timed out', 'skipped', 'not judged', 'not run'));
UPDATE trial SET new_verdict = verdict;
ALTER TABLE trial DROP COLUMN verdict;
ALTER TABLE trial RENAME COLUMN new_verdict TO verdict;

ALTER TABLE baseline ADD COLUMN new_verdict TEXT NOT NULL DEFAULT 'not run'
  CONSTRAINT "baseline.verdict is one of the verdict words"
  CHECK (new_verdict IN ('passed', 'failed', 'mistrusted', 'unchecked', 'rejected', 'not compiled', 'not launchable',
                         'crashed', 'timed out', 'skipped', 'not judged', 'not run'));
UPDATE baseline SET new_verdict = verdict;
ALTER TABLE baseline DROP COLUMN verdict;
ALTER TABLE baseline RENAME COLUMN new_verdict TO verdict;

ALTER TABLE mutant ADD COLUMN new_outcome TEXT NOT NULL DEFAULT 'survived'
  CONSTRAINT "mutant.outcome is killed, survived, equivalent, not compiled or not judged"
  CHECK (new_outcome IN ('killed', 'survived', 'equivalent', 'not compiled', 'not judged'));
UPDATE mutant SET new_outcome = outcome;
ALTER TABLE mutant DROP COLUMN outcome;
ALTER TABLE mutant RENAME COLUMN new_outcome TO outcome;

ALTER TABLE access ADD COLUMN target TEXT NOT NULL DEFAULT 'host/sm_75';
ALTER TABLE certificate ADD COLUMN host_cases INTEGER NOT NULL DEFAULT 0;
ALTER TABLE certificate ADD COLUMN not_judged TEXT NOT NULL DEFAULT '';
UPDATE trial SET target = 'host/sm_75' WHERE target = 'host';
UPDATE session SET target = 'host/sm_75' WHERE target = 'host';
UPDATE conformance_run SET target = 'host/sm_75' WHERE target = 'host';
UPDATE mutant SET tool = 'host/sm_75' WHERE tool = 'host';
UPDATE trial SET detail = replace(detail, ' target=host', ' target=host/sm_75');
UPDATE mutant SET detail = replace(detail, ' target=host', ' target=host/sm_75');
UPDATE counterexample SET repro = replace(repro, ' target=host', ' target=host/sm_75');
)sql";

}  // namespace warpwright::db
