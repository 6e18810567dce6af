// Tests of parsing device source into tokens, functions and statements.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/mutants/source.hpp"

namespace warpwright::conformance {
namespace {

using testing::Contains;
using testing::ElementsAre;

TEST(DeviceSource, CommentsStringsAndDirectivesContainNoTokens) {
  const DeviceSource source("x.cuh", "// a < b\n#define X \\\n  a < b\n/* c */ d \"e < f\" 1'000'000U 0x1p-3f");
  std::vector<std::string> words;
  for (std::size_t i = 0; i < source.tokens().size(); ++i) words.emplace_back(source.word(i));
  EXPECT_THAT(words, ElementsAre("d", "\"e < f\"", "1'000'000U", "0x1p-3f"));
  EXPECT_EQ(source.tokens()[0].line, 4);
}

TEST(DeviceSource, FunctionsHaveNamesParametersAndStatements) {
  const DeviceSource source(
      "x.cuh",
      "template <class T, int N>\n__global__ void __launch_bounds__(N)\n    work(const T* "
      "__restrict__ in, T* out, long long count) {\n  __shared__ T tile;\n  if (count > 1) out[0] = "
      "in[0];\n  else\n    return;\n}\n");
  ASSERT_EQ(source.functions().size(), 1U);
  const DeviceFunction& function = source.functions()[0];
  EXPECT_EQ(function.name, "work");
  EXPECT_TRUE(function.is_kernel);
  EXPECT_THAT(function.type_names, ElementsAre("T"));
  ASSERT_EQ(function.parameters.size(), 3U);
  EXPECT_TRUE(function.parameters[0].pointer && function.parameters[0].read_only);
  EXPECT_EQ(function.parameters[0].type, "T");
  EXPECT_TRUE(function.parameters[1].pointer && !function.parameters[1].read_only);
  EXPECT_FALSE(function.parameters[2].pointer);
  ASSERT_EQ(function.statements.size(), 4U);
  EXPECT_EQ(function.statements[1].kind, Statement::Kind::branch);
  EXPECT_EQ(source.words(function.statements[1].head), "count > 1");
  EXPECT_EQ(source.words(function.statements[1].otherwise), "return;");
}

TEST(DeviceSource, TypesOfSeveralWordsKeepTheirSpaces) {
  const DeviceSource source("x.cuh", "__global__ void work(const unsigned long long* __restrict__ seed) {}\n");
  EXPECT_EQ(source.functions().at(0).parameters.at(0).type, "unsigned long long");
}

TEST(DeviceSource, ReachableFunctionsAreFoundByName) {
  const std::vector<DeviceSource> sources{DeviceSource("x.cuh",
                                                       "__device__ void a() { b(); }\n__device__ void b() {}\n"
                                                       "__device__ void c() { a(); }\n")};
  const auto reached = reachable_functions(sources, {"a"});
  EXPECT_THAT(reached, Contains("b"));
  EXPECT_THAT(reached, testing::Not(Contains("c")));
}

}  // namespace
}  // namespace warpwright::conformance
