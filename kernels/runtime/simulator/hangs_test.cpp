// Tests of hangs: endless waits are found in seconds, with their line; waits that only take long are not findings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>
#include <functional>

#include "kernels/runtime/simulator/kernel_fixture.hpp"
#include "kernels/system/time_factor.hpp"

namespace warpwright::simulator {
namespace {

using testing::HasSubstr;

double seconds_of(const std::function<void()>& work) {
  const std::clock_t begin = std::clock();
  work();
  return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

TEST(Hangs, an_empty_loop_is_found_with_its_line) {
  for (const std::string loop : {"while (true) {}  // HERE", "for (;;)  // HERE\n      ;"}) {
    Experiment experiment = two_buffers(
        "__global__ void kernel(float* first, float* second) {\n  first[threadIdx.x] = 1;\n  if (threadIdx.x == 5) {\n"
        "    " +
            loop + "\n  }\n  second[threadIdx.x] = 1;\n}\n",
        32, 32);
    const Execution execution = experiment.run(3);
    ASSERT_EQ(summary_of(execution), "hang at " + std::to_string(line_of(experiment.text, "HERE")));
    EXPECT_THAT(execution.findings[0].message, HasSubstr("loop that does not end"));
    EXPECT_EQ(execution.findings[0].location.thread, (Dim3{5, 0, 0}));
    EXPECT_FALSE(experiment.run(3).clean()) << "once more on the same stacks";
  }
}

TEST(Hangs, a_spin_loop_that_also_reads_plain_memory_is_found) {
  for (const std::string body : {"sum = second[0];", "for (int i = 0; i < 40; ++i) sum = second[i] - sum;"}) {
    Experiment experiment = two_buffers(
        "__global__ void kernel(float* first, float* second) {\n  float sum = 0;\n"
        "  while (*reinterpret_cast<volatile float*>(first) == 1) {  // HERE\n    " +
            body + "\n  }\n  second[threadIdx.x] = sum;\n}\n",
        1, 64);
    const Execution execution = experiment.run(1);
    EXPECT_EQ(summary_of(execution), "hang at 3");
    EXPECT_LT(execution.thread_steps, 60'000'000u);
  }
}

TEST(Hangs, waiting_long_for_a_thread_that_reads_much_is_no_hang) {
  const std::string text = R"(if (threadIdx.x == 0) {
  int sum = 0;
  for (int i = 0; i < 300000; ++i) sum += a[i % 4096];
  b[0] = sum;
  __threadfence();
  *(volatile unsigned*)flags = 1;
} else {
  int extra = 0;
  while (*(volatile unsigned*)flags == 0) extra += a[threadIdx.x];
  __threadfence();
  b[threadIdx.x] = b[0] + 0 * extra;
})";
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    Experiment experiment = over_buffers(text, {1}, {64});
    EXPECT_EQ(summary_of(experiment.run(seed)), "") << seed;
  }
}

TEST(Hangs, reading_much_volatile_memory_once_is_no_hang) {
  Experiment experiment =
      over_buffers("int sum = 0;\nfor (int i = 0; i < 2000000; ++i) sum += ((volatile int*)a)[i];\nb[0] = sum;", {1},
                   {1}, 2'000'000);
  EXPECT_EQ(summary_of(experiment.run()), "");
  EXPECT_EQ(values_of<int>(experiment.contents[1])[0], 2'000'000);
}

/// A kernel in which each thread, or one of several, runs that body, over int buffers of ones, and unsigned flags of
/// zeros.
std::string words_of_body(const std::string& body, Dim3 block, std::uint64_t seed, const Limits& limits = {}) {
  Experiment experiment = over_buffers(body, {1}, block);
  SimulationOptions options;
  options.schedule.seed = seed;
  options.limits = limits;
  return summary_of(experiment.run(options));
}

TEST(Hangs, a_loop_without_a_new_state_is_proved_to_be_one) {
  for (const std::string body :
       {"int low = 0, high = 9;\nwhile (low <= high) {  // HERE\n  const int middle = (low + high) / 2;\n"
        "  if (a[middle] < 5) low = middle; else high = middle - 1;\n}\nb[threadIdx.x] = low;",
        "for (int i = 0; i < 10; i = (i + 1) % 7) a[threadIdx.x] = 1;\nb[0] = 1;",
        "unsigned i = 1;\nwhile (i != 0) i = i * 3 % 1024;\nb[threadIdx.x] = i;",
        "volatile int forever = 1;\nwhile (forever == 1) a[0] = a[0];\nb[threadIdx.x] = 1;",
        "unsigned wait = 1;\nwhile (atomicAdd(flags, 0u) == 0u) {\n  __nanosleep(wait);\n"
        "  if (wait < 256) wait *= 2;\n}\nb[threadIdx.x] = wait;",
        "while (__any_sync(0xffffffff, ((volatile int*)a)[1] == 1)) __syncwarp();\nb[threadIdx.x] = 1;",
        "while (!__syncthreads_or(((volatile unsigned*)flags)[1])) {\n}\nb[threadIdx.x] = 1;",
        "if (threadIdx.x == 3) while (atomicExch(flags, 1u) != 5u) {\n}\n__syncthreads();",
        "if (threadIdx.x == 3) while (atomicCAS(flags + 1, 1u, 2u) == 0u) {\n}\n__syncthreads();"}) {
    for (const std::uint64_t seed : {0, 1, 2, 3})
      EXPECT_THAT(words_of_body(body, {32}, seed), HasSubstr("hang")) << body;
  }
}

TEST(Hangs, a_loop_with_new_states_is_no_hang_however_long_it_is) {
  for (const std::string body :
       {"int sum = 0;\nfor (int i = 0; i < 1500000; ++i) sum += ((volatile int*)a)[i % 64];\nb[threadIdx.x] = sum;",
        "unsigned x = threadIdx.x;\nfor (int i = 0; i < 4000000; ++i) x = x % 2 == 0 ? x / 2 : x * 3 + 1;\n"
        "b[threadIdx.x] = x;",
        "const long long end = clock64() + 4000000;\nwhile (clock64() < end) {}\nb[threadIdx.x] = 1;",
        "if (threadIdx.x == 0) {\n  unsigned x = 1;\n  for (int i = 0; i < 3000000; ++i) x = x * 5 + 1;\n  b[0] = x;\n"
        "  __threadfence();\n  atomicExch(flags + blockIdx.x, 1u);\n"
        "} else {\n  while (atomicAdd(flags + blockIdx.x, 0u) == 0) __nanosleep(20);\n}",
        "int i = threadIdx.x == 0 ? 1 : 0, left = 1001 * 1000;\n"
        "while (!__any_sync(3, left == 0)) {\n  i = (i + 1) % (1000 + threadIdx.x % 2);\n"
        "  if (threadIdx.x == 1) --left;\n}\nb[threadIdx.x] = i;"}) {
    for (const std::uint64_t seed : {0, 2}) EXPECT_EQ(words_of_body(body, {2}, seed), "") << body;
  }
}

TEST(Hangs, a_loop_with_a_counter_is_no_proof) {
  const std::string polls = "unsigned tries = 0;\nwhile (atomicAdd(flags, 0u) == 0) ++tries;\nb[threadIdx.x] = tries;";
  const std::string computes = "unsigned long long n = 3;\nwhile (n % 2 != 0) n += 2;\nb[threadIdx.x] = (int)n;";
  for (const std::string& body : {polls, computes})
    EXPECT_THAT(words_of_body(body, {2}, 1, {.steps = 20'000'000, .blocks = 20'000'000}), HasSubstr("too much work"))
        << body;
}

TEST(Hangs, a_counter_that_has_passed_its_end_is_found_in_seconds) {
  const Limits usual{.steps = 30'000'000, .blocks = 900'000'000};
  for (const std::string body :
       {"unsigned x = 1;\nfor (int i = 0; i != 100; i += 3) x = x * 5 + 1;\nb[threadIdx.x] = x;",
        "int sum = 0;\nfor (unsigned i = threadIdx.x; i != 1000; i += 32) sum += a[i % 64];\nb[threadIdx.x] = sum;",
        "for (long long i = 99; i != 0; i -= 2) b[threadIdx.x] = (int)i;",
        "for (int i = 99; i != 0; i -= 2) b[threadIdx.x] = i;",
        "int sum = 0, n = flags[1] + 1000;\nfor (int i = threadIdx.x; i != n; i += 64) sum += a[i % n];\n"
        "b[threadIdx.x] = sum;",
        "int low = 0, high = 101;\nwhile (low != high) {\n  ++low;\n  --high;\n}\nb[0] = low;",
        "int sum = 0;\nfor (int i = 0; i != 100; i += 3)\n  for (int j = 0; j < 20; ++j) sum += i > 5 ? j : a[j];\n"
        "b[threadIdx.x] = sum;",
        "for (int i = 0; i != 100; i += 3) {\n  a[threadIdx.x] += 1;\n  __syncthreads();\n}"}) {
    for (const std::uint64_t seed : {0, 3}) {
      std::string words;
      const double seconds = seconds_of([&] { words = words_of_body(body, {16}, seed, usual); });
      EXPECT_THAT(words, HasSubstr("hang")) << body;
      EXPECT_LT(seconds, 8 * time_factor) << body;
    }
  }
}

TEST(Hangs, long_loops_beside_a_value_that_was_passed_are_no_hang) {
  for (const std::string body :
       {"unsigned x = 1;\nfor (int i = 0; i < 1 << 25; ++i) if (i > 5) x = x * 5 + 1;\nb[threadIdx.x] = x;",
        "unsigned i = 4096, passes = 0;\nwhile ((i += 4096) >= 4096) ++passes;\nb[threadIdx.x] = passes;",
        "int at = 8, passes = 0;\nwhile (at != 7) {\n  at = (at + 1) % 9000000;\n  ++passes;\n}\nb[threadIdx.x] = "
        "passes;",
        "unsigned i = 0u - 1000000u, x = 1;\nwhile (++i != 0) x = x * 5 + 1;\nb[threadIdx.x] = x;",
        "int passes = 0, sum = 0;\nfor (const int* p = a; p != a + 4096; ++p) {\n"
        "  for (int j = 0; j < 300; ++j) sum += passes > 5;\n  ++passes;\n}\nb[threadIdx.x] = sum;",
        "if (threadIdx.x == 0) {\n  unsigned x = 1;\n  for (int i = 0; i < 30000000; ++i) x = x * 5 + 1;\n  b[0] = x;\n"
        "  __threadfence();\n  atomicExch(flags, 1u);\n} else {\n  int tries = 0, many = 0;\n"
        "  while (atomicAdd(flags, 0u) == 0u) many += ++tries > 10;\n  b[1] = many;\n}",
        "int left = threadIdx.x == 1 ? 20000000 : 0, tries = 0, many = 0;\n"
        "while (!__any_sync(3, threadIdx.x == 1 && --left == 0)) many += ++tries > 10;\nb[threadIdx.x] = many;"}) {
    EXPECT_EQ(words_of_body(body, {2}, 0), "") << body;
  }
}

TEST(Hangs, a_long_loop_is_stopped_at_its_limit_without_a_verdict) {
  const std::string body =
      "unsigned x = 1;\nfor (int i = 0; i < 1 << 30; ++i) if (i > 5) x = x * 5 + 1;\nb[threadIdx.x] = x;";
  EXPECT_THAT(words_of_body(body, {2}, 1, {.blocks = 100'000'000}), HasSubstr("too much work"));
}

/// The time in which so many threads take a lock each, once; the locks are `lock` apart. Checks the counters they
/// protect.
double seconds_of_locks(const std::string& lock, std::uint64_t seed) {
  constexpr std::uint32_t blocks = 32, threads = 256;
  Experiment experiment =
      over_buffers("const unsigned i = blockIdx.x * 256 + threadIdx.x;\nunsigned* const lock = flags + " + lock +
                       ";\nwhile (atomicCAS(lock, 0u, 1u) != 0u) {}\n__threadfence();\na[lock - "
                       "flags] += 1;\n__threadfence();\natomicExch(lock, 0u);",
                   {blocks}, {threads}, blocks * threads);
  double seconds = 0;
  SimulationOptions options;
  options.schedule = {.seed = seed, .resident_blocks = 8, .stale_loads = 100, .stale_end = 100};
  seconds = seconds_of([&] { EXPECT_EQ(summary_of(experiment.run(options)), ""); });
  std::int64_t sum = 0;
  for (const int value : values_of<int>(experiment.contents[0])) sum += value;
  EXPECT_EQ(sum, 2 * blocks * threads);
  return seconds;
}

TEST(Hangs, many_threads_that_each_take_a_spin_lock_are_checked_in_seconds) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    EXPECT_LT(seconds_of_locks("0", seed), 8 * time_factor) << "one lock for all, seed " << seed;
    EXPECT_LT(seconds_of_locks("i", seed), 4 * time_factor) << "one lock a thread, seed " << seed;
    EXPECT_LT(seconds_of_locks("i % 64", seed), 8 * time_factor) << "a lock for each 128, seed " << seed;
  }
}

// All blocks of a small grid are resident on any device, so one may wait for another, in either direction.
TEST(Hangs, blocks_that_all_fit_on_one_multiprocessor_may_wait_for_each_other) {
  const auto passed_on = [](const std::string& from, const std::string& to) {
    return "if (blockIdx.x == " + from +
           ") {\n  b[0] = 7;\n  __threadfence();\n  atomicExch(flags, 1u);\n} else if (blockIdx.x == " + to +
           ") {\n  while (atomicExch(flags, 0u) == 0u) {}\n  __threadfence();\n  a[0] = b[0];\n}";
  };
  for (std::uint64_t seed = 0; seed < 6; ++seed)
    for (const int resident : {0, 1})
      for (const bool is_forward : {true, false}) {
        const std::string text = is_forward ? passed_on("0", "1") : passed_on("1", "0");
        Experiment small = over_buffers(text, {2}, {1});
        ASSERT_EQ(summary_of(small.run(seed, resident)), "") << seed;
        EXPECT_EQ(values_of<int>(small.contents[0])[0], 7);
        if (seed > 1) continue;
        Experiment without_a_signal = over_buffers(with(text, "atomicExch(flags, 1u);", ""), {2}, {1});
        EXPECT_THAT(summary_of(without_a_signal.run(seed, resident)), HasSubstr("hang"));
      }
  int hangs = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Experiment large = over_buffers(passed_on("0", "99"), {100}, {32});
    hangs += large.run(seed, 1).clean() ? 0 : 1;
  }
  EXPECT_GT(hangs, 1);
}

}  // namespace
}  // namespace warpwright::simulator
