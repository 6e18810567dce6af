// Tests of steps other than launches: repeats with their index and swaps, constants, scratch that restores itself,
// counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const std::string kText = R"(
namespace shop {
template <class T>
__constant__ T filter[4];
template <class T>
__global__ void weigh(T* out) { out[threadIdx.x] = filter<T>[threadIdx.x]; }  // HERE
}
__global__ void step(const int* from, int* to, int index) { to[threadIdx.x] = from[threadIdx.x] * 10 + index + 1; }
__global__ void count(int* tickets, int* out, int restores) {
  const int ticket = atomicAdd(tickets + 1, 1);
  if (ticket == 0) out[0] = 1;
  if (ticket + 1 == blockDim.x && restores != 0) atomicExch(tickets + 1, 0);
}
)";
const std::vector<std::string> entries{"shop::weigh<float>", "step", "count"};

struct Outcome {
  Execution execution;
  std::vector<std::vector<std::byte>> contents;
};

Outcome run(const Plan& plan, std::vector<std::vector<std::byte>> contents, const SimulationOptions& options = {}) {
  const Module& module = module_of(kText, entries, {"shop::filter<float>"});
  Outcome done{.execution = {}, .contents = std::move(contents)};
  done.execution = simulate(plan, module, done.contents, options);
  return done;
}

std::vector<std::byte> ints(std::vector<int> values) {
  return bytes_of(values);
}

Plan weighing_plan(std::int64_t uploaded_bytes) {
  return {
      .buffers = {{.name = "weights", .role = Role::in, .type = ElementType::f32, .count = 4},
                  {.name = "out", .role = Role::out, .type = ElementType::f32, .count = 4}},
      .steps = {{.what = ConstantUpload{.symbol = "shop::filter<float>", .buffer = "weights", .bytes = uploaded_bytes}},
                {.what = Launch{
                     .entry = "shop::weigh<float>", .grid = {}, .block = {.x = 4}, .arguments = {pointer_to("out")}}}}};
}

std::vector<std::vector<std::byte>> weights() {
  return {bytes_of(std::vector<float>{1, 2, 3, 4}), bytes_of(std::vector<float>(4))};
}

TEST(Constants, of_a_variable_template_are_uploaded) {
  const Outcome done = run(weighing_plan(16), weights());
  EXPECT_EQ(summary_of(done.execution), "");
  EXPECT_EQ(done.contents[1], done.contents[0]);
}

TEST(Constants, that_nobody_uploaded_are_found_and_keep_nothing_from_the_last_run) {
  (void)run(weighing_plan(16), weights());
  Plan plan = weighing_plan(16);
  plan.steps.erase(plan.steps.begin());
  const Outcome done = run(plan, weights());
  ASSERT_EQ(done.execution.findings.size(), 1U);
  EXPECT_EQ(done.execution.findings[0].kind, FindingKind::uninitialised_read);
  EXPECT_EQ(done.execution.findings[0].location.line, line_of(kText, "HERE"));
  EXPECT_THAT(done.execution.findings[0].message, HasSubstr("'filter"));
  SimulationOptions lenient;
  lenient.check_initialised = false;
  EXPECT_NE(run(plan, weights(), lenient).contents[1], weights()[0]);
}

TEST(Constants, that_are_uploaded_in_part_are_found_after_that_part) {
  const Outcome done = run(weighing_plan(12), weights());
  ASSERT_EQ(done.execution.findings.size(), 1U);
  EXPECT_EQ(done.execution.findings[0].location.thread.x, 3U);
  EXPECT_EQ(summary_of(run(weighing_plan(20), weights()).execution),
            "out of bounds at 0, uninitialised read at " + std::to_string(line_of(kText, "HERE")));
}

Plan stepping_plan(bool swaps) {
  Repeat repeat{.times = 3,
                .steps = {{.what = Launch{.entry = "step",
                                          .grid = {},
                                          .block = {.x = 2},
                                          .arguments = {pointer_to("a"), pointer_to("b"), IndexArgument{}}}}}};
  if (swaps) repeat.swaps = {{"a", "b"}};
  return {.buffers = {{.name = "a", .role = Role::inout, .type = ElementType::i32, .count = 2},
                      {.name = "b", .role = Role::scratch, .type = ElementType::i32, .count = 2},
                      {.name = "out", .role = Role::out, .type = ElementType::i32, .count = 2}},
          .steps = {{.what = repeat}, {.what = Copy{.from = "b", .to = "out", .bytes = 8}}}};
}

TEST(Repeats, know_their_iteration_and_swap_names_until_they_end) {
  const Outcome done = run(stepping_plan(true), {ints({5, 6}), {}, ints({0, 0})});
  EXPECT_EQ(summary_of(done.execution), "");
  EXPECT_THAT(values_of<int>(done.contents[2]), ElementsAre(5123, 6123));
  EXPECT_THAT(values_of<int>(done.contents[0]), ElementsAre(512, 612));
}

TEST(Repeats, without_their_swap_give_another_result) {
  const Outcome done = run(stepping_plan(false), {ints({5, 6}), {}, ints({0, 0})});
  EXPECT_THAT(values_of<int>(done.contents[2]), ElementsAre(53, 63));
}

TEST(Repeats, within_repeats_have_their_own_iteration) {
  Plan plan = stepping_plan(true);
  Step inner = plan.steps[0];
  Step again = std::get<Repeat>(inner.what).steps[0];
  std::get<Repeat>(inner.what).times = 2;
  plan.steps[0].what = Repeat{.times = 2, .steps = {inner, again}, .swaps = {{"a", "b"}}};
  const Outcome done = run(plan, {ints({5, 6}), {}, ints({0, 0})});
  EXPECT_EQ(summary_of(done.execution), "");
  // Each outer iteration has two inner ones, which leave the result in a, then one more with its own number.
  EXPECT_THAT(values_of<int>(done.contents[2]), ElementsAre(512112, 612112));
}

TEST(Repeats, of_buffers_that_do_not_match_run_nothing) {
  Plan plan = stepping_plan(true);
  plan.buffers[1].count = 3;
  EXPECT_EQ(summary_of(run(plan, {ints({5, 6}), {}, ints({0, 0})}).execution), "wrong arguments at 0");
}

Plan counting_plan(int restores) {
  return {.buffers =
              {{.name = "tickets", .role = Role::scratch, .type = ElementType::i32, .count = 2, .self_restoring = true},
               {.name = "out", .role = Role::out, .type = ElementType::i32, .count = 1}},
          .steps = {{.what = Launch{.entry = "count",
                                    .grid = {},
                                    .block = {.x = 8},
                                    .arguments = {pointer_to("tickets"), pointer_to("out"), value(restores)}}}}};
}

TEST(SelfRestoringScratch, starts_and_ends_as_zeros) {
  // Its contents before the run do not matter.
  const Outcome done = run(counting_plan(1), {ints({7, 7}), ints({0})});
  EXPECT_EQ(summary_of(done.execution), "");
  EXPECT_THAT(values_of<int>(done.contents[1]), ElementsAre(1));
  EXPECT_THAT(values_of<int>(done.contents[0]), ElementsAre(0, 0));
}

TEST(SelfRestoringScratch, that_is_not_restored_is_found) {
  const Outcome done = run(counting_plan(0), {{}, ints({0})});
  ASSERT_EQ(summary_of(done.execution), "scratch not restored at " + std::to_string(line_of(kText, "atomicAdd")));
  const Finding& finding = done.execution.findings[0];
  EXPECT_EQ(finding.buffer, "tickets");
  EXPECT_EQ(finding.offset, 4);
  EXPECT_THAT(finding.message, HasSubstr("byte 4 of the self-restoring scratch 'tickets' is 0x8"));
}

TEST(Counts, are_separate_for_each_launch_step_and_summed_over_its_executions) {
  Plan plan = stepping_plan(true);
  plan.steps.push_back(counting_plan(1).steps[0]);
  plan.buffers.push_back(counting_plan(1).buffers[0]);
  plan.steps.push_back({.what = Repeat{.times = 0, .steps = {plan.steps.back()}}});
  SimulationOptions options;
  options.count_accesses = true;
  const Execution execution = run(plan, {ints({5, 6}), {}, ints({0, 0}), {}}, options).execution;
  ASSERT_EQ(summary_of(execution), "");
  ASSERT_EQ(execution.launches.size(), launches_of(plan).size());
  EXPECT_THAT(execution.launch_threads, ElementsAre(6, 8));
  EXPECT_EQ(execution.launches[0].global_load_requests, 3U);
  EXPECT_EQ(execution.launches[0].global_atomics, 0U);
  EXPECT_EQ(execution.launches[1].global_atomics, 9U);
  AccessCounts sum = execution.launches[0];
  EXPECT_EQ(sum += execution.launches[1], execution.access);
  EXPECT_EQ(execution.threads, 14U);
}

}  // namespace
}  // namespace warpwright::simulator
