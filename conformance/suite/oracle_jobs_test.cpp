// Tests of oracles that are functions on the CPU: where they may be defined, what they may use, and errors in them.
#include <gmock/gmock.h>

#include "conformance/checks/oracle_answer.hpp"
#include "conformance/suite/checked_jobs.hpp"

namespace warpwright::conformance {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* kKernel = R"(
#include <cuda_runtime.h>
#include <vector>
struct Weights { int red, green, blue; };
constexpr int kShift = 8;
__host__ __device__ inline int weighted(uchar4 c, Weights w) { return c.x * w.red + c.y * w.green + c.z * w.blue; }
__global__ void grey(const uchar4* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = weighted(in[i], Weights{77, 150, 29}) >> kShift;
}
)";
constexpr const char* kOracle = R"(
static int table(int value) { return value / 256; }
void grey_on_the_cpu(const uchar4* in, int* out, int n) {
  std::vector<int> sums(n);
  for (int i = 0; i < n; ++i) sums[i] = 77 * in[i].x + 150 * in[i].y + 29 * in[i].z;
  for (int i = 0; i < n; ++i) out[i] = table(sums[i]);
}
)";
constexpr const char* kHost = R"(
int main() {
  uchar4* in;
  cudaMalloc(&in, 100);
  grey<<<1, 64>>>(in, nullptr, 1);
  return cudaDeviceSynchronize();
}
)";

class OracleJobs : public CheckedJobs {
 protected:
  static std::string job(const std::string& file) {
    return R"raw({"extents": ["n"], "buffers": {
      "in": {"role": "in", "type": "uchar4", "count": "n"}, "out": {"role": "out", "type": "int", "count": "n"}},
      "steps": {"kernel": "grey", "grid": "ceil_div(n, 64)", "block": 64}, "shapes": [4096],
      "oracle": {"function": "grey_on_the_cpu", )raw" +
           file + R"raw("arguments": ["in", "out", {"type": "int", "value": "n"}]}})raw";
  }
  static std::string with(std::string text, const std::string& part, const std::string& other) {
    const auto at = text.find(part);
    EXPECT_NE(at, std::string::npos) << part;
    return text.replace(at, part.size(), other);
  }
};

TEST_F(OracleJobs, MayBeInTheFileOfTheKernel) {
  const std::string text = std::string(kKernel) + kOracle + kHost;
  const PropertyReport right = checked(job(""), text);
  EXPECT_TRUE(right.ok()) << right.failure.detail;
  EXPECT_EQ(right.cases, 20);
  EXPECT_THAT(checked(job(""), with(text, "value / 256", "value / 255")).failure.detail, HasSubstr(" was expected"));
}

TEST_F(OracleJobs, MayUseTheMinAndMaxOfCuda) {
  const std::string used =
      with(kOracle, "out[i] = table(sums[i]);",
           "out[i] = max(min(table(sums[i]), 1 << 30), -1000000), sums[i] = max(0.5f, 1.0) > max(1u, 0);");
  EXPECT_TRUE(checked(job(""), kKernel + used).ok());
  const std::string own = "static int max(int a, int b) { return a > b ? a : b; }\n";
  EXPECT_TRUE(checked(job(""), kKernel + own + used).ok()) << "or its own ones";
  EXPECT_TRUE(checked(job(""), "#include <algorithm>\nusing namespace std;\n" + (kKernel + used)).ok());
}

TEST_F(OracleJobs, MayIncludeTheHeadersOfCuda) {
  write("oracle.cpp", "#include <cuda_runtime.h>\n#include <vector>\n" + std::string(kOracle));
  const PropertyReport right = checked(job("\"file\": \"oracle.cpp\", "), kKernel);
  EXPECT_TRUE(right.ok()) << right.failure.detail;
}

TEST_F(OracleJobs, ThatWritePastABufferAreNamed) {
  const std::string text = std::string(kKernel) + kOracle;
  EXPECT_THAT(checked(job(""), with(text, "i < n; ++i) out[i]", "i < n; ++i) out[i + 1] = out[i]")).failure.detail,
              AllOf(HasSubstr("grey_on_the_cpu writes past the end of buffer 'out' of "), Not(HasSubstr("\n"))));
  EXPECT_THAT(checked(job(""), with(text, "i < n; ++i) out[i]", "i < n; ++i) out[i - 1] = out[i]")).failure.detail,
              HasSubstr("grey_on_the_cpu writes before the beginning of buffer 'out'"));
}

TEST_F(OracleJobs, ThatDoNotCompileAreRefusedWithTheirOwnLines) {
  const auto words = [&](const std::string& file, const std::string& text) {
    write("kernel.cu", text);
    const job::Jobs jobs(catalogue(), {write("kernel.json", job(file))});
    const Pattern& pattern = jobs.catalogue().pattern("job:kernel");
    worker::Compiler compiler(pool_, cache_, jobs.catalogue().sources());
    const std::vector<WrongOracle> wrong = wrong_oracles({&pattern}, compiler);
    return wrong.empty() ? std::string("compiles") : wrong.front().why;
  };
  EXPECT_EQ(words("", std::string(kKernel) + kOracle), "compiles");
  EXPECT_THAT(words("", std::string(kKernel) + with(kOracle, "sums(n)", "sums(none)")),
              AllOf(testing::ContainsRegex("\n[^\n]*kernel.cu:14:[0-9]+: error: [^\n]*none"),
                    HasSubstr("the oracle of job:kernel does not compile:\n"), Not(HasSubstr("module.cpp"))));
  write("oracle.cpp", "#include <cuda_runtime.h>\n#include <vector>\n" + with(kOracle, "sums(n)", "sums(none)"));
  EXPECT_THAT(words("\"file\": \"oracle.cpp\", ", kKernel),
              testing::ContainsRegex("\n[^\n]*oracle.cpp:6:[0-9]+: error: "));
}

TEST_F(OracleJobs, MayKeepState) {
  // Without an oracle, the default configuration gives the answers of the others.
  const auto report_of = [this](const std::string& state) {
    return checked(R"raw({"extents": ["n"], "params": {"block": [64, 32]},
    "buffers": {"in": {"role": "in", "type": "int", "count": "n"}, "out": {"role": "out", "type": "int", "count": "n"}},
    "steps": {"kernel": "counted", "grid": "ceil_div(n, block)", "block": "block"}, "shapes": [64])raw" +
                       state + "}",
                   "__device__ int runs;\n__global__ void counted(const int* in, int* out, int n) {\n"
                   "  const int i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i < n) out[i] = in[i];\n"
                   "  if (i == 0) runs = runs + 1;\n}\n");
  };
  const PropertyReport kept = report_of(R"(, "keeps_state": "counts its runs")");
  EXPECT_TRUE(kept.ok()) << kept.failure.detail;
  const PropertyReport hidden = report_of("");
  ASSERT_FALSE(hidden.ok());
  EXPECT_EQ(hidden.failure.finding, FindingKind::kept_state) << hidden.failure.detail;
}

}  // namespace
}  // namespace warpwright::conformance
