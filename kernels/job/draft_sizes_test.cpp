// Tests of drafts from host code: loops around launches, sizes that only the grid gets, sizes of vectors, dim3.
#include <gmock/gmock.h>

#include "kernels/job/job_fixture.hpp"

namespace warpwright::job {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class DraftsOfSizes : public JobFiles {};

TEST_F(DraftsOfSizes, RepeatALaunchInALoopThatGetsItsVariable) {
  const std::string text = R"raw(
__global__ void step(int* dist, int k, int n) {
  const int j = blockIdx.x * 64 + threadIdx.x;
  if (j < n) dist[blockIdx.y * n + j] = min(dist[blockIdx.y * n + j], dist[blockIdx.y * n + k] + dist[k * n + j]);
}
int main() {
  const int n = 1024;
  int* d;
  cudaMalloc(&d, n * n * sizeof(int));
  for (int k = 0; k < n; ++k) step<<<dim3((n + 63) / 64, n), 64>>>(d, k, n);
}
)raw";
  const std::string made = draft(text);
  EXPECT_THAT(made, AllOf(HasSubstr(R"raw("extents": ["n"])raw"), HasSubstr(R"raw("arguments": ["dist", "k", "n"])raw"),
                          HasSubstr(R"raw("repeat": "n", "index": "k", "steps": [{)raw")));
  EXPECT_EQ(refusal(made), "none");
  EXPECT_THAT(draft(with(text, "++k", "k += 2")), Not(HasSubstr("repeat")));
  EXPECT_THAT(draft(with(text, "(d, k, n)", "(d, 0, n)")), Not(HasSubstr("repeat"))) << "a loop for timing";
  const std::string open = draft(with(text, "k < n", "k < count(n)"));
  EXPECT_THAT(open, HasSubstr(R"raw("repeat": "???")raw"));
  EXPECT_THAT(refusal(open), HasSubstr("How often does the loop run?"));
}

TEST_F(DraftsOfSizes, AskForValuesThatALoopChangesAndAddNoRuleThatTheHostCodeBreaks) {
  const std::string made = draft(R"raw(
__global__ void stage(const float* in, float* out, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n / 2) out[2 * i] = in[i] * m;
}
int main() {
  int n = 1024, threads = 256;
  float *a, *b;
  cudaMalloc(&a, n * sizeof(float));
  cudaMalloc(&b, n * sizeof(float));
  for (int m = 1; m < n; m *= 2) stage<<<(n / 2 + threads - 1) / threads, threads>>>(a, b, n, m);
}
)raw");
  EXPECT_THAT(made,
              AllOf(HasSubstr("// ??? Which values does m take? The host code changes it in a loop around the launch"),
                    Not(HasSubstr("\"takes\"")), Not(HasSubstr("repeat"))));
  EXPECT_EQ(refusal(made), "none");
}

TEST_F(DraftsOfSizes, NameSizesThatOnlyTheGridGets) {
  const std::string made = draft(R"raw(
__global__ void sort_rows(const float* keys, float* sorted, int cols) { sorted[blockIdx.x * cols] = keys[blockIdx.x * cols]; }
int main() {
  int rows = 2048, cols = 1000, threads = 256;
  const size_t bytes = sizeof(float) * rows * cols;
  float *keys, *sorted;
  cudaMalloc(&keys, bytes);
  cudaMalloc(&sorted, bytes);
  sort_rows<<<rows, threads>>>(keys, sorted, cols);
}
)raw");
  EXPECT_THAT(made, AllOf(HasSubstr("\"rows\""), HasSubstr(R"raw("count": "rows * cols")raw"),
                          HasSubstr(R"raw("grid": ["rows"])raw"), Not(HasSubstr("2048 *")), HasSubstr("2048")));
  EXPECT_EQ(refusal(made), "none");
}

TEST_F(DraftsOfSizes, KeepNumbersThatDependOnSizes) {
  const std::string made = draft(R"raw(
__global__ void plot(int* image, int width, float left, float step) { image[threadIdx.x] = left + step * width; }
int main() {
  int width = 1920;
  float left = -2.0f, step = 3.0f / width;
  int* image;
  cudaMalloc(&image, width * sizeof(int));
  plot<<<(width + 127) / 128, 128>>>(image, width, left, step);
}
)raw");
  EXPECT_THAT(made, HasSubstr(R"raw("arguments": ["image", "width", -2, "(3.0 / width)"])raw"));
  EXPECT_EQ(refusal(made), "none");
}

TEST_F(DraftsOfSizes, TakeSizesOfVectors) {
  const std::string made = draft(R"raw(
#include <vector>
template <int N> __global__ void lu(float* a, int batch) { a[blockIdx.x * N * N] = batch; }
int main() {
  constexpr int n = 16;
  const int batch = 4096;
  std::vector<float> host(static_cast<size_t>(batch) * n * n), other(7);
  float* a;
  cudaMalloc(&a, host.size() * sizeof(float));
  lu<n><<<batch, 64>>>(a, batch);
}
)raw");
  EXPECT_THAT(made, AllOf(HasSubstr("\"role\": \"out\""), HasSubstr(R"raw("count": "batch * 16 * 16")raw")));
}

TEST_F(DraftsOfSizes, TakeDim3Arguments) {
  const std::string made = draft(R"raw(
#include <cuda_runtime.h>
__global__ void lum(const uchar4* in, float* out, dim3 size) {
  const unsigned x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < size.x && blockIdx.y < size.y) out[blockIdx.y * size.x + x] = in[blockIdx.y * size.x + x].y;
}
int main() {
  int w = 640, h = 480;
  uchar4* in; float* out;
  cudaMalloc(&in, w * h * sizeof(uchar4)); cudaMalloc(&out, w * h * sizeof(float));
  dim3 size(w, h);
  lum<<<dim3((w + 127) / 128, h), 128>>>(in, out, size);
}
)raw");
  EXPECT_THAT(made,
              AllOf(HasSubstr(R"raw(["in", "out", {"type": "dim3", "values": ["w", "h", 1]}])raw"),
                    HasSubstr(R"raw("count": "w * h")raw"), HasSubstr("[[640, 480]]"), HasSubstr(R"raw("h"])raw")));
  EXPECT_EQ(refusal(made), "none");
}

}  // namespace
}  // namespace warpwright::job
