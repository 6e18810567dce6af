// Tests of the checker's algorithm with a fake runner: the order of runs, and which failure counts.
#include "conformance/checks/checker.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "conformance/checks/run_plan.hpp"
#include "conformance/suite/host_fixture.hpp"
#include "conformance/suite/text_kernel.hpp"

namespace warpwright::conformance {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

constexpr std::size_t kIn = 0, kOut = 1;
constexpr int kFirst = 0xFF, kSecond = 0x5A;  // bytes in the outputs before a run

/// The arguments of a run.
struct Asked {
  int before = 0;  ///< the byte that fills the outputs before the run
  std::string schedule = {};
  std::optional<int> poison = {};
  double accesses = 0, steps = 0;
  std::vector<StrictRule> lenient = {};
  std::optional<bool> contracts = {};
};

/// Answers each run as a function of its number, from 0, and of its buffers.
class FakeRunner : public CaseRunner {
 public:
  using Answer = std::function<void(std::size_t number, RunResult& result)>;
  FakeRunner(std::vector<Asked>& asked, Answer answer) : asked_(asked), answer_(std::move(answer)) {}

  const Device& device(const std::string& target) const override { return host_device(target); }
  RunResult run(RunRequest request) override {
    const Case& test = request.test;
    const std::string schedule = std::to_string(test.schedule_seed) + ":" + std::to_string(test.resident_blocks);
    asked_.push_back({.before = static_cast<int>(request.buffers.at(kOut).at(0)),
                      .schedule = schedule,
                      .poison = request.poison,
                      .accesses = request.limits.accesses,
                      .steps = request.steps,
                      .lenient = request.lenient,
                      .contracts = request.contracts});
    RunResult result{
        .buffers = std::move(request.buffers), .steps = 10, .threads = 2, .seconds = 1, .schedule = schedule};
    answer_(asked_.size() - 1, result);
    return result;
  }
  std::map<std::string, Bytes> run_plan(const worker::CompiledPlan&, const std::vector<Bytes>&,
                                        const Device&) override {
    return {};
  }
  std::optional<CaseResult> check_by_reference(const Case& test) override {
    if (!has_reference) return std::nullopt;
    return CaseResult{.verdict = Verdict::failed, .detail = "by reference: " + problem_text(test.problem)};
  }

  bool has_reference = false;

 private:
  std::vector<Asked>& asked_;
  Answer answer_;
};

void copy_all(std::size_t, RunResult& result) {
  result.buffers.at(kOut) = result.buffers.at(kIn);
}

/// Leaves element 7 as it was before the run.
void copy_all_but_one(std::size_t, RunResult& result) {
  Bytes& out = result.buffers.at(kOut);
  const Bytes before(out.begin() + 28, out.begin() + 32);
  out = result.buffers.at(kIn);
  std::ranges::copy(before, out.begin() + 28);
}

void fail(RunResult& result, FindingKind kind) {
  result.found.emplace();
  result.found->kind = kind;
  result.found->message = "it is wrong";
  result.verdict = Verdict::failed;
  result.detail = describe(*result.found);
}

class CheckerAlgorithm : public HostFixture {
 protected:
  template <class Work>
  auto with_checker(FakeRunner::Answer answer, const CheckerOptions& options, Work work) {
    auto runner = std::make_unique<FakeRunner>(asked_, std::move(answer));
    runner->has_reference = has_reference_;
    worker::Compiler compiler(pool_, cache_, all_.sources());
    worker::Process process;
    Checker checker(all_, process, compiler, std::move(runner), options);
    return work(checker);
  }
  CaseResult check(FakeRunner::Answer answer, const CheckerOptions& options = {}, const RunLimits& limits = {}) {
    return with_checker(std::move(answer), options, [&](Checker& checker) { return checker.check(test_, limits); });
  }
  std::vector<int> before() const {
    std::vector<int> bytes;
    for (const Asked& one : asked_) bytes.push_back(one.before);
    return bytes;
  }

  const Catalogue all_ = TextKernel{.code = "__global__ void text(const float*, float*, long long) {}\n",
                                    .lenient = {{.what = StrictRule::early_exit, .reason = "a test"}}}
                             .catalogue_of();
  Case test_{.kernel = &all_.kernels().front(),
             .params = all_.kernels().front().default_point,
             .problem = make_problem(all_.pattern("copying"), {ElementType::f32}, {}, {300}),
             .input = {.kind = "exact", .seed = 7},
             .law = "",
             .schedule_seed = 5,
             .resident_blocks = 3};
  bool has_reference_ = false;
  std::vector<Asked> asked_;
};

TEST_F(CheckerAlgorithm, RightOutputsNeedOneRunWithTheLimitsAndTolerancesOfTheCheck) {
  const CaseResult result = check(copy_all, {}, {.accesses = 77});
  EXPECT_EQ(result.verdict, Verdict::passed) << result.detail;
  EXPECT_EQ(result.steps, 10U);
  ASSERT_THAT(asked_, SizeIs(1));
  EXPECT_EQ(asked_[0].before, kFirst);
  EXPECT_EQ(asked_[0].schedule, "5:3");
  EXPECT_EQ(asked_[0].poison, std::nullopt);
  EXPECT_EQ(asked_[0].accesses, 77);
  EXPECT_EQ(asked_[0].steps, 300);
  EXPECT_THAT(asked_[0].lenient, ElementsAre(StrictRule::early_exit));
  check(copy_all, {.strict = false});
  EXPECT_THAT(asked_.back().lenient, SizeIs(all_strict_rules().size()));
}

TEST_F(CheckerAlgorithm, OutputsThatEqualThePoisonAreCheckedWithAnotherOne) {
  const CaseResult result = check(copy_all_but_one);
  EXPECT_THAT(before(), ElementsAre(kFirst, kSecond));
  EXPECT_EQ(result.verdict, Verdict::failed);
  EXPECT_THAT(result.detail, HasSubstr("out[7] was never written: "));
  EXPECT_EQ(result.steps, 20U);
}

TEST_F(CheckerAlgorithm, AResultWrongWithOnePoisonIsWrong) {
  const CaseResult result = check(
      [](std::size_t number, RunResult& run) { number == 0 ? copy_all_but_one(number, run) : copy_all(number, run); });
  EXPECT_THAT(before(), ElementsAre(kFirst, kSecond));
  EXPECT_EQ(result.verdict, Verdict::failed);
  EXPECT_THAT(result.detail, testing::Not(HasSubstr("was never written")));
}

TEST_F(CheckerAlgorithm, AFindingCountsMoreThanOutputsAndEndsTheCheck) {
  const CaseResult result = check([](std::size_t, RunResult& run) { fail(run, FindingKind::race); });
  EXPECT_THAT(asked_, SizeIs(1));
  EXPECT_EQ(result.finding, FindingKind::race);
  EXPECT_EQ(result.detail, "race: it is wrong");
}

TEST_F(CheckerAlgorithm, WhatWouldTolerateAFindingIsTriedWithinTheLimitsOfTheCase) {
  const RunLimits limits{.accesses = 123};
  const std::string note = with_checker(
      [](std::size_t number, RunResult& run) {
        copy_all(number, run);
        if (number == 0) return fail(run, FindingKind::barrier_divergence);
        run.tolerated.push_back({.rule = StrictRule::early_exit, .location = "a:1", .text = "it ends early"});
      },
      {}, [&](Checker& checker) { return checker.tolerance_of(test_, checker.check(test_, limits), limits); });
  EXPECT_EQ(note, "; note: --strict off tolerates it");
  ASSERT_THAT(asked_, SizeIs(2));
  EXPECT_EQ(asked_[1].accesses, 123);
  EXPECT_THAT(asked_[1].lenient, SizeIs(all_strict_rules().size()));
}

TEST_F(CheckerAlgorithm, WrongOutputsAreExplainedByHintsAndWarnings) {
  const CaseResult result = check([](std::size_t, RunResult& run) {
    copy_all(0, run);
    run.buffers.at(kOut).at(3) = std::byte{1};
    run.hints = "; a hint";
    run.warning = "; a warning";
  });
  EXPECT_EQ(result.verdict, Verdict::failed);
  EXPECT_TRUE(result.detail.ends_with("; a hint; a warning")) << result.detail;
}

TEST_F(CheckerAlgorithm, DeterminismIsCheckedWithoutContraction) {
  test_.law = kDeterminism;
  for (test_.schedule_seed = 1; test_.schedule_seed <= 16; ++test_.schedule_seed) {
    EXPECT_EQ(check(copy_all).verdict, Verdict::passed);
    for (const Asked& request : asked_) EXPECT_EQ(request.contracts, false) << test_.schedule_seed;
  }
}

TEST_F(CheckerAlgorithm, DeterminismComparesTwoSchedules) {
  test_.law = kDeterminism;
  EXPECT_EQ(check(copy_all).verdict, Verdict::passed);
  ASSERT_THAT(asked_, SizeIs(2));
  EXPECT_EQ(asked_[0].schedule, "5:3");
  EXPECT_EQ(asked_[1].schedule, "6:0");
  const auto differ = [](std::size_t number, RunResult& run) {
    copy_all(number, run);
    run.buffers.at(kOut).at(3) = std::byte{static_cast<unsigned char>(number)};
  };
  const CaseResult differs = check(differ);
  EXPECT_EQ(differs.verdict, Verdict::failed);
  EXPECT_THAT(differs.detail, HasSubstr("not deterministic: the bits of out[0]"));
  EXPECT_TRUE(differs.detail.ends_with(" under schedules 5:3 and 6:0")) << differs.detail;
  const CaseResult unordered = check([&](std::size_t number, RunResult& run) {
    differ(number, run);
    run.schedule.clear();
  });
  EXPECT_THAT(unordered.detail, testing::Not(HasSubstr("schedules")));
  const CaseResult raced = check([](std::size_t number, RunResult& run) {
    copy_all(number, run);
    if (number % 2 == 1) fail(run, FindingKind::race);
  });
  EXPECT_EQ(raced.finding, FindingKind::race);
}

TEST_F(CheckerAlgorithm, EqualBitsAreOfTheCasesOwnScheduleAndThoseAfterANumber) {
  const auto equal_bits = [&](FakeRunner::Answer answer) {
    return with_checker(std::move(answer), {},
                        [&](Checker& checker) { return checker.check_equal_bits(test_, 3, 10, {}); });
  };
  EXPECT_EQ(equal_bits(copy_all).verdict, Verdict::passed);
  ASSERT_THAT(asked_, SizeIs(3));
  EXPECT_EQ(asked_[0].schedule, "5:3");
  EXPECT_EQ(asked_[1].schedule, "16:0");
  EXPECT_EQ(asked_[2].schedule, "17:0");
  // Several runs in one, as on a GPU, the last of which left other bits.
  const CaseResult differs = equal_bits([](std::size_t number, RunResult& run) {
    copy_all(number, run);
    run.runs = 2;
    run.others.push_back(run.buffers);
    run.others.front().at(kOut).at(4) ^= std::byte{1};
  });
  EXPECT_EQ(differs.verdict, Verdict::failed);
  EXPECT_THAT(differs.detail, HasSubstr("not deterministic: the bits of out[1]"));
}

TEST_F(CheckerAlgorithm, AReadOfUnwrittenMemoryThatIsToleratedIsCheckedWithOtherContents) {
  const auto tolerate = [](RunResult& run) {
    run.tolerated.push_back({.rule = StrictRule::discarded_read, .location = "a:1", .text = "a read"});
  };
  const CaseResult right = check([&](std::size_t number, RunResult& run) {
    copy_all(number, run);
    tolerate(run);
  });
  EXPECT_EQ(right.verdict, Verdict::passed);
  EXPECT_EQ(right.steps, 30U);
  ASSERT_THAT(asked_, SizeIs(3));
  EXPECT_EQ(asked_[0].poison, std::nullopt);
  EXPECT_EQ(asked_[1].poison, 0x7e);
  EXPECT_EQ(asked_[2].poison, 0xfd);
  asked_.clear();
  const CaseResult wrong = check([&](std::size_t number, RunResult& run) {
    copy_all(number, run);
    tolerate(run);
    if (number == 1) fail(run, FindingKind::out_of_bounds);
  });
  EXPECT_THAT(asked_, SizeIs(2));
  EXPECT_EQ(wrong.verdict, Verdict::failed);
  EXPECT_EQ(wrong.finding, FindingKind::uninitialised_read);
  EXPECT_THAT(wrong.detail, HasSubstr("a read; and the result depends on what was there: "));
}

TEST_F(CheckerAlgorithm, ALargeProblemIsComparedWithTheReferenceIfTheRunnerCan) {
  has_reference_ = true;
  EXPECT_EQ(check(copy_all).verdict, Verdict::passed) << "a small one is not";
  test_.problem.shape = {200'000'000};
  asked_.clear();
  EXPECT_THAT(check(copy_all).detail, HasSubstr("by reference: copying"));
  EXPECT_THAT(asked_, IsEmpty());
}

TEST_F(CheckerAlgorithm, AsksTheOracleOnceForAllChecksOfAProblemWithAnInput) {
  int asked = 0;
  std::vector<Pattern> patterns = all_.patterns();
  for (Pattern& pattern : patterns)
    pattern.oracle = [&asked, oracle = pattern.oracle](const Problem& problem, const std::vector<Bytes>& inputs) {
      ++asked;
      return oracle(problem, inputs);
    };
  const Catalogue counted(patterns, all_.kernels(), all_.sources());
  worker::Compiler compiler(pool_, cache_, counted.sources());
  worker::Process process;
  const auto answers = std::make_shared<AnswerCache>();
  for (int i = 0; i < 2; ++i) {
    Checker checker(counted, process, compiler, std::make_unique<FakeRunner>(asked_, copy_all), {.answers = answers});
    for (test_.schedule_seed = 0; test_.schedule_seed < 3; ++test_.schedule_seed)
      EXPECT_TRUE(checker.check(test_).ok());
  }
  EXPECT_EQ(asked, 1);
  ++test_.input.seed;
  Checker other(counted, process, compiler, std::make_unique<FakeRunner>(asked_, copy_all), {.answers = answers});
  EXPECT_TRUE(other.check(test_).ok());
  EXPECT_EQ(asked, 2);
}

TEST(Answers, AreHeldUpToAnAmountOfMemoryAndTheLongestUnusedLeaveFirst) {
  AnswerCache answers(100);
  int computed = 0;
  const auto ask = [&](std::uint64_t seed, std::size_t bytes) {
    return answers
        .answer({.pattern = "any"}, {.kind = "exact", .seed = seed},
                [&] {
                  ++computed;
                  return OracleAnswer{.inputs = {Bytes(bytes)}, .expected = {}};
                })
        ->inputs.front()
        .size();
  };
  for (const std::uint64_t seed : {1, 2, 1, 3, 1}) EXPECT_EQ(ask(seed, 40), 40U);
  EXPECT_EQ(computed, 3);
  ask(2, 40);
  EXPECT_EQ(computed, 4) << "1 and 3 were used later";
  ask(1, 40);
  EXPECT_EQ(computed, 4);
  ask(4, 101);
  ask(4, 101);
  EXPECT_EQ(computed, 6) << "larger than all memory";
}

TEST_F(CheckerAlgorithm, AStrictRuleIsOnlyNotedAtAShapeThatIsNotTheStrictOne) {
  const auto answer = [](std::size_t, RunResult& run) {
    copy_all(0, run);
    run.tolerated.push_back({.rule = StrictRule::early_exit, .location = "a:1", .text = "it ends early"});
  };
  const auto strict_then = [&](std::size_t number, RunResult& run) {
    number == 0 ? fail(run, FindingKind::barrier_divergence) : answer(number, run);
  };
  const CaseResult noted = check(strict_then, {.strict_shape = std::vector<std::int64_t>{4096}});
  EXPECT_TRUE(noted.is_right()) << noted.detail;
  EXPECT_THAT(noted.tolerated, SizeIs(1));
  ASSERT_THAT(asked_, SizeIs(2));
  EXPECT_THAT(asked_[1].lenient, SizeIs(all_strict_rules().size()));
  asked_.clear();
  EXPECT_FALSE(check(strict_then, {.strict_shape = std::vector<std::int64_t>{300}}).is_right()) << "it is tuned";
  asked_.clear();
  EXPECT_FALSE(check(strict_then).is_right()) << "all shapes are strict";
  asked_.clear();
  const auto always = [](std::size_t, RunResult& run) { fail(run, FindingKind::race); };
  EXPECT_EQ(check(always, {.strict_shape = std::vector<std::int64_t>{4096}}).finding, FindingKind::race)
      << "no rule tolerates it";
}

}  // namespace
}  // namespace warpwright::conformance
