// Validates SARIF logs of conform against the published schema: for a kernel with a race, for a correct one, and for one
// that is not modelled. node sarif_schema_test.mjs CONFORM NPM SOURCE_FOLDER WORK_FOLDER CACHE; exit code 77 if
// npm cannot fetch the schema and a validator.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [conform, npm, source, work, cache] = process.argv.slice(2);
mkdirSync(work, { recursive: true });

// Repeats the installation only for a new lock file.
const lock = readFileSync(join(source, "package-lock.json"), "utf8");
const stamp = join(work, "fetched");
if (!existsSync(stamp) || readFileSync(stamp, "utf8") !== lock) {
  for (const file of ["package.json", "package-lock.json"]) copyFileSync(join(source, file), join(work, file));
  const words = ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=0", "--fetch-timeout=60000"];
  const fetched = existsSync(npm) && spawnSync(npm, words, { cwd: work, timeout: 180000 });
  if (!fetched || fetched.status !== 0) {
    console.log("skipped: the SARIF schema was not fetched by npm");
    process.exit(77);
  }
  writeFileSync(stamp, lock);
}
const require = createRequire(join(work, "/"));
const Ajv = require("ajv");
const ajv = new Ajv({ schemaId: "auto", meta: false, allErrors: true });
ajv.addMetaSchema(require("ajv/lib/refs/json-schema-draft-04.json"));
const schema = join(work, "node_modules/@microsoft/jest-sarif/lib/schemas/sarif-2.1.0-rtm.5.json");
const isValid = ajv.compile(JSON.parse(readFileSync(schema, "utf8")));
const complaints = (log) => (isValid(log) ? [] : isValid.errors.map((one) => `${one.dataPath} ${one.message}`));

const job = (name, code) => {
  writeFileSync(join(work, `${name}.cu`), code);
  writeFileSync(join(work, `${name}.json`), JSON.stringify({
    extents: ["n"],
    buffers: { x: { role: "in", type: "float", count: "n" }, y: { role: "out", type: "float", count: "n" } },
    steps: { kernel: name, grid: "ceil_div(n, 64)", block: 64 }, shapes: [4096], bound: "equal",
  }));
  return `${name}.json`;
};
const run = (code, ...words) => {
  const log = join(work, "log.sarif");
  const done = spawnSync(conform, [...words, "--sarif", log, "--cache", cache, "--jobs", "1"],
                         { cwd: work, encoding: "utf8" });
  assert.equal(done.status, code, `${words}\n${done.stdout}\n${done.stderr}`);
  const parsed = JSON.parse(readFileSync(log, "utf8"));
  assert.deepEqual(complaints(parsed), [], `${words}`);
  return parsed.runs[0].results;
};

const pairs = (barrier) => `
__global__ void NAME(float* y, const float* x, int n) {
  __shared__ float tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = i < n ? x[i] : 0;
  __syncthreads();
  const float next = tile[(threadIdx.x + 1) % 64];
  ${barrier}
  tile[threadIdx.x] = next + 1;
  if (i < n) y[i] = tile[threadIdx.x];
}
`;
const clean = run(0, job("right", pairs("__syncthreads();").replace("NAME", "right")), "--cases", "12");
assert.deepEqual(clean, []);

const [race] = run(1, job("racing", pairs("").replace("NAME", "racing")), "--cases", "12");
assert.equal(race.ruleId, "race");
const at = race.locations[0].physicalLocation;
assert.equal(at.artifactLocation.uri, "racing.cu");
assert.ok([7, 9].includes(at.region.startLine), JSON.stringify(at));
assert.ok(at.region.startColumn > 1);
assert.equal(race.relatedLocations.length, 1);
assert.match(race.message.text, /conform racing\.json --repro 'kernel=/);
const again = run(1, "racing.json", "--cases", "12", "--seed", "2").map((one) => one.partialFingerprints);
assert.deepEqual(again, [race.partialFingerprints], "the same mistake is known again");

const assembler = `__global__ void opaque(float* y, const float* x, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  unsigned id;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
  if (i < n) y[i] = x[i] + 0 * id;
}
`;
const [note] = run(0, job("opaque", assembler), "--cases", "4");
assert.equal(note.ruleId, "not-modelled");
assert.equal(note.level, "note");
assert.equal(note.locations[0].physicalLocation.region.startLine, 4);
const [error] = run(1, "opaque.json", "--cases", "4", "--fail-on", "not-modelled");
assert.equal(error.level, "error");

// Checks that violations of the schema are detected.
assert.notDeepEqual(complaints({ version: "2.1.0", runs: [{ results: [] }] }), []);
console.log("valid");
