// Tests of plans with streams, host buffers and host steps: their order, and races that name both steps if a wait is
// missing.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "kernels/runtime/host_steps/host_functions.hpp"
#include "kernels/runtime/simulator/kernel_fixture.hpp"
#include "kernels/runtime/simulator/module/compile_host_functions.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright::simulator {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr int half = 40;  ///< elements of a chunk, of which there are two
constexpr std::int64_t chunk_bytes = half * 4;

const std::string kernels = R"(
__global__ void twice(const int* from, int* to, int count) {
  if (threadIdx.x < count) to[threadIdx.x] = 2 * from[threadIdx.x];
}
__global__ void in_place(int* data, int count) {
  if (threadIdx.x < count) data[threadIdx.x] *= 2;
}
)";

const HostFunctions& functions() {
  static const HostFunctions made = [] {
    CompileRequest request{
        .sources = device_headers(), .headers = {"work.cuh"}, .entries = {"work::twice<int>", "work::beyond"}};
    request.sources["work.cuh"] =
        "namespace work {\n"
        "template <class T> void twice(const T* from, T* to, long long count) {\n"
        "  for (long long i = 0; i < count; ++i) to[i] = 2 * from[i];\n"
        "}\n"
        "inline void beyond(int* to, int at) { to[at] = 5; }\n"
        "}\n";
    const TemporaryFolder folder;
    const CompileResult result = compile_host_functions(request, folder / "work.so");
    if (!result.ok()) throw std::runtime_error(result.log);
    return HostFunctions(folder / "work.so");
  }();
  return made;
}

Step copy(const std::string& from, const std::string& to, std::int64_t from_offset, std::int64_t to_offset, int stream,
          const std::string& label = "", std::vector<std::string> waits = {}) {
  return {
      .what = Copy{.from = from, .to = to, .bytes = chunk_bytes, .from_offset = from_offset, .to_offset = to_offset},
      .stream = stream,
      .label = label,
      .waits = std::move(waits)};
}

Step launch(const std::string& from, const std::string& to, std::int64_t offset, int stream,
            const std::string& label = "", std::vector<std::string> waits = {}) {
  return {.what = Launch{.entry = "twice",
                         .grid = {},
                         .block = {.x = 64},
                         .arguments = {pointer_to(from, offset), pointer_to(to, offset), value(half)}},
          .stream = stream,
          .label = label,
          .waits = std::move(waits)};
}

Step host_twice(std::int64_t offset, std::vector<std::string> waits = {}) {
  return {
      .what = HostWork{.source = "work.cuh",
                       .function = "work::twice<int>",
                       .arguments = {pointer_to("in", offset), pointer_to("out", offset), value(std::int64_t{half})},
                       .accesses = {{"in", offset, chunk_bytes, false}, {"out", offset, chunk_bytes, true}}},
      .waits = std::move(waits)};
}

std::vector<Buffer> buffers(Where where) {
  constexpr std::int64_t count = 2 * half;
  return {{.name = "in", .role = Role::in, .type = ElementType::i32, .count = count, .where = where},
          {.name = "out", .role = Role::out, .type = ElementType::i32, .count = count, .where = where},
          {.name = "a", .role = Role::scratch, .type = ElementType::i32, .count = count},
          {.name = "b", .role = Role::scratch, .type = ElementType::i32, .count = count}};
}

Step everything() {
  return {.what = Synchronise{}};
}

/// Two chunks, each in a stream of its own.
Plan two_streams(Where where) {
  Plan plan{.buffers = buffers(where), .steps = {}};
  for (const int stream : {1, 2}) {
    const std::int64_t at = (stream - 1) * chunk_bytes;
    plan.steps.push_back(copy("in", "a", at, at, stream));
    plan.steps.push_back(launch("a", "b", at, stream));
    plan.steps.push_back(copy("b", "out", at, at, stream));
  }
  plan.steps.push_back(everything());
  return plan;
}

/// Copies, kernel and copy back, each in a stream of its own, with waits.
Plan three_streams() {
  Plan plan{.buffers = buffers(Where::pinned), .steps = {}};
  for (const std::int64_t at : {std::int64_t{0}, chunk_bytes}) {
    const std::string name = std::to_string(at / chunk_bytes);
    plan.steps.push_back(copy("in", "a", at, at, 1, "in " + name));
    plan.steps.push_back(launch("a", "b", at, 2, "work " + name, {"in " + name}));
    plan.steps.push_back(copy("b", "out", at, at, 3, "out " + name, {"work " + name}));
  }
  plan.steps.push_back({.what = Synchronise{}, .waits = {"out 0", "out 1"}});
  return plan;
}

struct Outcome {
  Execution execution;
  std::vector<int> out;
};

Outcome run(const Plan& plan, std::uint64_t seed, const HostFunctions* with = &functions()) {
  std::vector<int> in(2 * half);
  for (int i = 0; i < 2 * half; ++i) in[i] = i + 1;
  std::vector<std::vector<std::byte>> contents{bytes_of(in), bytes_of(std::vector<int>(2 * half, -1))};
  contents.resize(plan.buffers.size());
  for (std::size_t i = 2; i < contents.size(); ++i)
    if (plan.buffers[i].role != Role::scratch) contents[i].resize(static_cast<std::size_t>(plan.buffers[i].bytes()));
  SimulationOptions options;
  options.schedule.seed = seed;
  Outcome done{.execution = simulate(plan, module_of(kernels, {"twice", "in_place"}), contents, options, with),
               .out = {}};
  done.out = values_of<int>(contents[1]);
  return done;
}

std::vector<int> right_answer() {
  std::vector<int> right(2 * half);
  for (int i = 0; i < 2 * half; ++i) right[i] = 2 * (i + 1);
  return right;
}

void expect_right(const Plan& plan) {
  ASSERT_EQ(plan_fault(plan), "");
  for (std::uint64_t seed = 0; seed < test_seeds; ++seed) {
    const Outcome done = run(plan, seed);
    ASSERT_EQ(summary_of(done.execution), "") << seed << ": " << describe(done.execution.findings.front());
    ASSERT_EQ(done.out, right_answer()) << seed;
  }
}

/// Expects a race in every order, with all of these parts in its message.
template <class... Parts>
void expect_unordered(const Plan& plan, Parts... parts) {
  ASSERT_EQ(plan_fault(plan), "");
  for (std::uint64_t seed = 0; seed < test_seeds; ++seed) {
    const Execution execution = run(plan, seed).execution;
    const auto named = [&](const Finding& finding) {
      return finding.kind == FindingKind::race && (... && (finding.message.find(parts) != std::string::npos));
    };
    ASSERT_TRUE(std::ranges::any_of(execution.findings, named))
        << seed << ": " << (execution.clean() ? "nothing" : describe(execution.findings.front()));
  }
}

TEST(Streams, CorrectPlansHaveNoFindingInAnyOrder) {
  for (const Where where : {Where::pageable, Where::pinned, Where::managed}) expect_right(two_streams(where));
  expect_right(three_streams());
}

TEST(Streams, TheOrderOfStepsIsDrawnFromTheSeed) {
  // The effect of a missing wait depends on the order, and some orders hide it.
  Plan plan = three_streams();
  plan.steps[4].waits.clear();
  std::set<std::vector<int>> answers;
  for (std::uint64_t seed = 0; seed < test_seeds; ++seed) {
    answers.insert(run(plan, seed).out);
    EXPECT_EQ(run(plan, seed).out, run(plan, seed).out) << seed;
  }
  EXPECT_GT(answers.size(), 1U);
  EXPECT_EQ(run(plan, 0).out, right_answer()) << "seed 0 is the plan's own order";
}

TEST(Streams, AMissingWaitIsARaceThatNamesBothSteps) {
  Plan plan = three_streams();
  plan.steps[1].waits.clear();
  expect_unordered(plan, "copy 160 B from in to a in stream 1 as 'in 0'", "launch twice", "in stream 2 as 'work 0'",
                   "buffer 'a'");
  plan = three_streams();
  plan.steps[5].waits.clear();
  expect_unordered(plan, "as 'work 1'", "copy 160 B from b+160B to out+160B in stream 3 as 'out 1'", "buffer 'b'");
}

TEST(Streams, AChunkThatIsReadBeforeItsCopyIsFound) {
  Plan plan = two_streams(Where::pinned);
  std::swap(plan.steps[0], plan.steps[1]);
  const Execution execution = run(plan, 0).execution;
  ASSERT_FALSE(execution.clean());
  EXPECT_EQ(execution.findings[0].kind, FindingKind::uninitialised_read);
  EXPECT_EQ(execution.findings[0].location.line, line_of(kernels, "to[threadIdx.x] = 2"));
}

TEST(Streams, ASecondUseOfABufferMustWaitForTheFirst) {
  Plan plan = two_streams(Where::pinned);
  // Both chunks use the same part of the device's buffers, in two streams.
  for (const std::size_t i : {3U, 4U, 5U}) {
    Step& step = plan.steps[i];
    if (auto* one = std::get_if<Copy>(&step.what)) (one->to == "out" ? one->from_offset : one->to_offset) = 0;
    if (auto* one = std::get_if<Launch>(&step.what)) one->arguments = {pointer_to("a"), pointer_to("b"), value(half)};
  }
  expect_unordered(plan, "in stream 1", "in stream 2");
  plan.steps[2].label = "first";
  plan.steps[3].waits = {"first"};
  expect_right(plan);
}

TEST(Streams, KernelsOfTwoStreamsRaceOnTheSameBytesOnly) {
  Plan plan{.buffers = buffers(Where::pinned), .steps = {}};
  const auto in_place = [](std::int64_t offset, int stream) {
    return Step{.what = Launch{.entry = "in_place",
                               .grid = {},
                               .block = {.x = 64},
                               .arguments = {pointer_to("a", offset), value(half)}},
                .stream = stream};
  };
  Step whole{.what = Copy{.from = "in", .to = "a", .bytes = 2 * chunk_bytes}, .label = "in"};
  Step back{.what = Copy{.from = "a", .to = "out", .bytes = 2 * chunk_bytes}};
  Step first = in_place(0, 1);
  Step second = in_place(chunk_bytes, 2);
  first.waits = second.waits = {"in"};
  first.label = "first";
  second.label = "second";
  back.waits = {"first", "second"};
  plan.steps = {whole, first, second, back, everything()};
  expect_right(plan);
  std::get<Launch>(plan.steps[2].what).arguments[0] = pointer_to("a", chunk_bytes - 4);
  expect_unordered(plan, "in stream 1 as 'first'", "in stream 2 as 'second'", "byte 156 of buffer 'a'");
}

TEST(HostOrder, TheCallerReadsOutputsOnlyAfterASynchronisation) {
  for (const Where where : {Where::pinned, Where::managed}) {
    Plan plan = two_streams(where);
    plan.steps.pop_back();
    expect_unordered(plan, "the caller's read behind the plan", "buffer 'out'");
  }
  Plan plan = three_streams();
  plan.steps.back().waits = {"out 0"};
  expect_unordered(plan, "the caller's read behind the plan", "as 'out 1'", "byte 160 of buffer 'out'");
}

TEST(HostOrder, OutputsOnTheDeviceMustBeCompleteInTheFirstStream) {
  Plan plan{.buffers = buffers(Where::device),
            .steps = {launch("in", "out", 0, 1, "1"), launch("in", "out", chunk_bytes, 0)}};
  expect_unordered(plan, "the caller's read in stream 0 behind the plan", "in stream 1 as '1'");
  plan.steps[1].waits = {"1"};
  expect_right(plan);
}

TEST(HostOrder, ACopyToPageableMemoryIsCompleteWhenTheHostContinues) {
  Plan plan = two_streams(Where::pageable);
  plan.steps.pop_back();
  expect_right(plan);
}

TEST(HostOrder, OnlyACopyFromPageableMemoryHasBeenReadWhenTheHostContinues) {
  const auto plan = [](Where where) {
    Plan made{.buffers = buffers(where), .steps = {}};
    made.buffers.push_back(
        {.name = "mine", .role = Role::scratch, .type = ElementType::i32, .count = 2 * half, .where = where});
    const auto host_writes = [](std::int64_t offset) {
      return Step{.what =
                      HostWork{.source = "work.cuh",
                               .function = "work::twice<int>",
                               .arguments = {pointer_to("in", offset), pointer_to("mine"), value(std::int64_t{half})},
                               .accesses = {{"in", offset, chunk_bytes, false}, {"mine", 0, chunk_bytes, true}}}};
    };
    for (const std::int64_t at : {std::int64_t{0}, chunk_bytes}) {
      made.steps.push_back(host_writes(at));
      made.steps.push_back(copy("mine", "a", 0, at, 1));
    }
    for (const std::int64_t at : {std::int64_t{0}, chunk_bytes}) made.steps.push_back(copy("a", "out", at, at, 1));
    made.steps.push_back(everything());
    return made;
  };
  expect_right(plan(Where::pageable));
  expect_unordered(plan(Where::pinned), "host work::twice<int>", "copy 160 B from mine to a in stream 1",
                   "buffer 'mine'");
}

TEST(HostOrder, TheHostWorksBesideTheDeviceOnOtherBytes) {
  Plan plan = two_streams(Where::pinned);
  plan.steps.erase(plan.steps.begin() + 3, plan.steps.begin() + 6);
  plan.steps.insert(plan.steps.begin() + 3, host_twice(chunk_bytes));
  expect_right(plan);
  plan.steps.insert(plan.steps.begin() + 3, host_twice(0));
  expect_unordered(plan, "copy 160 B from b to out in stream 1", "host work::twice<int>", "buffer 'out'");
}

TEST(HostOrder, HostWorkThatWaitsIsOrdered) {
  Plan plan = two_streams(Where::pinned);
  plan.steps[2].label = "there";
  plan.steps.insert(plan.steps.begin() + 3, host_twice(0, {"there"}));
  expect_right(plan);
}

TEST(HostFunctions, MustTouchOnlyWhatTheyDeclare) {
  Plan plan{.buffers = buffers(Where::pinned), .steps = {host_twice(0), host_twice(chunk_bytes)}};
  expect_right(plan);
  // The function does not get bytes that it reads without declaring them.
  std::get<HostWork>(plan.steps[0].what).accesses[0].bytes = chunk_bytes - 4;
  EXPECT_NE(run(plan, 0).out, right_answer());
  plan.steps[0] = {.what = HostWork{.source = "work.cuh",
                                    .function = "work::beyond",
                                    .arguments = {pointer_to("out"), value(half)},
                                    .accesses = {{"out", 0, chunk_bytes, true}}}};
  const Execution execution = run(plan, 0).execution;
  ASSERT_FALSE(execution.clean());
  EXPECT_EQ(execution.findings[0].kind, FindingKind::out_of_bounds);
  EXPECT_THAT(execution.findings[0].message, HasSubstr("writes byte 160 of buffer 'out', which it does not say"));
}

TEST(HostFunctions, MustFitTheirSignature) {
  Plan plan{.buffers = buffers(Where::pinned), .steps = {host_twice(0)}};
  auto& work = std::get<HostWork>(plan.steps[0].what);
  work.arguments[2] = value(half);
  EXPECT_EQ(summary_of(run(plan, 0).execution), "wrong arguments at 0");
  work.arguments = {pointer_to("in"), pointer_to("in"), value(std::int64_t{half})};
  EXPECT_THAT(run(plan, 0).execution.findings.at(0).message, HasSubstr("argument 2 of work::twice<int> is int*"));
  work.function = "work::none";
  EXPECT_EQ(summary_of(run(plan, 0).execution).substr(0, 13), "unknown entry");
  EXPECT_EQ(summary_of(run(plan, 0, nullptr).execution).substr(0, 13), "unknown entry");
}

TEST(HostFunctions, ThatReadUnwrittenMemoryAreFound) {
  Plan plan{.buffers = buffers(Where::pinned), .steps = {host_twice(0)}};
  plan.buffers[2].where = Where::pinned;
  auto& work = std::get<HostWork>(plan.steps[0].what);
  work.arguments[0] = pointer_to("a");
  work.accesses[0].buffer = "a";
  EXPECT_EQ(summary_of(run(plan, 0).execution).substr(0, 18), "uninitialised read");
}

TEST(Copies, WithOffsetsStayWithinTheirBuffers) {
  Plan plan = two_streams(Where::pinned);
  std::get<Copy>(plan.steps[3].what).to_offset = chunk_bytes + 4;
  const Execution execution = run(plan, 0).execution;
  ASSERT_FALSE(execution.clean());
  EXPECT_EQ(execution.findings[0].kind, FindingKind::out_of_bounds);
  EXPECT_THAT(execution.findings[0].message, HasSubstr("160 bytes from byte 164 on in buffer 'a' of 320 bytes"));
}

TEST(Repeats, InStreamsAreOrderedByTheirWaits) {
  Plan plan{.buffers = buffers(Where::pinned), .steps = {}};
  Step whole{.what = Copy{.from = "in", .to = "a", .bytes = 2 * chunk_bytes}, .stream = 1, .label = "in"};
  Repeat repeat{.times = 1, .steps = {}, .swaps = {{"a", "b"}}};
  repeat.steps = {launch("a", "b", 0, 1, "low"), launch("a", "b", chunk_bytes, 2, "high", {"in"})};
  Step back{.what = Copy{.from = "b", .to = "out", .bytes = 2 * chunk_bytes}, .stream = 1, .waits = {"high"}};
  plan.steps = {whole, {.what = repeat}, back, everything()};
  expect_right(plan);
  std::get<Repeat>(plan.steps[1].what).times = 3;
  std::get<Repeat>(plan.steps[1].what).steps[1].waits.clear();
  expect_unordered(plan, "copy 320 B from in to a in stream 1 as 'in'", "in stream 2 as 'high'");
}

}  // namespace
}  // namespace warpwright::simulator
