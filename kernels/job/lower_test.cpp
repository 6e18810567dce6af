// Tests of the patterns, kernels and plans of jobs.
#include "kernels/job/lower.hpp"

#include <gmock/gmock.h>

#include "kernels/job/job_fixture.hpp"
#include "kernels/job/jobs.hpp"
#include "kernels/model/elements.hpp"

namespace warpwright::job {
namespace {

class JobsLowered : public JobFiles {};

TEST_F(JobsLowered, HaveASpaceWithConstraints) {
  const Lowered job = lowered(kScaleJob);
  EXPECT_EQ(job.pattern.name, "job:scale");
  EXPECT_EQ(job.kernel.full_name(), "job:scale/scaled");
  EXPECT_EQ(points(job), 8U);
  EXPECT_EQ(job.kernel.space.text(job.kernel.default_point), "{.BLOCK = 128, .PER_THREAD = 1}");
  EXPECT_EQ(job.kernel.space.rejected_by({256, 4}, {.types = {ElementType::f32}, .device = host_device()}),
            "BLOCK * PER_THREAD <= 512");
}

TEST_F(JobsLowered, PassParamsAsMacrosAndMatchArgumentsByName) {
  const Plan plan = plan_of(lowered(kScaleJob), "{.BLOCK = 64, .PER_THREAD = 2}", {1000});
  EXPECT_EQ(plan.definitions, (Definitions{{"BLOCK", "64"}, {"PER_THREAD", "2"}}));
  ASSERT_EQ(plan.steps.size(), 2U);
  EXPECT_EQ(std::get<ConstantUpload>(plan.steps[0].what), (ConstantUpload{"scale", "scale", 4}));
  const Launch& launch = std::get<Launch>(plan.steps[1].what);
  EXPECT_EQ(launch.entry, "scaled");
  EXPECT_EQ(launch.grid, (Dim3{8, 1, 1}));
  EXPECT_EQ(launch.block, (Dim3{64, 1, 1}));
  EXPECT_EQ(launch.arguments, (std::vector<Argument>{pointer_to("y"), pointer_to("x"), value(1000)}));
}

TEST_F(JobsLowered, HaveTilesThatAreABlockOfEachExtentAlsoIfGridsAreRoundedDown) {
  const auto tile_of = [&](const std::string& grid) {
    std::string text = with(kScaleJob, R"("extents": ["n"])", R"("extents": ["layers", "rows", "n"])");
    text = with(text, R"raw("ceil_div(n, BLOCK * PER_THREAD)", "block": "BLOCK")raw", grid + R"(, "block": [32, 4])");
    text = with(text, "[[1048576]]", "[[8, 512, 512]]");
    text = with(text, R"("kernel": "scaled")", R"("kernel": "scaled", "arguments": ["y", "x", "n"])");
    const Lowered job = lowered(text);
    return job.kernel.tile(job.kernel.default_point);
  };
  const std::vector<std::int64_t> tile{128, 4, 32};
  EXPECT_EQ(tile_of(R"raw(["n / 32", "rows / 4"])raw"), tile);
  EXPECT_EQ(tile_of(R"raw(["ceil_div(n, 32)", "ceil_div(rows, 4)"])raw"), tile);
}

TEST_F(JobsLowered, HaveTheUnitOfRatesOfTheJob) {
  const auto amount_of = [&](const std::string& work) {
    const Lowered job = lowered(with(kScaleJob, R"("bound": {)", work + R"("bound": {)"));
    return job.pattern.amount(make_problem(job.pattern, job.pattern.types.front(), {}, {1000}));
  };
  EXPECT_FALSE(lowered(kScaleJob).pattern.amount);
  EXPECT_EQ(amount_of(R"("work": {"amount": "2 * n", "unit": "keys"}, )").count, 2000);
  EXPECT_EQ(amount_of(R"("work": {"amount": "2 * n", "unit": "keys"}, )").unit, "keys");
  EXPECT_EQ(amount_of(R"("work": {"amount": "n"}, )").unit, "elements");
  EXPECT_NE(refusal(with(kScaleJob, R"("bound": {)", R"("work": {"unit": "keys"}, "bound": {)"))
                .find("how many of them does a problem have?"),
            std::string::npos);
}

TEST_F(JobsLowered, ReplaceAMacroOfTheSource) {
  const Lowered job = lowered(kScaleJob);
  const std::string& text = job.sources.at("scale.cu");
  EXPECT_EQ(text.find("#define PER_THREAD"), std::string::npos);
  EXPECT_EQ(text.find("#define BLOCK"), std::string::npos);
  EXPECT_EQ(text.find("host code"), std::string::npos);
}

TEST_F(JobsLowered, PassParamsAsTemplateArguments) {
  write("scale.cu", R"(
template <class T, int BLOCK, int PER_THREAD>
__global__ void scaled(T* y, const T* x, int n) {
  for (int i = blockIdx.x * BLOCK * PER_THREAD + threadIdx.x; i < n; i += BLOCK) y[i] = 2 * x[i];
}
)");
  std::string text = with(kScaleJob, R"("scale": {"role": "constant", "type": "float", "count": 1},)", "");
  text =
      with(text, R"("kernel": "scaled",)", R"("kernel": "scaled", "template": ["float", "BLOCK", "2 * PER_THREAD"],)");
  const Plan plan = plan_of(lowered(text), "{.BLOCK = 64, .PER_THREAD = 2}", {1000});
  EXPECT_EQ(std::get<Launch>(plan.steps[0].what).entry, "scaled<float, 64, 4>");
  EXPECT_TRUE(plan.definitions.empty());
}

TEST_F(JobsLowered, DoNotNeedOtherKernelsOfTheFile) {
  write("scale.cu", std::string(kScaleText) + "__global__ void starts(float* y) { scaled<<<1, 1>>>(y, y, 1); }\n" +
                        "__global__ void broken(float* y) { *y = nowhere(y); }\n");
  const Lowered job = lowered(kScaleJob);
  EXPECT_EQ(job.sources.at("scale.cu").find("starts"), std::string::npos);
  EXPECT_NE(refusal(with(kScaleJob, "\"scaled\", ", "\"starts\", \"arguments\": [\"y\"], "))
                .find("starts launches kernels itself"),
            std::string::npos);
  EXPECT_NE(
      refusal(with(kScaleJob, "\"scaled\"", "\"none\"")).find("has no kernel \"none\"; it has scaled, starts, broken"),
      std::string::npos);
}

TEST_F(JobsLowered, DeriveTileAndTracedShape) {
  const Lowered job = lowered(kScaleJob);
  EXPECT_EQ(job.kernel.tile({64, 4}), std::vector<std::int64_t>{256});
  EXPECT_EQ(job.pattern.trace_shape, std::vector<std::int64_t>{65536});
  EXPECT_EQ(job.kernel.refuses({64, 4}, make_problem(job.pattern, job.pattern.types.front(), {}, {0}), host_device()),
            "a job takes no empty problem");
}

TEST_F(JobsLowered, ListValuesThatAreInNoConfiguration) {
  const Lowered job = lowered(with(kScaleJob, "[64, 128, 256]", "[64, 128, 2048, 4096]"));
  EXPECT_EQ(job.pattern.caveats.at(1),
            "BLOCK = 2048 is never run: it gives a block of scaled a number of threads that is not 1 to 1024");
  EXPECT_EQ(job.pattern.caveats.size(), 3U);
  EXPECT_EQ(lowered(kScaleJob).pattern.caveats.size(), 1U);
  const std::string half =
      with(with(kScaleJob, "[64, 128, 256]", "[64, 101, 128]"), "\"block\": \"BLOCK\"", "\"block\": \"BLOCK * 0.5\"");
  EXPECT_EQ(lowered(half).pattern.caveats.at(1),
            "BLOCK = 101 is never run: it gives a block of scaled a number of threads that is not 1 to 1024");
  EXPECT_EQ(points(lowered(half)), 6U);
}

TEST_F(JobsLowered, KnowParamsThatAreConstantsOfTheHostOnly) {
  write("scale.cu", std::string(kScaleText) + "constexpr int THREADS = 128, ITEMS = 2;\n");
  const std::string job = with(kScaleJob, "\"params\": {", "\"params\": {\"THREADS\": [64, 128], \"other\": [1, 2], ");
  EXPECT_EQ(lowered(job).kernel.host_constants, std::vector<std::string>{"THREADS"});
}

TEST_F(JobsLowered, MayBeSeveralOfOneFile) {
  write("scale.cu", std::string(kScaleText) + "__global__ void doubled(const float* x, float* y, int n) {\n" +
                        "  if (threadIdx.x < n) y[threadIdx.x] = 2 * x[threadIdx.x];\n}\n");
  const std::string one = write("scale.json", kScaleJob).string();
  const std::string other = write("doubled.json", with(with(kScaleJob, "\"name\": \"scale\"", "\"name\": \"doubled\""),
                                                       "\"kernel\": \"scaled\"", "\"kernel\": \"doubled\""))
                                .string();
  const Catalogue none({}, {}, {});
  const Jobs jobs(none, {one, other});
  EXPECT_EQ(jobs.globs(), (std::vector<std::string>{"job:scale", "job:doubled"}));
  EXPECT_NE(jobs.catalogue().sources().at("scale.cu").find("scaled("), std::string::npos);
  EXPECT_EQ(jobs.catalogue().sources().at("doubled.scale.cu").find("scaled("), std::string::npos);
}

TEST_F(JobsLowered, LoopOverPartsOfTheirBuffers) {
  const std::string job =
      with(kScaleJob, R"raw([{"kernel": "scaled", "grid": "ceil_div(n, BLOCK * PER_THREAD)", "block": "BLOCK"}])raw",
           R"raw([{"repeat": 4, "index": "part", "steps": [{"kernel": "scaled",
      "arguments": [{"buffer": "x", "offset": "part * (n / 4)"}, {"buffer": "y", "offset": "part * (n / 4)"}, "n / 4"],
      "grid": "ceil_div(n / 4, BLOCK)", "block": "BLOCK"}]}])raw");
  const Plan plan = plan_of(lowered(job), "", {1000});
  std::vector<std::int64_t> offsets;
  for (const Step& step : plan.steps)
    if (const auto* launch = std::get_if<Launch>(&step.what))
      offsets.push_back(std::get<BufferArgument>(launch->arguments.at(0)).byte_offset);
  EXPECT_EQ(offsets, (std::vector<std::int64_t>{0, 1000, 2000, 3000}));
  EXPECT_NE(refusal(with(job, "\"index\": \"part\", ", "")).find("uses part, which is not defined here"),
            std::string::npos);
  EXPECT_NE(refusal(with(job, "\"index\": \"part\"", "\"index\": \"n\"")).find("\"n\" means two things"),
            std::string::npos);
  EXPECT_NE(refusal(with(job, "\"repeat\": 4", "\"repeat\": \"n\"")).find("of at most 4096"), std::string::npos);
  const Lowered growing = lowered(with(job, "\"grid\": \"ceil_div(n / 4, BLOCK)\", \"block\": \"BLOCK\"",
                                       "\"grid\": \"part + 1\", \"block\": \"BLOCK - part\""));
  std::vector<std::uint32_t> blocks;
  for (const Step& step : plan_of(growing, "", {1000}).steps)
    if (const auto* launch = std::get_if<Launch>(&step.what)) blocks.push_back(launch->grid.x);
  EXPECT_EQ(blocks, (std::vector<std::uint32_t>{1, 2, 3, 4}));
  EXPECT_FALSE(growing.kernel.tile(growing.kernel.default_point).empty());
}

TEST_F(JobsLowered, IncludeAllExamples) {
  const auto example = [&](const std::string& name) {
    return lower(read_job(std::filesystem::path(WARPWRIGHT_SOURCE_DIR) / "kernels/job/examples" / name));
  };
  const auto points_of = [&](const std::string& name) { return points(example(name)); };
  EXPECT_EQ(points_of("convolution.json"), 32U);
  EXPECT_EQ(points_of("matmul.json"), 2256U);
  EXPECT_EQ(points_of("softmax.json"), 6U);
  // A block with one result of 30,000 products: all its threads are counted like the one that has the result.
  const Lowered product = example("matmul.json");
  const Problem thin = make_problem(product.pattern, product.pattern.types.front(), {}, {1, 1, 30000});
  EXPECT_EQ(product.kernel.steps(product.kernel.default_point, thin), 256.0 * 60001);
}

TEST_F(JobsLowered, DrawTheInputsThatSuitTheirBound) {
  using testing::Contains;
  using testing::Not;
  const auto drawn = [&](const std::string& bound, const std::string& more = "") {
    const Lowered job =
        lowered(with(kScaleJob, R"("bound": {"depth": 1, "of": "result"})", more + "\"bound\": " + bound));
    std::vector<std::string> kinds;
    for (const InputKind& kind : job.pattern.inputs({})) kinds.push_back(kind.name);
    return kinds;
  };
  EXPECT_THAT(drawn("\"equal\""), testing::IsSupersetOf({"position", "tiny", "huge"}));
  EXPECT_THAT(drawn("\"equal\""), Not(Contains("absorbed")));
  EXPECT_THAT(drawn(R"({"depth": 1})"), testing::IsSupersetOf({"tiny", "huge", "absorbed"}));
  EXPECT_THAT(drawn("\"equal\""), Not(Contains("infinities"))) << "a right kernel may subtract them";
  for (const char* kind : {"position", "tiny", "huge", "absorbed"})
    EXPECT_THAT(drawn(R"({"relative": 1e-5})"), Not(Contains(kind)));
  EXPECT_THAT(drawn("\"equal\"", R"("inputs": ["special"], )"), testing::ElementsAre("exact", "special"));
}

TEST_F(JobsLowered, WarnOfRestrictedPointersToTheSameMemory) {
  const auto warned = [&](const std::string& y, const std::string& arguments) {
    write("scale.cu", with(kScaleText, "float* y, const float* x", y));
    return lowered(with(with(kScaleJob, R"("kernel": "scaled",)",
                             R"("kernel": "scaled", "arguments": [)" + arguments + "],"),
                        R"("x": {"role": "in", "type": "float", "count": "n"},)",
                        R"("x": {"role": "inout", "type": "float", "count": "n"},)"))
        .pattern.caveats;
  };
  const std::string words = "y and x of scaled are the same memory, although one is __restrict__";
  EXPECT_THAT(warned("float* __restrict__ y, const float* x", R"("x", "x", "n")"),
              testing::Contains(testing::HasSubstr(words)));
  for (const auto& [y, arguments] :
       std::vector<std::pair<std::string, std::string>>{{"float* __restrict__ y, const float* x", R"("y", "x", "n")"},
                                                        {"float* y, const float* x", R"("x", "x", "n")"}})
    EXPECT_THAT(warned(y, arguments), testing::Not(testing::Contains(testing::HasSubstr("same memory")))) << y;
}

TEST_F(JobsLowered, RefuseBlocksOverTheLaunchBoundsOfTheirKernel) {
  const auto refused = [&](const std::string& bounds, const std::string& params) {
    write("scale.cu", "#define MOST 128\nconstexpr int warps = 4;\n" +
                          with(kScaleText, "__global__ void", "__global__ void __launch_bounds__(" + bounds + ")"));
    const Lowered job = lowered(kScaleJob);
    return job.kernel.refuses(job.kernel.space.parse(params, job.kernel.default_point),
                              make_problem(job.pattern, job.pattern.types.front(), {}, {1000}), host_device());
  };
  EXPECT_EQ(refused("128", "{.BLOCK = 128, .PER_THREAD = 1}"), "");
  EXPECT_EQ(refused("128", "{.BLOCK = 256, .PER_THREAD = 1}"),
            "a block of scaled has 256 threads, and its __launch_bounds__(128) allow 128");
  for (const char* bounds : {"MOST", "32 * warps, 2", "(MOST / 32) * 32"}) {
    EXPECT_EQ(refused(bounds, "{.BLOCK = 128, .PER_THREAD = 1}"), "") << bounds;
    EXPECT_NE(refused(bounds, "{.BLOCK = 256, .PER_THREAD = 1}"), "") << bounds;
  }
  EXPECT_EQ(refused("BLOCK", "{.BLOCK = 256, .PER_THREAD = 1}"), "");
  EXPECT_EQ(refused("sizeof(float) * 1000", "{.BLOCK = 256, .PER_THREAD = 1}"), "")
      << "not known before it is compiled";
}

/// A sum has one result, however many blocks add to it: the cases of several blocks must not seem to be too much work.
TEST_F(JobsLowered, CountTheStepsThatAreStatedOrThoseOfABlock) {
  write("scale.cu", "__global__ void total(int* y, const int* x, int n) { atomicAdd(y, x[threadIdx.x]); }");
  const auto steps_of = [&](const std::string& work) {
    const Lowered job = lowered(R"raw({"file": "scale.cu", "extents": ["n"],
      "buffers": {"x": {"role": "in", "type": "int", "count": "n"}, "y": {"role": "inout", "type": "int", "count": 1}},
      "steps": {"kernel": "total", "grid": "ceil_div(n, 128)", "block": 128, "arguments": ["y", "x", "n"]},)raw" +
                                work + R"raw("shapes": [[3000]]})raw");
    return job.kernel.steps(job.kernel.default_point, make_problem(job.pattern, job.pattern.types.front(), {}, {3000}));
  };
  EXPECT_EQ(steps_of(""), 128.0 * 3001);
  EXPECT_EQ(steps_of(R"raw("work": {"steps": "2 * n"},)raw"), 6000);
}

TEST_F(JobsLowered, PassStructsVectorsAndScalars) {
  write("scale.cu", R"(
struct shape { int n; double factor; char last; };
__global__ void scaled(float4* y, const float4* x, shape s, unsigned long long n, float half_of) {
  if (threadIdx.x < n) y[threadIdx.x] = x[threadIdx.x];
}
)");
  std::string text = with(kScaleJob, R"("scale": {"role": "constant", "type": "float", "count": 1},)", "");
  text = with(text, R"("kernel": "scaled",)", R"("kernel": "scaled", "arguments": ["y", {"buffer": "x", "offset": 2},
    {"type": "shape", "members": [{"type": "int", "value": "n"}, {"type": "double", "value": 0.5}, {"type": "char", "value": 7}]},
    "n", "n / 2.0"],)");
  const Plan plan = plan_of(lowered(text), "{}", {8});
  const auto& arguments = std::get<Launch>(plan.steps[0].what).arguments;
  EXPECT_EQ(arguments[0], (Argument{BufferArgument{.buffer = "y", .byte_offset = 0, .as = "float4"}}));
  EXPECT_EQ(arguments[1], (Argument{BufferArgument{.buffer = "x", .byte_offset = 8, .as = "float4"}}));
  const auto& structure = std::get<ValueArgument>(arguments[2]);
  EXPECT_EQ(structure.type, "shape");
  EXPECT_EQ(structure.bytes.size(), 24U);
  EXPECT_EQ(structure.bytes[0], std::byte{8});
  EXPECT_EQ(structure.bytes[16], std::byte{7});
  EXPECT_EQ(std::get<ValueArgument>(arguments[3]).bytes.size(), 8U);
  EXPECT_EQ(arguments[4], Argument{value(4.0F)});
}

TEST_F(JobsLowered, PassArraysAndStructsInStructs) {
  write("scale.cu", R"(
struct inner { char tag; double weights[2]; };
struct outer { short first; inner in; int last[3]; };
__global__ void scaled(float* y, const float* x, outer s) { y[threadIdx.x] = x[s.last[0]]; }
)");
  const std::string text =
      with(with(kScaleJob, R"("scale": {"role": "constant", "type": "float", "count": 1},)", ""),
           R"("kernel": "scaled",)", R"("kernel": "scaled", "arguments": ["y", "x", {"type": "outer",
    "members": [{"type": "short", "value": 1}, {"members": [{"type": "char", "value": 2}, {"type": "double", "values": [0, 0]}]},
                {"type": "int", "values": [3, "n", 5]}]}],)");
  const Plan plan = plan_of(lowered(text), "{}", {8});
  const auto& structure = std::get<ValueArgument>(std::get<Launch>(plan.steps[0].what).arguments[2]);
  struct inner {
    char tag;
    double weights[2];
  };
  struct outer {
    short first;
    inner in;
    int last[3];
  };
  ASSERT_EQ(structure.bytes.size(), sizeof(outer));
  EXPECT_EQ(structure.bytes[offsetof(outer, in)], std::byte{2});
  EXPECT_EQ(structure.bytes[offsetof(outer, last) + sizeof(int)], std::byte{8});
  EXPECT_NE(refusal(with(text, R"("value": 1})", R"("buffer": "z"})")).find("no buffer \"z\""), std::string::npos);
  EXPECT_NE(refusal(with(text, R"("type": "short")", R"("type": "inner")")).find("the type inner is no number"),
            std::string::npos);
}

TEST_F(JobsLowered, AreNamedAfterTheirKernelOrAfterTheJobIfTheyLaunchSeveral) {
  EXPECT_EQ(lowered(kScaleJob).kernel.name, "scaled");
  write("scale.cu", std::string(kScaleText) + "__global__ void other(float* y, int n) { if (n > 0) y[0] = 1; }\n");
  const std::string launch = R"({"kernel": "scaled", )";
  EXPECT_EQ(lowered(with(kScaleJob, launch, R"({"kernel": "other", "grid": 1, "block": 1}, )" + launch)).kernel.name,
            "scale");
}

TEST_F(JobsLowered, GiveAnOracleWithTheSameParametersTheSameArguments) {
  write("scale.cu",
        std::string(kScaleText) + "__global__ void plain(float* y, const float* x, int n) { y[n] = x[n]; }\n");
  const std::string kernel = R"("kernel": "scaled", )";
  const Lowered job = lowered(with(with(kScaleJob, kernel, kernel + R"("arguments": ["y", "x", "n - 1"], )"),
                                   "\"bound\":", R"("oracle": {"kernel": "plain", "grid": 1, "block": 1}, "bound":)"));
  const Problem problem = make_problem(job.pattern, job.pattern.types.front(), {}, {8});
  const Plan plan = job.pattern.reference(problem, host_device()).plan;
  const auto launches = launches_of(plan);
  const auto found = std::ranges::find_if(launches, [](const auto& one) { return one.launch.entry == "plain"; });
  ASSERT_NE(found, launches.end());
  EXPECT_EQ(std::get<ValueArgument>(found->launch.arguments.at(2)), value(7));
}

TEST_F(JobsLowered, SayOfWhatOnlyADriverMakesThatAPlanBindsNone) {
  write("scale.cu", "__global__ void scaled(float* y, cudaSurfaceObject_t x, int n) { surf1Dread(y, x, n); }\n");
  std::string text = with(kScaleJob, R"("scale": {"role": "constant", "type": "float", "count": 1},)", "");
  text = with(text, "\"scaled\",", R"("scaled", "arguments": ["y", 1, "n"],)");
  EXPECT_NE(refusal(text).find("the parameter x is a surface, and a plan binds none"), std::string::npos)
      << refusal(text);
}

TEST_F(JobsLowered, FindHeadersInTheFoldersOfTheJob) {
  std::filesystem::create_directories(folder_ / "common");
  write("common/twice.cuh", "__device__ float twice(float x) { return 2 * x; }\n");
  write("scale.cu",
        "#include \"twice.cuh\"\n__constant__ float scale[1];\n__global__ void scaled(float* y, const float* x, int n) "
        "{ if (threadIdx.x < n) y[threadIdx.x] = scale[0] * twice(x[threadIdx.x]); }\n");
  EXPECT_EQ(lowered(kScaleJob).pattern.caveats.size(), 2U) << "it is left out, and said";
  const Lowered job = lowered(with(kScaleJob, "\"extents\"", "\"include\": [\"common\"], \"extents\""));
  EXPECT_NE(job.sources.at("scale.cu").find("float twice"), std::string::npos);
  EXPECT_EQ(job.pattern.caveats.size(), 1U);
  EXPECT_NE(refusal(with(kScaleJob, "\"extents\"", "\"include\": [\"none\"], \"extents\"")).find("there is no folder"),
            std::string::npos);
}

TEST_F(JobsLowered, FillBuffersAsTheJobSays) {
  std::string text = with(kScaleJob, R"("type": "float", "count": "n"})",
                          R"("type": "int", "count": "n", "data": {"range": [3, 5]}})");
  write("scale.cu",
        "__constant__ float scale[1];\n__global__ void scaled(float* y, const int* x, int n) { if (threadIdx.x < n) "
        "y[threadIdx.x] = x[threadIdx.x] * scale[0]; }\n");
  const auto values_of = [&](const Lowered& job, std::int64_t n) {
    const Problem problem = make_problem(job.pattern, {ElementType::f32}, {}, {n});
    return elements_of<int>(job.pattern.fills(problem, "exact").at(0).on_host(n, 1));
  };
  for (const int one : values_of(lowered(text), 100)) EXPECT_TRUE(3 <= one && one <= 5) << one;
  EXPECT_EQ(values_of(lowered(with(text, R"({"range": [3, 5]})", R"({"from": 1, "step": 2})")), 4),
            (std::vector<int>{1, 3, 5, 7}));
  const std::vector<int> rows = values_of(lowered(with(text, R"({"range": [3, 5]})", R"({"rows": "3 * n"})")), 5);
  EXPECT_EQ(rows.front(), 0);
  EXPECT_EQ(rows.back(), 15);
  for (const int one : values_of(lowered(with(text, R"({"range": [3, 5]})", R"({"below": "n / 2"})")), 100))
    EXPECT_TRUE(0 <= one && one < 50) << one;
  write("numbers.bin", std::string("\1\0\0\0\2\0\0\0", 8));
  const Lowered of_file = lowered(with(text, R"({"range": [3, 5]})", R"({"file": "numbers.bin"})"));
  EXPECT_EQ(values_of(of_file, 3), (std::vector<int>{1, 2, 0}));
  const Problem far = make_problem(of_file.pattern, {ElementType::f32}, {}, {1'000'000'000});
  const Fill fill = of_file.pattern.fills(far, "exact").at(0);
  EXPECT_EQ(elements_of<int>(fill.part_on_host(1, 3, 1'000'000'000, 1)), (std::vector<int>{2, 0}));
  EXPECT_EQ(elements_of<int>(fill.part_on_host(999'999'998, 999'999'999, 1'000'000'000, 1)), std::vector<int>{0});
}

}  // namespace
}  // namespace warpwright::job
