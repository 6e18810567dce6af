// Tests of drafts from host code as public programs have it: macros around pointers, parts of a buffer, derived sizes.
#include <gmock/gmock.h>

#include "kernels/job/draft.hpp"
#include "kernels/job/job_fixture.hpp"

namespace warpwright::job {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class DraftsOfPublicCode : public JobFiles {};

TEST_F(DraftsOfPublicCode, SeeStoresThroughMacros) {
  const std::string text = R"raw(
#define IN(x, y) d_in[(y) * width + (x)]
#define OUT(x, y) (d_out[(y) * width + (x)])
#define TWICE(x) (2 * d_sums[x] + d_sums[0])
__global__ void k(const float* d_in, float* d_out, float* d_sums, int width) {
  OUT(threadIdx.x, blockIdx.x) = IN(threadIdx.x, 0) + TWICE(1);
}
void run() { k<<<width, 64>>>(in, out, sums, width); }
)raw";
  const std::string made = draft(text);
  EXPECT_THAT(made, AllOf(HasSubstr(R"raw("d_in": {"role": "in")raw"), HasSubstr(R"raw("d_out": {"role": "out")raw")));
  EXPECT_THAT(made, HasSubstr("??? Is it inout, out or scratch (what the kernel does with it was not seen)"));
  EXPECT_THAT(draft(with(text, "= IN(", "+= IN(")), HasSubstr(R"raw("d_out": {"role": "inout")raw"));
}

TEST_F(DraftsOfPublicCode, SeeUsesThroughMacrosThatTakeThePointer) {
  const std::string made = draft(R"raw(
#define GET(a, i) a[i]
__global__ void k(float* in, float* out, float* state, int n) {
  float* mine = &GET(state, threadIdx.x);
  GET(out, threadIdx.x) = 2 * GET(in, n);
  *mine = 1;
}
void run() { k<<<n, 64>>>(in, out, state, n); }
)raw");
  EXPECT_THAT(made, AllOf(HasSubstr(R"raw("in": {"role": "in")raw"), HasSubstr(R"raw("out": {"role": "out")raw"),
                          HasSubstr(R"raw("state": {"role": "out")raw")));
}

TEST_F(DraftsOfPublicCode, PassPartsOfABufferAsOffsets) {
  const std::string made = draft(R"raw(
__global__ void k(const double* x, const double* y, const double* z, double* out, int n) {
  out[threadIdx.x] = x[threadIdx.x] + y[threadIdx.x] + z[n];
}
void run(int n) {
  const int vol = n * n;
  cudaMalloc(&d_all, 9 * vol * sizeof(double));
  k<<<n, 64>>>(d_all, d_all + 3 * vol, &d_all[6 * vol], d_out, n);
}
)raw");
  EXPECT_THAT(made, HasSubstr(R"raw("arguments": ["x", {"buffer": "x", "offset": "3 * (n * n)"}, )raw"
                              R"raw({"buffer": "x", "offset": "6 * (n * n)"}, "out", "n"])raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("x": {"role": "in", "type": "double", "count": "9 * n * n"})raw"));
  EXPECT_THAT(made, Not(HasSubstr(R"raw("y":)raw")));
}

TEST_F(DraftsOfPublicCode, MakeNoExtentsOfWhatTheHostComputesFromOthers) {
  const std::string made = draft(R"raw(
__global__ void k(size_t all, int each, float* x, const float* gain, int radius, int dims) {
  if (threadIdx.x < all) x[threadIdx.x] = gain[threadIdx.x / each] * radius * dims;
}
void run(int each, int items) {
  const size_t all = (size_t)each * items;
  const int radius = 3;
  cudaMalloc(&x, all * sizeof(float));
  cudaMalloc(&gain, items * sizeof(float));
  k<<<(all + 255) / 256, 256>>>(all, each, x, gain, radius, 2);
}
)raw");
  EXPECT_THAT(made, HasSubstr(R"raw("extents": ["each", "items"])raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("arguments": ["(each * items)", "each", "x", "gain", "3", "2"])raw"));
  EXPECT_THAT(made, HasSubstr(R"raw("count": "each * items")raw"));
  EXPECT_EQ(refusal(made), "none");
}

TEST_F(DraftsOfPublicCode, OfferALiteralBlockIfTheKernelAsksForItsSize) {
  const std::string text = R"raw(
__global__ void k(float* x, int rows, int columns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < columns && j < rows) x[j * columns + i] = SIZE;
}
void run(int rows, int columns) {
  dim3 grid((columns + 31) / 32, (rows + 7) / 8);
  k<<<grid, dim3(32, 8)>>>(x, rows, columns);
}
)raw";
  const std::string made = draft(with(text, "SIZE", "1"));
  EXPECT_THAT(made, AllOf(HasSubstr(R"raw("block_x": {"values": [16, 32, 64], "default": 32, "as": "plan"})raw"),
                          HasSubstr(R"raw("block_y": {"values": [4, 8, 16], "default": 8, "as": "plan"})raw"),
                          HasSubstr(R"raw("block": ["block_x", "block_y"])raw"),
                          HasSubstr(R"raw("(columns + (block_x - 1)) / block_x")raw")));
  EXPECT_EQ(refusal(made), "none");
  EXPECT_THAT(draft(with(text, "SIZE", "32")), HasSubstr(R"raw("block": ["32", "block_y"])raw"))
      << "the kernel may mean the size of its block";
}

TEST_F(DraftsOfPublicCode, OfferAFunctionOfTheCpuWithTheSameParameters) {
  const std::string text = R"raw(
template <int R> void reference(float* in, float* out, int n) { out[0] = in[0] * R; }
void launch(const float* in, float* out, int n);
template <int R> __global__ void k(const float* in, float* out, int n) {
  if (threadIdx.x < n) out[threadIdx.x] = in[threadIdx.x] * R;
}
void launch(const float* in, float* out, int n) { k<3><<<n, 128>>>(in, out, n); }
)raw";
  const std::string made = draft(text);
  EXPECT_THAT(made,
              AllOf(HasSubstr("// ??? Does this function of the CPU compute the right answers?"),
                    HasSubstr(R"raw("oracle": {"function": "reference<3>", "arguments": ["in", "out", "n"]})raw")));
  EXPECT_EQ(refusal(made), "none");
  EXPECT_THAT(draft(with(text, "float* in, float* out, int n) { out[0]", "float* in, int n) { in[0]")),
              HasSubstr(R"raw("oracle": "default")raw"));
}

TEST_F(DraftsOfPublicCode, AskThatEveryDivisionIsExact) {
  const std::string made = draft(R"raw(
#define TX 16
__global__ void k(float* x, int w, int h) { if (threadIdx.x < w) x[threadIdx.x] = h; }
void run(float* x, int w, int h) { k<<<w / TX * h / 8, 128>>>(x, w, h); }
)raw");
  EXPECT_THAT(made, HasSubstr(R"raw("takes": ["w % 16 == 0", "(w / 16 * h) % 8 == 0"])raw"));
  EXPECT_EQ(refusal(made), "none");
}

TEST_F(DraftsOfPublicCode, KnowTheSizeOfAWarp) {
  const std::string made = draft(R"raw(
#define THREADS_PER_WARP 32
__global__ void k(float* x, int n) { if (threadIdx.x / THREADS_PER_WARP < n) x[threadIdx.x] = 1; }
void run(float* x, int n, int warp_size, int block_size) { k<<<ceil_div(n * warp_size, block_size), block_size>>>(x, n); }
)raw");
  EXPECT_THAT(made, AllOf(HasSubstr(R"raw("extents": ["n"])raw"),
                          HasSubstr(R"raw("grid": ["ceil_div(n * 32, block_size)"])raw"),
                          Not(HasSubstr("THREADS_PER_WARP\":"))));
}

TEST_F(DraftsOfPublicCode, TakeTheTypeOfATemplateFromThePointersOfTheLaunch) {
  const std::string kernel = R"raw(
template <typename T> __global__ void k(const T* x, T* y, int n) { y[threadIdx.x] = x[n]; }
)raw";
  const std::string of_template = draft(kernel + R"raw(
template <typename T> void run(int n) {
  size_t bytes = n * sizeof(T);
  T *d_x, *d_y;
  CHECK(cudaMalloc((void **)&d_x, bytes));
  CHECK(cudaMalloc((void **)&d_y, bytes));
  k<<<n / 64, 64>>>(d_x, d_y, n);
}
int main() { run<double>(1 << 20); run<float>(1 << 20); }
)raw");
  EXPECT_THAT(of_template, AllOf(HasSubstr(R"raw("template": ["double"])raw"), Not(HasSubstr("Which type is T?")),
                                 HasSubstr(R"raw("x": {"role": "in", "type": "double", "count": "n"})raw")));
  const std::string plain = draft(kernel + "void run(int n) { double *d_x, *d_y; k<<<n, 64>>>(d_x, d_y, n); }\n");
  EXPECT_THAT(plain, AllOf(HasSubstr(R"raw("template": ["double"])raw"), Not(HasSubstr("Which type is T?"))));
  EXPECT_THAT(draft(kernel + "void run(int n) { k<<<n, 64>>>(d_x, d_y, n); }\n"), HasSubstr("Which type is T?"));
}

TEST_F(DraftsOfPublicCode, TakeSizesThatCallersAllocate) {
  const std::string made = draft(R"raw(
__global__ void k(float* out, const int* which, const float* table, int B, int C) { out[C] = table[which[B]]; }
void gather1(float* out, const int* which, const float* table, int B, int C, const int block) {
  k<<<B, block>>>(out, which, table, B, C);
}
void gather(int number, float* out, const int* inp, const float* table, int B, int C, int block) {
  gather1(out, inp, table, B, C, block);
}
int main() {
  int rows = 64, V = 50257, C = 768;
  float *d_out, *d_table;
  int* d_inp;
  size_t bytes = V * C * sizeof(float);
  check(cudaMalloc(&d_out, rows * C * sizeof(float)));
  check(cudaMalloc(&d_inp, rows * sizeof(int)));
  check(cudaMalloc(&d_table, bytes));
  gather(1, d_out, d_inp, d_table, rows, C, 256);
}
)raw");
  EXPECT_THAT(made, AllOf(HasSubstr(R"raw("out": {"role": "out", "type": "float", "count": "B * C"})raw"),
                          HasSubstr(R"raw("which": {"role": "in", "type": "int", "count": "B"})raw"),
                          HasSubstr(R"raw("table": {"role": "in", "type": "float", "count": "50257 * C"})raw")));
}

TEST_F(DraftsOfPublicCode, OfferOtherNumbersOfUnrolledRounds) {
  const std::string made = draft(R"raw(
template <int UNROLL, int RADIUS> __global__ void k(float* y, int n) {
#pragma unroll UNROLL
  for (int i = 0; i < n; ++i) y[i] = RADIUS;
}
void run() { k<4, 3><<<n, 64>>>(y, n); }
)raw");
  EXPECT_THAT(made, AllOf(HasSubstr(R"raw("UNROLL": {"values": [1, 2, 4, 8], "default": 4)raw"),
                          HasSubstr(R"raw("RADIUS": {"values": [3])raw")));
}

TEST_F(DraftsOfPublicCode, KnowTheMembersOfStructsWithFunctions) {
  const std::string text = R"raw(
struct Body {
 public:
  __host__ __device__ Body() : place{}, mass(0) {};
  explicit Body(float m);
  __device__ float weight() const { return mass * 9.81f; }
  float place[3];
 private:
  float mass;
};
__global__ void k(Body* p, int n) { if (threadIdx.x < n) p[threadIdx.x].place[0] += 1; }
void run(int n) { Body* p; cudaMalloc((void**)&p, sizeof(Body) * n); k<<<n / 64, 64>>>(p, n); }
)raw";
  EXPECT_THAT(draft(text), HasSubstr(R"raw("p": {"role": "inout", "type": "float", "count": "4 * n")raw"));
  EXPECT_THAT(draft(with(text, "explicit", "virtual")), Not(HasSubstr("4 * n"))) << "it has a place for a pointer";
}

TEST_F(DraftsOfPublicCode, TakeTypesThatAreMacrosWithSeveralDefinitions) {
  write("types.h", R"raw(
#ifdef SINGLE
#define REAL float
#define PLACE float4
#else
#define REAL double
#define PLACE double4
#endif
)raw");
  const std::string made = draft(R"raw(#include "types.h"
__global__ void k(const PLACE* x, REAL* y, int n, const REAL factor) { y[threadIdx.x] = factor * x[n].x; }
void run(int n) { k<<<n, 64>>>(x, y, n, 1.5); }
)raw");
  EXPECT_THAT(made, AllOf(HasSubstr(R"raw("x": {"role": "in", "type": "double4")raw"),
                          HasSubstr(R"raw("y": {"role": "out", "type": "double")raw")));
}

}  // namespace
}  // namespace warpwright::job
