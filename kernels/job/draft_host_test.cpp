// Tests of what drafts take from host code: allocations, callers, constants, and what they leave open.
#include <gmock/gmock.h>

#include "kernels/job/draft.hpp"
#include "kernels/job/job_fixture.hpp"

namespace warpwright::job {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class DraftsOfHostCode : public JobFiles {
 protected:
  std::string draft(const std::string& text) {
    return draft_of(write("kernel.cu", text), folder_ / "kernel.json").text;
  }
};

TEST_F(DraftsOfHostCode, LeaveOpenWhatIsNotUnderstoodAndAreRefusedWithTheQuestion) {
  const std::string made = draft(R"raw(
template <int N> __global__ void k(float* x, int n, float a) { if (threadIdx.x < n) x[threadIdx.x] = a * N; }
)raw");
  EXPECT_THAT(made, AllOf(HasSubstr("// ??? How many blocks has the grid? The file has no launch of this kernel"),
                          HasSubstr(R"raw("grid": "???")raw"), HasSubstr(R"raw("block": "???")raw"),
                          HasSubstr("// ??? At which values is it tuned? No launch says one"),
                          HasSubstr(R"raw("N": {"values": ["???"], "as": "template"})raw")));
  EXPECT_THAT(refusal(made),
              HasSubstr("\"values\" is still open: write a value for ???. At which values is it tuned?"));
  const std::string odd = draft(R"raw(
__global__ void k(float* x, int n) { if (threadIdx.x < n) x[threadIdx.x] = 1; }
void run() { k<<<blocks_for(n), 128>>>(x, n); }
)raw");
  EXPECT_THAT(odd, AllOf(HasSubstr("??? How many blocks has the grid? The launch says blocks_for(n), which is not"),
                         HasSubstr(R"raw("grid": "???")raw"), HasSubstr(R"raw("block": ["128"])raw")));
  EXPECT_THAT(refusal(odd), HasSubstr("\"grid\" is still open: write a value for ???. How many blocks has the grid?"));
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
                  Not(HasSubstr("float stands for it"))));
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

TEST_F(DraftsOfHostCode, MakeNoExtentsOfPitchesAndCountsOfTheMachine) {
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
  EXPECT_THAT(other, AllOf(HasSubstr(R"raw("extents": ["width", "height"])raw"), HasSubstr(R"raw("grid": "???")raw"),
                           HasSubstr("??? What is passed for blocks (2*sms)? It was not understood")));
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
  const std::string& source = job.sources.at("kernel.cu");
  EXPECT_THAT(source, HasSubstr("constexpr int kWide = WARPWRIGHT_PARAM_kWide;"));
  EXPECT_THAT(source, HasSubstr("kHigh{WARPWRIGHT_PARAM_kHigh}"));
  EXPECT_THAT(source, HasSubstr("kRadius = WARPWRIGHT_PARAM_kRadius;"));
  const Plan plan = plan_of(job, "{.kWide = 16}", {64});
  EXPECT_EQ(plan.definitions.at("WARPWRIGHT_PARAM_kWide"), "16");
  EXPECT_EQ(plan.definitions.at("WARPWRIGHT_PARAM_kRadius"), "2");
}

TEST_F(DraftsOfHostCode, TakeANumberOfTheLaunchForTheParamOfItsValue) {
  const std::string made = draft(R"raw(
template <int BLOCK> __global__ void k(float* y, int n) { y[0] = BLOCK; }
void run() { k<128><<<(n + 127) / 128, 128, 128 * sizeof(float)>>>(y, n); }
)raw");
  EXPECT_THAT(made, AllOf(HasSubstr("// In it, 128 is taken for BLOCK"),
                          HasSubstr(R"raw("grid": ["(n + (BLOCK - 1)) / BLOCK"])raw"),
                          HasSubstr(R"raw("block": ["BLOCK"], "shared": "BLOCK * 4")raw"),
                          HasSubstr(R"raw("BLOCK": {"values": [64, 128, 256], "default": 128)raw")));
  const std::string twice = draft(R"raw(
template <int A, int B> __global__ void k(float* y, int n) { y[0] = A * B; }
void run() { k<128, 128><<<n, 128>>>(y, n); }
)raw");
  EXPECT_THAT(twice, AllOf(HasSubstr(R"raw("block": ["128"])raw"), HasSubstr(R"raw("A": {"values": [128])raw")))
      << "either may be meant";
}

TEST_F(DraftsOfHostCode, NameTheSchema) {
  write("kernel.cu", "__global__ void k(float* y) { *y = 1; }\nvoid run() { k<<<1, 1>>>(y); }\n");
  const auto made = draft_of(folder_ / "kernel.cu", folder_ / "job.json", "", {}, "/usr/share/job.schema.json");
  EXPECT_THAT(made.text, HasSubstr("\n  \"$schema\": \"/usr/share/job.schema.json\",\n"));
  EXPECT_EQ(refusal(made.text), "none");
}

}  // namespace
}  // namespace warpwright::job
