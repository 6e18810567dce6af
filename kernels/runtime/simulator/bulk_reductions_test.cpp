// Tests of bulk copies that reduce, in the simulator: results, and accesses that conflict with them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kernels/runtime/simulator/bulk_reduction_kernel.hpp"
#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::HasSubstr;

template <class T>
struct Combined {
  std::string findings;
  std::vector<T> out;
};

template <class T>
Combined<T> run(const std::string& text, ElementType type, std::uint64_t seed = 0, Role role = Role::inout) {
  std::vector<std::vector<std::byte>> contents{bytes_of(reduction_input<T>())};
  SimulationOptions options;
  options.schedule.seed = seed;
  options.device.compute_capability = 90;
  const Execution execution =
      simulate(bulk_reduction_plan(type, role), module_of(text, {"combined"}), contents, options);
  Combined<T> done;
  for (const Finding& finding : execution.findings) done.findings += describe(finding) + "\n";
  done.out = values_of<T>(contents[0]);
  return done;
}

template <class T>
void expect_all_operations(const std::string& name, ElementType type) {
  for (const auto& [operation, both] : ordered_reductions<T>())
    for (std::uint64_t seed = 0; seed < 4; ++seed) {
      const auto done = run<T>(bulk_reduction_kernel(name, operation), type, seed);
      ASSERT_EQ(done.findings, "") << name << " " << operation;
      ASSERT_EQ(done.out, expected_reduction<T>(both)) << name << " " << operation;
    }
}

TEST(BulkReductions, OfSeveralBlocksLoseNothing) {
  expect_all_operations<int>("int", ElementType::i32);
  expect_all_operations<unsigned>("unsigned", ElementType::u32);
  expect_all_operations<long long>("long long", ElementType::i64);
  expect_all_operations<unsigned long long>("unsigned long long", ElementType::u64);
  expect_all_operations<float>("float", ElementType::f32);
  expect_all_operations<double>("double", ElementType::f64);
}

TEST(BulkReductions, CountLikeAtomicIncAndDec) {
  const auto up = run<unsigned>(
      with(bulk_reduction_kernel("unsigned", "increment"), "(i * 7 + blockIdx.x * 5 + 3)", "(12)"), ElementType::u32);
  EXPECT_EQ(up.findings, "");
  EXPECT_EQ(up.out[0], 2U) << "9, 10, 11, 12, 0, 1, 2";
  const auto down = run<unsigned>(
      with(bulk_reduction_kernel("unsigned", "decrement"), "(i * 7 + blockIdx.x * 5 + 3)", "(12)"), ElementType::u32);
  EXPECT_EQ(down.out[0], 3U);
  EXPECT_EQ(down.out[8], 7U) << "17 is more than 12: 12, 11, ..., 7";
}

TEST(BulkReductions, NeedAFenceAndAWait) {
  const std::string text = bulk_reduction_kernel("float", "add");
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    EXPECT_THAT(run<float>(with(text, "fence_async();", ""), ElementType::f32, seed).findings,
                HasSubstr("has executed no fence_async since"));
    EXPECT_THAT(run<float>(with(text, "bulk_wait<0>();", ""), ElementType::f32, seed).findings,
                HasSubstr("nobody waits for the asynchronous copy of 256 bytes"));
  }
}

TEST(BulkReductions, AreAtomicAndSoAreOtherUpdatesMeanwhile) {
  const std::string text = bulk_reduction_kernel("float", "add");
  const std::string atomics = with(text, "    bulk_wait<0>();", "    atomicAdd(out + 5, 1.0f);\n    bulk_wait<0>();");
  const std::string stores = with(text, "    bulk_wait<0>();", "    out[5] = 1;\n    bulk_wait<0>();");
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    const auto right = run<float>(atomics, ElementType::f32, seed);
    EXPECT_EQ(right.findings, "");
    EXPECT_EQ(right.out[5], expected_reduction<float>([](float a, float b) { return a + b; })[5] + reducing_blocks);
    EXPECT_THAT(run<float>(stores, ElementType::f32, seed).findings,
                HasSubstr("while an asynchronous copy writes it: it is still under way, no wait covers it"));
  }
}

TEST(BulkReductions, ReadTheirTarget) {
  EXPECT_THAT(run<float>(bulk_reduction_kernel("float", "add"), ElementType::f32, 0, Role::out).findings,
              HasSubstr("uninitialised read"));
  EXPECT_THAT(run<float>(with(bulk_reduction_kernel("float", "add"), "(out, part", "(out + 4, part"), ElementType::f32)
                  .findings,
              HasSubstr("out of bounds"));
  EXPECT_THAT(run<float>(with(bulk_reduction_kernel("float", "add"), "(out, part", "(out + 1, part"), ElementType::f32)
                  .findings,
              HasSubstr("a bulk copy moves a multiple of 16 bytes, between multiples of 16"));
}

}  // namespace
}  // namespace warpwright::simulator
