-- A database of schema version 4, as the program before the migration to 5 left the one of version 2, with two trials
-- more (sqlite3 .dump).
PRAGMA application_id = 2004304962;
PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE schema (
  version INTEGER PRIMARY KEY,
  program TEXT NOT NULL,
  applied_at TEXT NOT NULL
) STRICT;
INSERT INTO schema VALUES(1,'0.1.0','2026-11-21T23:51:27.499Z');
INSERT INTO schema VALUES(2,'0.1.0','2026-11-21T23:51:27.503Z');
INSERT INTO schema VALUES(3,'0.1.0','2026-11-22T06:00:00.000Z');
INSERT INTO schema VALUES(4,'0.1.0','2026-11-22T06:00:00.000Z');
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
INSERT INTO board VALUES(1,'5e90f92ae080b8a42f2c954b068da332','Tesla T4','sm_75',40,1590.0,320.0,4194304,'table: NVIDIA T4 datasheet, 2019; NVIDIA Turing GPU Architecture, WP-09183-001, appendix C');
INSERT INTO board VALUES(2,'e82e08193da3ff1e135653f82138f635','NVIDIA H200','sm_90',132,1980.0,4800.0,52428800,'device');
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
INSERT INTO environment VALUES(1,'f7e927c337d588c8c005c80fccb8dea5','','','','13.0','c++ "12.2.0" glibc 2.36 x86_64; -std=c++20 -shared -fPIC -Og -Wuninitialized -Wmaybe-uninitialized -g1 -gdwarf-5 -gz=none -fno-var-tracking -fsanitize=thread -fsanitize-coverage=trace-pc,trace-cmp -ftrivial-auto-var-init=pattern --param=tsan-distinguish-volatile=1 --param=tsan-instrument-func-entry-exit=0 -fno-finite-loops -fno-gnu-unique -fvisibility=hidden -fno-exceptions -fno-rtti -fno-threadsafe-statics -fno-asynchronous-unwind-tables -fno-stack-protector -fsanitize=bounds-strict,object-size -fno-strict-aliasing -fwrapv -ffp-contract=off -nostdlib -Wl,-Bsymbolic,-z,defs; interface 4',NULL,'Linux 6.18.44-fc-v595');
INSERT INTO environment VALUES(2,'06f768e512da23ee57a548ea35a1a86a','GPU-1','580','13.0','13.0','g++ 12',1,'Linux');
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
INSERT INTO kernel VALUES(1,'9b9e02c7c06da0e2189eb880f22750fd','transpose','copy','cc768d3de6117f8c370e5386cc70ebf9','[{"name":"block_size","values":[64,128,256,512,1024]},{"name":"coarsening","values":[1,2,4,8]},{"name":"vector_width","values":[1,2,4]}]','{.block_size = 256, .coarsening = 4, .vector_width = 1}','2026-11-21T23:51:27.540Z');
INSERT INTO kernel VALUES(2,'96352822bdf420ac29cc26f83c033e09','reduce','sequential','s1','[{"name": "block_size", "values": [128, 256]}]','{.block_size = 128}','2026-11-21T23:51:29.177Z');
CREATE TABLE configuration (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  kernel_id INTEGER NOT NULL REFERENCES kernel (id),
  params TEXT NOT NULL,
  params_json TEXT NOT NULL CONSTRAINT "configuration.params_json is JSON" CHECK (json_valid(params_json)),
  UNIQUE (kernel_id, params)
) STRICT;
INSERT INTO configuration VALUES(1,'f14de5e066b6dbaeaa63bb658567ec2b',1,'{.block_size = 256, .coarsening = 4, .vector_width = 1}','{"block_size":256,"coarsening":4,"vector_width":1}');
INSERT INTO configuration VALUES(2,'9b4d757d90cfa7925cfbc8107fd9c987',1,'{.block_size = 128, .coarsening = 4, .vector_width = 4}','{"block_size":128,"coarsening":4,"vector_width":4}');
INSERT INTO configuration VALUES(3,'bae6b1a48465c78594cf11842a72f76c',1,'{.block_size = 256, .coarsening = 4, .vector_width = 2}','{"block_size":256,"coarsening":4,"vector_width":2}');
INSERT INTO configuration VALUES(4,'1c742594e291e5e5d77774afb895f7f1',2,'{.block_size = 256, .coarsening = 4, .bank_pad = 0}','{"bank_pad":0,"block_size":256,"coarsening":4}');
INSERT INTO configuration VALUES(5,'62341b0ea34bf064b3d099c57c662282',2,'{.block_size = 64, .coarsening = 16, .bank_pad = 0}','{"bank_pad":0,"block_size":64,"coarsening":16}');
INSERT INTO configuration VALUES(6,'9ad4d17821a2eac5bb31811aa13fee87',2,'{.block_size = 256, .coarsening = 1, .bank_pad = 1}','{"bank_pad":1,"block_size":256,"coarsening":1}');
INSERT INTO configuration VALUES(7,'3f0de3d550349d3b6ee01a15b765f4d0',2,'{.block_size = 128}','{"block_size": 128}');
INSERT INTO configuration VALUES(8,'84d80dd68c12189e02b8e0089922f387',2,'{.block_size = 256}','{"block_size": 256}');
CREATE TABLE problem (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  pattern TEXT NOT NULL,
  variant TEXT NOT NULL,
  types TEXT NOT NULL,
  shape TEXT NOT NULL,
  bytes_read REAL NOT NULL DEFAULT 0, bytes_written REAL NOT NULL DEFAULT 0, operations REAL NOT NULL DEFAULT 0, numbers TEXT NOT NULL DEFAULT '', data TEXT NOT NULL DEFAULT 'uniform', steps REAL NOT NULL DEFAULT 0) STRICT;
INSERT INTO problem VALUES(1,'662d1337ab3e42dc44705c5a21c5271c','transpose','op=copy','float','64x64',16384.0,16384.0,0.0,'','uniform',0.0);
INSERT INTO problem VALUES(2,'98bd7dd6ed18345f062086c0a668deb6','reduce','op=sum','float','4096',16384.0,4.0,4096.0,'','uniform',0.0);
INSERT INTO problem VALUES(3,'f01e60a22a38c96604ad1fbe61c575bf','reduce','op=sum','float','268435456',1073741824.0,4.0,268435456.0,'','uniform',0.0);
INSERT INTO problem VALUES(4,'4f45162c29bda6cb166c3cbf7cb080fb','reduce','op=sum','float','1048576',4194304.0,4.0,1048576.0,'','uniform',0.0);
INSERT INTO problem VALUES(6,'cf1b7d9e4dc3df745b507ed600f026fa','scan','mode=inclusive,op=sum','float','4096',16384.0,4.0,4096.0,'','uniform',0.0);
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
INSERT INTO session VALUES(1,'24ef0cdb3fa2c1b63523c1bf797fd803','40da7addabb7c268701dc055953537ac','/work/base/bin/tune --arch sm_75 --db old.db --cache cache --pattern transpose/copy --size 64x64 --type float --evaluations 3 --no-report --no-baselines','smac',1,'','2026-11-21T23:51:27.538Z','2026-11-21T23:51:27.563Z','complete','sm_75','0.1.0',NULL,NULL,NULL,NULL,NULL,'','2026-11-21T23:51:27.563Z');
INSERT INTO session VALUES(2,'0ee01611ef6311ffa19a3fdea122de2c','d1a288ae965d564060e2a1695c863be0','/work/base/bin/tune --arch sm_75 --db old.db --cache cache --pattern reduce/sequential --size 4096 --op sum --type float --evaluations 3 --no-report --no-baselines','smac',1,'','2026-11-21T23:51:27.608Z','2026-11-21T23:51:27.734Z','complete','sm_75','0.1.0',NULL,NULL,NULL,NULL,NULL,'','2026-11-21T23:51:27.734Z');
INSERT INTO session VALUES(3,'32db9d5d098df0a3e545bfac81a9999c','old-session','tune --arch native','exhaustive',7,'','2026-11-01T10:00:00.000Z','2026-11-21T23:51:29.179Z','complete','sm_90','0.1.0',4100.0,NULL,NULL,NULL,NULL,'none','2026-11-21T23:51:29.179Z');
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
, plan_id INTEGER REFERENCES plan (id), verdict TEXT NOT NULL DEFAULT 'not run'
  CONSTRAINT "trial.verdict is one of the verdict words"
  CHECK (verdict IN ('passed', 'failed', 'mistrusted', 'unchecked', 'rejected', 'not compiled', 'not launchable',
                         'crashed', 'timed out', 'skipped', 'not judged', 'not run'))) STRICT;
INSERT INTO trial VALUES(1,'c5a3351ddaa904f76f5a8c808ee92524',1,1,1,1,1,'2026-11-21T23:51:27.561Z','sm_75','predicted','','host-checked','9d55171597b1673ceff2fb7b3335efa2',16,0,0,0,256,4,1.0,'warps',0.0,'',NULL,NULL,NULL,3.2000001284610100071,0,1,'',2,0,'2026-11-21T23:51:27.562Z 84981662',1,'passed');
INSERT INTO trial VALUES(2,'fb4b2a43aa914db43b7b6c31403383ea',2,1,1,1,1,'2026-11-21T23:51:27.561Z','sm_75','predicted','','host-checked','b16ccd7b7601d4781e8c12a728acd035',32,0,0,0,128,2,1.0,'warps',0.0,'',NULL,NULL,NULL,3.2000001273913145638,0,0,'',1,1,'2026-11-21T23:51:27.562Z 84981662',2,'passed');
INSERT INTO trial VALUES(3,'33436dfe8e66329b36b0ac59fd698b47',3,1,1,1,1,'2026-11-21T23:51:27.561Z','sm_75','predicted','','unchecked','9a898b650ca42396c53a5e2c83cb4765',28,0,0,0,256,2,1.0,'warps',0.0,'',NULL,NULL,NULL,3.2000001284610100071,0,0,'',3,0,'2026-11-21T23:51:27.562Z 84981662',3,'passed');
INSERT INTO trial VALUES(4,'8f71c178c7859e03fafdb285f7478a2a',4,2,1,1,2,'2026-11-21T23:51:27.733Z','sm_75','predicted','','host-checked','b0aa7181d497abd39906a386a4926693',14,0,1024,0,256,4,1.0,'warps',0.0,'',NULL,NULL,NULL,6.3600000236662568298,0,1,'',3,0,'2026-11-21T23:51:27.733Z 3d60574e',4,'passed');
INSERT INTO trial VALUES(5,'4d90d30215baca7cac666f693382d662',5,2,1,1,2,'2026-11-21T23:51:27.733Z','sm_75','predicted','','host-checked','0eed51edbb8763dfe14a48b058d01140',34,0,256,0,64,4,1.0,'warps',0.0,'',NULL,NULL,NULL,6.3600000014467408249,0,0,'',1,1,'2026-11-21T23:51:27.733Z 3d60574e',5,'passed');
INSERT INTO trial VALUES(6,'0caf530251d7946b85e4da6911b43b54',6,2,1,1,2,'2026-11-21T23:51:27.733Z','sm_75','predicted','','host-checked','03222135bfa169cb6d1ef6136d7adfb0',14,0,1056,0,256,16,1.0,'warps',0.0,'',NULL,NULL,NULL,6.360000019327328502,0,0,'',2,0,'2026-11-21T23:51:27.733Z 3d60574e',6,'passed');
INSERT INTO trial VALUES(7,'315c1947ca6fbdf2f14ce11f9ac96147',8,3,2,2,3,'2026-11-01T10:00:01.000Z','sm_90','measured','',NULL,'old key 1',32,0,1024,0,256,4096,0.75,'registers',0.25,'clean cold L2',250.0,249.49999999999999998,250.50000000000000001,NULL,0,0,'',1,0,'2026-11-21T23:51:29.178Z a8c9b4a3',7,'passed');
INSERT INTO trial VALUES(8,'148b64da1e13f29480319d213eb18afe',7,3,2,2,3,'2026-11-02T10:00:01.000Z','sm_90','measured','',NULL,'old key 2',32,0,1024,0,256,4096,0.75,'registers',0.25,'clean cold L2',300.0,299.49999999999999998,300.50000000000000001,NULL,0,1,'',2,0,'2026-11-21T23:51:29.178Z a8c9b4a3',NULL,'passed');
INSERT INTO trial VALUES(9,'ea4eb6258f054498ca491a83bbc7cfdc',8,4,2,2,3,'2026-11-03T10:00:01.000Z','sm_90','measured','',NULL,'old key 3',32,0,1024,0,256,4096,0.75,'registers',0.25,'clean cold L2',9.0,8.5,9.5,NULL,0,0,'',2,0,'2026-11-21T23:51:29.179Z d4b64f10',NULL,'passed');
INSERT INTO trial VALUES(11,'4294730200adccc609e72b25f8094c3a',7,4,2,2,3,'2026-11-04T10:00:01.000Z','sm_90','measured','',NULL,'old key 4',32,0,1024,0,256,4096,0.75,'registers',0.25,'clean cold L2',8.0,7.5,8.5,NULL,0,0,'',1,0,'2026-11-21T23:51:29.179Z d4b64f10',NULL,'passed');
INSERT INTO trial VALUES(21,'55555555555555555555555555555555',3,1,1,1,1,'2026-11-21T23:51:27.561Z','sm_75','predicted','what went wrong','unchecked','old key 5',28,0,0,0,256,2,1.0,'warps',0.0,'',NULL,NULL,NULL,NULL,0,0,'',NULL,0,'',3,'not compiled');
INSERT INTO trial VALUES(22,'66666666666666666666666666666666',3,1,1,1,1,'2026-11-21T23:51:27.561Z','sm_75','predicted','what went wrong','unchecked','old key 6',28,0,0,0,256,2,1.0,'warps',0.0,'',NULL,NULL,NULL,NULL,0,0,'',NULL,0,'',3,'failed');
CREATE TABLE sample (
  trial_id INTEGER PRIMARY KEY REFERENCES trial (id),
  microseconds BLOB NOT NULL,
  clocks_mhz BLOB
) STRICT;
INSERT INTO sample VALUES(7,X'0000000000306f400000000000406f400000000000506f40',X'0000000000f09e400000000000f09e400000000000dc9e40');
INSERT INTO sample VALUES(8,X'0000000000c072400000000000d07240',X'');
INSERT INTO sample VALUES(9,X'0000000000002240',X'');
INSERT INTO sample VALUES(11,X'0000000000002040',X'');
CREATE TABLE certificate (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  trial_id INTEGER NOT NULL REFERENCES trial (id),
  cases INTEGER NOT NULL,
  seed INTEGER NOT NULL,
  created_at TEXT NOT NULL
, host_cases INTEGER NOT NULL DEFAULT 0, not_judged TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO certificate VALUES(1,'94f3c360998774e4b21ea8458e30e38c',7,200,7,'2026-11-01T11:00:00.000Z',0,'');
INSERT INTO certificate VALUES(2,'f570b9c247a140934b9a17131092ecbf',9,200,8,'2026-11-03T11:00:00.000Z',0,'');
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
  detail TEXT NOT NULL,
  mode TEXT NOT NULL,
  median_us REAL,
  low_us REAL,
  high_us REAL,
  samples_us BLOB NOT NULL
, idiom TEXT NOT NULL DEFAULT '', is_default INTEGER NOT NULL DEFAULT 0, error_ratio REAL, verdict TEXT NOT NULL DEFAULT 'not run'
  CONSTRAINT "baseline.verdict is one of the verdict words"
  CHECK (verdict IN ('passed', 'failed', 'mistrusted', 'unchecked', 'rejected', 'not compiled', 'not launchable',
                         'crashed', 'timed out', 'skipped', 'not judged', 'not run'))) STRICT;
INSERT INTO baseline VALUES(1,'905cb44f0699539fd0c9f3e33ea9aa37','cub','3.0','',3,2,2,3,'2026-11-01T10:30:00.000Z','','clean cold L2',255.0,NULL,NULL,X'0000000000e06f400000000000f06f40','device_reduce',0,NULL,'passed');
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
, refused INTEGER NOT NULL DEFAULT 0) STRICT;
INSERT INTO conformance_run VALUES(1,'07f5e7e81c71f9c7ed1df6bdaed58a22','old-run','conform --nightly','host/sm_75','*',3,'2026-11-21T23:51:29.179Z','2026-11-21T23:51:29.179Z','complete',1000,3,NULL,'0.1.0','2026-11-21T23:51:29.179Z',0);
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
, obsolete TEXT) STRICT;
INSERT INTO counterexample VALUES(4,'7bd9e2b4535ef5902c71bc7f576e10bc','reduce/sequential block_size=32 n=17','reduce','sequential','element 0 is 3 instead of 4','2026-11-01T12:00:00.000Z','2026-11-01T12:00:00.000Z',1,NULL,'it is older than the data of problems, and names no problem');
INSERT INTO counterexample VALUES(5,'3acfe31193167002278249c524b0151a','kernel=reduce/sequential params={.block_size = 32} problem=reduce[op=sum,data=uniform,float,1024] input=exact:7 check=oracle schedule=3:1 target=host/sm_75','reduce','sequential','element 0 is 3 instead of 4','2026-11-01T12:00:00.000Z','2026-11-01T12:00:00.000Z',1,NULL,NULL);
INSERT INTO counterexample VALUES(6,'2b03033a024f37c55559ed26525a0557','kernel=transpose/copy params={.tile_dim = 32} problem=transpose[data=uniform,float,8x8] input=exact:1 check=oracle schedule=1:1 target=host/sm_75','reduce','copy','element 0 is 3 instead of 4','2026-11-01T12:00:00.000Z','2026-11-01T12:00:00.000Z',1,NULL,NULL);
INSERT INTO counterexample VALUES(7,'69ff52e670973a4eb0ae5fd30cce7eb1','kernel=reduce/sequential params={.block_size = 64} problem=reduce[op=sum,data=uniform,float,1024] input=exact:9 check=oracle target=sm_90','reduce','sequential','element 0 is 3 instead of 4','2026-11-01T12:00:00.000Z','2026-11-01T12:00:00.000Z',1,'2026-11-21T23:51:29.180Z',NULL);
CREATE TABLE plan (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  text TEXT NOT NULL,
  compile_log TEXT NOT NULL
) STRICT;
INSERT INTO "plan" VALUES(1,'c3438835e2e967b54a1d062ff6c862d7',replace('buffer in in float x 4096\nbuffer out out float x 4096\nlaunch warpwright::transpose::copy<float, warpwright::transpose::copy_params{.block_size = 256, .coarsening = 4, .vector_width = 1}> grid 4x1x1 block 256x1x1 shared 0 B (in, out, 4096)\n','\n',char(10)),replace('ptxas info    : Compiling entry function ''_ZN10warpwright9transpose4copyIfXtlNS0_11copy_paramsELi256ELi4ELi1EEEEEvPKT_PS3_x'' for ''sm_75''\nptxas info    : Function properties for _ZN10warpwright9transpose4copyIfXtlNS0_11copy_paramsELi256ELi4ELi1EEEEEvPKT_PS3_x\nptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nptxas info    : Used 16 registers, used 0 barriers, 376 bytes cmem[0]\n','\n',char(10)));
INSERT INTO "plan" VALUES(2,'cd0cf2212358d81bc01dd292d5ab4377',replace('buffer in in float x 4096\nbuffer out out float x 4096\nlaunch warpwright::transpose::copy<float, warpwright::transpose::copy_params{.block_size = 128, .coarsening = 4, .vector_width = 4}> grid 2x1x1 block 128x1x1 shared 0 B (in, out, 4096)\n','\n',char(10)),replace('ptxas info    : Compiling entry function ''_ZN10warpwright9transpose4copyIfXtlNS0_11copy_paramsELi128ELi4ELi4EEEEEvPKT_PS3_x'' for ''sm_75''\nptxas info    : Function properties for _ZN10warpwright9transpose4copyIfXtlNS0_11copy_paramsELi128ELi4ELi4EEEEEvPKT_PS3_x\nptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nptxas info    : Used 32 registers, used 0 barriers, 376 bytes cmem[0]\n','\n',char(10)));
INSERT INTO "plan" VALUES(3,'d1a212a4e9976265fd17a78ab50c880c',replace('buffer in in float x 4096\nbuffer out out float x 4096\nlaunch warpwright::transpose::copy<float, warpwright::transpose::copy_params{.block_size = 256, .coarsening = 4, .vector_width = 2}> grid 2x1x1 block 256x1x1 shared 0 B (in, out, 4096)\n','\n',char(10)),replace('ptxas info    : Compiling entry function ''_ZN10warpwright9transpose4copyIfXtlNS0_11copy_paramsELi256ELi4ELi2EEEEEvPKT_PS3_x'' for ''sm_75''\nptxas info    : Function properties for _ZN10warpwright9transpose4copyIfXtlNS0_11copy_paramsELi256ELi4ELi2EEEEEvPKT_PS3_x\nptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nptxas info    : Used 28 registers, used 0 barriers, 376 bytes cmem[0]\n','\n',char(10)));
INSERT INTO "plan" VALUES(4,'8f90ed38faa264c10cbb63f73d276c71',replace('buffer in in float x 4096\nbuffer out out float x 1\nbuffer partials scratch float x 4\nlaunch warpwright::reduce::sequential<float, warpwright::reduce::sum, warpwright::reduce::sequential_params{.block_size = 256, .coarsening = 4, .bank_pad = 0}> grid 4x1x1 block 256x1x1 shared 0 B (in, partials, 4096)\nlaunch warpwright::reduce::sequential<float, warpwright::reduce::sum, warpwright::reduce::sequential_params{.block_size = 256, .coarsening = 4, .bank_pad = 0}> grid 1x1x1 block 256x1x1 shared 0 B (partials, out, 4)\n','\n',char(10)),replace('ptxas info    : Compiling entry function ''_ZN10warpwright6reduce10sequentialIfNS0_3sumEXtlNS0_11tree_paramsELi256ELi4ELi0EEEEEvPKT_PS4_x'' for ''sm_75''\nptxas info    : Function properties for _ZN10warpwright6reduce10sequentialIfNS0_3sumEXtlNS0_11tree_paramsELi256ELi4ELi0EEEEEvPKT_PS4_x\nptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nptxas info    : Used 14 registers, used 1 barriers, 1024 bytes smem, 376 bytes cmem[0]\n','\n',char(10)));
INSERT INTO "plan" VALUES(5,'211a98d169e4a1cd508087b74cb7444e',replace('buffer in in float x 4096\nbuffer out out float x 1\nbuffer partials scratch float x 4\nlaunch warpwright::reduce::sequential<float, warpwright::reduce::sum, warpwright::reduce::sequential_params{.block_size = 64, .coarsening = 16, .bank_pad = 0}> grid 4x1x1 block 64x1x1 shared 0 B (in, partials, 4096)\nlaunch warpwright::reduce::sequential<float, warpwright::reduce::sum, warpwright::reduce::sequential_params{.block_size = 64, .coarsening = 16, .bank_pad = 0}> grid 1x1x1 block 64x1x1 shared 0 B (partials, out, 4)\n','\n',char(10)),replace('ptxas info    : Compiling entry function ''_ZN10warpwright6reduce10sequentialIfNS0_3sumEXtlNS0_11tree_paramsELi64ELi16ELi0EEEEEvPKT_PS4_x'' for ''sm_75''\nptxas info    : Function properties for _ZN10warpwright6reduce10sequentialIfNS0_3sumEXtlNS0_11tree_paramsELi64ELi16ELi0EEEEEvPKT_PS4_x\nptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nptxas info    : Used 34 registers, used 1 barriers, 256 bytes smem, 376 bytes cmem[0]\n','\n',char(10)));
INSERT INTO "plan" VALUES(6,'226eced99096dc9b525195196d7519ab',replace('buffer in in float x 4096\nbuffer out out float x 1\nbuffer partials scratch float x 16\nlaunch warpwright::reduce::sequential<float, warpwright::reduce::sum, warpwright::reduce::sequential_params{.block_size = 256, .coarsening = 1, .bank_pad = 1}> grid 16x1x1 block 256x1x1 shared 0 B (in, partials, 4096)\nlaunch warpwright::reduce::sequential<float, warpwright::reduce::sum, warpwright::reduce::sequential_params{.block_size = 256, .coarsening = 1, .bank_pad = 1}> grid 1x1x1 block 256x1x1 shared 0 B (partials, out, 16)\n','\n',char(10)),replace('ptxas info    : Compiling entry function ''_ZN10warpwright6reduce10sequentialIfNS0_3sumEXtlNS0_11tree_paramsELi256ELi1ELi1EEEEEvPKT_PS4_x'' for ''sm_75''\nptxas info    : Function properties for _ZN10warpwright6reduce10sequentialIfNS0_3sumEXtlNS0_11tree_paramsELi256ELi1ELi1EEEEEvPKT_PS4_x\nptxas         .     0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nptxas info    : Used 14 registers, used 1 barriers, 1056 bytes smem, 376 bytes cmem[0]\n','\n',char(10)));
INSERT INTO "plan" VALUES(7,'825a7b378cb9f9c0daf5a6d63c8990fd',replace('buffer in\nlaunch sequential<256>\n','\n',char(10)),replace('Used 32 registers\n','\n',char(10)));
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
INSERT INTO comparison VALUES(1,'f8f70e34802e1bb1860d52dc7b238fb1',7,1,3,'2026-11-01T10:31:00.000Z',30,1.0200000000000000177,1.0100000000000000088,1.0300000000000000266);
CREATE TABLE mutant (
  id INTEGER PRIMARY KEY,
  identity TEXT NOT NULL UNIQUE,
  kernel TEXT NOT NULL,
  rule TEXT NOT NULL,
  file TEXT NOT NULL,
  line INTEGER NOT NULL,
  change TEXT NOT NULL,
  tool TEXT NOT NULL,
  how TEXT NOT NULL,
  detail TEXT NOT NULL,
  seconds REAL NOT NULL,
  updated_at TEXT NOT NULL
, outcome TEXT NOT NULL DEFAULT 'survived'
  CONSTRAINT "mutant.outcome is killed, survived, equivalent, not compiled or not judged"
  CHECK (outcome IN ('killed', 'survived', 'equivalent', 'not compiled', 'not judged'))) STRICT;
INSERT INTO mutant VALUES(1,'8f0f0cff2966eed684f1a544e4497a71','reduce/sequential','drop barrier','sequential.cuh',30,'__syncthreads(); -> (nothing)','host/sm_75','race','race',0.5,'2026-11-21T23:51:29.180Z','killed');
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
CREATE TABLE IF NOT EXISTS "access" (
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
, target TEXT NOT NULL DEFAULT 'host/sm_75') STRICT;
INSERT INTO access VALUES(1,'885ae8e8413d4cd994bdd94b4f0a370e',1,1,-1,256,1024,256,1024,0,0,0,0,2048,1152,0,'[{"file":"kernels/transpose/copy.cuh","least":1024,"line":25,"requests":256,"space":"global","transactions":1024},{"file":"kernels/transpose/copy.cuh","least":1024,"line":31,"requests":256,"space":"global","transactions":1024}]','2026-11-21T23:51:27.561Z','host/sm_75');
INSERT INTO access VALUES(2,'27a55466a9b3fd6d24d688c60cc99c86',2,1,-1,64,1024,64,1024,0,0,0,0,512,288,0,'[{"file":"kernels/transpose/copy.cuh","least":1024,"line":25,"requests":64,"space":"global","transactions":1024},{"file":"kernels/transpose/copy.cuh","least":1024,"line":31,"requests":64,"space":"global","transactions":1024}]','2026-11-21T23:51:27.561Z','host/sm_75');
INSERT INTO access VALUES(3,'dd9af89101ca6c4b126a7ab5b3b14b7f',3,1,-1,128,1024,128,1024,0,0,0,0,1024,576,0,'[{"file":"kernels/transpose/copy.cuh","least":1024,"line":25,"requests":128,"space":"global","transactions":1024},{"file":"kernels/transpose/copy.cuh","least":1024,"line":31,"requests":128,"space":"global","transactions":1024}]','2026-11-21T23:51:27.561Z','host/sm_75');
INSERT INTO access VALUES(4,'9bcdb29c1c8cd7991034b69d4e8cc9e5',4,2,-1,1025,4100,33,33,1716,1716,297,0,8448,7128,198,'[{"file":"kernels/reduce/sequential.cuh","least":5,"line":16,"requests":33,"space":"global","transactions":33},{"file":"kernels/reduce/tree.cuh","least":4100,"line":24,"requests":1025,"space":"global","transactions":4100},{"file":"kernels/block/reduce.cuh","least":1188,"line":56,"requests":1188,"space":"shared","transactions":1188},{"file":"kernels/block/reduce.cuh","least":264,"line":51,"requests":264,"space":"shared","transactions":264},{"file":"kernels/block/reduce.cuh","least":264,"line":59,"requests":264,"space":"shared","transactions":264}]','2026-11-21T23:51:27.733Z','host/sm_75');
INSERT INTO access VALUES(5,'3bb2c71342056799dc8018694fa3789a',5,2,-1,1025,4100,33,33,726,726,231,0,2112,3102,198,'[{"file":"kernels/reduce/sequential.cuh","least":5,"line":16,"requests":33,"space":"global","transactions":33},{"file":"kernels/reduce/tree.cuh","least":4100,"line":24,"requests":1025,"space":"global","transactions":4100},{"file":"kernels/block/reduce.cuh","least":594,"line":56,"requests":594,"space":"shared","transactions":594},{"file":"kernels/block/reduce.cuh","least":66,"line":51,"requests":66,"space":"shared","transactions":66},{"file":"kernels/block/reduce.cuh","least":66,"line":59,"requests":66,"space":"shared","transactions":66}]','2026-11-21T23:51:27.733Z','host/sm_75');
INSERT INTO access VALUES(6,'bdbdbe24c6122a7a27897696cac21e69',6,2,-1,1028,4112,129,129,6708,6708,1161,0,33024,21672,774,'[{"file":"kernels/reduce/sequential.cuh","least":17,"line":16,"requests":129,"space":"global","transactions":129},{"file":"kernels/block/reduce.cuh","least":4644,"line":56,"requests":4644,"space":"shared","transactions":4644},{"file":"kernels/reduce/tree.cuh","least":4112,"line":24,"requests":1028,"space":"global","transactions":4112},{"file":"kernels/block/reduce.cuh","least":1032,"line":51,"requests":1032,"space":"shared","transactions":1032},{"file":"kernels/block/reduce.cuh","least":1032,"line":59,"requests":1032,"space":"shared","transactions":1032}]','2026-11-21T23:51:27.733Z','host/sm_75');
INSERT INTO access VALUES(7,'fb1b5b10b2b06a7c3ffcbcd6fea2878e',8,3,-1,8388608,33554432,0,0,0,0,10,0,1048576,0,0,'[{"file": "kernels/reduce/sequential.cuh", "line": 31, "space": "global", "requests": 8, "transactions": 32, "least": 32}]','2026-11-21T23:51:29.178Z','host/sm_75');
INSERT INTO access VALUES(8,'f9b13197a248e2a18eebd389fa1a3b96',8,4,-1,0,0,0,0,0,0,4,0,0,0,0,'[]','2026-11-21T23:51:29.179Z','host/sm_75');
CREATE INDEX trial_by_key ON trial (config_key);
CREATE INDEX trial_by_group ON trial (problem_id, board_id, provenance);
CREATE INDEX trial_by_configuration ON trial (configuration_id);
CREATE INDEX trial_by_session ON trial (session_id);
CREATE INDEX trial_by_time ON trial (created_at);
CREATE INDEX certificate_by_trial ON certificate (trial_id);
CREATE INDEX baseline_by_problem ON baseline (problem_id);
CREATE INDEX comparison_by_trial ON comparison (trial_id);
CREATE INDEX comparison_by_baseline ON comparison (baseline_id);
CREATE INDEX launch_by_trial ON launch (trial_id);
CREATE INDEX access_by_configuration ON access (configuration_id, problem_id);
COMMIT;
