// Tests of older values that the memory model allows: loads return them if an order is missing, and never otherwise.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::AllOf;
using testing::HasSubstr;

/// The first elements of b under many schedules, how often each occurs, with as many stale loads as there may be.
struct Outcomes {
  std::map<std::vector<int>, int> of;
  std::string findings;
  std::map<std::vector<int>, std::string> hints;  ///< of the last run that had one

  bool has(const std::vector<int>& values) const { return of.contains(values); }
};

Outcomes outcomes_of(const std::string& text, Dim3 grid, Dim3 block, std::size_t count = 1,
                     std::uint32_t stale_loads = 1000) {
  Outcomes all;
  const Experiment experiment = over_buffers(text, grid, block, 512);
  for (std::uint64_t seed = 0; seed < test_seeds; ++seed) {
    Experiment copy = experiment;
    SimulationOptions options;
    options.schedule = {.seed = seed,
                        .resident_blocks = static_cast<int>(grid.x),
                        .stale_loads = stale_loads,
                        .stale_end = stale_loads};
    const Execution execution = copy.run(options);
    if (!execution.clean()) all.findings = describe(execution.findings[0]);
    EXPECT_LE(execution.hint_count, stale_loads);
    std::vector<int> values = values_of<int>(copy.contents[1]);
    values.resize(count);
    ++all.of[values];
    if (!execution.hints.empty()) all.hints[values] = execution.hints.front();
  }
  return all;
}

/// A message (data and flag) from one thread to another; `store` and `load` say how both are written and read.
struct Message {
  std::string before = "__threadfence();", after = "__threadfence();";
  std::string store_data = "*(volatile int*)a = 7;", load_data = "*(volatile int*)a";
  std::string store_flag = "*(volatile unsigned*)flags = 1;", load_flag = "*(volatile unsigned*)flags";
  bool same_block = false;

  Outcomes outcomes(std::uint32_t stale_loads = 1000) const {
    const std::string sender = same_block ? "threadIdx.x == 0" : "blockIdx.x == 0 && threadIdx.x == 0";
    const std::string receiver = same_block ? "threadIdx.x == 32" : "blockIdx.x == 1 && threadIdx.x == 0";
    // DATA on line 3, READ on line 9
    return outcomes_of(fmt::format("if ({}) {{\n  {}\n  {}\n  {}\n}}\nif ({}) {{\n  while ({} == 0) {{}}\n  {}\n  b[0] "
                                   "= {};\n}}",
                                   sender, store_data, before, store_flag, receiver, load_flag, after, load_data),
                       {same_block ? 1u : 2u}, {64}, 1, stale_loads);
  }
};

void expect_stale(const Message& message) {
  const Outcomes all = message.outcomes();
  EXPECT_EQ(all.findings, "");
  EXPECT_TRUE(all.has({1})) << "no stale value";
  EXPECT_TRUE(all.has({7})) << "no newest value";
  EXPECT_EQ(all.of.size(), 2u);
  EXPECT_FALSE(message.outcomes(0).has({1})) << "without stale reads";
}

void expect_ordered(const Message& message) {
  const Outcomes all = message.outcomes();
  EXPECT_EQ(all.findings, "");
  EXPECT_EQ(all.of, (std::map<std::vector<int>, int>{{{7}, static_cast<int>(test_seeds)}}));
}

TEST(StaleLoads, volatile_data_behind_a_volatile_flag_needs_a_fence_on_both_sides) {
  expect_ordered({});
  expect_ordered({.before = "__threadfence_system();", .after = "__threadfence_system();"});
  expect_stale({.before = "", .after = ""});
  expect_stale({.before = ""});
  expect_stale({.after = ""});
}

TEST(StaleLoads, a_fence_of_the_block_is_not_enough_between_blocks) {
  expect_stale({.before = "__threadfence_block();", .after = "__threadfence_block();"});
  expect_stale({.before = "__threadfence_block();"});
  expect_stale({.after = "__threadfence_block();"});
  expect_ordered({.before = "__threadfence_block();", .after = "__threadfence_block();", .same_block = true});
  expect_stale({.before = "__threadfence_block();", .after = "", .same_block = true});
  expect_stale({.before = "", .after = "__threadfence_block();", .same_block = true});
}

TEST(StaleLoads, relaxed_atomics_order_nothing_and_released_ones_do) {
  const Message relaxed{.before = "",
                        .after = "",
                        .store_data = "warpwright::store_relaxed(a, 7);",
                        .load_data = "warpwright::load_relaxed(a)",
                        .store_flag = "warpwright::store_relaxed(flags, 1u);",
                        .load_flag = "warpwright::load_relaxed(flags)"};
  expect_stale(relaxed);
  Message half = relaxed;
  half.store_flag = "warpwright::store_release(flags, 1u);";
  expect_stale(half);
  Message right = half;
  right.load_flag = "warpwright::load_acquire(flags)";
  expect_ordered(right);
  half.store_flag = "warpwright::store_relaxed(flags, 1u);";
  half.load_flag = "warpwright::load_acquire(flags)";
  expect_stale(half);
  Message fenced = relaxed;
  fenced.before = fenced.after = "__threadfence();";
  expect_ordered(fenced);
}

TEST(StaleLoads, an_update_sees_the_newest_value) {
  expect_ordered({.before = "", .after = "", .load_data = "atomicAdd(a, 0)"});
  expect_ordered({.before = "", .after = "", .load_data = "atomicCAS(a, 100, 101)"});
  expect_stale({.before = "", .after = "", .store_data = "atomicExch(a, 7);", .store_flag = "atomicExch(flags, 1u);"});
}

TEST(StaleLoads, many_in_a_row_are_stale_and_the_next_one_is_not) {
  const Outcomes all = outcomes_of(
      "volatile int* const places = a;\nif (blockIdx.x == 0) {\n  if (threadIdx.x > 0) return;\n  for (int i = 0; i < "
      "16; ++i) places[i] = 7;\n  atomicExch(flags, 1u);\n  return;\n}\nwhile (atomicAdd(flags, 0u) == 0) {}\nint old "
      "= 0;\nfor (int i = 0; i < 15; ++i) old += places[i] == 1;\nb[threadIdx.x] = old == 15 && places[15] == 7;",
      {2}, {64}, 64);
  EXPECT_EQ(all.findings, "");
  const auto has = [&](int value) {
    return std::ranges::any_of(all.of, [=](const auto& one) { return std::ranges::count(one.first, value) > 0; });
  };
  EXPECT_TRUE(has(1));
  EXPECT_TRUE(has(0));
}

TEST(StaleLoads, plain_data_without_a_fence_is_still_a_race) {
  for (const Message& message :
       {Message{.before = "", .store_data = "a[0] = 7;", .load_data = "a[0]"},
        Message{.after = "", .store_data = "a[0] = 7;", .load_data = "a[0]"},
        Message{.before = "", .store_data = "a[0] = 7;"}, Message{.before = "", .load_data = "a[0]"}})
    EXPECT_THAT(message.outcomes().findings, HasSubstr("race: "));
}

TEST(StaleLoads, a_hint_names_the_load_and_the_store_that_it_did_not_see) {
  const Outcomes all = Message{.before = ""}.outcomes(1);
  EXPECT_THAT(all.hints.at({1}),
              AllOf(HasSubstr("the load at kernel.cuh:10:10, block (1, 0, 0), thread (0, 0, 0)"),
                    HasSubstr("at byte 0 of buffer 'a'"),
                    HasSubstr("before the store at kernel.cuh:3:21, block (0, 0, 0), thread (0, 0, 0)")));
}

TEST(StaleLoads, as_many_as_requested_of_the_first_ones_are_stale) {
  const std::string text =
      "if (blockIdx.x == 0) {\n  for (int i = 2; i < 12; ++i) *(volatile int*)a = i;\n  *(volatile unsigned*)flags = "
      "1;\n} else {\n  while (atomicAdd(flags, 0u) == 0) {}\n  for (int i = 0; i < 8; ++i) b[i] = ((volatile int*)a)[0 "
      "* i];\n}";
  Experiment experiment = over_buffers(text, {2}, {1}, 64);
  const auto read = [&](std::uint32_t reads, std::uint32_t end, std::uint64_t seed) {
    Experiment copy = experiment;
    SimulationOptions options;
    options.schedule = {.seed = seed, .resident_blocks = 2, .stale_loads = reads, .stale_end = end};
    const Execution execution = copy.run(options);
    EXPECT_EQ(summary_of(execution), "");
    EXPECT_LE(execution.hint_count, reads);
    return execution.hint_count;
  };
  std::uint64_t most = 0;
  for (std::uint64_t seed = 0; seed < test_seeds; ++seed) {
    const std::uint64_t all = read(1000, 1000, seed);
    most = std::max(most, all);
    EXPECT_EQ(read(1000, 1000, seed), all) << "the same again";
    EXPECT_EQ(read(2000, 1000, seed), all) << "none but the first";
    EXPECT_EQ(read(0, 1000, seed), 0u);
    EXPECT_EQ(read(1000, 0, seed), 0u);
    EXPECT_EQ(read(1, 1000, seed), 0u) << "the last of so many";
    EXPECT_EQ(read(1, 1, seed), std::min<std::uint64_t>(all, 1));
  }
  EXPECT_GT(most, 1u);
}

TEST(StaleLoads, two_threads_may_both_miss_the_others_store_unless_both_fence) {
  const auto dekker = [](const std::string& fence) {
    return outcomes_of("if (threadIdx.x == 0) {\n  ((volatile unsigned*)flags)[blockIdx.x] = 1;\n  " + fence +
                           "\n  b[blockIdx.x] = ((volatile unsigned*)flags)[1 - blockIdx.x];\n}",
                       {2}, {32}, 2);
  };
  EXPECT_TRUE(dekker("").has({0, 0}));
  EXPECT_TRUE(dekker("__threadfence_block();").has({0, 0}));
  EXPECT_FALSE(dekker("__threadfence();").has({0, 0}));
  EXPECT_EQ(dekker("").findings, "");
}

TEST(StaleLoads, a_number_read_again_behind_the_data_may_be_the_old_one_without_a_fence_between) {
  // A lock by a sequence number: the reader trusts data between two loads of the same even number.
  const auto torn_in_some = [](const std::string& fence) {
    const Experiment experiment = over_buffers(
        "if (threadIdx.x != 0) return;\nvolatile unsigned* const f = flags;\nif (blockIdx.x == 0) {\n"
        "  f[0] = 1; __threadfence(); f[64] = 1; f[128] = 1; __threadfence(); f[0] = 2;\n} else {\n"
        "  const unsigned before = f[0];\n  __threadfence();\n  const unsigned one = f[64], other = f[128];\n  " +
            fence + "\n  b[0] = before % 2 == 0 && f[0] == before && one != other;\n}",
        {2}, {32}, 256);
    bool is_torn = false;
    for (std::uint64_t seed = 0; seed < 1000; ++seed) {
      Experiment copy = experiment;
      SimulationOptions options;
      options.schedule = {.seed = seed, .resident_blocks = 2, .stale_loads = 1000, .stale_end = 1000};
      EXPECT_EQ(summary_of(copy.run(options)), "");
      is_torn = is_torn || values_of<int>(copy.contents[1])[0] != 0;
    }
    return is_torn;
  };
  EXPECT_TRUE(torn_in_some(""));
  EXPECT_FALSE(torn_in_some("__threadfence();"));
}

TEST(StaleLoads, a_thread_never_sees_a_location_go_back) {
  const Outcomes all = outcomes_of(R"(if (threadIdx.x != 0) return;
if (blockIdx.x == 0) {
  for (unsigned i = 1; i <= 20; ++i) *(volatile unsigned*)flags = i;
} else {
  unsigned last = 0, back = 0, same = 0;
  for (int i = 0; i < 40; ++i) {
    const unsigned now = *(volatile unsigned*)flags;
    back += now < last ? 1 : 0;
    last = now;
  }
  b[0] = back;
  // What the thread itself stored, it sees.
  ((volatile unsigned*)flags)[8] = 5;
  b[1] = ((volatile unsigned*)flags)[8] + same;
})",
                                   {2}, {32}, 2);
  EXPECT_EQ(all.of, (std::map<std::vector<int>, int>{{{0, 5}, static_cast<int>(test_seeds)}}));
  EXPECT_EQ(all.findings, "");
  EXPECT_FALSE(all.hints.empty()) << "some of those loads were stale";
}

TEST(StaleLoads, a_value_read_by_another_thread_is_not_older_after_its_signal) {
  const std::string chain = R"(if (threadIdx.x != 0) return;
volatile unsigned* const f = flags;
if (blockIdx.x == 0) f[0] = 1;
if (blockIdx.x == 1) {
  while (f[0] == 0) {}
  FENCE
  f[1] = 1;
}
if (blockIdx.x == 2) {
  while (f[1] == 0) {}
  __threadfence();
  b[0] = f[0];
})";
  const auto with = [&](const std::string& fence) {
    std::string filled = chain;
    return outcomes_of(filled.replace(filled.find("FENCE"), 5, fence), {3}, {32});
  };
  EXPECT_FALSE(with("__threadfence();").has({0}));
  EXPECT_TRUE(with("").has({0}));
}

TEST(StaleLoads, four_threads_see_two_stores_in_one_order_if_they_fence) {
  const auto seen = [](const std::string& fence) {
    return outcomes_of(R"(if (threadIdx.x != 0) return;
volatile unsigned* const f = flags;
if (blockIdx.x < 2) f[blockIdx.x] = 1;
if (blockIdx.x >= 2) {
  while (f[blockIdx.x - 2] == 0) {}
  )" + fence + R"(
  b[blockIdx.x - 2] = f[3 - blockIdx.x];
})",
                       {4}, {32}, 2);
  };
  EXPECT_TRUE(seen("").has({0, 0}));
  EXPECT_FALSE(seen("__threadfence();").has({0, 0}));
}

TEST(StaleLoads, barriers_order_volatile_accesses) {
  const std::string right = R"(__shared__ volatile int tile[64];
tile[threadIdx.x] = 0;
__syncthreads();
tile[threadIdx.x] = threadIdx.x + 1;
__syncthreads();
b[threadIdx.x] = tile[63 - threadIdx.x];
__syncwarp();
tile[threadIdx.x] = 100;
__syncwarp();
b[threadIdx.x] += tile[threadIdx.x ^ 1] - 100;)";
  std::vector<int> expected;
  for (int i = 64; i > 0; --i) expected.push_back(i);
  const Outcomes all = outcomes_of(right, {1}, {64}, 64);
  EXPECT_TRUE(all.has(expected));
  EXPECT_EQ(all.findings, "");
}

TEST(StaleLoads, a_counter_keeps_every_update) {
  const Outcomes all = outcomes_of(
      "for (int i = 0; i < 20; ++i) {\n  unsigned seen = *(volatile unsigned*)flags;\n  while (true) {\n    const "
      "unsigned before = atomicCAS(flags, seen, seen + 1);\n    if (before == seen) break;\n    seen = before;\n  "
      "}\n}\n__threadfence();\nif (atomicAdd(flags + 1, 1u) == gridDim.x * 32 - 1) b[0] = atomicAdd(flags, 0u);",
      {3}, {32});
  EXPECT_EQ(all.findings, "");
  EXPECT_EQ(all.of, (std::map<std::vector<int>, int>{{{3 * 32 * 20}, static_cast<int>(test_seeds)}}));
}

TEST(StaleLoads, a_lock_protects_volatile_data) {
  const std::string right = R"(if (threadIdx.x % 8 == 0) {
  while (atomicCAS(flags, 0u, 1u) != 0u) {}
  __threadfence();
  *(volatile int*)a += 1;
  __threadfence();
  atomicExch(flags, 0u);
}
__syncthreads();
if (threadIdx.x == 0 && atomicAdd(flags + 1, 1u) == gridDim.x - 1) b[0] = atomicAdd(a, 0);)";
  const Outcomes all = outcomes_of(right, {3}, {32});
  EXPECT_EQ(all.findings, "");
  EXPECT_EQ(all.of, (std::map<std::vector<int>, int>{{{1 + 3 * 4}, static_cast<int>(test_seeds)}}));
  std::string wrong = right;
  for (auto at = wrong.find("  __threadfence();\n"); at != std::string::npos; at = wrong.find("  __threadfence();\n"))
    wrong.erase(at, 19);
  EXPECT_GT(outcomes_of(wrong, {3}, {32}).of.size(), 1u);
}

/// A chained scan of ones: each block adds its predecessor's sum, which it reads from a word beside a flag.
std::string look_back(const std::string& before, const std::string& after) {
  return "if (threadIdx.x != 0) return;\nvolatile int* const sums = a;\nvolatile unsigned* const states = flags;\n"
         "const unsigned tile = atomicAdd(flags + 256, 1u);\nint sum = 10;\nif (tile > 0) {\n  while (states[tile - 1] "
         "== 0) {}\n  " +
         after + "\n  sum += sums[tile - 1];\n}\nsums[tile] = sum;\n" + before + "\nstates[tile] = 1;\nb[tile] = sum;";
}

TEST(StaleLoads, a_look_back_over_two_words_needs_its_fences) {
  const std::string fence = "__threadfence();";
  const Outcomes right = outcomes_of(look_back(fence, fence), {6}, {32}, 6);
  EXPECT_EQ(right.of, (std::map<std::vector<int>, int>{{{10, 20, 30, 40, 50, 60}, static_cast<int>(test_seeds)}}));
  EXPECT_EQ(right.findings, "");
  EXPECT_GT(outcomes_of(look_back("", fence), {6}, {32}, 6).of.size(), 1u);
  EXPECT_GT(outcomes_of(look_back(fence, ""), {6}, {32}, 6).of.size(), 1u);
  EXPECT_GT(outcomes_of(look_back("__threadfence_block();", fence), {6}, {32}, 6).of.size(), 1u);
}

TEST(StaleLoads, an_atomic_of_the_blocks_scope_is_none_for_other_blocks) {
  const std::string text = "if (threadIdx.x % 32 == 0) NAME(flags, 1u);";
  const auto with = [&](const std::string& name) {
    std::string filled = text;
    return filled.replace(filled.find("NAME"), 4, name);
  };
  expect_silent(over_buffers(with("atomicAdd"), {3}, {64}));
  expect_silent(over_buffers(with("atomicAdd_system"), {3}, {64}));
  expect_silent(over_buffers(with("atomicAdd_block"), {1}, {64}));
  expect_silent(
      over_buffers("__shared__ unsigned n;\nif (threadIdx.x == 0) n = 0;\n__syncthreads();\n"
                   "atomicAdd_block(&n, 1u);",
                   {3}, {64}));
  races_of(over_buffers(with("atomicAdd_block"), {3}, {64}));
  races_of(over_buffers("if (blockIdx.x == 0) atomicAdd_block(flags, 1u); else atomicAdd(flags, 1u);", {2}, {1}));
}

TEST(StaleLoads, a_plain_store_in_between_hides_older_values) {
  const Outcomes all = outcomes_of(R"(__shared__ volatile unsigned word;
if (threadIdx.x == 0) word = 3;
__syncthreads();
if (threadIdx.x == 5) *const_cast<unsigned*>(&word) = 4;
__syncthreads();
b[threadIdx.x] = word;)",
                                   {1}, {64}, 64);
  EXPECT_EQ(all.of.size(), 1u);
  EXPECT_TRUE(all.has(std::vector<int>(64, 4)));
}

}  // namespace
}  // namespace warpwright::simulator
