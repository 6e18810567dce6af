// Tests of streams, memories and host steps of plans: their JSON, and messages on wrong ones.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <nlohmann/json.hpp>

#include "kernels/model/plan.hpp"
#include "kernels/model/signature.hpp"

namespace warpwright {
namespace {

using testing::HasSubstr;

Plan plan_with_streams() {
  return {.buffers = {{.name = "in", .count = 8, .where = Where::pageable},
                      {.name = "out", .role = Role::out, .count = 8, .where = Where::pinned},
                      {.name = "pages", .role = Role::scratch, .count = 8, .where = Where::managed},
                      {.name = "a", .role = Role::scratch, .count = 8}},
          .steps = {{.what = Copy{.from = "in", .to = "a", .bytes = 16, .from_offset = 16, .to_offset = 4},
                     .stream = 1,
                     .label = "there"},
                    {.what = Prefetch{.buffer = "pages", .byte_offset = 4, .bytes = 8, .to_host = true}, .stream = 2},
                    {.what = Launch{.entry = "k",
                                    .grid = {},
                                    .block = {},
                                    .arguments = {pointer_to("a"), pointer_to("out"), pointer_to("pages")}},
                     .stream = 2,
                     .label = "done",
                     .waits = {"there"}},
                    {.what = HostWork{.source = "work.cuh",
                                      .function = "half<float>",
                                      .arguments = {pointer_to("in", 4), value(3)},
                                      .accesses = {{"in", 4, 12, false}, {"out", 0, 4, true}}}},
                    {.what = Synchronise{}, .waits = {"done", "there"}}}};
}

TEST(Streams, SurviveARoundTripAsText) {
  const Plan plan = plan_with_streams();
  EXPECT_EQ(plan_fault(plan), "");
  EXPECT_EQ(nlohmann::json::parse(nlohmann::json(plan).dump()).get<Plan>(), plan);
  EXPECT_FALSE(plan.is_plain());
  EXPECT_EQ(host_functions_of(plan), (HostFunctionSources{{"half<float>", "work.cuh"}}));
}

TEST(Streams, APlanWithoutThemParsesAsBefore) {
  const Plan plan{.buffers = {{.name = "in", .count = 3}},
                  .steps = {{.what = Copy{.from = "in", .to = "in", .bytes = 4}}}};
  EXPECT_TRUE(plan.is_plain());
  EXPECT_EQ(nlohmann::json(plan).dump(),
            R"({"buffers":[{"count":3,"name":"in","role":"in","self_restoring":false,"type":"float"}],)"
            R"("steps":[{"bytes":4,"copy":"in","timed":true,"to":"in"}]})");
}

TEST(Streams, EachMakesAPlanThatIsNotPlain) {
  const Plan plain{.buffers = {{.name = "a", .count = 3}},
                   .steps = {{.what = Repeat{.times = 2, .steps = {{.what = Copy{.from = "a", .to = "a"}}}}}}};
  ASSERT_TRUE(plain.is_plain());
  const auto changed = [&](const std::function<void(Buffer&, Step&)>& change) {
    Plan plan = plain;
    change(plan.buffers[0], std::get<Repeat>(plan.steps[0].what).steps[0]);
    return plan.is_plain();
  };
  EXPECT_FALSE(changed([](Buffer& buffer, Step&) { buffer.where = Where::pinned; }));
  EXPECT_FALSE(changed([](Buffer&, Step& step) { step.stream = 1; }));
  EXPECT_FALSE(changed([](Buffer&, Step& step) { step.waits = {"a"}; }));
  EXPECT_FALSE(changed([](Buffer&, Step& step) { step.what = Synchronise{}; }));
  EXPECT_TRUE(changed([](Buffer&, Step& step) { step.label = "a"; })) << "nobody waits for it";
}

TEST(Streams, AreDescribed) {
  const std::string text = describe(plan_with_streams());
  for (const char* part :
       {"buffer in in float x 8 pageable\n", "copy 16 B from in+16B to a+4B in stream 1 as 'there'\n",
        "prefetch 8 B of pages+4B to the host in stream 2\n", "in stream 2 as 'done' behind 'there'\n",
        "host half<float> (in+4B, 3), reads 12 B of in+4B, writes 4 B of out\n", "host waits behind 'done', 'there'\n"})
    EXPECT_THAT(text, HasSubstr(part));
}

/// The message on the plan after a change.
std::string fault(const std::function<void(Plan&)>& change) {
  Plan plan = plan_with_streams();
  change(plan);
  return plan_fault(plan);
}

TEST(PlanFault, IsAWaitForNothing) {
  EXPECT_THAT(fault([](Plan& plan) { plan.steps[2].waits = {"nowhere"}; }),
              HasSubstr("no step has the label 'nowhere'"));
  EXPECT_THAT(fault([](Plan& plan) { plan.steps[0].waits = {"done"}; }),
              HasSubstr("the step 'done' is not before the one that waits"));
  EXPECT_THAT(fault([](Plan& plan) { plan.steps[2].waits = {"done"}; }),
              HasSubstr("the step 'done' is not before the one that waits"))
      << "for itself";
  EXPECT_THAT(fault([](Plan& plan) { std::swap(plan.steps[0], plan.steps[2]); }), HasSubstr("'there' is not before"));
  EXPECT_THAT(fault([](Plan& plan) {
                plan.steps[3].label = "host";
                plan.steps[4].waits = {"host"};
              }),
              HasSubstr("nothing waits for it"));
}

TEST(PlanFault, IsALabelUsedTwice) {
  EXPECT_EQ(fault([](Plan& plan) { plan.steps[1].label = "there"; }), "two steps have the label 'there'");
  EXPECT_EQ(fault([](Plan& plan) { plan.steps.push_back({.what = Repeat{.times = 1, .steps = {plan.steps[0]}}}); }),
            "two steps have the label 'there'");
}

TEST(PlanFault, IsAStreamThatCannotBe) {
  EXPECT_THAT(fault([](Plan& plan) { plan.steps[0].stream = -1; }), HasSubstr("stream -1"));
  EXPECT_THAT(fault([](Plan& plan) { plan.steps[0].stream = kMostStreams; }), HasSubstr("stream 128 of 128"));
  EXPECT_THAT(fault([](Plan& plan) { plan.steps[3].stream = 1; }), HasSubstr("the host is in no stream"));
  EXPECT_THAT(fault([](Plan& plan) { plan.steps.push_back({.what = Repeat{.times = 1, .steps = {}}, .stream = 1}); }),
              HasSubstr("a repeat has no stream"));
  EXPECT_THAT(fault([](Plan& plan) {
                Step wrong = plan.steps[3];
                wrong.stream = 2;
                plan.steps.push_back({.what = Repeat{.times = 1, .steps = {wrong}}});
              }),
              HasSubstr("the host is in no stream"));
}

TEST(PlanFault, IsABufferInTheWrongMemory) {
  EXPECT_THAT(fault([](Plan& plan) { std::get<Launch>(plan.steps[2].what).arguments = {pointer_to("in")}; }),
              HasSubstr("k takes the buffer in, which is in pageable memory"));
  EXPECT_THAT(fault([](Plan& plan) { std::get<Prefetch>(plan.steps[1].what).buffer = "a"; }),
              HasSubstr("a prefetch of a, which is no managed buffer"));
  EXPECT_THAT(fault([](Plan& plan) { plan.buffers[1].where = Where::device; }),
              HasSubstr("half<float> takes the buffer out, which is in device memory"));
  EXPECT_THAT(
      fault([](Plan& plan) {
        std::get<HostWork>(plan.steps[3].what).accesses.erase(std::get<HostWork>(plan.steps[3].what).accesses.begin());
      }),
      HasSubstr("half<float> takes the buffer in and does not say"));
  EXPECT_THAT(
      fault([](Plan& plan) { plan.steps.push_back({.what = Memset{.buffer = "out", .count = 1, .value = value(0)}}); }),
      HasSubstr("a memset takes the buffer out, which is in pinned memory of the host"));
  EXPECT_THAT(fault([](Plan& plan) {
                plan.steps.push_back({.what = ConstantUpload{.symbol = "c", .buffer = "in", .bytes = 4}});
              }),
              HasSubstr("the upload of a constant takes the buffer in"));
  EXPECT_THAT(fault([](Plan& plan) { plan.buffers[2].self_restoring = true; }),
              HasSubstr("the self-restoring scratch pages is in managed memory"));
}

TEST(PlanFault, IsReportedBeforeArgumentsAreChecked) {
  Plan plan = plan_with_streams();
  plan.steps[2].waits = {"nowhere"};
  EXPECT_EQ(argument_mismatch(plan, [](const std::string&) { return nullptr; }), plan_fault(plan));
}

TEST(Arguments, OfAHostFunctionMustFitItsSignature) {
  const Plan plan = plan_with_streams();
  const auto mismatch = [&](const std::vector<std::string>& parameters) {
    const Signature signature{.types = parameters};
    return argument_mismatch(plan,
                             [&](const std::string& name) { return name == "half<float>" ? &signature : nullptr; });
  };
  EXPECT_EQ(mismatch({"float const*", "int"}), "");
  EXPECT_EQ(mismatch({"float*", "int"}),
            "argument 1 of half<float> is float*, the plan passes const float*, the buffer in");
  EXPECT_EQ(mismatch({"float const*"}), "half<float> takes 1 arguments, the plan passes 2");
}

TEST(Signature, ParametersAreReadFromATypeToo) {
  EXPECT_EQ(*parameters_of_type("FvPKfxE"), (std::vector<std::string>{"float const*", "long long"}));
  EXPECT_FALSE(parameters_of_type("f"));
}

}  // namespace
}  // namespace warpwright
