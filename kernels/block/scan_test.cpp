// Tests of block scans: the values and order of a serial loop, in any schedule.
#include <gtest/gtest.h>

#include <numeric>

#include "kernels/runtime/simulator/kernel_fixture.hpp"
#include "kernels/runtime/simulator/plan_fixture.hpp"

namespace warpwright {
namespace {

/// x -> a x + b modulo 2^16 as a << 16 | b: composition of such maps is associative but not commutative.
constexpr const char* kAffine = R"(
struct affine {
  template <class T>
  static __device__ T identity() { return 0x10000U; }
  static __device__ unsigned combine(unsigned first, unsigned then) {
    const unsigned a = (first >> 16) * (then >> 16);
    const unsigned b = (then >> 16) * (first & 0xffff) + (then & 0xffff);
    return a << 16 | (b & 0xffff);
  }
};
)";

unsigned affine(unsigned first, unsigned then) {
  const unsigned a = (first >> 16) * (then >> 16);
  const unsigned b = (then >> 16) * (first & 0xffff) + (then & 0xffff);
  return a << 16 | (b & 0xffff);
}

constexpr const char* kScan = R"(
template <class Op, int BlockSize>
__global__ void scan(const unsigned* in, unsigned* inclusive, unsigned* exclusive, unsigned* total) {
  const unsigned i = threadIdx.x;
  const auto up_to = warpwright::block::inclusive_scan<Op, BlockSize>(in[i]);
  inclusive[i] = up_to.value;
  __syncthreads();
  const auto before = warpwright::block::exclusive_scan<Op, BlockSize>(in[i]);
  exclusive[i] = before.value;
  total[i] = before.total == up_to.total ? up_to.total : 0;
}
)";

std::vector<unsigned> values(std::uint32_t count) {
  std::vector<unsigned> made(count);
  for (std::uint32_t i = 0; i < count; ++i) made[i] = (2 * (i * 7919U % 101U) + 1) << 16 | (i * 31U + 5U) % 65536U;
  return made;
}

simulator::PlanRun run(const std::string& text, const std::string& entry, std::uint32_t threads, std::uint64_t seed) {
  Plan plan{.buffers = {{.name = "in", .role = Role::in, .type = ElementType::u32, .count = threads}}, .steps = {}};
  std::vector<Argument> arguments{pointer_to("in")};
  for (const char* out : {"inclusive", "exclusive", "total"}) {
    plan.buffers.push_back({.name = out, .role = Role::out, .type = ElementType::u32, .count = threads});
    arguments.push_back(pointer_to(out));
  }
  plan.steps.push_back({.what = Launch{.entry = entry,
                                       .grid = {.x = 1},
                                       .block = {.x = threads},
                                       .shared_bytes = 0,
                                       .arguments = arguments,
                                       .cooperative = false}});
  simulator::SimulationOptions options;
  options.schedule.seed = seed;
  return simulator::run_plan(plan, "kernels/block/scan.cuh", {simulator::bytes_of(values(threads))}, options, text);
}

/// Expects the result of a serial loop over the values.
template <class Combine>
void expect_scans(const std::string& op, std::uint32_t threads, unsigned identity, Combine combine) {
  const std::vector<unsigned> in = values(threads);
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const auto [execution, buffers] =
        run(std::string(kAffine) + kScan, fmt::format("scan<{}, {}>", op, threads), threads, seed);
    ASSERT_TRUE(execution.clean()) << describe(execution.findings[0]);
    const auto inclusive = simulator::values_of<unsigned>(buffers.at("inclusive"));
    const auto exclusive = simulator::values_of<unsigned>(buffers.at("exclusive"));
    const auto total = simulator::values_of<unsigned>(buffers.at("total"));
    unsigned before = identity;
    for (std::size_t i = 0; i < in.size(); ++i) {
      ASSERT_EQ(exclusive[i], before) << op << ", thread " << i << " of " << threads << ", seed " << seed;
      before = combine(before, in[i]);
      ASSERT_EQ(inclusive[i], before) << op << ", thread " << i << " of " << threads << ", seed " << seed;
    }
    for (const unsigned of_thread : total) ASSERT_EQ(of_thread, before);
  }
}

TEST(Scan, BlocksOfEverySizeGiveTheResultOfALoop) {
  for (const std::uint32_t threads : {32U, 64U, 96U, 256U, 1024U})
    expect_scans("warpwright::block::add", threads, 0U, std::plus<>());
}

TEST(Scan, TheOrderOfAnOperatorThatDoesNotCommuteIsKept) {
  for (const std::uint32_t threads : {32U, 96U, 1024U}) expect_scans("affine", threads, 0x10000U, affine);
}

TEST(Scan, TheKnownExampleIsReproduced) {
  const auto text = R"(
__global__ void known(const unsigned*, unsigned* inclusive, unsigned* exclusive, unsigned* total) {
  const unsigned digits[8] = {3, 1, 7, 0, 4, 1, 6, 3};
  const auto got = warpwright::block::inclusive_scan<warpwright::block::add, 32>(digits[threadIdx.x % 8]);
  inclusive[threadIdx.x] = got.value;
  exclusive[threadIdx.x] = 0;
  total[threadIdx.x] = got.total;
}
)";
  const auto [execution, buffers] = run(text, "known", 32, 1);
  ASSERT_TRUE(execution.clean()) << describe(execution.findings[0]);
  auto inclusive = simulator::values_of<unsigned>(buffers.at("inclusive"));
  inclusive.resize(8);
  EXPECT_EQ(inclusive, (std::vector<unsigned>{3, 4, 11, 11, 15, 16, 22, 25}));
  EXPECT_EQ(simulator::values_of<unsigned>(buffers.at("total"))[0], 100U);
}

TEST(Scan, TwoScansWithoutABarrierInBetweenRace) {
  std::string text = kScan;
  const std::string barrier = "__syncthreads();";
  text.replace(text.find(barrier), barrier.size(), "");
  const auto execution = run(text, "scan<warpwright::block::add, 64>", 64, 1).execution;
  ASSERT_FALSE(execution.clean());
  EXPECT_EQ(execution.findings[0].kind, FindingKind::race);
}

TEST(Scan, AScanWithAMissingThreadIsFound) {
  const auto text = R"(
__global__ void part(const unsigned* in, unsigned* inclusive, unsigned*, unsigned*) {
  if (threadIdx.x == 40) return;
  inclusive[threadIdx.x] = warpwright::block::inclusive_scan<warpwright::block::add, 64>(in[threadIdx.x]).value;
}
)";
  const auto execution = run(text, "part", 64, 1).execution;
  ASSERT_FALSE(execution.clean());
  EXPECT_EQ(execution.findings[0].kind, FindingKind::bad_warp_mask);
}

}  // namespace
}  // namespace warpwright
