// Tests of jobs from T1 descriptions: their spaces, and the recorded numbers of valid points.
#include "kernels/job/t1.hpp"

#include <filesystem>

#include "kernels/job/job_fixture.hpp"
#include "kernels/job/questions.hpp"

namespace warpwright::job {
namespace {

constexpr const char* kText = R"(
__constant__ float d_filter[225];
__global__ void convolution_kernel(float* output_image, const float* input_image) { output_image[0] = input_image[0] * d_filter[0] * block_size_x * block_size_y * tile_size_x * tile_size_y; }
__global__ void cn_pnpoly(int* bitmap, const float2* points, int size_x) { bitmap[0] = block_size_x * size_x; }
)";

class T1Jobs : public JobFiles {
 protected:
  /// A recorded description; empty if there are no recordings.
  static std::filesystem::path recorded(const std::string& name) {
    const auto file = std::filesystem::path(WARPWRIGHT_SOURCE_DIR) / "../shared/data/spaces/t1" / (name + ".json");
    return std::filesystem::is_regular_file(file) ? file : std::filesystem::path();
  }

  /// The number of points in the space of the file's job.
  std::size_t points_of(const std::filesystem::path& problem) {
    const auto source = write("kernel.cu", kText);
    return points(lowered(job_of_t1(problem, source, folder_ / "job.json")));
  }
};

TEST_F(T1Jobs, HaveTheParamsConditionsAndLaunches) {
  const auto problem = write("problem.json", R"({
    "ConfigurationSpace": {
      "TuningParameters": [
        {"Name": "block_size_x", "Type": "int", "Values": "[32 * i for i in range(1, 5)]", "Default": 64},
        {"Name": "block_size_y", "Type": "int", "Values": [1, 2], "Default": 1},
        {"Name": "tile_size_x", "Type": "int", "Values": "[1] + [2, 4]", "Default": 1}],
      "Conditions": [{"Expression": "block_size_x / 64 == block_size_y or tile_size_x == 1", "Parameters": []}]},
    "KernelSpecification": {
      "KernelName": "convolution_kernel", "LocalSize": {"X": "block_size_x", "Y": "block_size_y", "Z": "1"},
      "GridDivX": ["block_size_x", "tile_size_x"], "GridDivY": ["block_size_y"], "ProblemSize": [640, 480], "SharedMemory": 0,
      "Arguments": [
        {"Name": "output_image", "Type": "float", "MemoryType": "Vector", "AccessType": "WriteOnly", "Size": "ProblemSize[0]*ProblemSize[1]"},
        {"Name": "input_image", "Type": "float", "MemoryType": "Vector", "AccessType": "ReadOnly", "FillType": "Random", "Size": "(ProblemSize[0]+max(tile_size_x)-1) * ProblemSize[1]"},
        {"Name": "d_filter", "Type": "float", "MemoryType": "Vector", "AccessType": "ReadOnly", "MemType": "Constant", "FillType": "Constant", "FillValue": 0.5, "Size": "225"}]}})");
  const auto source = write("kernel.cu", kText);
  const Lowered job = lowered(job_of_t1(problem, source, folder_ / "job.json"));
  // 8 of one tile. Of the other two, those whose width is 64 times their height; 96 is no such width.
  EXPECT_EQ(points(job), 8U + 2U * 2U);
  const Plan plan = plan_of(job, "{.block_size_x = 128, .tile_size_x = 4}", {480, 640});
  const Launch& launch = std::get<Launch>(plan.steps.back().what);
  EXPECT_EQ(launch.grid, (Dim3{2, 480, 1}));
  EXPECT_EQ(launch.block, (Dim3{128, 1, 1}));
  EXPECT_EQ(plan.buffer("input_image").count, 643 * 480);
  EXPECT_EQ(plan.definitions.at("tile_size_x"), "4");
}

TEST_F(T1Jobs, AskForWhatADescriptionCannotSay) {
  const auto problem = write("problem.json", R"({
    "ConfigurationSpace": {"TuningParameters": [{"Name": "block_size_x", "Type": "int", "Values": [32, 64]}]},
    "KernelSpecification": {
      "KernelName": "gather", "LocalSize": {"X": "block_size_x"}, "GridDivX": ["block_size_x"], "ProblemSize": [640],
      "Arguments": [
        {"Name": "y", "Type": "float", "MemoryType": "Vector", "AccessType": "WriteOnly", "Size": "ProblemSize[0]"},
        {"Name": "at", "Type": "int", "MemoryType": "Vector", "AccessType": "ReadOnly", "Size": "ProblemSize[0]"}]}})");
  const auto source =
      write("kernel.cu", "__global__ void gather(float* y, const int* at) { y[threadIdx.x] = at[0]; }\n");
  const std::string made = job_of_t1(problem, source, folder_ / "job.json");
  const auto questions = questions_in(made);
  ASSERT_EQ(questions.size(), 4U) << made;
  EXPECT_EQ(questions[0].key, "at");
  EXPECT_NE(questions[0].asks.find("Are its values indices"), std::string::npos);
  EXPECT_EQ(questions[1].key, "shapes");
  EXPECT_EQ(questions[2].key, "oracle");
  EXPECT_EQ(questions[3].key, "bound");
  EXPECT_EQ(refusal(made), "none");
}

TEST_F(T1Jobs, PassWhatTheSourceTakes) {
  const auto problem = write("problem.json", R"({
    "ConfigurationSpace": {"TuningParameters": [{"Name": "block_size_x", "Type": "int", "Values": [32, 64], "Default": 64}]},
    "KernelSpecification": {
      "KernelName": "filtered", "LocalSize": {"X": "block_size_x"}, "GridDivX": ["block_size_x"], "GridDivY": [],
      "ProblemSize": [640, 480],
      "Arguments": [
        {"Name": "output", "Type": "float", "MemoryType": "Vector", "AccessType": "WriteOnly", "Size": "ProblemSize[0]*ProblemSize[1]"},
        {"Name": "d_filter", "Type": "float", "MemoryType": "Vector", "AccessType": "ReadOnly", "MemType": "Constant", "Size": "225"}]}})");
  const std::string text = R"(
#define image_height 480
#define image_width 640
#define unlike 4
__constant__ float d_filter[225];
__global__ void filtered(float* output, float* filter) { output[threadIdx.x] = d_filter[0] * image_width * image_height * unlike; }
)";
  const auto source = write("kernel.cu", text);
  const Lowered job = lowered(job_of_t1(problem, source, folder_ / "job.json"));
  const Plan plan = plan_of(job, "{.block_size_x = 64}", {48, 64});
  EXPECT_EQ(plan.definitions.at("image_width"), "64") << "the sizes that the text has as macros follow the problem";
  EXPECT_EQ(plan.definitions.at("image_height"), "48");
  const auto& arguments = std::get<Launch>(plan.steps.back().what).arguments;
  ASSERT_EQ(arguments.size(), 2U) << "what lies in __constant__ memory is a parameter where the kernel takes as many";
  EXPECT_EQ(std::get<BufferArgument>(arguments[1]).buffer, "d_filter");
  try {
    (void)job_of_t1(problem, write("other.cu", "__global__ void other(float* y) { *y = 1; }\n"), folder_ / "job.json");
    ADD_FAILURE() << "there is no such kernel";
  } catch (const JobError& error) {
    EXPECT_NE(std::string(error.what()).find("defines no kernel filtered; it has other"), std::string::npos);
  }
}

TEST_F(T1Jobs, HaveTheRecordedNumbersOfPoints) {
  if (recorded("convolution").empty()) GTEST_SKIP() << "no recorded spaces here";
  EXPECT_EQ(points_of(recorded("convolution")), 6768U);
  EXPECT_EQ(points_of(recorded("convolution_milo")), 4362U);
}

TEST_F(T1Jobs, NameWhatADescriptionLacks) {
  const auto problem = recorded("pnpoly");
  if (problem.empty()) GTEST_SKIP() << "no recorded spaces here";
  const std::string draft = job_of_t1(problem, write("kernel.cu", kText), folder_ / "job.json");
  EXPECT_NE(refusal(draft).find("nothing to check"), std::string::npos) << draft;
  const std::string buffers = R"("bitmap": {"role": "out", "type": "int", "count": "size_x"},
    "points": {"role": "in", "type": "float2", "count": "size_x"})";
  EXPECT_EQ(points(lowered(with(draft, "// ??? Which buffers does the kernel read and write? T1 names none", buffers))),
            4092U);
}

}  // namespace
}  // namespace warpwright::job
