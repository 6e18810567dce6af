// The mutants: what the rules make of device text, and that a sample over every kernel and rule is killed to the last.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "conformance/mutants.hpp"
#include "conformance/mutants_mode.hpp"
#include "conformance/mutation_equivalences.hpp"
#include "conformance/property.hpp"
#include "kernels/runtime/worker/compiler.hpp"

namespace warpwright::conformance {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

/// What a rule makes of the functions in a text.
std::vector<std::string> changes_by(const std::string& rule, const std::string& text,
                                    const std::vector<Parameter>& inputs = {}) {
  const DeviceSource source("x.cuh", text);
  std::vector<std::string> changes;
  for (const Rule& known : rules())
    if (known.name == rule)
      for (const DeviceFunction& function : source.functions())
        for (const Change& change : known.changes({source, function, inputs}))
          changes.push_back(change.change + (change.equivalent.empty() ? "" : " (equivalent)"));
  return changes;
}

std::string kernel(const std::string& body) {
  return "template <class T, int N>\n__global__ void __launch_bounds__(N)\n    work(const T* __restrict__ in, T* out, "
         "long long count) {\n  __shared__ shared_array<T, N, N + 1> tile;\n" +
         body + "\n}\n";
}

TEST(DeviceSource, CommentsStringsAndDirectivesHoldNoTokens) {
  const DeviceSource source("x.cuh", "// a < b\n#define X \\\n  a < b\n/* c */ d \"e < f\" 1'000'000U 0x1p-3f");
  std::vector<std::string> words;
  for (std::size_t i = 0; i < source.tokens().size(); ++i) words.emplace_back(source.word(i));
  EXPECT_THAT(words, ElementsAre("d", "\"e < f\"", "1'000'000U", "0x1p-3f"));
  EXPECT_EQ(source.tokens()[0].line, 4);
}

TEST(DeviceSource, FunctionsHaveNamesParametersAndStatements) {
  const DeviceSource source("x.cuh", kernel("  if (count > 1) out[0] = in[0];\n  else\n    return;"));
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

TEST(DeviceSource, WhatAFunctionCanReachIsKnownByName) {
  const std::vector<DeviceSource> sources{DeviceSource("x.cuh",
                                                       "__device__ void a() { b(); }\n__device__ void b() {}\n"
                                                       "__device__ void c() { a(); }\n")};
  const auto reached = reachable_functions(sources, {"a"});
  EXPECT_THAT(reached, Contains("b"));
  EXPECT_THAT(reached, testing::Not(Contains("c")));
}

TEST(Rules, FindTheirPlaces) {
  EXPECT_THAT(changes_by("remove a barrier", kernel("__syncthreads();")), ElementsAre("__syncthreads(); -> (nothing)"));
  EXPECT_THAT(changes_by("barrier in a branch", kernel("__syncwarp();")),
              ElementsAre("__syncwarp(); -> if (threadIdx.x % 32 < 16) __syncwarp();"));
  EXPECT_THAT(changes_by("< for <=", kernel("if (i < count && vec<T>(j) >= 0) f<N>(i);")),
              ElementsAre("i < count -> i <= count", "vec<T>(j) >= 0 -> vec<T>(j) > 0"));
  EXPECT_THAT(changes_by("off by one in a bound", kernel("for (int i = 0; i < N; i += 2 * K) f(i);")),
              ElementsAre("i < N -> i + (2 * K) < N"));
  EXPECT_THAT(
      changes_by("off by one in an index", kernel("T held[4]; held[i] = tile[i][j + 1];")),
      ElementsAre("held[i] -> held[i + 1]", "tile[i] -> tile[i + 1]", "tile[i][j + 1] -> tile[i][(j + 1) + 1]"));
  EXPECT_THAT(changes_by("drop a guard", kernel("if (i >= count) return;\nif (i < 3) f(i);\nif (done) g();")),
              ElementsAre("if (i >= count) -> if (false)", "if (i < 3) -> if (true)"));
  EXPECT_THAT(changes_by("drop an atomic", kernel("atomicAdd(out, T(1));")),
              ElementsAre("atomicAdd(out, T(1)) -> plain read, change and write"));
  EXPECT_THAT(changes_by("drop a fence", kernel("__threadfence();\nstore_release(out, 1);")),
              ElementsAre("__threadfence(); -> (nothing)", "store_release(out, 1) -> store_relaxed(out, 1)"));
  EXPECT_THAT(changes_by("wrong mask", kernel("x = __shfl_down_sync(0xffffffffU, x, 1);")),
              ElementsAre("__shfl_down_sync(0xffffffffU, x, 1) -> __shfl_down_sync((0xffffffffU) & 0xffffU, x, 1)"));
  EXPECT_THAT(changes_by("wrong delta", kernel("x = __shfl_up_sync(m, x, d);")),
              ElementsAre("__shfl_up_sync(m, x, d) -> __shfl_up_sync(m, x, d + 1)"));
  EXPECT_THAT(changes_by("wrong width", kernel("x = __shfl_sync(m, x, d, 32);")),
              ElementsAre("__shfl_sync(m, x, d, 32) -> __shfl_sync(m, x, d, (32) / 2)"));
  EXPECT_THAT(changes_by("skip a store to shared memory", kernel("tile[0][i] = in[i];\nout[i] = in[i];")),
              ElementsAre("tile[0][i] = in[i]; -> (nothing)"));
  EXPECT_THAT(changes_by("swap the indices of a tile", kernel("out[i] = tile[a][b + 1];")),
              ElementsAre("tile[a][b + 1] -> tile[b + 1][a]"));
  EXPECT_THAT(changes_by("write nothing", kernel("")), ElementsAre("work(...) { -> { return;"));
  EXPECT_THAT(changes_by("leave the previous output", kernel("out[i] = in[i];")),
              ElementsAre("out[i] = in[i]; -> out[i] = out[i];"));
  EXPECT_THAT(changes_by("float where double accumulates", kernel("T sum = 0;\nsum += in[i];\ni += 1;")),
              ElementsAre("sum += in[i]; -> sum = static_cast<float>(sum + in[i]);"));
  EXPECT_THAT(changes_by("one thread too many writes", kernel("if (lane == 0) tile[0][0] = 1;\nif (lane == 0) ++i;")),
              ElementsAre("if (lane == 0) -> if (lane <= 1)"));
  EXPECT_THAT(changes_by("remove an asynchronous wait", kernel("async_wait<0>();")),
              ElementsAre("async_wait<0>(); -> (nothing)"));
  const std::vector<Parameter> inputs{{.name = "in", .type = "T", .pointer = true, .read_only = true}};
  EXPECT_THAT(changes_by("write the input", kernel("out[i] = T(2) * in[i];\nout[j] = in[j];"), inputs),
              ElementsAre("out[i] = T(2) * in[i]; -> out[i] = in[i];"));
  EXPECT_THAT(changes_by("change the input", kernel(""), inputs), ElementsAre("work(...) { -> stores into in"));
}

TEST(Rules, LeaveStaticAssertionsAndWholeTemplatesAlone) {
  EXPECT_THAT(changes_by("< for <=", kernel("static_assert(N < 3, \"small\");\nvec<T, N> held;")), IsEmpty());
}

TEST(Rules, DeclareOnlyTheTightGuardOfAPathWithASlowerOneEquivalent) {
  const std::string fast = kernel(
      "if (at + N <= count) {\n  copy(at);\n} else {\n  for (long long rest = at; rest < count; ++rest) out[rest] = "
      "in[rest];\n}");
  EXPECT_THAT(changes_by("< for <=", fast),
              ElementsAre("at + N <= count -> at + N < count (equivalent)", "rest < count -> rest <= count"));
  EXPECT_THAT(changes_by("< for <=", kernel("if (at + N <= count) copy(at);")),
              ElementsAre("at + N <= count -> at + N < count"));
  EXPECT_THAT(changes_by("< for <=", kernel("x = b < a ? b : a;\ny = b < a ? c : a;")),
              ElementsAre("b < a -> b <= a (equivalent)", "b < a -> b <= a"));
}

TEST(Equivalences, EveryDeclarationIsOfAMutantThatThereIs) {
  EXPECT_FALSE(catalogue().equivalences().empty());
  EXPECT_THAT(obsolete_equivalences(catalogue()), IsEmpty());
}

TEST(Mutations, OfEveryKernelDifferFromOneAnotherAndKeepTheirLines) {
  for (const Kernel& kernel : catalogue().kernels()) {
    std::set<std::string> identities;
    for (const Mutation& mutation : mutations_of(catalogue(), kernel)) {
      EXPECT_TRUE(
          identities.insert(mutation.rule + mutation.file + std::to_string(mutation.line) + mutation.change).second)
          << kernel.full_name() << mutation.change;
      if (mutation.edit_plan) continue;
      const std::string& before = catalogue().sources().at(mutation.file);
      EXPECT_NE(mutation.text, before) << mutation.change;
      EXPECT_EQ(std::ranges::count(mutation.text, '\n'), std::ranges::count(before, '\n')) << mutation.change;
      EXPECT_EQ(mutation.file.find("runtime/"), std::string::npos);
    }
    EXPECT_GE(identities.size(), 8U) << kernel.full_name();
  }
}

TEST(Mutants, AreNamedByWhatKilledThem) {
  EXPECT_EQ(how_it_died("failed", "out of bounds: load of 4 bytes"), "bounds");
  EXPECT_EQ(how_it_died("failed", "race: store of 4 bytes"), "race");
  EXPECT_EQ(how_it_died("failed", "out[3] is 4 where 5 was expected"), "wrong value");
  EXPECT_EQ(how_it_died("timed out", "no answer within 10 ms"), "hang");
  EXPECT_EQ(how_it_died("crashed", "killed by signal 11"), "crashed");
}

TEST(Property, CoveringPointsHaveEveryValueOfEveryAxis) {
  for (const Kernel& kernel : catalogue().kernels()) {
    const auto points = covering_points(kernel);
    EXPECT_LE(points.size(), 12U) << kernel.full_name();
    const auto all = kernel.space.points();
    for (std::size_t axis = 0; axis < all.front().size(); ++axis) {
      std::set<std::int64_t> wanted, got;
      for (const Point& point : all) wanted.insert(point[axis]);
      for (const Point& point : points) got.insert(point[axis]);
      EXPECT_EQ(wanted, got) << kernel.full_name();
    }
  }
}

class MutantsOnTheHost : public testing::Test {
 protected:
  void SetUp() override {
    const SourceTree none;
    worker::Compiler compiler(pool_, cache_, none);
    if (!compiler.toolchain().host_error.empty()) GTEST_SKIP() << compiler.toolchain().host_error;
  }
  DiskCache cache_{std::filesystem::path(WARPWRIGHT_BINARY_DIR) / "test_cache"};
  worker::Pool pool_;
};

TEST_F(MutantsOnTheHost, ASampleOverEveryKernelAndRuleIsKilledToTheLast) {
  constexpr std::size_t kSample = 72;
  const std::vector<Mutant> mutants = sample_mutants(mutants_of(catalogue(), catalogue().matching("*")), kSample);
  ASSERT_EQ(mutants.size(), kSample);
  const auto results = run_mutants(catalogue(), pool_, cache_, mutants, {}, [](std::size_t, const MutantResult&) {});
  std::size_t killed = 0;
  for (std::size_t i = 0; i < mutants.size(); ++i) {
    const Mutation& mutation = mutants[i].mutation;
    EXPECT_EQ(results[i].outcome, "killed") << mutants[i].kernel->full_name() << " | " << mutation.rule << " | "
                                            << mutation.file << ":" << mutation.line << " | " << mutation.change << "\n"
                                            << results[i].detail;
    killed += results[i].outcome == "killed" ? 1 : 0;
  }
  EXPECT_GE(killed, 60U);
}

TEST_F(MutantsOnTheHost, AMutationThatChangesNothingSurvivesAndAFalseDeclarationIsFound) {
  const Kernel& copy = catalogue().kernel("transpose/copy");
  const std::string& text = catalogue().sources().at(copy.source);
  const Mutation nothing{
      .rule = "none", .file = copy.source, .line = 1, .change = "", .text = text + "// the same\n", .equivalent = ""};
  std::vector<Mutation> mutations = mutations_of(catalogue(), copy);
  const auto guilty = std::ranges::find(mutations, "write nothing", &Mutation::rule);
  ASSERT_NE(guilty, mutations.end());
  guilty->equivalent = "so it is said";
  Mutation broken = nothing;
  broken.text = "this is no C++\n";
  const auto results = run_mutants(catalogue(), pool_, cache_, {{&copy, nothing}, {&copy, *guilty}, {&copy, broken}},
                                   {}, [](std::size_t, const MutantResult&) {});
  EXPECT_EQ(results[0].outcome, "survived");
  EXPECT_GT(results[0].cases, 1000);
  EXPECT_EQ(results[1].outcome, "survived");
  EXPECT_THAT(results[1].detail, testing::HasSubstr("declared equivalent (so it is said), yet:"));
  EXPECT_EQ(results[2].outcome, "not compiled");
  EXPECT_THAT(mutant_table({{&copy, *guilty}}, {results[1]}), testing::HasSubstr("write nothing"));
}

}  // namespace
}  // namespace warpwright::conformance
