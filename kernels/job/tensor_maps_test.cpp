// Tests of tensor maps of jobs: in plans and in drafts, and messages about wrong ones.
#include "kernels/job/tensor_maps.hpp"

#include <gmock/gmock.h>

#include "kernels/job/draft.hpp"
#include "kernels/job/job_fixture.hpp"
#include "kernels/model/signature.hpp"

namespace warpwright::job {
namespace {

using testing::HasSubstr;

constexpr const char* kText = R"(
#include <cuda.h>
template <int ROWS>
__global__ void boxes(const __grid_constant__ CUtensorMap map, float* out, int rows, int columns) { out[0] = ROWS; }
__global__ void by_pointer(const CUtensorMap* map, float* out, int rows, int columns) { out[0] = 1; }
__global__ void by_value(CUtensorMap map, float* out, int rows, int columns) { out[0] = 1; }
__global__ void plain(const float* in, float* out, int rows, int columns) { out[0] = in[0]; }
)";

constexpr const char* kJob = R"job({
  "name": "boxes",
  "file": "boxes.cu",
  "extents": ["rows", "columns"],
  "params": {"ROWS": [8, 256, 512]},
  "buffers": {
    "in": {"role": "in", "type": "float", "count": "rows * (columns + 8)"},
    "out": {"role": "out", "type": "float", "count": "rows * columns"}
  },
  "steps": [{"kernel": "boxes", "arguments": [
    {"tensor_map": "in", "offset": 4, "extents": ["columns", "rows"], "pitch": "columns + 8", "box": [32, "ROWS"], "swizzle": 128},
    "out", "rows", "columns"], "grid": 1, "block": 32}],
  "shapes": [[64, 48]],
  "oracle": {"kernel": "plain", "arguments": ["in", "out", "rows", "columns"], "grid": 1, "block": 1},
  "bound": {"relative": 1e-3}
}
)job";

class TensorMaps : public JobFiles {
 protected:
  void SetUp() override { write("boxes.cu", kText); }

  std::string changed(const std::string& part, const std::string& other) { return refusal(with(kJob, part, other)); }
};

TEST_F(TensorMaps, HaveTheSizesOfTheProblemAndOfTheConfiguration) {
  const Lowered job = lowered(kJob);
  const Problem problem = make_problem(job.pattern, job.pattern.types.front(), {}, {5, 40});
  const Plan plan = job.kernel.plan({256}, problem, host_device());
  ASSERT_EQ(plan.steps.size(), 1U);
  EXPECT_EQ(std::get<Launch>(plan.steps[0].what).arguments[0],
            (Argument{TensorMapArgument{.matrix = {.buffer = "in", .byte_offset = 16},
                                        .map = {.element_bytes = 4,
                                                .columns = 40,
                                                .rows = 5,
                                                .pitch = 48,
                                                .box_columns = 32,
                                                .box_rows = 256,
                                                .swizzle = 128}}}));
  EXPECT_EQ(plan_fault(plan), "");
}

TEST_F(TensorMaps, HaveUpToFiveDimensions) {
  const auto map_of = [&](const std::string& members) {
    const Lowered job = lowered(
        with(kJob, R"("extents": ["columns", "rows"], "pitch": "columns + 8", "box": [32, "ROWS"], "swizzle": 128)",
             members));
    const Problem problem = make_problem(job.pattern, job.pattern.types.front(), {}, {6, 40});
    const Plan plan = job.kernel.plan({8}, problem, host_device());
    EXPECT_EQ(plan_fault(plan), "");
    return describe(std::get<TensorMapArgument>(std::get<Launch>(plan.steps[0].what).arguments[0]).map);
  };
  EXPECT_EQ(map_of(R"("extents": ["columns", 3, "rows // 3"], "box": [32, 2, 2])"),
            "boxes of 32x2x2 in 40x3x2 of 4 B, pitch 40, 120");
  EXPECT_EQ(map_of(R"("extents": [8, 2, 2, 3, 2], "pitch": [8, 20], "box": [4, 1, 2, 1, 2])"),
            "boxes of 4x1x2x1x2 in 8x2x2x3x2 of 4 B, pitch 8, 20, 40, 120");
}

TEST_F(TensorMaps, OfAnOracleHaveTheRenamedBuffers) {
  std::string text = with(
      kJob, R"("oracle": {"kernel": "plain", "arguments": ["in", "out", "rows", "columns"], "grid": 1, "block": 1})",
      R"("oracle": "default")");
  text = with(text, R"({"relative": 1e-3})", R"({"depth": 4})");
  const Lowered job = lowered(text);
  const Problem problem = make_problem(job.pattern, job.pattern.types.front(), {}, {33, 36});
  const Plan plan = job.pattern.reference(problem, host_device()).plan;
  EXPECT_EQ(plan_fault(plan), "");
  std::vector<std::string> described;
  for (const PlannedLaunch& one : launches_of(plan))
    for (const Argument& argument : one.launch.arguments)
      if (const auto* map = std::get_if<TensorMapArgument>(&argument)) described.push_back(map->matrix.buffer);
  EXPECT_THAT(described, testing::ElementsAre("in", "in.terms", "in.nudged0", "in.nudged1", "in.nudged2"));
}

TEST_F(TensorMaps, RefuseConfigurationsAndShapesThatDoNotFit) {
  const Lowered job = lowered(kJob);
  const auto refused = [&](const Point& point, const std::vector<std::int64_t>& shape) {
    return job.kernel.refuses(point, make_problem(job.pattern, job.pattern.types.front(), {}, shape), host_device());
  };
  EXPECT_EQ(refused({256}, {4, 8}), "");
  EXPECT_EQ(refused({512}, {4, 8}),
            "the tensor map of in: boxes of 32 columns and 512 rows: a tensor map has from 1 to 256 of each; copy "
            "larger tiles by several boxes");
  EXPECT_EQ(refused({8}, {4, 9}),
            "the tensor map of in: a pitch of 17 elements of 4 bytes: rows of a tensor map begin at multiples of 16 "
            "bytes, so pad them to a multiple of 4 elements");
}

TEST_F(TensorMaps, AreRefusedWithAdvice) {
  EXPECT_THAT(changed(R"("swizzle": 128)", R"("swizzle": 96)"),
              HasSubstr("the tensor map of in: a swizzle of 96 bytes: there are 32, 64 and 128, and 0 for none"));
  EXPECT_THAT(changed(R"("swizzle": 128)", R"("swizzle": 64)"),
              HasSubstr("rows of 128 bytes: those of a swizzle of 64 bytes have just as many, here 16 columns"));
  EXPECT_THAT(changed(R"("box": [32,)", R"("box": [3,)"), HasSubstr("rows of 12 bytes: a tensor map has multiples of "
                                                                    "16, here of 4 columns"));
  EXPECT_THAT(changed(R"("box": [32,)", R"("box": [0,)"), HasSubstr("boxes of 0 columns"));
  EXPECT_THAT(changed(R"("box": [32,)", R"("box": ["columns / 32.0",)"), HasSubstr("the first of \"box\" is 1.5"));
  EXPECT_THAT(changed(R"("pitch": "columns + 8")", R"("pitch": "columns - 8")"),
              HasSubstr("a pitch of 40 elements, and rows of 48: rows of a tensor map do not overlap"));
  EXPECT_THAT(changed(R"("offset": 4)", R"("offset": 5)"),
              HasSubstr("begins at byte 20 of the buffer, and tensor maps begin at multiples of 16: make \"offset\" a "
                        "multiple of 4 elements"));
  EXPECT_THAT(changed(R"("extents": ["columns", "rows"])", R"("extents": ["columns", "rows + 1"])"),
              HasSubstr("its last element ends at byte 14544, and the buffer has 14336"));
  EXPECT_THAT(changed(R"("extents": ["columns", "rows"])", R"("extents": ["columns"])"),
              HasSubstr("\"box\" has 2 sizes, and \"extents\" 1: give one for each dimension"));
  EXPECT_THAT(changed(R"("extents": ["columns", "rows"])", R"("extents": [])"),
              HasSubstr("\"extents\" has 0 sizes: give the elements of a row and the rows"));
  EXPECT_THAT(changed(R"("extents": ["columns", "rows"])", R"("extents": ["columns", "rows", 1])"),
              HasSubstr("\"box\" has 2 sizes, and \"extents\" 3: give one for each dimension"));
  EXPECT_THAT(changed(R"("pitch": "columns + 8")", R"("pitch": ["columns + 8", 8])"),
              HasSubstr("\"pitch\" has 2 distances: a tensor of 2 dimensions has 1"));
  EXPECT_THAT(changed(R"("extents": ["columns", "rows"], )", ""), HasSubstr("\"extents\" is missing"));
  EXPECT_THAT(changed(R"("box": [32, "ROWS"], )", ""), HasSubstr("\"box\" is missing"));
  EXPECT_THAT(changed(R"("box": [32, "ROWS"])", R"("box": [32, "LINES"])"), HasSubstr("uses LINES, which is not"));
  EXPECT_THAT(changed(R"("swizzle": 128)", R"("stride": 128)"), HasSubstr("stride"));
  EXPECT_THAT(changed(R"("tensor_map": "in")", R"("tensor_map": "a")"), HasSubstr("no buffer \"a\""));
  EXPECT_THAT(changed(R"("in": {"role": "in", "type": "float")", R"("in": {"role": "in", "type": "float4")"),
              HasSubstr("whose elements are float4: give the buffer the type float"));
}

TEST_F(TensorMaps, AreForParametersThatTheLaunchHolds) {
  EXPECT_THAT(changed(R"("kernel": "boxes", )", R"("kernel": "by_pointer", )"),
              HasSubstr("the parameter map is CUtensorMap*: declare it as `const __grid_constant__ CUtensorMap`"));
  EXPECT_THAT(changed(R"("kernel": "boxes", )", R"("kernel": "by_value", )"),
              HasSubstr("the parameter map is CUtensorMap: declare it as `const __grid_constant__ CUtensorMap`"));
  EXPECT_THAT(changed(R"("kernel": "boxes", )", R"("kernel": "plain", )"),
              HasSubstr("there is a tensor map of in, and the parameter in is float*, not CUtensorMap"));
  const std::string map =
      R"({"tensor_map": "in", "offset": 4, "extents": ["columns", "rows"], "pitch": "columns + 8", )"
      R"("box": [32, "ROWS"], "swizzle": 128})";
  for (const char* other : {"\"in\"", "1"})
    EXPECT_THAT(changed(map, other), HasSubstr("the parameter map is a tensor map: pass it as {\"tensor_map\""))
        << other;
}

TEST_F(TensorMaps, ComeWithClustersThatDivideTheGrid) {
  const Lowered job =
      lowered(with(kJob, R"("grid": 1, "block": 32}],)", R"("grid": ["rows"], "block": 32, "cluster": 2}],)"));
  const auto launch_of = [&](const std::vector<std::int64_t>& shape) {
    const Problem problem = make_problem(job.pattern, job.pattern.types.front(), {}, shape);
    const std::string refused = job.kernel.refuses({8}, problem, host_device());
    if (!refused.empty()) return refused;
    return describe(job.kernel.plan({8}, problem, host_device()).steps[0]);
  };
  EXPECT_THAT(launch_of({4, 8}), HasSubstr("cluster 2x1x1"));
  EXPECT_EQ(launch_of({5, 8}), "the grid's x of boxes is 5 (\"rows\"), no multiple of the 2 of its clusters");
  EXPECT_THAT(changed(R"("grid": 1, "block": 32}],)", R"("grid": 16, "block": 32, "cluster": 16}],)"),
              HasSubstr("a cluster of boxes has 16 blocks: it may have 8"));
  Device older = host_device();
  older.compute_capability = 80;
  const Problem problem = make_problem(job.pattern, job.pattern.types.front(), {}, {4, 8});
  EXPECT_THAT(job.kernel.refuses({8}, problem, older), HasSubstr("clusters of blocks, which need sm_90"));
  write("boxes.cu", with(kText, "__global__ void boxes", "__global__ __cluster_dims__(2, 1, 1) void boxes"));
  const Lowered own = lowered(with(kJob, R"("grid": 1, "block": 32}],)", R"("grid": ["rows"], "block": 32}],)"));
  EXPECT_THAT(describe(own.kernel.plan({8}, problem, host_device()).steps[0]), HasSubstr("cluster 2x1x1"));
  EXPECT_THAT(refusal(kJob), HasSubstr("no multiple of the 2 of its clusters"));
  write("boxes.cu", with(kText, "__global__ void boxes", "__global__ __cluster_dims__(SIZE) void boxes"));
  EXPECT_THAT(refusal(kJob), HasSubstr("boxes has __cluster_dims__(SIZE): give its launch \"cluster\""));
}

TEST_F(TensorMaps, AreDrafted) {
  const std::string drafted = draft_of(folder_ / "boxes.cu", folder_ / "job.json", "boxes").text;
  EXPECT_THAT(drafted, HasSubstr(R"({"tensor_map": "map", "extents": ["columns", "rows"], "box": ["???", "???"], )"
                                 R"("swizzle": 0})"));
  EXPECT_THAT(drafted, HasSubstr("(see cuTensorMapEncodeTiled of the host code)"));
  EXPECT_THAT(drafted, HasSubstr(R"("map": {"role": "in", "type": "float", "count": "columns * rows"})"));
}

}  // namespace
}  // namespace warpwright::job
