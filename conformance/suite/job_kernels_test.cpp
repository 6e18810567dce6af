// Tests of plain CUDA kernels from job files: each in a correct and in a wrong form, checked on the simulator.
#include <gmock/gmock.h>

#include "conformance/checks/problem_setup.hpp"
#include "conformance/suite/checked_jobs.hpp"
#include "conformance/suite/counterexamples.hpp"

namespace warpwright::conformance {
namespace {

using testing::HasSubstr;

class JobKernels : public CheckedJobs {
 protected:
  /// Checks that the text passes, and that it fails with certain words if `part` is replaced by `mistake`.
  void expect_twins(const std::string& job, const std::string& text, const std::string& part,
                    const std::string& mistake, const std::string& words) {
    const PropertyReport right = checked(job, text);
    EXPECT_TRUE(right.ok()) << right.failure.detail << "\n" << repro_line(*right.counterexample);
    EXPECT_EQ(right.cases, 20);
    const auto at = text.find(part);
    ASSERT_NE(at, std::string::npos) << part;
    std::string wrong = text;
    const PropertyReport found = checked(job, wrong.replace(at, part.size(), mistake), 60);
    ASSERT_FALSE(found.ok()) << "nothing was found";
    EXPECT_THAT(found.failure.detail, HasSubstr(words));
  }

  /// The same for an integer kernel in which thread i of n executes `body`, checked only by a law.
  void expect_law(const std::string& law, const std::string& body, const std::string& part, const std::string& mistake,
                  const std::string& words, const std::string& outputs = "n") {
    expect_twins(R"raw({"extents": ["n"],
    "buffers": {"in": {"role": "in", "type": "int", "count": "n"}, "out": {"role": "out", "type": "int", "count": ")raw" +
                     outputs + R"raw("}},
    "steps": [{"zero": "out"}, {"kernel": "of_law", "grid": "ceil_div(n, 64)", "block": 64}],
    "shapes": [4096], "bound": "bits", "laws": [{"law": ")raw" +
                     law + R"raw(", "in": "in", "out": "out"}]})raw",
                 R"raw(
__global__ void of_law(int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  )raw" + body + "\n}\n",
                 part, mistake, words);
  }
};

TEST_F(JobKernels, TiledProductWithMacros) {
  expect_twins(R"raw({"extents": ["m", "n", "k"], "params": {"TILE": {"values": [4, 8], "default": 8}},
    "buffers": {"a": {"role": "in", "type": "float", "count": "m * k"}, "b": {"role": "in", "type": "float", "count": "k * n"},
                "c": {"role": "out", "type": "float", "count": "m * n"}},
    "steps": [{"kernel": "product", "grid": ["ceil_div(n, TILE)", "ceil_div(m, TILE)"], "block": ["TILE", "TILE"]}],
    "shapes": [[64, 64, 64]], "check_shapes": [[9, 17, 3]],
    "oracle": {"kernel": "plain", "grid": "ceil_div(m * n, 64)", "block": 64},
    "bound": {"depth": "k + 1"}, "work": {"operations": "2 * m * n * k"}})raw",
               R"raw(
#define TILE 16
__global__ void product(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float as[TILE][TILE], bs[TILE][TILE];
  const int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  float sum = 0;
  for (int t = 0; t < k; t += TILE) {
    as[threadIdx.y][threadIdx.x] = row < m && t + threadIdx.x < k ? a[row * k + t + threadIdx.x] : 0.0f;
    bs[threadIdx.y][threadIdx.x] = column < n && t + threadIdx.y < k ? b[(t + threadIdx.y) * n + column] : 0.0f;
    __syncthreads();
    for (int i = 0; i < TILE; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();  // before the next tile
  }
  if (row < m && column < n) c[row * n + column] = sum;
}
__global__ void plain(const float* a, const float* b, float* c, int m, int n, int k) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= m * n) return;
  float sum = 0;
  for (int t = 0; t < k; ++t) sum += a[i / n * k + t] * b[t * n + i % n];
  c[i] = sum;
}
)raw",
               "__syncthreads();  // before the next tile", "", "race");
}

TEST_F(JobKernels, FastIntrinsicsAreOffByTheirDocumentedErrors) {
  expect_twins(R"raw({"extents": ["n"],
    "buffers": {"in": {"role": "in", "type": "float", "count": "n"}, "out": {"role": "out", "type": "float", "count": "n"}},
    "steps": {"kernel": "powers", "grid": "ceil_div(n, 64)", "block": 64}, "shapes": [4096],
    "oracle": {"function": "oracle", "arguments": ["in", "out", {"type": "int", "value": "n"}]},
    "bound": {"depth": 4, "of": "result", "exact": false}})raw",
               R"raw(
__global__ void powers(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = expf(in[i]);
}
void oracle(const float* in, float* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = std::exp(static_cast<double>(in[i]));
}
)raw",
               "expf(in", "__expf(in", " times the bound");
}

TEST_F(JobKernels, StencilThatSwapsItsBuffers) {
  expect_twins(
      R"raw({"extents": ["n"], "params": {"block": [64, 32]}, "numbers": {"sweeps": {"low": 1, "high": 3, "preferred": 2}},
    "buffers": {"x": {"role": "inout", "type": "double", "count": "n"}, "y": {"role": "scratch", "type": "double", "count": "n"}},
    "steps": [{"repeat": "2 * sweeps", "swap": [["x", "y"]],
               "steps": [{"kernel": "smooth", "arguments": ["x", "y", "n", 0.25], "grid": "ceil_div(n, block)", "block": "block"}]}],
    "shapes": [4096], "oracle": {"function": "smoothed", "file": "oracle.cpp", "arguments": ["x", {"type": "long long", "value": "n"},
                                 {"type": "int", "value": "sweeps"}]},
    "bound": {"depth": "8 * sweeps", "of": "terms"}})raw",
      [&] {
        write("oracle.cpp", R"raw(#include <vector>
void smoothed(double* x, long long n, int sweeps) {
  for (int s = 0; s < 2 * sweeps; ++s) {
    const std::vector<double> old(x, x + n);
    for (long long i = 0; i < n; ++i)
      x[i] = 0.25 * old[i > 0 ? i - 1 : 0] + 0.5 * old[i] + 0.25 * old[i + 1 < n ? i + 1 : n - 1];
  }
}
)raw");
        return R"raw(
__global__ void smooth(const double* __restrict__ from, double* to, int n, double part) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = part * from[i > 0 ? i - 1 : 0] + (1 - 2 * part) * from[i] + part * from[i + 1 < n ? i + 1 : n - 1];
}
)raw";
      }(),
      "from[i + 1 < n ? i + 1 : n - 1]", "from[i + 1]", "out of bounds");
}

TEST_F(JobKernels, HistogramOfZeroedBins) {
  expect_twins(R"raw({"extents": ["n"], "params": {"BLOCK": [128, 64]},
    "buffers": {"keys": {"role": "in", "type": "unsigned int", "count": "n", "data": {"below": 16}}, "bins": {"role": "out", "type": "int", "count": 16}},
    "steps": [{"zero": "bins"}, {"kernel": "count", "template": ["BLOCK"], "grid": "ceil_div(n, BLOCK)", "block": "BLOCK"}],
    "shapes": ["2^16"], "oracle": {"function": "counted", "file": "oracle.cpp", "arguments": ["keys", "bins", {"type": "int", "value": "n"}]},
    "laws": [{"law": "permutation", "in": "keys", "out": "bins"}]
})raw",
               [&] {
                 write("oracle.cpp", R"raw(
void counted(const unsigned* keys, int* bins, int n) {
  for (int b = 0; b < 16; ++b) bins[b] = 0;
  for (int i = 0; i < n; ++i) ++bins[keys[i]];
}
)raw");
                 return R"raw(
template <int BLOCK>
__global__ void count(const unsigned* keys, int* bins, int n) {
  __shared__ int own[16];
  if (threadIdx.x < 16) own[threadIdx.x] = 0;
  __syncthreads();
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  if (i < n) atomicAdd(&own[keys[i]], 1);
  __syncthreads();
  if (threadIdx.x < 16) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}
)raw";
               }(),
               "if (i < n) atomicAdd(&own[keys[i]], 1);", "if (i < n) own[keys[i]] += 1;", "race");
}

TEST_F(JobKernels, RowSumsOfASparseMatrix) {
  expect_twins(R"raw({"extents": ["rows"], "params": {"block": [32, 64]},
    "buffers": {"offsets": {"role": "in", "type": "int", "count": "rows + 1", "data": {"rows": "4 * rows"}},
                "columns": {"role": "in", "type": "int", "count": "4 * rows", "data": {"below": "rows"}},
                "x": {"role": "in", "type": "float", "count": "rows"}, "y": {"role": "out", "type": "float", "count": "rows"}},
    "steps": {"kernel": "gather", "grid": "ceil_div(rows, block)", "block": "block"},
    "shapes": [1024], "bound": {"depth": "4 * rows"}})raw",
               R"raw(
__global__ void gather(const int* offsets, const int* columns, const float* x, float* y, int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = offsets[row]; i < offsets[row + 1]; ++i) sum += x[columns[i]];
  y[row] = sum;
}
)raw",
               "if (row >= rows) return;", "if (row > rows) return;", "out of bounds");
}

TEST_F(JobKernels, SoftmaxOfRowsWithAGuessedBound) {
  expect_twins(R"raw({"extents": ["rows", "columns"], "params": {"BLOCK": {"values": [32, 64], "as": "macro"}},
    "buffers": {"in": {"role": "in", "type": "float", "count": "rows * columns"}, "out": {"role": "out", "type": "float", "count": "rows * columns"}},
    "steps": {"kernel": "softmax", "arguments": ["out", "in", "columns"], "grid": "rows", "block": "BLOCK", "shared": "4 * BLOCK"},
    "shapes": [[64, 100]], "inputs": ["uniform", "normal"],
    "oracle": {"function": "softmax_of", "file": "oracle.cpp", "arguments": ["in", "out", {"type": "int", "value": "rows"}, {"type": "int", "value": "columns"}]},
    "bound": {"relative": 1e-5, "absolute": 1e-7}})raw",
               [&] {
                 write("oracle.cpp", R"raw(#include <cmath>
void softmax_of(const float* in, float* out, int rows, int columns) {
  for (int r = 0; r < rows; ++r) {
    double most = -INFINITY, sum = 0;
    for (int c = 0; c < columns; ++c) most = std::fmax(most, in[r * columns + c]);
    for (int c = 0; c < columns; ++c) sum += std::exp(in[r * columns + c] - most);
    for (int c = 0; c < columns; ++c) out[r * columns + c] = static_cast<float>(std::exp(in[r * columns + c] - most) / sum);
  }
}
)raw");
                 return R"raw(
__global__ void softmax(float* out, const float* in, int columns) {
  extern __shared__ float part[];
  const float* row = in + blockIdx.x * columns;
  float most = -INFINITY;
  for (int c = threadIdx.x; c < columns; c += BLOCK) most = fmaxf(most, row[c]);
  part[threadIdx.x] = most;
  __syncthreads();
  for (int s = BLOCK / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) part[threadIdx.x] = fmaxf(part[threadIdx.x], part[threadIdx.x + s]);
    __syncthreads();
  }
  most = part[0];
  __syncthreads();  // before part is used again
  float sum = 0;
  for (int c = threadIdx.x; c < columns; c += BLOCK) sum += expf(row[c] - most);
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int s = BLOCK / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  for (int c = threadIdx.x; c < columns; c += BLOCK) out[blockIdx.x * columns + c] = expf(row[c] - most) / part[0];
}
)raw";
               }(),
               "__syncthreads();  // before part is used again", "", "race");
}

TEST_F(JobKernels, ReversalThatIsItsOwnInverse) {
  expect_law("twice_is_identity", "out[n - 1 - i] = in[i];", "in[i];", "i % 3 == 1 ? in[i] + 1 : in[i];",
             "twice_is_identity: a second run, on out, does not give in back: out[");
}

TEST_F(JobKernels, DifferencesThatAreLinear) {
  expect_law("linearity", "out[i] = i > 0 ? in[i] - in[i - 1] : in[i];", ": in[i]", ": in[i] + 1", "twice one in");
}

TEST_F(JobKernels, ClampingThatIsIdempotent) {
  expect_law("idempotence", "out[i] = max(in[i], -1);", "-1)", "-1) + 1", "with out as in, out changes: out[");
}

TEST_F(JobKernels, CountsThatNeedNoOrder) {
  expect_law("permutation", "if (in[i] > 0) atomicAdd(out, 1);", "in[i] > 0", "in[i] > i % 3",
             "another order of in changes out", "1");
}

TEST_F(JobKernels, InputsThatAreSpeltWithoutConst) {
  expect_twins(R"raw({"extents": ["n"],
    "buffers": {"in": {"role": "in", "type": "float", "count": "n"}, "out": {"role": "out", "type": "float", "count": "n"}},
    "steps": {"kernel": "copied", "grid": "ceil_div(n, 64)", "block": 64}, "shapes": [4096], "bound": "bits"
})raw",
               R"raw(
typedef float real;
__global__ void of_another_job(real* out) { out[0] = what_nobody_declares(out[1]); }
__global__ void copied(real* in, real* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
)raw",
               "out[i] = in[i]", "out[i] = in[i]++", "in");
}

TEST_F(JobKernels, AMistakeOfTheDefaultIsItsOwnAndNoWrongValueOfAnother) {
  const PropertyReport found = checked(R"raw({"extents": ["n"], "params": {"BLOCK": [64, 128]},
    "buffers": {"in": {"role": "in", "type": "float", "count": "n"}, "out": {"role": "out", "type": "float", "count": "n"}},
    "steps": {"kernel": "halo", "grid": "ceil_div(n, BLOCK)", "block": "BLOCK"}, "shapes": [4096], "bound": {"depth": 1}})raw",
                                       R"raw(
__global__ void halo(const float* in, float* out, int n) {
  __shared__ float tile[BLOCK + 1];
  const int i = blockIdx.x * BLOCK + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0.0f;
  if (BLOCK == 128 && threadIdx.x == 0) tile[BLOCK] = i + BLOCK < n ? in[i + BLOCK] : 0.0f;
  __syncthreads();
  if (i < n) out[i] = tile[threadIdx.x] + tile[threadIdx.x + 1];
}
)raw");
  ASSERT_TRUE(found.failure.found) << found.failure.detail;
  EXPECT_EQ(found.failure.found->kind, FindingKind::uninitialised_read);
  EXPECT_THAT(repro_line(*found.counterexample), HasSubstr(".BLOCK = 64"));
}

TEST_F(JobKernels, ElementsThatAreNeverWrittenAreNamed) {
  const std::string job = R"raw({"extents": ["n"],
    "buffers": {"in": {"role": "in", "type": "float", "count": "n"}, "out": {"role": "out", "type": "float", "count": "n + 1"}},
    "steps": {"kernel": "copied", "grid": "ceil_div(n, 64)", "block": 64}, "shapes": [4096], "bound": {"relative": 1e-5}})raw";
  const PropertyReport found = checked(job, R"raw(
__global__ void copied(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i];
}
)raw");
  EXPECT_THAT(found.failure.detail, HasSubstr("neither the kernel nor the oracle wrote out["));
}

TEST_F(JobKernels, AnswersFromAFile) {
  write("in.bin", std::string("\1\0\0\0\2\0\0\0\3\0\0\0", 12));
  write("out.bin", std::string("\3\0\0\0\5\0\0\0\7\0\0\0", 12));
  expect_twins(R"raw({"extents": ["n"],
    "buffers": {"in": {"role": "in", "type": "int", "count": "n", "data": {"file": "in.bin"}}, "out": {"role": "out", "type": "int", "count": "n"}},
    "steps": {"kernel": "twice", "grid": 1, "block": 32}, "shapes": [3], "check_shapes": [3], "oracle": {"files": {"out": "out.bin"}}})raw",
               R"raw(
__global__ void twice(const int* in, int* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = 2 * in[threadIdx.x] + 1;
}
)raw",
               "+ 1", "+ 2", "out[0] is 4 where 3 was expected");
}

TEST_F(JobKernels, EverythingThatAGpuNeedsCompilesForOne) {
  if (!compiler_.toolchain().nvrtc_error.empty()) GTEST_SKIP() << compiler_.toolchain().nvrtc_error;
  write("oracle.cpp",
        "void summed(const int* keys, const float* x, float* y, long long n) {\n"
        "  for (long long i = 0; i < n; ++i) y[i] = x[i] * keys[0];\n}\n");
  write("kernel.cu",
        "__constant__ float scale[2];\n"
        "__global__ void scaled(const int* keys, const float* x, float* y, long long n) {\n"
        "  const long long i = blockIdx.x * BLOCK + threadIdx.x;\n"
        "  if (i < n) y[i] = x[i] * keys[0] + 0 * scale[1];\n}\n");
  for (
      const std::string oracle :
      {R"("default")",
       R"({"function": "summed", "file": "oracle.cpp", "arguments": ["keys", "x", "y", {"type": "long long", "value": "n"}]})"}) {
    const job::Jobs jobs(catalogue(), {write("kernel.json", R"raw({"extents": ["n"], "params": {"BLOCK": [64]},
      "buffers": {"keys": {"role": "in", "type": "int", "count": "n", "data": {"range": [1, 3]}}, "scale": {"role": "constant", "type": "float", "count": 2},
                  "x": {"role": "in", "type": "float", "count": "n", "data": {"from": 1, "step": 0.5}}, "y": {"role": "out", "type": "float", "count": "n"}},
      "steps": {"kernel": "scaled", "grid": "ceil_div(n, BLOCK)", "block": "BLOCK"}, "shapes": [4096], "bound": {"depth": 2}, "oracle": )raw" +
                                                                oracle + "}")});
    const Catalogue& all = jobs.catalogue();
    const Pattern& pattern = all.pattern("job:kernel");
    const Problem problem = make_problem(pattern, {ElementType::f32}, {}, {4096});
    worker::Compiler compiler(pool_, cache_, all.sources());
    const ProblemPrograms programs = problem_programs(pattern, problem, {{.kind = "given"}}, host_device());
    const Kernel& kernel = all.kernel("job:kernel/scaled");
    for (const Program& program :
         {programs.fills, programs.reference, program_of(kernel.plan({64}, problem, host_device()), kernel.source)}) {
      const CompiledProgram built = compiler.compile_one("sm_90", program);
      EXPECT_TRUE(built.ok) << built.log;
    }
  }
}

TEST_F(JobKernels, TheOracleOfHalvesCompilesForAGpu) {
  if (!compiler_.toolchain().nvrtc_error.empty()) GTEST_SKIP() << compiler_.toolchain().nvrtc_error;
  write("kernel.cu",
        "#include <cuda_fp16.h>\n"
        "__global__ void twice(const __half* x, float* y, long long n) {\n"
        "  const long long i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n) y[i] = 2 * __half2float(x[i]);\n}\n"
        "__global__ void plain(const __half* x, float* y, long long n) {\n"
        "  const long long i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n) y[i] = __half2float(x[i]) + __half2float(x[i]);\n}\n");
  const job::Jobs jobs(catalogue(), {write("kernel.json", R"raw({"extents": ["n"],
    "buffers": {"x": {"role": "in", "type": "__half", "count": "n"}, "y": {"role": "out", "type": "float", "count": "n"}},
    "steps": {"kernel": "twice", "grid": "ceil_div(n, 64)", "block": 64}, "shapes": [4096],
    "bound": {"depth": 2}, "oracle": {"kernel": "plain", "grid": "ceil_div(n, 64)", "block": 64}})raw")});
  const Catalogue& all = jobs.catalogue();
  const Pattern& pattern = all.pattern("job:kernel");
  worker::Compiler compiler(pool_, cache_, all.sources());
  const Problem problem = make_problem(pattern, pattern.types.front(), {}, {4096});
  const ProblemPrograms programs = problem_programs(pattern, problem, {{.kind = "uniform"}}, host_device());
  const CompiledProgram built = compiler.compile_one("sm_90", programs.reference);
  EXPECT_TRUE(built.ok) << built.log;
}

TEST_F(JobKernels, IntendedSameValueStores) {
  const std::string text = R"raw(
__global__ void any_positive(const int* in, int* out, int n) {
  if (blockIdx.x * blockDim.x + threadIdx.x < n && in[blockIdx.x * blockDim.x + threadIdx.x] > 0) out[0] = 1;
}
)raw";
  const std::string job = R"raw({"extents": ["n"], LENIENT
    "buffers": {"in": {"role": "in", "type": "int", "count": "n"}, "out": {"role": "out", "type": "int", "count": 1}},
    "steps": [{"zero": "out"}, {"kernel": "any_positive", "grid": "ceil_div(n, 64)", "block": 64}], "shapes": [4096]})raw";
  const auto with = [&](const std::string& lenient) {
    return std::string(job).replace(job.find("LENIENT"), 7, lenient);
  };
  const PropertyReport wrong = checked(with(""), text);
  EXPECT_THAT(wrong.failure.detail, HasSubstr("race: store"));
  EXPECT_THAT(repro_hint(*wrong.counterexample),
              testing::StartsWith("; reproduce: conform " + (folder_ / "kernel.json").string() +
                                  " --repro 'kernel=job:kernel/any_positive "))
      << "the file as it was given";
  const PropertyReport let_pass = checked(with(R"("strict": false, "reason": "all that store, store 1",)"), text);
  EXPECT_TRUE(let_pass.ok() && !let_pass.tolerated.empty()) << let_pass.failure.detail;
}

TEST_F(JobKernels, AStoredCounterexampleIsKeptIfItsJobIsNotGiven) {
  db::Store store(folder_ / "stored.db");
  store.saw_counterexample({.pattern = "job:sum",
                            .kernel = "sum",
                            .repro = "kernel=job:sum/sum problem=job:sum[float,3] target=host/sm_75",
                            .file = "mine/sum.json"});
  std::vector<std::string> said;
  const std::atomic<bool> stop = false;
  const auto replays = replay_counterexamples(
      store, catalogue(), "*", "host/sm_75",
      [](const Case&) -> CaseResult { throw std::logic_error("there is nothing to run"); },
      [&](const std::string& line) { said.push_back(line); }, stop);
  EXPECT_TRUE(replays.empty());
  EXPECT_THAT(said, testing::ElementsAre(HasSubstr("conform mine/sum.json --repro 'kernel=job:sum/sum ")));
  EXPECT_EQ(store.counterexamples().size(), 1U) << "it is not obsolete: its file was not named";
}

}  // namespace
}  // namespace warpwright::conformance
