// Drafts of jobs: they can be read, and hold what the text says.
#include "kernels/job/draft.hpp"

#include <gmock/gmock.h>

#include "kernels/job/job_fixture.hpp"

namespace warpwright::job {
namespace {

using testing::HasSubstr;

class Drafts : public JobFiles {
 protected:
  std::string draft(const std::string& text) {
    return draft_of(write("kernel.cu", text), folder_ / "kernel.json").text;
  }
};

TEST_F(Drafts, CanBeLoweredAsTheyAre) {
  const Lowered job = lowered(draft_of(folder_ / "scale.cu", folder_ / "job.json").text);
  EXPECT_EQ(job.pattern.extents, std::vector<std::string>{"n"});
  EXPECT_EQ(points(job), 1U) << "no launch says what the macros are for";
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
  EXPECT_THAT(made, HasSubstr(R"("kernel": "turned")"));
  EXPECT_THAT(made, HasSubstr(R"("template": ["float", "N"])"));
  EXPECT_THAT(made, HasSubstr(R"("grid": ["7", "8"])"));
  EXPECT_THAT(made, HasSubstr(R"("block": ["BX", "BY"])"));
  EXPECT_THAT(made, HasSubstr(R"("extents": ["rows", "columns"])"));
  EXPECT_THAT(made, HasSubstr(R"("BX": {"values": [16, 32, 64], "default": 32})"));
  EXPECT_THAT(made, HasSubstr(R"("in": {"role": "in", "type": "float4", "count": "rows * columns"})"));
  EXPECT_THAT(made, HasSubstr(R"("arguments": ["out", "in", "rows", "columns", 0.5])"));
}

TEST_F(Drafts, NeedAKernel) {
  EXPECT_THROW(draft("int main() {}"), JobError);
}

}  // namespace
}  // namespace warpwright::job
