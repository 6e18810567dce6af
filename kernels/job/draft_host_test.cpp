// Tests of drafts from host code: allocations, callers, constants, and open questions.
#include <gmock/gmock.h>

#include "kernels/job/draft.hpp"
#include "kernels/job/job_fixture.hpp"

namespace warpwright::job {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

class DraftsOfHostCode : public JobFiles {};

TEST_F(DraftsOfHostCode, WithOpenQuestionsAreRefusedWithTheQuestion) {
  const std::string made = draft(R"raw(
template <int N> __global__ void k(float* x, int n, float a) { if (threadIdx.x < n) x[threadIdx.x] = a * N; }
)raw");
  EXPECT_THAT(made, AllOf(HasSubstr("// ??? How many blocks does the grid have? The file has no launch of this kernel"),
                          HasSubstr(R"raw("grid": "???")raw"), HasSubstr(R"raw("block": "???")raw"),
                          HasSubstr("// ??? At which values is it tuned? No launch says one"),
                          HasSubstr(R"raw("N": {"values": ["???"], "as": "template"})raw")));
  EXPECT_THAT(refusal(made),
              HasSubstr("\"values\" is still open: write a value for ???. At which values is it tuned?"));
  const std::string odd = draft(R"raw(
__global__ void k(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 1; }
void run() { k<<<blocks_for(n), 128>>>(x, n); }
)raw");
  EXPECT_THAT(odd,
              AllOf(HasSubstr("??? How many blocks does the grid have? The launch says blocks_for(n), which is not"),
                    HasSubstr(R"raw("grid": "???")raw"), HasSubstr(R"raw("block": ["128"])raw")));
  EXPECT_THAT(refusal(odd),
              HasSubstr("\"grid\" is still open: write a value for ???. How many blocks does the grid have?"));
  EXPECT_EQ(refusal(with(odd, "\"???\"", "\"ceil_div(n, 128)\"")), "none");
}

TEST_F(DraftsOfHostCode, TakeLiteralsThatCallersPass) {
  const std::string made = draft(R"raw(
template <typename T, int BM, int BN>
__global__ void norm(const T* x, T* y, int rows, int columns, T eps) { y[0] = x[0] * eps * BM * BN; }
template <typename T, int BM, int BN>
void launch(const T* x, T* y, int rows, int columns, T eps) {
  norm<T, BM, BN><<<(rows + BM - 1) / BM, dim3(BN, BM)>>>(x, y, rows, columns, eps);
}
void outer(float epsilon) { const int rows = 300; launch<float, 4, 64>(x, y, rows, 1 << 9, epsilon); }
int main() { outer(1e-5f); }
)raw");
  EXPECT_THAT(
      made, AllOf(HasSubstr(R"raw("arguments": ["x", "y", "rows", "columns", 1e-05])raw"),
                  HasSubstr(R"raw("template": ["float", "BM", "BN"])raw"), HasSubstr(R"raw("shapes": [[300, 512]])raw"),
                  HasSubstr(R"raw("BM": {"values": [2, 4, 8], "default": 4, "as": "template"})raw"),
                  HasSubstr(R"raw("BN": {"values": [32, 64, 128], "default": 64, "as": "template"})raw"),
                  Not(HasSubstr("float is assumed"))));
  EXPECT_EQ(refusal(made), "none");
}

TEST_F(DraftsOfHostCode, TakeTheSizesOfAllocations) {
  const std::string made = draft(R"raw(
#define K 4
__global__ void k(const float* x, const int* index, const float* weights, float* y, int rows, int columns, int pitch) {
  if (threadIdx.x < rows) y[threadIdx.x] = K * x[index[0] * pitch] + weights[columns];
}
void run(int rows, int columns, int entries) {
  float *x, *w, *y; int* i; size_t bytes, pitch;
  cudaMallocPitch(&x, &pitch, columns * sizeof(float), rows);
  cudaMalloc((void**)&i, (entries + 1) * sizeof(int));
  bytes = sizeof(float) * 16; cudaMalloc(&w, bytes);
  cudaMalloc(&y, rows * K * sizeof(float));
  k<<<rows, 32>>>(x, i, w, y, rows, columns, pitch / sizeof(float));
}
)raw");
  EXPECT_THAT(made, HasSubstr(R"raw("extents": ["rows", "columns", "entries"])raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("x": {"role": "in", "type": "float", "count": "columns * rows"})raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("index": {"role": "in", "type": "int", "count": "entries + 1"})raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("weights": {"role": "in", "type": "float", "count": "16"})raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("y": {"role": "out", "type": "float", "count": "rows * 4"})raw"));
  EXPECT_THAT(made, HasSubstr("??? Are its values indices, \"data\": {\"below\": \"n\"}, or row offsets"));
  EXPECT_EQ(refusal(made), "none");
}

TEST_F(DraftsOfHostCode, DoNotRepeatAVariableWithinItsOwnValue) {
  const std::string made = draft(R"raw(
__global__ void k(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 1; }
void run(int n) {
  int blocks = n;
  blocks = (blocks + blocks / 2) / blocks;
  cudaMalloc(&x, n * sizeof(float));
  k<<<blocks, 64>>>(x, n);
}
)raw");
  EXPECT_LT(made.size(), 3000U) << made;
}

TEST_F(DraftsOfHostCode, AskForASumOfALoop) {
  const std::string text = R"raw(
__global__ void k(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 1; }
void run(const int* many, int n) {
  int total = 0;
  for (int i = 0; i < n; i++) total ADDS many[i];
  cudaMalloc(&x, total * sizeof(float));
  k<<<n, 64>>>(x, n);
}
)raw";
  for (const char* adds : {"+=", "<<=", "|="})
    EXPECT_THAT(draft(with(text, "ADDS", adds)), HasSubstr("how many elements has it?")) << adds;
}

TEST_F(DraftsOfHostCode, MakeNoParamsOfMacrosThatAreOnlyTested) {
  const std::string made = draft(R"raw(
#ifdef _MSC_VER
#define INLINE __forceinline
#else
#define INLINE inline
#endif
__global__ void k(float* x, int n) {
#if defined(USE_HIP) || CUDART_VERSION < 11000
  x[0] = 0;
#elif PADDED == 1
  if (threadIdx.x < n) x[threadIdx.x] = 1;
#endif
}
void run(float* x, int n) { k<<<n, 64>>>(x, n); }
)raw");
  EXPECT_THAT(made, Not(AnyOf(HasSubstr("_MSC_VER"), HasSubstr("USE_HIP"), HasSubstr("CUDART_VERSION"))));
  EXPECT_THAT(made, HasSubstr("PADDED"));
}

TEST_F(DraftsOfHostCode, MakeNoExtentsOfPitchesAndDeviceProperties) {
  const std::string text = R"raw(
__global__ void k(const float* x, float* y, int width, int height, int x_pitch, int blocks) {
  for (int i = blockIdx.x; i < height; i += blocks) y[i * width] = x[i * x_pitch];
}
void run(int w, int h, size_t given_pitch) {
  int sms; cudaDeviceGetAttribute(&sms, ATTRIBUTE, 0);
  k<<<2 * sms, 64>>>(x, y, w, h, given_pitch / sizeof(float), 2 * sms);
}
)raw";
  const std::string made = draft(with(text, "ATTRIBUTE", "cudaDevAttrMultiProcessorCount"));
  EXPECT_THAT(made, HasSubstr(R"raw("extents": ["width", "height"])raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("arguments": ["x", "y", "width", "height", "width", "2 * sm_count"])raw"));
  EXPECT_THAT(made, HasSubstr("// ??? Is x_pitch in elements, and are rows padded? Here it is width"));
  EXPECT_EQ(refusal(made), "none");
  const std::string other = draft(with(text, "ATTRIBUTE", "cudaDevAttrClockRate"));
  EXPECT_THAT(
      other,
      AllOf(HasSubstr(R"raw("extents": ["width", "height"])raw"), HasSubstr(R"raw("grid": "???")raw"),
            HasSubstr("??? What is passed for blocks (2*sms)? The expression in the host code was not understood")));
}

TEST_F(DraftsOfHostCode, OfferConstantsOfTheLaunchAsParamsThatTheJobSets) {
  const std::string made = draft(R"raw(
namespace tiles { constexpr int kWide = 32; static const unsigned int kHigh{32}; }
constexpr int kWarps = 4;
constexpr int kUnused = 1, kRadius = 2;
constexpr int kThreads = 32 * kWarps;
__global__ void k(float* y, int n) { y[blockIdx.x] = n + tiles::kWide * tiles::kHigh + kRadius; }
void run() {
  dim3 block(tiles::kWide, tiles::kHigh);
  k<<<n / tiles::kWide + kRadius * kThreads, block>>>(y, n);
}
)raw");
  EXPECT_THAT(made, HasSubstr(R"raw("block": ["kWide", "kHigh"])raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("kWide": {"values": [16, 32], "default": 32})raw")) << "64 * 32 are too many";
  EXPECT_THAT(made, HasSubstr(R"raw("kRadius": {"values": [1, 2, 4], "default": 2})raw"));
  EXPECT_THAT(made, Not(HasSubstr("kWarps")));
  const Lowered job = lowered(made);
  const std::string& source = job.sources.at("job.kernel.cu");
  EXPECT_THAT(source, HasSubstr("constexpr int kWide = WARPWRIGHT_PARAM_kWide;"));
  EXPECT_THAT(source, HasSubstr("kHigh{WARPWRIGHT_PARAM_kHigh}"));
  EXPECT_THAT(source, HasSubstr("kRadius = WARPWRIGHT_PARAM_kRadius;"));
  const Plan plan = plan_of(job, "{.kWide = 16}", {64});
  EXPECT_EQ(plan.definitions.at("WARPWRIGHT_PARAM_kWide"), "16");
  EXPECT_EQ(plan.definitions.at("WARPWRIGHT_PARAM_kRadius"), "2");
}

TEST_F(DraftsOfHostCode, MatchANumberOfTheLaunchWithTheParamOfThatValue) {
  const std::string made = draft(R"raw(
template <int BLOCK> __global__ void k(float* y, int n) { y[0] = BLOCK; }
void run() { k<128><<<(n + 127) / 128, 128, 128 * sizeof(float)>>>(y, n); }
)raw");
  EXPECT_THAT(made,
              AllOf(HasSubstr("// ??? Is it right that 128 is taken for BLOCK? Both have this value\n"),
                    HasSubstr(R"raw("grid": ["(n + (BLOCK - 1)) / BLOCK"])raw"), HasSubstr(R"raw("block": ["BLOCK"],
    "shared": "BLOCK * 4")raw"),
                    HasSubstr(R"raw("BLOCK": {"values": [64, 128, 256], "default": 128)raw")));
  const std::string twice = draft(R"raw(
template <int A, int B> __global__ void k(float* y, int n) { y[0] = A * B; }
void run() { k<128, 128><<<n, 128>>>(y, n); }
)raw");
  EXPECT_THAT(twice, AllOf(HasSubstr(R"raw("block": ["128"])raw"), HasSubstr(R"raw("A": {"values": [128])raw")))
      << "either may be meant";
  const std::string text = R"raw(
#define NAME 256
__global__ void hist(const int* x, int* y, int n) {
  __shared__ int part[NAME];
  part[threadIdx.x] = x[threadIdx.x];
  y[threadIdx.x] = part[n];
}
void run() { hist<<<(n + 255) / 256, 256>>>(x, y, n); }
)raw";
  EXPECT_THAT(draft(with(with(text, "NAME", "BINS"), "NAME", "BINS")),
              AllOf(HasSubstr(R"raw("grid": ["(n + 255) / 256"])raw"), HasSubstr(R"raw("block": ["256"])raw"),
                    HasSubstr(R"raw("BINS": {"values": [256], "default": 256})raw"), Not(HasSubstr("is taken for"))))
      << "nothing says that it is the size of a block";
  EXPECT_THAT(
      draft(with(with(text, "NAME", "kTileX"), "NAME", "kTileX")),
      AllOf(HasSubstr(R"raw("block": ["kTileX"])raw"), HasSubstr("??? Is it right that 256 is taken for kTileX?")));
}

TEST_F(DraftsOfHostCode, AskForASizeThatIsNotANumberOfElements) {
  const std::string text = R"raw(
__global__ void k(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 1; }
void run(size_t bytes, int n) { const int blocks = (n + 255) / 256; cudaMalloc(&x, SIZE); k<<<blocks, 256>>>(x, n); }
)raw";
  for (const char* size : {"bytes", "bytes / 4 * 4", "n * 4 / 2"})
    EXPECT_THAT(draft(with(text, "SIZE", size)),
                AllOf(HasSubstr(R"raw("extents": ["n"])raw"), HasSubstr(", and how many elements has it?"),
                      HasSubstr(R"raw("type": "float", "count": "n"})raw")))
        << size;
  EXPECT_THAT(draft(with(text, "SIZE", "sizeof(float) * blocks")), HasSubstr(R"raw("count": "(n + 255) / 256"})raw"))
      << "a quotient in brackets is a factor";
}

TEST_F(DraftsOfHostCode, AskForASizeThatDependsOnTheLaunch) {
  const std::string open = R"raw("partial": {"role": "out", "type": "float", "count": "n"})raw";
  const std::string text = R"raw(
#define BLOCK 256
__global__ void sums(const float* x, float* partial, int n) {
  __shared__ float part[BLOCK];
  part[threadIdx.x] = x[threadIdx.x];
  partial[blockIdx.x] = part[n - 1];
}
void run(int n) {
  const int blocks = (n + BLOCK - 1) / BLOCK;
  cudaMalloc(&partial, blocks * sizeof(float));
  sums<<<blocks, BLOCK>>>(x, partial, n);
}
)raw";
  EXPECT_THAT(draft(text), AllOf(HasSubstr(open), HasSubstr("(out) or scratch, and how many elements has it?"),
                                 HasSubstr(R"raw("block": ["BLOCK"])raw")));
  const std::string literal = R"raw(
template <int BLOCK> __global__ void sums(const float* x, float* partial, int n) { partial[blockIdx.x] = BLOCK * x[n]; }
void run(int n) {
  cudaMalloc(&partial, (n + 255) / 256 * sizeof(float));
  sums<256><<<(n + 255) / 256, 256>>>(x, partial, n);
}
)raw";
  EXPECT_THAT(draft(with(literal, "(n + 255) / 256 *", "((n + 255) / 256) *")),
              AllOf(HasSubstr(open), HasSubstr("(out) or scratch, and how many elements has it?")));
}

TEST_F(DraftsOfHostCode, TakeAStrideAsTheSizeIfThereIsNoOther) {
  const std::string made = draft(R"raw(
__global__ void step(float* x, int n, int stride) { if (threadIdx.x < n) x[threadIdx.x * stride] = 1; }
void run(int n, int stride) { step<<<1, 32>>>(x, n, stride); }
)raw");
  EXPECT_THAT(made, AllOf(HasSubstr(R"raw("extents": ["n", "stride"])raw"),
                          HasSubstr(R"raw("arguments": ["x", "n", "stride"])raw"), Not(HasSubstr("rows padded"))));
}

TEST_F(DraftsOfHostCode, KnowThePropertiesOfTheDevice) {
  EXPECT_THAT(draft(R"raw(
__global__ void k(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 1; }
void run(cudaDeviceProp of) { k<<<of.multiProcessorCount, 64, of.sharedMemPerBlockOptin>>>(x, n); }
)raw"),
              AllOf(HasSubstr(R"raw("grid": ["sm_count"])raw"), HasSubstr(R"raw("shared": "shared_per_block")raw")));
}

TEST_F(DraftsOfHostCode, TakeConstantsOfTheBranchThatIsCompiled) {
  const std::string text = R"raw(
#ifdef SMALL
constexpr int kTile = 64;
#else
constexpr int kTile = 128;
#endif
__global__ void k(float* y, int n) { if (threadIdx.x < n) y[threadIdx.x] = USED; }
void run() { k<<<(n + kTile - 1) / kTile, kTile>>>(y, n); }
)raw";
  const std::string made = draft(with(text, "USED", "kTile"));
  EXPECT_THAT(made, AllOf(HasSubstr(R"raw("kTile": {"values": [64, 128, 256], "default": 128})raw"),
                          Not(HasSubstr("SMALL")), Not(HasSubstr("whole blocks"))));
  EXPECT_THAT(lowered(made).sources.at("job.kernel.cu"),
              HasSubstr("constexpr int kTile = 64;\n#else\nconstexpr int kTile = WARPWRIGHT_PARAM_kTile;\n"));
  EXPECT_THAT(draft(with(text, "USED", "1")),
              HasSubstr(R"raw("kTile": {"values": [64, 128, 256], "default": 128, "as": "plan"})raw"));
  EXPECT_THAT(draft(with(with(text, "USED", "kTile"), "kTile - 1", "15")),
              HasSubstr(R"raw("holds": "((n + 15) / kTile) % 1 == 0")raw"))
      << "128 are more than 16";
}

TEST_F(DraftsOfHostCode, DivideAsCDoes) {
  const std::string made = draft(R"raw(
__global__ void k(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 1; }
void run(float* x, int n) { k<<<(n - 2) / 128 + n / 64, 128>>>(x, n); }
)raw");
  EXPECT_THAT(made, HasSubstr(R"raw("grid": ["trunc_div((n - 2), 128) + n / 64"])raw"));
}

TEST_F(DraftsOfHostCode, HaveBuffersWhereALaunchPassesNullPointersOnly) {
  const std::string made = draft(R"raw(
__global__ void k(float* y, const float* x, int n) { if (threadIdx.x < n) y[threadIdx.x] = x[threadIdx.x]; }
int main() { k<<<7, 128>>>(nullptr, nullptr, 0); }
)raw");
  EXPECT_THAT(made, HasSubstr(R"raw("arguments": ["y", "x", "n"])raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("y": {"role": "out", "type": "float", "count": "n"})raw"));
}

TEST_F(DraftsOfHostCode, PassNullPointersAndStructs) {
  const std::string made = draft(R"raw(
struct Body { float x, y, z; float weights[2]; };
struct View { Body* bodies; const float* masses; int n; int counts[2]; float3 gravity; };
__global__ void k(View view, const Body* read, float* optional, float* out) {
  out[threadIdx.x] = view.bodies[view.n].x * read[0].y * view.masses[0];
}
void run(Body* bodies, float* masses, int n) {
  View view{bodies, masses, n, {1, 2}, make_float3(0, -9.5f, 0)};
  k<<<n, 64>>>(view, bodies, nullptr, out);
}
)raw");
  EXPECT_THAT(
      made,
      HasSubstr(
          R"raw({"type": "View", "members": [{"buffer": "bodies"}, {"buffer": "masses"}, {"type": "int", "value": "n"}, {"type": "int", "values": ["1", "2"]}, {"type": "float3", "values": [0, -9.5, 0]}]}, "read", null, "out"])raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("bodies": {"role": "inout", "type": "float", "count": "5 * n"})raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("masses": {"role": "in", "type": "float", "count": "n"})raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("read": {"role": "in", "type": "float", "count": "5 * n"})raw"));
  EXPECT_THAT(made, Not(HasSubstr(R"raw("optional":)raw")));
}

TEST_F(DraftsOfHostCode, HaveEachQuestionAboveItsField) {
  const std::string made = draft(R"raw(
__global__ void k(float* x, int n) { extern __shared__ float tile[]; tile[0] = 0; x[n] = tile[0]; }
void run(float* x, int n) { k<<<blocks_of(n), 128, bytes_of(n)>>>(x, n); }
)raw");
  EXPECT_THAT(made,
              HasSubstr("blocks_of(n), which is not understood\n    \"grid\": \"???\",\n    \"block\": [\"128\"],\n"
                        "    // ??? How many bytes of shared memory does a block get? The launch says "
                        "bytes_of(n), which is not understood\n    \"shared\": \"???\"\n"));
}

TEST_F(DraftsOfHostCode, NameTheSchema) {
  write("kernel.cu", "__global__ void k(float* y) { *y = 1; }\nvoid run() { k<<<1, 1>>>(y); }\n");
  const auto made = draft_of(folder_ / "kernel.cu", folder_ / "job.json", "", {}, "/usr/share/job.schema.json");
  EXPECT_THAT(made.text, HasSubstr("\n  \"$schema\": \"/usr/share/job.schema.json\",\n"));
  EXPECT_EQ(refusal(made.text), "none");
}

}  // namespace
}  // namespace warpwright::job
