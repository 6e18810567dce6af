// Tests of findings that the simulator may tolerate: which are tolerated with a reason, and which stay errors.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/properties/property.hpp"
#include "conformance/properties/remarks.hpp"
#include "conformance/suite/host_fixture.hpp"
#include "conformance/suite/text_kernel.hpp"

namespace warpwright::conformance {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

class Lenient : public HostFixture {
 protected:
  static Case case_of(const Catalogue& all, std::int64_t elements, std::uint64_t seed = 0) {
    Case test;
    test.kernel = &all.kernels().front();
    test.params = test.kernel->default_point;
    test.problem = make_problem(all.pattern(test.kernel->pattern), {ElementType::f32}, {}, {elements});
    test.schedule_seed = seed;
    return test;
  }

  CaseResult check(const Catalogue& all, const Case& test, bool strict) {
    worker::Compiler compiler(pool_, cache_, all.sources());
    worker::Process process;
    return Checker(all, process, compiler, {.strict = strict}).check(test);
  }

  CaseResult check(const std::string& code, bool strict, std::uint64_t seed = 0) {
    const Catalogue all = TextKernel{.code = code}.catalogue_of();
    return check(all, case_of(all, 500, seed), strict);
  }

  /// Expects a finding with this text in strict mode, and otherwise one note of the rule with this text, in several
  /// schedules.
  void expect_note(const std::string& code, StrictRule rule, const std::string& text, const std::string& line) {
    for (const std::uint64_t seed : {0U, 3U, 11U, 40U}) {
      const CaseResult strict = check(code, true, seed);
      EXPECT_EQ(strict.verdict, Verdict::failed) << word_of(rule);
      EXPECT_THAT(strict.detail, HasSubstr(text));
      EXPECT_THAT(strict.tolerated, IsEmpty());
      const CaseResult lenient = check(code, false, seed);
      EXPECT_EQ(lenient.verdict, Verdict::passed) << lenient.detail;
      EXPECT_THAT(lenient.tolerated, Contains(Field(&Tolerated::rule, rule)));
      EXPECT_THAT(lenient.tolerated, Each(AllOf(Field(&Tolerated::rule, rule), Field(&Tolerated::text, HasSubstr(text)),
                                                Field(&Tolerated::location, HasSubstr(line)))));
    }
  }

  void expect_error(const std::string& code, const std::string& text) {
    for (const std::uint64_t seed : {0U, 3U, 11U, 40U}) {
      const CaseResult lenient = check(code, false, seed);
      EXPECT_EQ(lenient.verdict, Verdict::failed);
      EXPECT_THAT(lenient.detail, HasSubstr(text));
    }
  }
};

/// A copy kernel whose threads first store `stored` to one place in shared memory.
std::string one_place(const std::string& stored) {
  return R"(
__global__ void text(const float* in, float* out, long long n) {
  __shared__ int any;
  any = )" +
         stored + R"(;
  __syncthreads();
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n && any >= 0) out[i] = in[i];
})";
}

TEST_F(Lenient, SeveralThreadsMayStoreTheSameValueButNotDifferentOnes) {
  expect_note(one_place("1"), StrictRule::same_value_stores, "race", "text.cuh:10");
  expect_error(one_place("static_cast<int>(threadIdx.x)"), "race");
  expect_error(one_place("threadIdx.x == 200 ? 2 : 1"), "race");
}

TEST_F(Lenient, AValueThatOthersReadAtTheSameTimeIsARace) {
  expect_error(R"(
__global__ void text(const float* in, float* out, long long n) {
  __shared__ int any;
  if (threadIdx.x < 32) any = 1;
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n && any >= 0) out[i] = in[i];
})",
               "race");
}

/// A copy kernel in which two warps store the same value; the second one then waits by `wait` and reads it.
std::string read_by_the_second_warp(const std::string& wait) {
  return R"(
__global__ void text(const float* in, float* out, long long n) {
  __shared__ int any;
  int seen = 1;
  if (threadIdx.x < 64) any = 1;
  )" + wait +
         R"(
  if (threadIdx.x >= 32 && threadIdx.x < 64) seen = any;
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = seen == 1 ? in[i] : 99;
})";
}

TEST_F(Lenient, AReadAfterSameValueStoresMustBeOrderedAfterAllOfThem) {
  expect_note(read_by_the_second_warp("__syncthreads();"), StrictRule::same_value_stores, "race", "text.cuh:11");
  expect_error(read_by_the_second_warp("__syncwarp();"), "race: load of 4 bytes");
}

const std::string kLeavesEarly = R"(
__global__ void text(const float* in, float* out, long long n) {
  __shared__ float tile[256];
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  tile[threadIdx.x] = in[i];
  __syncthreads();
  out[i] = tile[threadIdx.x];
})";

TEST_F(Lenient, ThreadsMayExitBeforeABarrier) {
  expect_note(kLeavesEarly, StrictRule::early_exit, "barrier divergence", "text.cuh:13");
}

TEST_F(Lenient, LanesMayExitBeforeAWarpOperationThatNamesThem) {
  expect_note(R"(
__global__ void text(const float* in, float* out, long long n) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned all = __ballot_sync(0xffffffffU, 1);
  if (all != 0) out[i] = in[i];
})",
              StrictRule::early_exit, "mask", "text.cuh:11");
}

TEST_F(Lenient, ABarrierThatOthersNeverReachIsAnError) {
  expect_error(R"(
__global__ void text(const float* in, float* out, long long n) {
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (threadIdx.x < 32)
    __syncthreads();
  else
    __syncthreads();
  if (i < n) out[i] = in[i];
})",
               "barrier divergence");
}

/// A copy kernel that reads uninitialised shared memory, and stores `stored`.
std::string reads_what_nobody_wrote(const std::string& stored) {
  return R"(
__global__ void text(const float* in, float* out, long long n) {
  __shared__ float tile[512];
  tile[threadIdx.x] = 1;
  __syncthreads();
  const volatile float next = tile[threadIdx.x + 1];
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = )" +
         stored + R"(;
})";
}

TEST_F(Lenient, AnUninitialisedValueMayBeReadIfItIsNotUsed) {
  expect_note(reads_what_nobody_wrote("in[i]"), StrictRule::discarded_read, "uninitialised read", "text.cuh:12");
  expect_error(reads_what_nobody_wrote("threadIdx.x < 255 ? in[i] : next"), "");
  // The difference appears for only one of the memory's possible contents.
  expect_error(reads_what_nobody_wrote("next > 1e30F && threadIdx.x == 255 ? 3 : in[i]"), "");
  const CaseResult result = check(reads_what_nobody_wrote("next < -1e30F && threadIdx.x == 255 ? 3 : in[i]"), false);
  EXPECT_THAT(result.detail, AllOf(HasSubstr("uninitialised read"), HasSubstr("the result depends on what was there"),
                                   HasSubstr("out[255]")));
}

TEST_F(Lenient, AnExchangeOfUnwrittenMemoryIsRightIfItsResultIsNotUsed) {
  const auto exchanged = [](const std::string& stored, const std::string& where = "tile + threadIdx.x") {
    return R"(
__global__ void text(const float* in, float* out, long long n) {
  __shared__ float tile[256];
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  [[maybe_unused]] const float old = atomicExch()" +
           where + R"(, in[i]);
  out[i] = )" +
           stored + ";\n}";
  };
  for (const bool strict : {true, false}) {
    const CaseResult unused = check(exchanged("tile[threadIdx.x]"), strict);
    EXPECT_EQ(unused.verdict, Verdict::passed) << unused.detail;
    EXPECT_THAT(unused.tolerated, IsEmpty());
    const CaseResult used = check(exchanged("old < -1e30F ? 3 : in[i]"), strict);
    EXPECT_EQ(used.finding, FindingKind::uninitialised_read);
    EXPECT_THAT(used.detail, AllOf(HasSubstr("text.cuh:12"), HasSubstr("the result depends on what was there")));
    // In an output, too.
    EXPECT_EQ(check(exchanged("in[i]", "out + i"), strict).verdict, Verdict::passed);
    EXPECT_EQ(check(exchanged("old > 0 ? 3 : in[i]", "out + i"), strict).finding, FindingKind::uninitialised_read);
  }
}

/// A copy kernel in which one warp passes a value to another one, with these fences on the two sides.
std::string handed_on(const std::string& before, const std::string& behind) {
  return R"(
__global__ void text(const float* in, float* out, long long n) {
  __shared__ float data;
  __shared__ volatile int flag;
  if (threadIdx.x == 0) flag = 0;
  __syncthreads();
  if (threadIdx.x == 0) {
    data = in[0];
    )" + before +
         R"(
    flag = 1;
  }
  float seen = in[0];
  if (threadIdx.x == 32) {
    while (flag == 0) {}
    )" + behind +
         R"(
    seen = data;
  }
  const long long i = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = seen == in[0] ? in[i] : 99;
})";
}

TEST_F(Lenient, TheFenceOfTheReaderOfAFlagMayBeMissing) {
  const std::string fence = "__threadfence_block();";
  for (const std::uint64_t seed : {0U, 3U, 11U}) {
    EXPECT_EQ(check(handed_on(fence, fence), true, seed).verdict, Verdict::passed);
    EXPECT_EQ(check(handed_on(fence, ""), true, seed).finding, FindingKind::race);
    const CaseResult lenient = check(handed_on(fence, ""), false, seed);
    EXPECT_EQ(lenient.verdict, Verdict::passed) << lenient.detail;
    ASSERT_THAT(lenient.tolerated, SizeIs(1));
    EXPECT_EQ(lenient.tolerated[0].rule, StrictRule::one_sided_fence);
    EXPECT_THAT(lenient.tolerated[0].location, AllOf(HasSubstr("text.cuh:22 "), HasSubstr("text.cuh:14")));
    EXPECT_EQ(check(handed_on("", fence), false, seed).finding, FindingKind::race);
    EXPECT_EQ(check(handed_on("", ""), false, seed).finding, FindingKind::race);
  }
}

TEST_F(Lenient, AKernelDeclaresToleranceWithAReasonAndForOneRuleOnly) {
  const TextKernel text{.code = kLeavesEarly,
                        .lenient = {{.what = StrictRule::early_exit, .reason = "as on every board since 2017"}}};
  const Catalogue all = text.catalogue_of();
  const CaseResult result = check(all, case_of(all, 500), true);
  EXPECT_EQ(result.verdict, Verdict::passed) << result.detail;
  ASSERT_THAT(result.tolerated, SizeIs(1));
  EXPECT_THAT(describe(all.kernels().front(), result.tolerated[0]),
              AllOf(HasSubstr("tolerated (early_exit): "), HasSubstr("; reason: as on every board since 2017")));
  TextKernel other = text;
  other.code = one_place("1");
  const Catalogue others = other.catalogue_of();
  EXPECT_EQ(check(others, case_of(others, 500), true).finding, FindingKind::race);
}

TEST_F(Lenient, ADeclarationWithoutAReasonOrTwiceIsRefused) {
  TextKernel text{.code = kLeavesEarly, .lenient = {{.what = StrictRule::early_exit, .reason = " "}}};
  EXPECT_THROW(text.kernel(), std::invalid_argument);
  text.lenient = {{StrictRule::early_exit, "one"}, {StrictRule::early_exit, "two"}};
  EXPECT_THROW(text.kernel(), std::invalid_argument);
  text.lenient = {{StrictRule::early_exit, "one"}, {StrictRule::discarded_read, "two"}};
  EXPECT_NO_THROW(text.kernel());
  EXPECT_THROW(strict_rule_of("late exit"), std::invalid_argument);
}

TEST_F(Lenient, APropertyCountsToleratedFindingsAndNamesUnneededDeclarations) {
  const TextKernel text{.code = kLeavesEarly,
                        .lenient = {{StrictRule::early_exit, "every board"}, {StrictRule::discarded_read, "padding"}}};
  const Catalogue all = text.catalogue_of();
  worker::Compiler compiler(pool_, cache_, all.sources());
  worker::Process process;
  Checker checker(all, process, compiler);
  const Kernel& kernel = all.kernels().front();
  const PropertyReport report = run_property(all, checker, kernel,
                                             {.cases = 20,
                                              .params = {kernel.default_point},
                                              .problems = problems_of(all.pattern("copying"), kernel, host_device())});
  ASSERT_TRUE(report.ok()) << report.failure.detail;
  ASSERT_THAT(report.tolerated,
              Contains(Field(&CountedTolerated::cases, testing::AllOf(testing::Gt(1), testing::Lt(20)))));
  EXPECT_THAT(unneeded_rules(report), ElementsAre(Field(&ToleratedRule::what, StrictRule::discarded_read)));
  EXPECT_THAT(remarks_on(report),
              AllOf(Contains(AllOf(HasSubstr("tolerated (early_exit)"), HasSubstr(" of 20 cases)"))),
                    Contains(AllOf(HasSubstr("'discarded_read' is tolerated (padding)"),
                                   HasSubstr("none of 20 cases needed: obsolete?")))));
}

}  // namespace
}  // namespace warpwright::conformance
