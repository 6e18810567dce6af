// Litmus tests of the memory model: outcomes that PTX allows are drawn by some schedule, forbidden ones by none.
// (J. Alglave, L. Maranget, M. Tautschnig: Herding Cats, 2014, has the names; D. Lustig, S. Sahasrabuddhe, O. Giroux: A
// Formal Analysis of the NVIDIA PTX Memory Consistency Model, 2019, has the model.)
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

/// How the threads of a test store to the locations `x`, `y` and `z`, and load from them.
enum Accesses : int { relaxed, released, fenced, fenced_in_block, fenced_acq_rel };

/// The code of each thread. "x = 1;" stores, "r0 = x;" loads into result 0, "F;" is a fence if there are fences, and "x
/// == 1;" waits for that value.
using Threads = std::vector<std::string>;

/// The kernel reads the kind of accesses from a[0], and from a[1] whether all threads are in one block.
constexpr const char* macros =
    "#include <cuda/atomic>\n"
    "#define LOAD(p) (a[0] == 1 ? warpwright::load_acquire(p) : warpwright::load_relaxed(p))\n"
    "#define STORE(p, v) (a[0] == 1 ? warpwright::store_release(p, v) : warpwright::store_relaxed(p, v))\n"
    "#define FENCE if (a[0] == 2) __threadfence(); if (a[0] == 3) __threadfence_block(); "
    "if (a[0] == 4) cuda::atomic_thread_fence(cuda::std::memory_order_acq_rel, cuda::thread_scope_device);\n";

std::string code_of(const std::string& thread) {
  const auto at = [](char name) { return fmt::format("flags + {}", 64 * (name - 'x')); };
  std::string code;
  for (std::size_t begin = 0; begin < thread.size(); begin = thread.find(';', begin) + 1) {
    const std::string one = thread.substr(thread.find_first_not_of(' ', begin), 6);
    if (one[0] == 'F')
      code += "FENCE ";
    else if (one[0] == 'r')
      code += fmt::format("b[{}] = LOAD({}); ", one[1], at(one[5]));
    else if (one.substr(2, 2) == "==")
      code += fmt::format("while (LOAD({}) != {}u) {{}} ", at(one[0]), one[5]);
    else
      code += fmt::format("STORE({}, {}u); ", at(one[0]), one[4]);
  }
  return code;
}

/// The results r0, r1, ... of all schedules, and then the last values of so many locations. Each thread is alone in its
/// block, or in its warp.
std::set<std::vector<int>> outcomes_of(const Threads& threads, Accesses how, std::size_t results, bool in_one_block,
                                       std::size_t locations = 0) {
  std::string text = "const int me = a[1] == 1 ? threadIdx.x : blockIdx.x * 32 + threadIdx.x;\n";
  for (std::size_t i = 0; i < threads.size(); ++i)
    text += fmt::format("if (me == {}) {{ {} }}\n", 32 * i, code_of(threads[i]));
  const auto count = static_cast<std::uint32_t>(threads.size());
  Experiment experiment = over_buffers(text, {in_one_block ? 1 : count}, {in_one_block ? 32 * count : 32}, 256);
  experiment.text = macros + experiment.text;
  experiment.contents[0] = bytes_of(std::vector<int>(256, how));
  const std::vector<int> scope(1, in_one_block ? 1 : 0);
  std::memcpy(&experiment.contents[0][sizeof(int)], scope.data(), sizeof(int));
  std::set<std::vector<int>> all;
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Experiment copy = experiment;
    SimulationOptions options;
    options.schedule = {.seed = seed,
                        .resident_blocks = in_one_block ? 1 : static_cast<int>(count),
                        .stale_loads = 1000,
                        .stale_end = 1000};
    const Execution execution = copy.run(options);
    EXPECT_EQ(summary_of(execution), "") << text;
    std::vector<int> values = values_of<int>(copy.contents[1]);
    values.resize(results);
    const std::vector<int> flags = values_of<int>(copy.contents[2]);
    for (std::size_t i = 0; i < locations; ++i) values.push_back(flags[64 * i]);
    all.insert(values);
  }
  return all;
}

void expect_allowed(const Threads& threads, Accesses how, const std::vector<int>& outcome) {
  for (const bool in_one_block : {false, true})
    EXPECT_TRUE(outcomes_of(threads, how, outcome.size(), in_one_block).contains(outcome)) << threads[0] << how;
}

void expect_forbidden(const Threads& threads, Accesses how, const std::vector<int>& outcome) {
  for (const bool in_one_block : {false, true})
    EXPECT_FALSE(outcomes_of(threads, how, outcome.size(), in_one_block).contains(outcome)) << threads[0] << how;
}

TEST(Litmus, MessagePassing) {
  const Threads threads{"x = 1; F; y = 1;", "y == 1; F; r0 = x;"};
  expect_allowed(threads, relaxed, {0});
  expect_forbidden(threads, released, {0});
  expect_forbidden(threads, fenced, {0});
}

TEST(Litmus, StoreBuffering) {
  const Threads threads{"x = 1; F; r0 = y;", "y = 1; F; r1 = x;"};
  expect_allowed(threads, relaxed, {0, 0});
  expect_allowed(threads, released, {0, 0});
  expect_forbidden(threads, fenced, {0, 0});
}

TEST(Litmus, AnAcquireIsNoFence) {
  const Threads threads{"x = 1; F; r2 = z; r0 = y;", "y = 1; F; r3 = z; r1 = x;"};
  expect_allowed(threads, relaxed, {0, 0, 0, 0});
  expect_allowed(threads, released, {0, 0, 0, 0});
  expect_forbidden(threads, fenced, {0, 0, 0, 0});
}

TEST(Litmus, IndependentReadsOfIndependentWrites) {
  const Threads threads{"x = 1;", "y = 1;", "x == 1; F; r0 = y;", "y == 1; F; r1 = x;"};
  expect_allowed(threads, relaxed, {0, 0});
  expect_allowed(threads, released, {0, 0});
  expect_forbidden(threads, fenced, {0, 0});
}

TEST(Litmus, ReadToWriteCausality) {
  const Threads threads{"x = 1;", "x == 1; F; r0 = y;", "y = 1; F; r1 = x;"};
  expect_allowed(threads, relaxed, {0, 0});
  expect_allowed(threads, released, {0, 0});
  expect_forbidden(threads, fenced, {0, 0});
}

TEST(Litmus, WriteToReadCausality) {
  const Threads threads{"x = 1;", "x == 1; F; y = 1;", "y == 1; F; r0 = x;"};
  expect_allowed(threads, relaxed, {0});
  expect_forbidden(threads, released, {0});
  expect_forbidden(threads, fenced, {0});
}

TEST(Litmus, ReleasesAreCumulative) {
  const Threads threads{"x = 1; F; y = 1;", "y == 1; F; z = 1;", "z == 1; F; r0 = x;"};
  expect_allowed(threads, relaxed, {0});
  expect_forbidden(threads, released, {0});
  expect_forbidden(threads, fenced, {0});
}

TEST(Litmus, CoherenceOfReads) {
  const Threads threads{"x = 1; x = 2;", "x == 2; r0 = x;"};
  for (const Accesses how : {relaxed, released, fenced})
    for (const int old : {0, 1}) expect_forbidden(threads, how, {old});
}

TEST(Litmus, TwoThreadsThatStoreInOppositeOrders) {
  // 2+2W: both last values are from first stores.
  const Threads threads{"x = 1; F; y = 2;", "y = 1; F; x = 2;"};
  for (const bool in_one_block : {false, true}) {
    const auto draws = [&](Accesses how) { return outcomes_of(threads, how, 0, in_one_block, 2).contains({1, 1}); };
    EXPECT_TRUE(draws(relaxed));
    EXPECT_TRUE(draws(released));
    EXPECT_FALSE(draws(fenced));
    EXPECT_TRUE(draws(fenced_acq_rel));
    EXPECT_EQ(draws(fenced_in_block), !in_one_block);
  }
}

TEST(Litmus, LoadBuffering) {
  const Threads threads{"r0 = x; F; y = 1;", "r1 = y; F; x = 1;"};
  expect_allowed(threads, relaxed, {1, 1});
  for (const Accesses how : {released, fenced, fenced_acq_rel}) expect_forbidden(threads, how, {1, 1});
  expect_allowed({"r0 = x; y = 1;", "r1 = y; z = 1;", "r2 = z; x = 1;"}, relaxed, {1, 1, 1});
  // A thread's loads of one location keep their order, and so do a load and a store.
  expect_forbidden({"r0 = x; y = 1; r2 = x;", "r1 = y; x = 1;"}, relaxed, {1, 1, 0});
  expect_forbidden({"r0 = x; x = 2; y = 1;", "y == 1; x = 1;"}, relaxed, {1});
}

TEST(Litmus, StoresOfAThreadKeepTheirOrder) {
  for (const bool in_one_block : {false, true})
    for (const Accesses how : {relaxed, released, fenced}) {
      for (const int first : {1, 3})
        EXPECT_FALSE(outcomes_of({"x = 1; x = 2;", "x = 3; x = 4;"}, how, 0, in_one_block, 1).contains({first}));
      const auto read = outcomes_of({"x = 2;", "r0 = x; x = 1;"}, how, 1, in_one_block, 1);
      EXPECT_TRUE(read.contains({0, 2}) && read.contains({0, 1}) && read.contains({2, 1}));
      EXPECT_FALSE(read.contains({2, 2})) << "what it has read comes before what it stores";
    }
}

TEST(Litmus, AFenceOfABlockOrdersItsThreadsOnly) {
  const Threads passed{"x = 1; F; y = 1;", "y == 1; F; r0 = x;"};
  const Threads buffered{"x = 1; F; r0 = y;", "y = 1; F; r1 = x;"};
  for (const bool in_one_block : {false, true}) {
    EXPECT_EQ(outcomes_of(passed, fenced_in_block, 1, in_one_block).contains({0}), !in_one_block);
    EXPECT_EQ(outcomes_of(buffered, fenced_in_block, 2, in_one_block).contains({0, 0}), !in_one_block);
  }
}

TEST(Litmus, AFenceThatAcquiresAndReleasesHasNoPlaceInTheOrderOfFences) {
  expect_forbidden({"x = 1; F; y = 1;", "y == 1; F; r0 = x;"}, fenced_acq_rel, {0});
  expect_allowed({"x = 1; F; r0 = y;", "y = 1; F; r1 = x;"}, fenced_acq_rel, {0, 0});
  expect_allowed({"x = 1;", "y = 1;", "x == 1; F; r0 = y;", "y == 1; F; r1 = x;"}, fenced_acq_rel, {0, 0});
}

TEST(Litmus, AFenceIsPassedOnByARelease) {
  // The second thread's fence comes after the first one's; whoever acquires from it knows that.
  Experiment experiment = over_buffers(
      "volatile unsigned* const f = flags;\nif (threadIdx.x != 0) return;\n"
      "if (blockIdx.x == 0) { f[0] = 1; __threadfence(); b[0] = f[64]; }\n"
      "if (blockIdx.x == 1) { f[64] = 1; __threadfence(); warpwright::store_release(flags + 128, 1u); }\n"
      "if (blockIdx.x == 2) { while (warpwright::load_acquire(flags + 128) != 1) {} b[1] = f[0]; }",
      {3}, {32}, 256);
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    Experiment copy = experiment;
    SimulationOptions options;
    options.schedule = {.seed = seed, .resident_blocks = 3, .stale_loads = 1000, .stale_end = 1000};
    EXPECT_EQ(summary_of(copy.run(options)), "");
    const std::vector<int> values = values_of<int>(copy.contents[1]);
    EXPECT_FALSE(values[0] == 0 && values[1] == 0) << seed;
  }
}

TEST(Litmus, ACountIsSetBackByTheBlockThatIsLast) {
  // PTX 8.9.5: the other updates precede the last one in observation order, and that precedes the store.
  const std::string body =
      "if (threadIdx.x == 0 && atomicInc(flags, 1000u) == gridDim.x - 1) {\n  *flags = 0;\n  b[0] = 1;\n}";
  expect_silent(over_buffers(body, {4}, {32}, 256));
  // A store of another thread than the last one's races with them.
  races_of(over_buffers(
      "if (threadIdx.x == 0) atomicInc(flags, 1000u);\nif (blockIdx.x == 1 && threadIdx.x == 32) *flags = 0;", {4},
      {64}, 256));
}

/// The kernel of one thread for each of these texts, each in a block of its own.
Experiment one_in_each_block(const std::vector<std::string>& threads) {
  std::string text = "using namespace warpwright;\nif (threadIdx.x != 0) return;\n";
  for (std::size_t i = 0; i < threads.size(); ++i)
    text += fmt::format("if (blockIdx.x == {}) {{ {} }}\n", i, threads[i]);
  return over_buffers(text, {static_cast<std::uint32_t>(threads.size())}, {32}, 256);
}

TEST(Litmus, AValueThatIsLoadedEarlyDoesNotDependOnItself) {
  const auto draws = [](const std::string& first, const std::string& second) {
    const Experiment experiment = one_in_each_block({first, second});
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
      Experiment copy = experiment;
      SimulationOptions options;
      options.schedule = {.seed = seed, .resident_blocks = 2, .stale_loads = 1000, .stale_end = 1000};
      EXPECT_EQ(summary_of(copy.run(options)), "");
      const std::vector<int> values = values_of<int>(copy.contents[1]);
      if (values[0] == 1 && values[1] == 1) return true;
    }
    return false;
  };
  const std::string plain = "b[0] = load_relaxed(flags); store_relaxed(flags + 64, 1u);";
  const std::string passed = "b[1] = load_relaxed(flags + 64); store_relaxed(flags, static_cast<unsigned>(b[1]));";
  EXPECT_TRUE(draws(plain, passed));
  EXPECT_FALSE(
      draws("b[0] = load_relaxed(flags); store_relaxed(flags + 64, 1u); "
            "if (b[0] == 1) b[0] = load_acquire(flags) == 0 ? 1 : 2;",
            passed))
      << "a later load sees no older value";
  EXPECT_FALSE(draws("b[0] = load_relaxed(flags); store_relaxed(flags + 64, static_cast<unsigned>(b[0]));", passed));
  EXPECT_FALSE(draws("b[0] = load_relaxed(flags); store_relaxed(flags + 64, 1u - b[0]);", passed));
  EXPECT_FALSE(draws("b[0] = load_relaxed(flags); if (b[0] == 0) store_relaxed(flags + 64, 1u);", passed));
}

TEST(Litmus, AReleaseIsContinuedByLaterStoresOfItsThreadToTheSameLocation) {
  // PTX 8.8, release pattern: a release, then a strong store to the same location in program order.
  for (const std::string wait : {"while (load_acquire(flags) != 2) {} b[0] = a[0];",
                                 "while (load_relaxed(flags) != 2) {} __threadfence(); b[0] = a[0];"}) {
    expect_silent(one_in_each_block({"a[0] = 7; store_release(flags, 1u); store_relaxed(flags, 2u);", wait}));
    races_of(one_in_each_block({"a[0] = 7; store_release(flags + 64, 1u); store_relaxed(flags, 2u);", wait}));
    races_of(one_in_each_block({"store_release(flags, 1u); a[0] = 7; store_relaxed(flags, 2u);", wait}));
  }
}

TEST(Litmus, AnAcquireCountsForEarlierLoadsOfItsThreadFromTheSameLocation) {
  // PTX 8.8, acquire pattern: a strong load, then an acquire of the same location in program order.
  const auto read = [](const std::string& load) {
    return one_in_each_block({"a[0] = 7; store_release(flags, 1u);",
                              "while (load_relaxed(flags) != 1) {} store_relaxed(flags, 2u);",
                              "unsigned seen = 0; while (seen == 0) seen = load_relaxed(flags);\nif (seen == 1) {\n"
                              "  while (" +
                                  load + "(flags) != 2) {}\n  b[0] = a[0];\n}"});
  };
  const auto races = [](const Experiment& experiment) {
    int count = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      Experiment copy = experiment;
      count += copy.run(seed, 3).clean() ? 0 : 1;
    }
    return count;
  };
  EXPECT_EQ(races(read("load_acquire")), 0);
  EXPECT_GT(races(read("load_relaxed")), 0);
}

TEST(Litmus, AReleaseToItsBlockPassesAnotherBlocksUpdate) {
  // PTX 8.9.2 and 8.9.4: the other block's read-modify-write continues the observation.
  const auto chain = [](const std::string& fence) {
    return over_buffers(
        "if (blockIdx.x == 1) {\n  if (threadIdx.x == 0) { while (atomicAdd(flags, 0u) != 1) {} atomicAdd(flags, 1u); "
        "}\n"
        "  return;\n}\n"
        "if (threadIdx.x == 0) { a[0] = 7; " +
            fence +
            " atomicExch(flags, 1u); }\n"
            "if (threadIdx.x == 32) { while (atomicAdd(flags, 0u) != 2) {} " +
            fence + " b[0] = a[0]; }",
        {2}, {64}, 256);
  };
  const auto findings = [](Experiment experiment) {
    std::set<std::string> all;
    for (std::uint64_t seed = 0; seed < 40; ++seed) {
      Experiment copy = experiment;
      all.insert(summary_of(copy.run(seed, 2)));
    }
    return all;
  };
  EXPECT_EQ(findings(chain("__threadfence_block();")), std::set<std::string>{""});
  EXPECT_EQ(findings(chain("__threadfence();")), std::set<std::string>{""});
  EXPECT_FALSE(findings(chain("")).contains(""));
}

}  // namespace
}  // namespace warpwright::simulator
