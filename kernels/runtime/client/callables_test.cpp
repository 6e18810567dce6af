// Tests of callables on the parent's side: how a worker describes its callables, and how requests name them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/runtime/worker/answer.hpp"

namespace warpwright::worker {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct toy_knobs {
  int width = 2;
  int height = 1;
};

SpaceOf<toy_knobs> toy_space() {
  SpaceOf<toy_knobs> space;
  space.axis("width", &toy_knobs::width, {1, 2, 4})
      .axis("height", &toy_knobs::height, {1, 2})
      .require("small", [](const toy_knobs& k) { return k.width * k.height <= 4; });
  return space;
}

Callable toy(const std::string& pattern, const std::string& idiom) {
  return {.pattern = pattern,
          .implementation = "toylib",
          .idiom = idiom,
          .version = "1.2",
          .knobs = toy_space().space(),
          .default_knobs = toy_space().point({}),
          .supports = [](const Problem& problem) { return problem.elements() < 1000; },
          .depth = [](const Problem& problem, const Point& knobs,
                      const Device&) { return static_cast<double>(problem.elements() / knobs[0]); },
          .prepare = [](const CallableRequest&) -> std::unique_ptr<PreparedCallable> {
            throw CallableRefusal("never run here");
          }};
}

std::vector<BaselineInfo> baselines(Answers& answers, const ListCallables& request) {
  return std::get<std::vector<BaselineInfo>>(answers.answer(request));
}

std::vector<BaselineInfo> baselines(Answers& answers, const std::string& problem) {
  return baselines(answers, {.problem = parse_problem(problem), .device = {}});
}

TEST(Callables, AnOrdinaryWorkerHoldsNone) {
  Answers answers;
  EXPECT_THAT(baselines(answers, ListCallables()), IsEmpty());
}

TEST(Callables, AreListedWithoutAProblem) {
  Answers answers({toy("reduce", "plain"), toy("scan", "fast")});
  const std::vector<BaselineInfo> all = baselines(answers, ListCallables());
  ASSERT_THAT(all, SizeIs(2));
  EXPECT_EQ(all[1].name(), "toylib/fast");
  EXPECT_EQ(all[1].version, "1.2");
  EXPECT_THAT(all[1].knobs, IsEmpty());
}

TEST(Callables, AProblemGetsThoseOfItsPatternWithEveryValidChoiceOfKnobs) {
  Answers answers({toy("reduce", "plain"), toy("scan", "fast")});
  const auto found = baselines(answers, "reduce[op=sum,float,100]");
  ASSERT_THAT(found, SizeIs(1));
  ASSERT_THAT(found[0].knobs, SizeIs(5));
  std::vector<std::string> standard;
  for (const KnobsInfo& knobs : found[0].knobs)
    if (knobs.is_default) standard.push_back(knobs.text);
  EXPECT_THAT(standard, ElementsAre("{.width = 2, .height = 1}"));
  EXPECT_EQ(found[0].knobs[0].depth, 100);
  EXPECT_EQ(found[0].knobs[4].depth, 25);
}

TEST(Callables, SayHowTheyAreChecked) {
  Callable random = toy("reduce", "plain");
  random.observation = "sorted";
  random.has_oracle = false;
  random.laws = {"moments"};
  Answers answers({random});
  const auto found = baselines(answers, "reduce[op=sum,float,100]");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].observation, "sorted");
  EXPECT_FALSE(found[0].has_oracle);
  EXPECT_THAT(found[0].laws, ElementsAre("moments"));
}

TEST(Callables, AProblemThatIsNotSupportedGetsNone) {
  Answers answers({toy("reduce", "plain")});
  EXPECT_THAT(baselines(answers, "reduce[op=sum,float,1000]"), IsEmpty());
}

TEST(Callables, AMissingLibraryIsReportedAndHasNoKnobs) {
  Callable missing = toy("reduce", "plain");
  missing.missing = "install toylib";
  Answers answers({missing});
  const auto found = baselines(answers, "reduce[op=sum,float,100]");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].missing, "install toylib");
  EXPECT_THAT(found[0].knobs, IsEmpty());
}

TEST(Callables, AreFoundByPatternAndName) {
  const std::vector<Callable> held{toy("reduce", "plain"), toy("scan", "plain")};
  EXPECT_EQ(&find_callable(held, "scan", "toylib/plain"), &held[1]);
  try {
    (void)find_callable(held, "scan", "toylib/fast");
    FAIL() << "found what is not there";
  } catch (const std::invalid_argument& unknown) {
    EXPECT_THAT(unknown.what(), AllOf(HasSubstr("toylib/fast"), HasSubstr("toylib/plain")));
  }
}

TEST(GpuTimer, HostClockAndEventsHaveModesOfTheirOwn) {
  EXPECT_NE(gpu::timing_mode(false, gpu::Clock::host), gpu::timing_mode(false));
}

}  // namespace
}  // namespace warpwright::worker
