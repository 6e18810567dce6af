// Tests of textures of jobs: in plans and in drafts, and messages about wrong ones.
#include "kernels/job/textures.hpp"

#include <gmock/gmock.h>

#include "kernels/job/draft.hpp"
#include "kernels/job/job_fixture.hpp"
#include "kernels/model/signature.hpp"

namespace warpwright::job {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kText = R"(
__global__ void halved(cudaTextureObject_t image, const cudaTextureObject_t table, float* out, int rows, int columns) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x < columns) out[y * columns + x] = tex2D<float>(image, x * 0.5f, y * 0.5f) + tex1Dfetch<float>(table, x);
}
__global__ void plain(const float* image, const float* table, float* out, int rows, int columns) { out[0] = image[0]; }
)";

constexpr const char* kJob = R"job({
  "name": "halved",
  "file": "halved.cu",
  "extents": ["rows", "columns"],
  "buffers": {
    "image": {"role": "in", "type": "float", "count": "rows * columns"},
    "table": {"role": "in", "type": "float", "count": "columns"},
    "out": {"role": "out", "type": "float", "count": "rows * columns"}
  },
  "steps": [{"kernel": "halved", "arguments": [
    {"texture": "image", "width": "columns", "height": "rows", "filter": "linear", "address": "border"},
    {"texture": "table", "width": "columns"},
    "out", "rows", "columns"], "grid": ["ceil_div(columns, 32)", "rows"], "block": 32}],
  "shapes": [[64, 48]],
  "oracle": {"kernel": "plain", "arguments": ["image", "table", "out", "rows", "columns"], "grid": 1, "block": 1},
  "bound": {"relative": 1e-3}
}
)job";

class Textures : public JobFiles {
 protected:
  void SetUp() override { write("halved.cu", kText); }

  std::string changed(const std::string& part, const std::string& other) { return refusal(with(kJob, part, other)); }
};

TEST_F(Textures, AreUploadedBeforeTheTimedStepsIfTheyAreArrays) {
  const Lowered job = lowered(kJob);
  const Problem problem = make_problem(job.pattern, job.pattern.types.front(), {}, {5, 7});
  const Plan plan = job.kernel.plan(job.kernel.default_point, problem, host_device());
  const Texture image{
      .buffer = "image", .extent = {7, 5, 0}, .filter = Texture::Filter::linear, .address = Texture::Address::border};
  const Texture table{.buffer = "table", .extent = {7, 0, 0}, .is_array = false};
  ASSERT_EQ(plan.steps.size(), 2U);
  EXPECT_EQ(plan.steps[0], (Step{.what = TextureUpload{image}, .timed = false}));
  const auto& arguments = std::get<Launch>(plan.steps[1].what).arguments;
  EXPECT_EQ(arguments[0], (Argument{TextureArgument{image}}));
  EXPECT_EQ(arguments[1], (Argument{TextureArgument{table}}));
  EXPECT_EQ(plan_fault(plan), "");
}

TEST_F(Textures, OfAnOracleHaveTheRenamedBuffers) {
  // For the magnitudes in the bound, the oracle runs on absolute inputs in scratch memory, and so does the texture.
  std::string text = with(
      kJob,
      R"("oracle": {"kernel": "plain", "arguments": ["image", "table", "out", "rows", "columns"], "grid": 1, "block": 1})",
      R"("oracle": "default")");
  text = with(text, R"({"relative": 1e-3})", R"({"depth": 4})");
  const Lowered job = lowered(text);
  const Problem problem = make_problem(job.pattern, job.pattern.types.front(), {}, {33, 37});
  const Plan plan = job.pattern.reference(problem, host_device()).plan;
  EXPECT_EQ(plan_fault(plan), "");
  std::vector<std::string> shown;
  for (const Texture& texture : textures_of(plan)) shown.push_back(texture.buffer);
  EXPECT_THAT(shown,
              testing::ElementsAre("image", "table", "image.terms", "table.terms", "image.nudged0", "table.nudged0",
                                   "image.nudged1", "table.nudged1", "image.nudged2", "table.nudged2"));
}

TEST_F(Textures, AreRefusedWithAdvice) {
  const std::string where = "job.json:11: ";
  EXPECT_THAT(changed("\"width\": \"columns\", \"height\"", "\"height\""), HasSubstr("\"width\" is missing"));
  EXPECT_THAT(changed("\"height\": \"rows\"", "\"depth\": \"rows\""), HasSubstr("has a \"height\" too"));
  EXPECT_THAT(changed("\"linear\"", "\"cubic\""), HasSubstr("no \"filter\" \"cubic\": it is one of point, linear"));
  EXPECT_THAT(changed("\"border\"", "\"wrap\""), HasSubstr(where + "wrap and mirror are for normalized coordinates"));
  EXPECT_THAT(changed("\"border\"", "\"clamp\", \"read\": \"normalized\""), HasSubstr("of 8 and 16 bits"));
  EXPECT_THAT(changed("\"border\"", "\"clamp\", \"memory\": \"linear\""), HasSubstr("one dimension"));
  EXPECT_THAT(changed(R"({"texture": "table", "width": "columns"})",
                      R"({"texture": "table", "width": "columns", "normalized": true})"),
              HasSubstr("for tex1D, which has, use an array"));
  EXPECT_THAT(changed(R"("texture": "table")", R"("texture": "out")"), HasSubstr("no buffer that is \"in\""));
  EXPECT_THAT(changed(R"("texture": "table")", R"("texture": "tables")"), HasSubstr("no buffer \"tables\""));
  EXPECT_THAT(changed(R"({"texture": "table", "width": "columns"})", "\"table\""),
              HasSubstr("the parameter table is a texture: pass it as {\"texture\""));
  EXPECT_THAT(changed(R"({"texture": "table", "width": "columns"})", "1"),
              HasSubstr("the parameter table is a texture"));
  EXPECT_THAT(changed("\"out\", \"rows\"", R"({"texture": "table", "width": "columns"}, "rows")"),
              HasSubstr("there is a texture of table, and the parameter out is float*"));
  const std::string integers =
      with(kJob, R"("image": {"role": "in", "type": "float")", R"("image": {"role": "in", "type": "int")");
  EXPECT_THAT(refusal(integers), HasSubstr(where + "linear filtering gives fractions"));
  for (const char* type : {"double", "float3", "half"})
    EXPECT_THAT(refusal(with(kJob, R"("table": {"role": "in", "type": "float")",
                             R"("table": {"role": "in", "type": ")" + std::string(type) + "\"")),
                HasSubstr("a texture has no"))
        << type;
}

TEST_F(Textures, RefuseShapesThatDoNotFit) {
  EXPECT_THAT(changed("\"height\": \"rows\"", "\"height\": \"rows + 1\""),
              HasSubstr("the texture of image has 3120 texels, and the buffer 3072"));
  const Lowered job = lowered(with(kJob, R"("height": "rows")", R"("height": "rows // 2")"));
  const auto refused = [&](const std::vector<std::int64_t>& shape) {
    return job.kernel.refuses(job.kernel.default_point, make_problem(job.pattern, job.pattern.types.front(), {}, shape),
                              host_device());
  };
  EXPECT_EQ(refused({4, 4}), "");
  EXPECT_EQ(refused({1, 4}), "the height of the texture of image is 0 (\"rows // 2\")");
  EXPECT_THAT(refused({4, 200000}), HasSubstr("from 1 to 131072"));
}

TEST_F(Textures, AreDrafted) {
  write("kernel.cu", R"(
__global__ void rotated(float* out, int width, int height, float angle, cudaTextureObject_t tex) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = tex2D<float>(tex, angle * width, height);
}
__global__ void looked_up(float* out, cudaTextureObject_t tex, int n) { if (threadIdx.x < n) out[threadIdx.x] = tex1Dfetch<float4>(tex, threadIdx.x).x; }
__global__ void cut(cudaTextureObject_t volume, uchar4* out, int nx, int ny, int nz) { out[nx * ny * nz] = tex3D<uchar4>(volume, 1, 2, 3); }
int main() {
  cudaTextureDesc desc{};
  desc.addressMode[0] = cudaAddressModeWrap;
  desc.addressMode[1] = cudaAddressModeWrap;
  desc.filterMode = cudaFilterModeLinear;
  desc.readMode = cudaReadModeElementType;
  desc.normalizedCoords = true;
  rotated<<<dim3(width / 8, height / 8), dim3(8, 8)>>>(out, width, height, 0.5f, tex);
  looked_up<<<1, 32>>>(out, tex, n);
  cut<<<1, 1>>>(volume, out, nx, ny, nz);
}
)");
  const auto drafted = [&](const std::string& kernel) {
    return draft_of(folder_ / "kernel.cu", folder_ / "job.json", kernel).text;
  };
  EXPECT_THAT(drafted("rotated"),
              HasSubstr(R"("arguments": ["out", "width", "height", 0.5, {"texture": "tex", "width": "width", )"
                        R"("height": "height", "filter": "linear", "address": "wrap", )"
                        R"("normalized": true, "read": "element"}])"));
  EXPECT_THAT(drafted("rotated"), HasSubstr(R"("tex": {"role": "in", "type": "float", "count": "width * height"})"));
  EXPECT_THAT(drafted("rotated"), HasSubstr("cudaTextureDesc"));
  EXPECT_EQ(lowered(drafted("rotated")).pattern.extents, (std::vector<std::string>{"width", "height"}));
  EXPECT_THAT(drafted("looked_up"), HasSubstr(R"("arguments": ["out", {"texture": "tex", "width": "n"}, "n"])"));
  EXPECT_THAT(drafted("looked_up"), HasSubstr(R"("tex": {"role": "in", "type": "float4", "count": "n"})"));
  EXPECT_THAT(drafted("cut"), HasSubstr(R"("width": "nx", "height": "ny", "depth": "nz")"));
  EXPECT_THAT(drafted("looked_up"), Not(HasSubstr("Not understood")));
}

}  // namespace
}  // namespace warpwright::job
