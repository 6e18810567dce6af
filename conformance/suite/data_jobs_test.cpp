// Tests of data that a function on the CPU makes: it is called with a seed, for each buffer that it fills.
#include <gmock/gmock.h>

#include "conformance/checks/oracle_answer.hpp"
#include "conformance/suite/checked_jobs.hpp"
#include "kernels/model/elements.hpp"

namespace warpwright::conformance {
namespace {

using testing::AllOf;
using testing::Each;
using testing::Ge;
using testing::HasSubstr;
using testing::Lt;

constexpr const char* kText = R"(
__global__ void look_up(const int* keys, const float* table, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[keys[i]];
}
void look_up_on_the_cpu(const int* keys, const float* table, float* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = table[keys[i]];
}
static int below(int end) { return rand() % end; }
int make_keys(int* keys, float* table, int n, int entries) {
  for (int i = 0; i < n; ++i) keys[i] = below(entries);
  for (int i = 0; i < entries; ++i) table[i] = keys[i % n] + 100;
  return n;
}
void seeded_keys(int* keys, int n, int entries, unsigned seed) {
  for (int i = 0; i < n; ++i) keys[i] = (seed + i) % entries;
}
)";
const std::string kBoth = R"({"function": "make_keys", "arguments": ["keys", "table", "n", "32"]})";

class DataJobs : public CheckedJobs {
 protected:
  static std::string job(const std::string& keys, const std::string& table) {
    return R"raw({"extents": ["n"], "buffers": {
      "keys": {"role": "in", "type": "int", "count": "n")raw" +
           keys + R"raw(}, "table": {"role": "in", "type": "float", "count": 32)raw" + table +
           R"raw(}, "out": {"role": "out", "type": "float", "count": "n"}},
      "steps": {"kernel": "look_up", "grid": "ceil_div(n, 64)", "block": 64}, "shapes": [4096], "bound": "equal",
      "oracle": {"function": "look_up_on_the_cpu", "arguments": ["keys", "table", "out", "n"]}})raw";
  }
  static std::string data(const std::string& made) { return ", \"data\": " + made; }

  /// The inputs of a case of 100 elements.
  std::vector<Bytes> inputs(const std::string& job, std::uint64_t seed, const std::string& text = kText) {
    write("kernel.cu", text);
    const job::Jobs jobs(catalogue(), {write("kernel.json", job)});
    const Pattern& pattern = jobs.catalogue().pattern("job:kernel");
    worker::Compiler compiler(pool_, cache_, jobs.catalogue().sources());
    worker::Process process;
    return input_bytes(pattern, make_problem(pattern, pattern.types.front(), {}, {100}),
                       {.kind = "exact", .seed = seed}, process, compiler);
  }
  std::string why_refused(const std::string& made) {
    write("kernel.cu", kText);
    try {
      const job::Jobs jobs(catalogue(), {write("kernel.json", job(data(made), ""))});
    } catch (const std::exception& error) {
      return error.what();
    }
    return "";
  }
};

TEST_F(DataJobs, FillBuffersByAFunctionInTheFileOfTheKernel) {
  const PropertyReport right = checked(job(data(kBoth), ""), kText);
  EXPECT_TRUE(right.ok()) << right.failure.detail;
  EXPECT_EQ(right.cases, 20);
  // Other data are not below 32.
  EXPECT_THAT(checked(job("", ""), kText).failure.detail, HasSubstr("out of bounds"));
}

TEST_F(DataJobs, AreTheSameForTheSameSeedOnly) {
  const std::string both = job(data(kBoth), data(kBoth));
  const std::vector<Bytes> first = inputs(both, 1);
  EXPECT_THAT(elements_of<std::int32_t>(first.at(0)), Each(AllOf(Ge(0), Lt(32))));
  EXPECT_EQ(first, inputs(both, 1));
  EXPECT_NE(first, inputs(both, 2));
}

TEST_F(DataJobs, OfBuffersThatOneFunctionFillsFitEachOther) {
  const std::vector<Bytes> made = inputs(job(data(kBoth), data(kBoth)), 7);
  const auto keys = elements_of<std::int32_t>(made.at(0));
  const auto table = elements_of<float>(made.at(1));
  for (std::size_t i = 0; i < table.size(); ++i) EXPECT_EQ(table[i], static_cast<float>(keys.at(i) + 100)) << i;
}

TEST_F(DataJobs, CanUseTheSeedOfTheCase) {
  const std::string made = job(data(R"({"function": "seeded_keys", "arguments": ["keys", "n", "32", "seed"]})"), "");
  EXPECT_EQ(elements_of<std::int32_t>(inputs(made, 5).at(0)).front(), 5);
  EXPECT_EQ(elements_of<std::int32_t>(inputs(made, 38).at(0)).front(), 6);
}

TEST_F(DataJobs, CanComeFromAFunctionInAFileOfItsOwn) {
  write("made.cpp", "void ones(int* keys, int n) { for (int i = 0; i < n; ++i) keys[i] = 1; }\n");
  const std::vector<Bytes> made =
      inputs(job(data(R"({"function": "ones", "file": "made.cpp", "arguments": ["keys", "n"]})"), ""), 1);
  EXPECT_THAT(elements_of<std::int32_t>(made.at(0)), Each(1));
}

TEST_F(DataJobs, CanComeFromSeveralFunctionsOfOneFile) {
  const std::string made = job(data(R"({"function": "low", "arguments": ["keys", "n"]})"),
                               data(R"({"function": "high", "arguments": ["table"]})"));
  const std::string functions =
      "static int limit() { return 32; }\n"
      "void low(int* keys, int n) { for (int i = 0; i < n; ++i) keys[i] = i % limit(); }\n"
      "void high(float* table) { for (int i = 0; i < limit(); ++i) table[i] = 100; }\n";
  EXPECT_TRUE(checked(made, kText + functions).ok());
  write("both.cpp", "#include <cstdlib>\n" + functions);
  const std::string own = R"("file": "both.cpp", "arguments")";
  std::string apart = made;
  for (const std::string word : {"\"low\", \"arguments\"", "\"high\", \"arguments\""})
    apart.replace(apart.find(word), word.size(), word.substr(0, word.find(' ') + 1) + own);
  EXPECT_TRUE(checked(apart, kText).ok());
}

TEST_F(DataJobs, OfAFunctionThatWritesPastItsBufferAreAMistakeOfTheJob) {
  std::string text = kText;
  text.replace(text.find("i < n; ++i) keys[i] = below"), 6, "i <= n;");
  EXPECT_THAT(
      checked(job(data(kBoth), ""), text).failure.detail,
      AllOf(HasSubstr("the data of job:kernel itself failed on"), HasSubstr("writes past the end of buffer 'keys'")));
}

TEST_F(DataJobs, NameAnInputAmongTheArgumentsOfTheirFunction) {
  EXPECT_THAT(why_refused(R"({"function": "make_keys", "arguments": ["table", "table", "n", "32"]})"),
              HasSubstr("make_keys does not get keys, which it should fill: name it in \"arguments\""));
  EXPECT_THAT(why_refused(R"({"function": "make_keys", "arguments": ["keys", "out", "n", "32"]})"),
              HasSubstr("out is no input: a function for data is given inputs, which it fills"));
  EXPECT_THAT(why_refused(R"({"function": "make_keys", "arguments": ["keys", "table", "n"]})"),
              HasSubstr("make_keys takes 4 arguments, and \"arguments\" has 3"));
  EXPECT_THAT(why_refused(R"({"function": "none", "arguments": ["keys"]})"),
              HasSubstr("defines no function none for the CPU"));
}

TEST_F(DataJobs, OfAFunctionThatDoesNotCompileAreRefusedWithTheUsersLine) {
  std::string text = kText;
  text.replace(text.find("below(entries)"), 5, "above");
  write("kernel.cu", text);
  const job::Jobs jobs(catalogue(), {write("kernel.json", job(data(kBoth), ""))});
  worker::Compiler compiler(pool_, cache_, jobs.catalogue().sources());
  const std::vector<WrongOracle> wrong = wrong_oracles({&jobs.catalogue().pattern("job:kernel")}, compiler);
  ASSERT_EQ(wrong.size(), 1);
  EXPECT_THAT(wrong.front().why, AllOf(HasSubstr("the data of job:kernel does not compile:\n"),
                                       testing::ContainsRegex("kernel.cu:11:[0-9]+: error: [^\n]*above")));
}

}  // namespace
}  // namespace warpwright::conformance
