// Tests of what a job compares: unwritten elements, padding of rows, and integers that may be off by a few.
#include <gmock/gmock.h>

#include "conformance/suite/checked_jobs.hpp"

namespace warpwright::conformance {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class ComparedJobs : public CheckedJobs {
 protected:
  struct Changes {
    std::string last = "width";  ///< the kernel writes the elements before it
    std::string more = "0";      ///< the kernel adds it to its results
    std::string padding = {};    ///< what it does with the padding of a row
    std::string compare = {};
    std::string type = "int";
    std::string bound = "\"equal\"";
  };

  /// Scales pictures whose rows are padded to a multiple of 32 elements.
  PropertyReport scaled(const Changes& changes) {
    const std::string rest = R"raw("arguments": ["in", "out", "width", "height", "ceil_div(width, 32) * 32"],
      "grid": "ceil_div(width * height, 64)", "block": 64})raw";
    const std::string type = "\"" + changes.type + "\"";
    const std::string compare = changes.compare.empty() ? "" : ", \"compare\": " + changes.compare;
    return checked(R"raw({"extents": ["height", "width"], "shapes": [[64, 64]], "check_shapes": [[3, 65]], "buffers": {
      "in": {"role": "in", "type": )raw" +
                       type + R"raw(, "count": "height * width", "data": {"range": [1, 80]}},
      "out": {"role": "out", "type": )raw" +
                       type + R"raw(, "count": "height * ceil_div(width, 32) * 32")raw" + compare +
                       R"raw(}}, "steps": {"kernel": "scaled", )raw" + rest +
                       R"raw(, "oracle": {"kernel": "plain", )raw" + rest + ", \"bound\": " + changes.bound + "}",
                   "#define T " + changes.type + "\n#define LAST " + changes.last + "\n#define MORE " + changes.more +
                       "\n#define PADDING " + changes.padding + R"raw(
__global__ void scaled(const T* in, T* out, int width, int height, int pitch) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < width * height && i % width < LAST) out[i / width * pitch + i % width] = in[i] * 3 + MORE;
  if (i < width * height && i % width == 0 && pitch > width) PADDING;
}
__global__ void plain(const T* in, T* out, int width, int height, int pitch) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < width * height) out[i / width * pitch + i % width] = in[i] * 3;
}
)raw");
  }

  std::string failure(const Changes& changes) {
    const PropertyReport report = scaled(changes);
    EXPECT_FALSE(report.ok()) << "nothing was found";
    return report.failure.detail;
  }
};

TEST_F(ComparedJobs, SayThatNeitherKernelNorOracleWroteAnElement) {
  for (const std::string type : {"int", "float"})
    EXPECT_THAT(failure({.type = type}), AllOf(StartsWith("neither the kernel nor the oracle wrote out["),
                                               HasSubstr("leave it out with \"compare\"")))
        << type;
}

TEST_F(ComparedJobs, SayThatTheOracleDidNotWriteWhatTheKernelWrote) {
  EXPECT_THAT(failure({.padding = "out[i / width * pitch + width] = 7"}),
              AllOf(StartsWith("out["), HasSubstr(" is 7, but the oracle never wrote it: ")));
}

TEST_F(ComparedJobs, LeaveOutElementsThatAreNotCompared) {
  for (const auto& [compare, type] :
       {std::pair{R"("where written")", "int"}, std::pair{R"("where written")", "float"},
        std::pair{R"raw({"row": "width", "pitch": "ceil_div(width, 32) * 32"})raw", "float"}}) {
    Changes changes{.compare = compare, .type = type};
    const PropertyReport report = scaled(changes);
    EXPECT_TRUE(report.ok()) << compare << " " << type << report.failure.detail;
    EXPECT_EQ(report.cases, 20);
    changes.more = "1";
    EXPECT_THAT(failure(changes), StartsWith("out[0")) << "what is compared is still compared exactly";
  }
  EXPECT_THAT(failure({.last = "width - 1", .compare = "\"where written\""}), HasSubstr(" was never written: "));
  EXPECT_TRUE(scaled({.last = "1", .compare = R"({"below": 1})"}).ok());
  EXPECT_FALSE(scaled({.last = "1", .compare = R"({"from": 1, "below": 2})"}).ok());
}

TEST_F(ComparedJobs, NameElementsByTheDimensionsOfTheirBuffer) {
  EXPECT_THAT(
      failure({.more = "(i / width == 1 && i % width == 63)", .compare = "\"where written\""}),
      AllOf(StartsWith("out[1, 63] of "), HasSubstr("; it is the only wrong one of "), HasSubstr("; note: in[")));
}

TEST_F(ComparedJobs, LetIntegersBeOffByOneIfTheBoundAllowsIt) {
  const std::string compare = "\"where written\"";
  const std::string bound = "{\"absolute\": 1}";
  const PropertyReport report = scaled({.more = "i % 2", .compare = compare, .type = "unsigned char", .bound = bound});
  EXPECT_TRUE(report.ok()) << report.failure.detail;
  EXPECT_THAT(failure({.more = "2", .compare = compare, .bound = bound}),
              HasSubstr("an error of 2, 2 times the bound of 1 (bound: guessed: 1)"));
  EXPECT_FALSE(scaled({.more = "1", .compare = compare, .bound = "{\"absolute\": 0.5}"}).ok());
}

}  // namespace
}  // namespace warpwright::conformance
