-- The tables of the database, version 2.
-- `identity` is the hash of what makes a row itself, whatever file it is in: see db/store/columns.hpp.
-- A constraint has a name that says the rule, since messages print it.

-- One row: the version of these tables, and the program that made them.
CREATE TABLE schema (
  version INTEGER PRIMARY KEY,
  program TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;

-- A GPU model. What is not known of it is 0.
CREATE TABLE board (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  model TEXT NOT NULL,
  arch TEXT NOT NULL,
  sm_count INTEGER NOT NULL,
  sm_clock_mhz REAL NOT NULL,
  memory_bandwidth_gbs REAL NOT NULL,
  l2_bytes INTEGER NOT NULL,
  source TEXT NOT NULL,
  fp32_lanes_per_sm INTEGER NOT NULL,
  fp64_lanes_per_sm INTEGER NOT NULL
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

-- `title` is its name for people; without it the name has all settings.
CREATE TABLE problem (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  pattern TEXT NOT NULL,
  variant TEXT NOT NULL,
  numbers TEXT NOT NULL,
  types TEXT NOT NULL,
  shape TEXT NOT NULL,
  data TEXT NOT NULL,
  bytes_read REAL NOT NULL,
  bytes_written REAL NOT NULL,
  operations REAL NOT NULL,
  steps REAL NOT NULL,
  bus_to_device REAL NOT NULL,
  bus_to_host REAL NOT NULL,
  arithmetic TEXT NOT NULL,
  title TEXT NOT NULL,
  amount REAL NOT NULL,
  unit TEXT NOT NULL
) STRICT;

-- How many configurations of a kernel there are to search.
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
  bus_to_device_gbs REAL,
  bus_to_host_gbs REAL,
  float_gflops REAL,
  double_gflops REAL,
  sm_clock_mhz REAL,
  power_w REAL,
  temperature_c REAL,
  warnings TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE plan (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  text TEXT NOT NULL,
  compile_log TEXT NOT NULL
) STRICT;

CREATE TABLE trial (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  configuration_id INTEGER NOT NULL REFERENCES configuration (id),
  problem_id INTEGER NOT NULL REFERENCES problem (id),
  board_id INTEGER REFERENCES board (id),
  environment_id INTEGER REFERENCES environment (id),
  session_id INTEGER REFERENCES session (id),
  plan_id INTEGER REFERENCES plan (id),
  created_at TEXT NOT NULL,
  target TEXT NOT NULL,
  provenance TEXT NOT NULL CONSTRAINT "trial.provenance is measured, predicted or imported"
    CHECK (provenance IN ('measured', 'predicted', 'imported')),
  verdict TEXT NOT NULL CONSTRAINT "trial.verdict is one of the verdict words"
    CHECK (verdict IN ('passed', 'failed', 'mistrusted', 'unchecked', 'rejected', 'not compiled', 'not launchable',
                       'crashed', 'timed out', 'too slow', 'skipped', 'not modelled', 'not run')),
  detail TEXT NOT NULL,
  simulated_cases INTEGER CONSTRAINT "trial.simulated_cases is 0 or more, of a predicted trial"
    CHECK (simulated_cases IS NULL OR (simulated_cases >= 0 AND provenance = 'predicted')),
  full_property INTEGER NOT NULL,
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
  relative_error REAL,
  error_ulp REAL,
  deterministic INTEGER CONSTRAINT "trial.deterministic is 0 or 1" CHECK (deterministic IN (0, 1)),
  joules REAL,
  replay_us REAL,
  mode TEXT NOT NULL,
  median_us REAL,
  low_us REAL,
  high_us REAL,
  predicted_us REAL,
  limited_by TEXT,
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
CREATE INDEX trial_by_selection ON trial (selection);

CREATE TABLE sample (
  trial_id INTEGER PRIMARY KEY REFERENCES trial (id),
  microseconds BLOB NOT NULL,
  clocks_mhz BLOB
) STRICT;

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

-- The times of the steps of a finalist's plan, since the begin of a run: medians, taken beside the trial's samples; or
-- the predicted times of its launches.
CREATE TABLE step (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  trial_id INTEGER NOT NULL REFERENCES trial (id),
  number INTEGER NOT NULL CONSTRAINT "step.number is 0 or more" CHECK (number >= 0),
  kind TEXT NOT NULL CONSTRAINT "step.kind is one of the kinds of steps"
    CHECK (kind IN ('launch', 'memset', 'copy', 'copy to GPU', 'copy to CPU', 'constant', 'texture', 'prefetch', 'host',
                    'wait')),
  name TEXT NOT NULL,
  stream INTEGER NOT NULL,
  times INTEGER NOT NULL,
  start_us REAL NOT NULL,
  end_us REAL NOT NULL,
  us REAL NOT NULL
) STRICT;
CREATE INDEX step_by_trial ON step (trial_id);

CREATE TABLE access (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  configuration_id INTEGER NOT NULL REFERENCES configuration (id),
  problem_id INTEGER NOT NULL REFERENCES problem (id),
  launch INTEGER NOT NULL CONSTRAINT "access.launch is a launch, or -1 for all of them" CHECK (launch >= -1),
  target TEXT NOT NULL,
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
CREATE INDEX access_by_configuration ON access (configuration_id, problem_id);

CREATE TABLE certificate (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  trial_id INTEGER NOT NULL REFERENCES trial (id),
  cases INTEGER NOT NULL,
  seed INTEGER NOT NULL,
  simulated_cases INTEGER NOT NULL,
  not_modelled TEXT NOT NULL,
  created_at TEXT NOT NULL
) STRICT;
CREATE INDEX certificate_by_trial ON certificate (trial_id);

CREATE TABLE baseline (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  implementation TEXT NOT NULL,
  idiom TEXT NOT NULL,
  version TEXT NOT NULL,
  knobs TEXT NOT NULL,
  problem_id INTEGER NOT NULL REFERENCES problem (id),
  board_id INTEGER REFERENCES board (id),
  environment_id INTEGER REFERENCES environment (id),
  session_id INTEGER REFERENCES session (id),
  created_at TEXT NOT NULL,
  verdict TEXT NOT NULL CONSTRAINT "baseline.verdict is one of the verdict words"
    CHECK (verdict IN ('passed', 'failed', 'mistrusted', 'unchecked', 'rejected', 'not compiled', 'not launchable',
                       'crashed', 'timed out', 'too slow', 'skipped', 'not modelled', 'not run')),
  detail TEXT NOT NULL,
  mode TEXT NOT NULL,
  median_us REAL,
  low_us REAL,
  high_us REAL,
  samples_us BLOB NOT NULL,
  is_default INTEGER NOT NULL,
  error_ratio REAL
) STRICT;
CREATE INDEX baseline_by_problem ON baseline (problem_id);

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
  ended_how TEXT CONSTRAINT "conformance_run.ended_how is complete, out of time, interrupted or failed"
    CHECK (ended_how IN ('complete', 'out of time', 'interrupted', 'failed')),
  cases INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  refused INTEGER NOT NULL,
  cases_per_second REAL,
  progress TEXT NOT NULL CONSTRAINT "conformance_run.progress is JSON" CHECK (json_valid(progress)),
  program_version TEXT NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

CREATE TABLE counterexample (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  repro TEXT NOT NULL UNIQUE,
  file TEXT NOT NULL,
  pattern TEXT NOT NULL,
  kernel TEXT NOT NULL,
  detail TEXT NOT NULL,
  first_seen TEXT NOT NULL,
  last_seen TEXT NOT NULL,
  times_seen INTEGER NOT NULL,
  fixed_at TEXT,
  obsolete TEXT
) STRICT;

CREATE TABLE mutant (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  kernel TEXT NOT NULL,
  rule TEXT NOT NULL,
  file TEXT NOT NULL,
  line INTEGER NOT NULL,
  change TEXT NOT NULL,
  tool TEXT NOT NULL,
  outcome TEXT NOT NULL CONSTRAINT "mutant.outcome is killed, survived, equivalent, not compiled or not modelled"
    CHECK (outcome IN ('killed', 'survived', 'equivalent', 'not compiled', 'not modelled')),
  how TEXT NOT NULL,
  detail TEXT NOT NULL,
  seconds REAL NOT NULL,
  updated_at TEXT NOT NULL
) STRICT;

-- Which evaluations are under way. It describes this moment of this file, so merging does not carry it.
CREATE TABLE lease (
  key TEXT PRIMARY KEY,
  session_id INTEGER NOT NULL REFERENCES session (id),
  expires_at INTEGER NOT NULL,
  is_done INTEGER NOT NULL DEFAULT 0 CONSTRAINT "lease.is_done is 0 or 1" CHECK (is_done IN (0, 1))
) STRICT;
CREATE INDEX lease_by_session ON lease (session_id);
