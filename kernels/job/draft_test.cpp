// Tests of drafts: they can be parsed, and they contain what the source says.
#include "kernels/job/draft.hpp"

#include <gmock/gmock.h>

#include <sstream>

#include "kernels/job/job_fixture.hpp"

namespace warpwright::job {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Drafts : public JobFiles {};

TEST_F(Drafts, CanBeLoweredAsTheyAre) {
  const std::string launched =
      std::string(kScaleText) + "void run() { scaled<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(y, x, n); }\n";
  const Lowered job = lowered(draft(launched));
  EXPECT_EQ(job.pattern.extents, std::vector<std::string>{"n"});
  EXPECT_EQ(points(job), 3U) << "block sizes; the launch says nothing of the other macro";
  EXPECT_EQ(job.pattern.caveats.size(), 2U);
}

TEST_F(Drafts, TakeTheLaunchOfTheHostCode) {
  const std::string made = draft(R"raw(
#define BX 32
#define BY 4
__global__ void other(int* p) { *p = 1; }
template <class T, int N>
__global__ void turned(T* out, const float4* in, int rows, int columns, float factor) { out[0] = in[rows * columns].x * factor * N * BX * BY; }
int main() {
  int grid = 7;
  turned<float, 4><<<dim3(7, 8), dim3(BX, BY)>>>(a, b, 1, 2, 0.5f);
}
)raw");
  EXPECT_THAT(made, HasSubstr(R"raw("kernel": "turned")raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("template": ["float", "N"])raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("grid": ["7", "8"])raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("block": ["BX", "BY"])raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("extents": ["rows", "columns"])raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("BX": {"values": [16, 32, 64], "default": 32})raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("in": {"role": "in", "type": "float4", "count": "rows * columns"})raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("arguments": ["out", "in", "rows", "columns", 0.5])raw"));
}

constexpr const char* kTwoSums = R"raw(
typedef float real;
#define CEIL_DIV(a, b) (((a) + (b)-1) / (b))
__constant__ real weights[3 * 3];
const int ROWS = 4;
__global__ void plain(real* out, real* in, int N, int C, real scale) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < N) for (int c = 0; c < C; ++c) out[row] = scale * in[row * C + c];
}
template <int WIDTH>
__global__ void fast(real* out, real* in, int N, int C, real scale) {
  const int block_size_x = 1;  // no macro from outside
  real* mine = out + blockIdx.x * block_size_x;
  mine[0] = scale * in[C * WIDTH] * weights[0];
}
void run_plain(real* d_out, real* d_in, int rows, int C, int block_size) {
  const int grid_size = CEIL_DIV(rows, block_size);
  plain<<<grid_size, block_size, 4 * block_size>>>(d_out, d_in, rows, C, 2.0f);
}
void run_fast(real* d_out, real* d_in, int rows, int C, const int block_size) {
  const unsigned int WIDTH = 8;
  dim3 grid(rows / ROWS, (C + 1) / 2), block(32, block_size / 32);
  size_t bytes = 2 * block_size * sizeof(real);
  fast<WIDTH><<<grid, block, bytes>>>(d_out, d_in, rows, C, 0.5f);
}
)raw";

TEST_F(Drafts, FollowTheVariablesOfTheHostCode) {
  const std::string made = draft_of(write("sums.cu", kTwoSums), folder_ / "job.json", "fast").text;
  EXPECT_THAT(made, HasSubstr(R"raw("extents": ["N", "C"])raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("WIDTH": {"values": [8], "default": 8, "as": "template"})raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("block_size": {"values": [64, 128, 256], "default": 256, "as": "plan"})raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("grid": ["N / 4", "(C + 1) / 2"])raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("block": ["32", "block_size / 32"])raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("shared": "(2 * block_size * 4)")raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("takes": ["N % 4 == 0"])raw")) << "it is rounded down";
  EXPECT_THAT(made, Not(HasSubstr("((C + 1) / 2) % 1"))) << "this one is not";
  EXPECT_THAT(made, HasSubstr(R"raw("arguments": ["out", "in", "N", "C", 0.5])raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("weights": {"role": "constant", "type": "float", "count": 9)raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("out": {"role": "out", "type": "float")raw")) << "through a pointer made of it";
  EXPECT_THAT(made, HasSubstr(R"raw("in": {"role": "in", "type": "float")raw")) << "it is only read";
  EXPECT_THAT(made, HasSubstr(R"raw("oracle": {"kernel": "plain")raw"));
  EXPECT_THAT(
      made,
      HasSubstr(R"raw("grid": ["ceil_div(N, block_size)"], "block": ["block_size"], "shared": "4 * block_size"})raw"));
  const Lowered job = lowered(made);
  EXPECT_EQ(points(job), 3U);
  EXPECT_EQ(job.pattern.caveats.size(), 1U) << "the bound alone";
}

TEST_F(Drafts, ReadNumbersAsCppSpellsThem) {
  const auto arguments = [&](const std::string& given, const std::string& before = "") {
    const std::string made = draft("__global__ void k(float* out, float a) { *out = a; }\nvoid run() { " + before +
                                   " k<<<1, 32>>>(out, " + given + "); }\n");
    const auto at = made.find("\"arguments\": [\"out\", ") + 21;
    return made.substr(at, made.find(']', at) - at) +
           (made.find("What is passed for a") != std::string::npos ? " asks" : "");
  };
  EXPECT_EQ(arguments("1e-5f"), "1e-05");
  EXPECT_EQ(arguments("1.f"), "1");
  EXPECT_EQ(arguments("-.5F"), "-0.5");
  EXPECT_EQ(arguments("1e6"), "1000000");
  EXPECT_EQ(arguments("0x1F"), "31");
  EXPECT_EQ(arguments("3u"), "3");
  EXPECT_EQ(arguments("1 << 20"), "1048576");
  EXPECT_EQ(arguments("1'000"), "1000");
  EXPECT_EQ(arguments("1.0f / 4"), "0.25");
  EXPECT_EQ(arguments("true"), "1");
  EXPECT_EQ(arguments("alpha", "const float alpha = 2.5f;"), "2.5");
  EXPECT_EQ(arguments("alpha", "const float alpha{2.5f};"), "2.5");
  EXPECT_EQ(arguments("1.0f / 0"), "\"???\" asks") << "no number of JSON";
  EXPECT_EQ(arguments("get_alpha()"), "\"???\" asks");
  const std::string masked = draft(
      "__global__ void k(int* out, int n, unsigned mask) { out[n] = mask; }\n"
      "void run() { k<<<1, 32>>>(out, 1024, 0xFF00u); }\n");
  EXPECT_THAT(masked, HasSubstr(R"raw("extents": ["n"])raw")) << "a mask is no size";
  EXPECT_THAT(masked, HasSubstr(R"raw("arguments": ["out", "n", "65280"])raw"));
  const std::string of_64_bits = draft(
      "#define BASIS 0xcbf29ce484222325ULL\n"
      "__global__ void k(unsigned long long* out) { *out = BASIS; }\nvoid run() { int threads{64}; k<<<1, "
      "threads>>>(out); }\n");
  EXPECT_THAT(of_64_bits, Not(HasSubstr("922337203685477580")));
  EXPECT_THAT(of_64_bits, HasSubstr(R"raw("block": ["64"])raw"));
}

TEST_F(Drafts, MakeParamsOfMacrosThatOnlyTheHostUses) {
  const std::string made = draft(R"raw(
#define THREADS 128
#define ROWS (2 * THREADS)
#define UNUSED 3
#define MASK 0xFF
#define OTHER_MASK (1 | 0X100)
#define SIDE 16
#define AREA (SIDE * SIDE)
__global__ void one(float* out, int n) { if (blockIdx.x * blockDim.x + threadIdx.x < n) out[blockIdx.x * blockDim.x + threadIdx.x] = SIDE & MASK & OTHER_MASK; }
void run() { one<<<(n + ROWS - 1) / ROWS * 0x2 * AREA, THREADS>>>(out, n); }
)raw");
  EXPECT_THAT(made, HasSubstr(R"raw("THREADS": {"values": [64, 128, 256], "default": 128, "as": "plan"})raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("block": ["THREADS"])raw"));
  EXPECT_THAT(made, Not(HasSubstr("ROWS\"")));
  EXPECT_THAT(made, Not(HasSubstr("UNUSED")));
  EXPECT_THAT(made, Not(HasSubstr("MASK"))) << "hexadecimal digits are no size";
  EXPECT_EQ(lowered(made).pattern.extents, std::vector<std::string>{"n"});
}

TEST_F(Drafts, ReadTheMembersOfABlockAndHaveNoBoundForIntegers) {
  const std::string made = draft(R"raw(
__global__ void gray(const uchar4* const rgba, unsigned char* const out, int rows, int columns) { out[rows] = rgba[columns].x; }
void run(const uchar4* a, unsigned char* b, size_t numRows, size_t numCols) {
  const dim3 blockSize(32, 8);
  const dim3 gridSize((numCols + blockSize.x - 1) / blockSize.x, (numRows + blockSize.y - 1) / blockSize.y, blockSize.z);
  gray<<<gridSize, blockSize>>>(a, b, numRows, numCols);
}
)raw");
  EXPECT_THAT(made, HasSubstr(R"raw("grid": ["(columns + 32 - 1) / 32", "(rows + 8 - 1) / 8"])raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("rgba": {"role": "in", "type": "uchar4")raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("bound": "equal")raw"));
  EXPECT_EQ(lowered(made).pattern.caveats.size(), 1U) << "that there is no oracle";
}

TEST_F(Drafts, HaveTheMembersOfStructs) {
  const std::string text = R"raw(
struct Params { int rows, cols; float slope = 1.0f; bool clamp; };
__global__ void activate(float* data, const Params p) { if (threadIdx.x < p.rows * p.cols) data[threadIdx.x] *= p.slope; }
void run(float* d, int r) { const int c = 768; LAUNCH activate<<<r * c / 256, 256>>>(d, params); }
)raw";
  const auto made = [&](const std::string& launch) {
    std::string one = text;
    return draft(one.replace(one.find("LAUNCH"), 6, launch));
  };
  const std::string braces = made("Params params{r, c, 0.125f, true};");
  EXPECT_THAT(braces, HasSubstr(R"raw("extents": ["rows", "cols"])raw"));
  EXPECT_THAT(braces, HasSubstr(R"raw({"type": "Params", "members": [{"type": "int", "value": "rows"}, )raw"
                                R"raw({"type": "int", "value": "cols"}, {"type": "float", "value": 0.125}, )raw"
                                R"raw({"type": "bool", "value": 1}]})raw"));
  EXPECT_THAT(braces, HasSubstr(R"raw("grid": ["rows * cols / 256"])raw"));
  EXPECT_THAT(braces, Not(HasSubstr("not understood")));
  EXPECT_EQ(lowered(braces).pattern.extents, (std::vector<std::string>{"rows", "cols"}));
  const std::string twice = made("Params params{r, 2 * r, 0.125f, true};");
  EXPECT_THAT(twice, HasSubstr(R"raw({"type": "int", "value": "2 * rows"})raw")) << "as a parameter is";
  for (const char* other : {"Params params = {.rows = r, .cols = c, .slope = 0.125f, .clamp = true};",
                            "Params params; params.rows = r; params.cols = c; params.slope = .125; params.clamp = 1;",
                            "auto params = Params{r, c, 0.125f, true};"})
    EXPECT_EQ(made(other), braces) << other;
  EXPECT_THAT(made("Params params = defaults();"),
              HasSubstr("??? What is passed for slope, clamp? The expression in the host code was not understood"));
}

TEST_F(Drafts, DoNotGuessTheMembersOfAStructWithABase) {
  const std::string made = draft(R"raw(
struct Base { int rows; };
struct Params : Base { int cols; };
__global__ void fill(float* data, const Params p) { if (threadIdx.x < p.rows * p.cols) data[threadIdx.x] = 1; }
void run(float* d, int r) { Params params; params.cols = r; fill<<<1, 256>>>(d, params); }
)raw");
  EXPECT_THAT(made, Not(HasSubstr("\"members\"")));
  EXPECT_THAT(made, HasSubstr("not understood"));
}

TEST_F(Drafts, ReadLaunchesThatAreCalls) {
  const std::string made = draft(R"raw(
#include <cooperative_groups.h>
template <int N> __global__ void spread(float a, float* x, int n) { cooperative_groups::this_grid().sync(); if (threadIdx.x < n) x[threadIdx.x] = a * N; }
int main() {
  float a = 2.5f; float* x; int n = 1 << 20;
  void* args[] = {(void*)&a, (void *)&x, &n};
  dim3 blocks(64), threads(256, 2);
  cudaLaunchCooperativeKernel((void*)spread<4>, blocks, threads, args, 4 * 256, stream);
}
)raw");
  EXPECT_THAT(made, HasSubstr(R"raw("template": ["N"])raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("N": {"values": [4])raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("arguments": [2.5, "x", "n"])raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("grid": ["64"])raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("block": ["256", "2"],
    "shared": "4 * 256",
    "cooperative": true)raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("shapes": [[1048576]])raw"));
  EXPECT_THAT(draft("__global__ void k(int* p) { *p = 1; }\nvoid run() { cudaLaunchKernel(&k, 3, dim3(32), args); }\n"),
              AllOf(HasSubstr(R"raw("grid": ["3"])raw"), Not(HasSubstr("cooperative"))));
}

TEST_F(Drafts, TakeNoTypesOfTheTemplateAroundTheLaunch) {
  const std::string made = draft(R"raw(
template <class T, int N> __global__ void k(T* y, int n) { if (threadIdx.x < n) y[threadIdx.x] = N; }
template <typename T> void run(T* y, int n) { k<T, 8><<<1, 32, 32 * sizeof(T)>>>(y, n); }
)raw");
  EXPECT_THAT(made, HasSubstr(R"raw("shared": "32 * 4")raw"));
  EXPECT_THAT(made, Not(HasSubstr("not understood")));
  EXPECT_THAT(made, HasSubstr(R"raw("template": ["float", "N"])raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("N": {"values": [8])raw"));
  EXPECT_EQ(lowered(made).pattern.extents, std::vector<std::string>{"n"});
  EXPECT_THAT(
      draft("__global__ void k(int* p) { *p = 1; }\nvoid run() { k<<<1, 32, needed()>>>(p); }\n"),
      AllOf(HasSubstr("// ??? How many bytes of shared memory does a block get? The launch says needed(), which"),
            HasSubstr(R"raw("shared": "???")raw")));
}

TEST_F(Drafts, GiveAPitchTheWidthInTheHostCode) {
  const std::string made = draft(R"raw(
struct Image { int width, height, pitch; };
__global__ void k(float* y, Image p, int stride) { y[p.width * p.pitch + p.height] = stride; }
void run(float* y, int w, int h) { Image p; p.width = w; p.height = h; p.pitch = w; k<<<w, h>>>(y, p, w); }
)raw");
  EXPECT_THAT(made, HasSubstr(R"raw("extents": ["width", "height"])raw"));
  EXPECT_THAT(made, HasSubstr(R"raw({"type": "int", "value": "width"}]}, "width"])raw"));
}

TEST_F(Drafts, SearchHeadersInTheNamedFolders) {
  std::filesystem::create_directories(folder_ / "common");
  write("common/twice.cuh", "#define SIDE 4\n");
  const auto path = write("kernel.cu",
                          "#include \"twice.cuh\"\n__global__ void k(float* out) { out[SIDE] = 1; }\n"
                          "void run() { k<<<1, 32>>>(out); }\n");
  EXPECT_EQ(draft_of(path, folder_ / "job.json").missing.size(), 1U);
  const auto drafted = draft_of(path, folder_ / "job.json", "", {folder_ / "common"});
  EXPECT_TRUE(drafted.missing.empty());
  EXPECT_THAT(drafted.text, HasSubstr(R"raw("include": ["common"])raw"));
  EXPECT_TRUE(lowered(drafted.text).pattern.caveats.size() == 2U) << "nothing is left out";
}

TEST_F(Drafts, LeaveOutWhatOtherKernelsNeed) {
  const std::string text = R"raw(
#define OTHERS 4
__global__ void child(int* out) { out[threadIdx.x] = 1; }
__global__ void parent(int* out, int n) { child<<<1, n>>>(out); }
namespace inner { __global__ void leaf(float* out, int n) { out[n - 1] = 0; } }
__global__ void other(float* out) { out[OTHERS] = nowhere(); }
void run() { parent<<<1, 1>>>(out, 4); inner::leaf<<<2, 32>>>(out, n); }
)raw";
  const auto drafted = draft_of(write("kernel.cu", text), folder_ / "job.json");
  EXPECT_EQ(drafted.kernel, "child") << "what launches it is no kernel of a job";
  EXPECT_EQ(drafted.others, (std::vector<std::string>{"inner::leaf", "other"}));
  const std::string leaf = draft_of(folder_ / "kernel.cu", folder_ / "job.json", "leaf").text;
  EXPECT_THAT(leaf, HasSubstr(R"raw("grid": ["2"])raw"));
  EXPECT_THAT(leaf, Not(HasSubstr("OTHERS")));
  EXPECT_EQ(lowered(leaf).kernel.name, "inner__leaf");
  EXPECT_THROW(draft_of(folder_ / "kernel.cu", folder_ / "job.json", "parent"), JobError);
}

TEST_F(Drafts, ListHeadersThatWereNotFound) {
  const auto drafted =
      draft_of(write("kernel.cu", "#include \"no.h\"\n" + std::string(kTwoSums)), folder_ / "job.json");
  ASSERT_EQ(drafted.missing.size(), 1U);
  EXPECT_THAT(drafted.missing[0], HasSubstr("kernel.cu:1: \"no.h\""));
  EXPECT_EQ(drafted.kernel, "plain");
  EXPECT_EQ(drafted.others, std::vector<std::string>{"fast"});
  EXPECT_THAT(lowered(drafted.text).pattern.caveats.back(), HasSubstr("\"no.h\""));
}

TEST_F(Drafts, AskForTheSizeOfAnExternSharedArray) {
  const std::string kernel =
      "__global__ void k(float* x, int n) { extern __shared__ __align__(16) double part[]; part[0] = n; *x = part[0]; "
      "}\n";
  const std::string alone = draft(kernel);
  EXPECT_THAT(alone, AllOf(HasSubstr("no launch says its size"), HasSubstr(R"raw("shared": "???")raw")));
  const std::string forgotten = draft(kernel + "void run() { k<<<1, dim3(8, 2 + 2)>>>(x, n); }\n");
  EXPECT_THAT(forgotten, HasSubstr(R"raw("shared": "???")raw"));
  const std::string told = draft(kernel + "void run() { k<<<1, 32, 8 * 32>>>(x, n); }\n");
  EXPECT_THAT(told, AllOf(HasSubstr(R"raw("shared": "8 * 32")raw"), Not(HasSubstr("bytes of shared memory"))));
  EXPECT_THAT(
      draft("// extern __shared__ float no[];\n__global__ void k(float* x) { __shared__ float y[4]; *x = y[0]; }"),
      Not(HasSubstr("\"shared\"")));
}

TEST_F(Drafts, HaveAQuestionForEveryMark) {
  for (const std::string& made : {draft("__global__ void k(float* x, float* y, float a) { *x += *y * a; }"),
                                  draft_of(write("sums.cu", kTwoSums), folder_ / "job.json", "fast").text}) {
    std::istringstream lines(made);
    int marks = 0;
    for (std::string line; std::getline(lines, line);) {
      const std::size_t mark = line.find("// ??? ");
      marks += mark == std::string::npos ? 0 : 1;
      if (mark != std::string::npos) {
        EXPECT_NE(line.find('?', mark + 7), std::string::npos) << line;
      }
      EXPECT_TRUE(mark != std::string::npos || line.find("\"???\"") != std::string::npos ||
                  line.find("???") == std::string::npos || line.find("Drafted by") != std::string::npos)
          << line;
    }
    EXPECT_GE(marks, 4) << made;
  }
}

TEST_F(Drafts, NeedAKernel) {
  EXPECT_THROW(draft("int main() {}"), JobError);
}

}  // namespace
}  // namespace warpwright::job
