// Tests of what jobs pass to kernels and oracles: null pointers, and structs with pointers, arrays and structs in them.
#include <gmock/gmock.h>

#include "conformance/suite/checked_jobs.hpp"

namespace warpwright::conformance {
namespace {

using testing::HasSubstr;

constexpr const char* kText = R"raw(
struct Range { int first, last; };
struct Table { char tag; const float* in; float* out; Range range; int odd; float4 shift; float weights[2]; const float* more; };
__global__ void weighted(Table table, const int* unused, float* plain, int n, float3 more) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && table.more == nullptr && unused == nullptr)
    table.out[i + OFF] = table.in[i] * table.weights[i >= table.range.first && i < table.range.last] +
                       table.shift.w * more.y;
  if (i < n && plain) plain[i] = table.in[i];
}
void right(Table table, const int* unused, float* plain, int n, float3 more) {
  for (int i = 0; i < n; ++i) table.out[i] = table.in[i] * (i < 1 || i >= n - 1 ? 2.0f : 0.5f) + 8;
  for (int i = 0; i < n; ++i) plain[i] = unused == nullptr ? table.in[i] : 0;
}
)raw";

constexpr const char* kArguments =
    R"raw([{"type": "Table", "members": [{"type": "char", "value": 7}, {"buffer": "in"}, {"buffer": "out"},
      {"type": "Range", "members": [{"type": "int", "value": 1}, {"type": "int", "value": "n - 1"}]},
      {"type": "int", "value": 9}, {"type": "float4", "values": [1, 2, 3, 4]},
      {"type": "float", "values": [2, 0.5]}, null]}, null, "plain", "n", {"type": "float3", "values": [1, 2, 3]}])raw";

std::string job() {
  return std::string(R"raw({"extents": ["n"], "shapes": [[1024]], "bound": "equal",
    "buffers": {"in": {"role": "in", "type": "float", "count": "n"},
                "out": {"role": "out", "type": "float", "count": "n"},
                "plain": {"role": "out", "type": "float", "count": "n"}},
    "steps": {"kernel": "weighted", "grid": "ceil_div(n, 64)", "block": 64, "arguments": )raw") +
         kArguments + R"raw(}, "oracle": {"function": "right", "arguments": )raw" + kArguments + "}}";
}

using ArgumentJobs = CheckedJobs;

TEST_F(ArgumentJobs, StructsHoldPointersAndNullPointersArePassed) {
  const PropertyReport report = checked(job(), std::string("#define OFF 0") + kText);
  EXPECT_TRUE(report.ok()) << report.failure.detail;
  EXPECT_EQ(report.cases, 20);
}

TEST_F(ArgumentJobs, ADim3IsAVectorOfThree) {
  const PropertyReport report = checked(R"raw({"extents": ["h", "w"], "shapes": [[8, 100]], "bound": "equal",
    "buffers": {"in": {"role": "in", "type": "float", "count": "h * w"},
                "out": {"role": "out", "type": "float", "count": "h * w"}},
    "steps": {"kernel": "copied", "arguments": ["in", "out", {"type": "dim3", "values": ["w", "h", 1]}],
              "grid": ["ceil_div(w, 64)", "h"], "block": 64},
    "oracle": {"function": "right", "arguments": ["in", "out", {"type": "dim3", "values": ["w", "h", 1]}]}})raw",
                                        R"raw(
__global__ void copied(const float* in, float* out, dim3 size) {
  const unsigned x = blockIdx.x * 64 + threadIdx.x;
  if (x < size.x && blockIdx.y < size.y) out[blockIdx.y * size.x + x] = in[blockIdx.y * size.x + x];
}
void right(const float* in, float* out, dim3 size) {
  for (unsigned i = 0; i < size.x * size.y * size.z; ++i) out[i] = in[i];
}
)raw");
  EXPECT_TRUE(report.ok()) << report.failure.detail;
  EXPECT_EQ(report.cases, 20);
}

TEST_F(ArgumentJobs, WhatIsStoredThroughAPointerInAStructIsChecked) {
  const PropertyReport report = checked(job(), std::string("#define OFF 1") + kText);
  ASSERT_FALSE(report.ok());
  EXPECT_THAT(report.failure.detail, HasSubstr("out of bounds"));
}

TEST_F(ArgumentJobs, AnInputInAStructMustNotChange) {
  const PropertyReport report =
      checked(job(), std::string("#define OFF 0\n") +
                         "__device__ void spoil(const float* in) { const_cast<float*>(in)[0] = 1; }" +
                         std::string(kText).replace(std::string(kText).find("if (i < n && plain)"), 0,
                                                    "if (i == 0) spoil(table.in);\n  "));
  ASSERT_FALSE(report.ok());
  EXPECT_THAT(report.failure.detail, HasSubstr("in"));
}

}  // namespace
}  // namespace warpwright::conformance
