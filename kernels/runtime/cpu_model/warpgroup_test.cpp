// Tests of products by warpgroups (wgmma): their values by descriptors and swizzles, and what is a finding.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::HasSubstr;

/// C = A B twice over, for A of 64 x 32 and B of 32 x N in shared memory, by rows of ROW bytes.
const std::string product = R"(#include "kernels/runtime/warpgroup.cuh"
using namespace warpwright;
constexpr auto mode = swizzle::bytes_64;
constexpr int N = 24, K = 32, ROW = 64;
// Where byte `at` of row `row` lies: rows of ROW bytes, as many columns of them as there are terms.
__device__ int place(int rows, int row, int at) { return at / ROW * rows * ROW + swizzled(mode, row * ROW + at % ROW); }
__device__ int left(int row, int k) { return (row * 5 + k * 3) % 17 - 8; }
__device__ int right(int column, int k) { return (column * 7 + k * 5 + column * k) % 13 - 6; }
__global__ void product(float* c) {
  alignas(1024) __shared__ unsigned char a[64 * K * 2];
  alignas(1024) __shared__ unsigned char b[256 * K * 2];
  const int t = threadIdx.x;
  for (int i = t; i < 64 * K; i += blockDim.x)
    *reinterpret_cast<bfloat16*>(a + place(64, i / K, i % K * 2)) = bfloat16(left(i / K, i % K));
  for (int i = t; i < N * K; i += blockDim.x)
    *reinterpret_cast<bfloat16*>(b + place(N, i / K, i % K * 2)) = bfloat16(right(i / K, i % K));
  fence_async();
  __syncthreads();
  const auto of_a = describe_matrix<mode>(a, 8 * ROW, 64 * ROW);
  const auto of_b = describe_matrix<mode>(b, 8 * ROW, N * ROW);
  float sums[N / 2];
  products_fence(sums);  // FENCE
  multiply_async<N, bfloat16>(sums, of_a, of_b);  // FIRST
  const int half = 32 / ROW * 64 * ROW + 32 % ROW, half_b = 32 / ROW * N * ROW + 32 % ROW;
  multiply_add_async<N, bfloat16>(sums, of_a.behind(half), of_b.behind(half_b));
  products_commit();
  // MEANWHILE
  products_wait<0>(sums);  // WAIT
  // AFTER
  for (int i = 0; i < N / 2; ++i) {
    const int row = t / 32 * 16 + t % 32 / 4 + i % 4 / 2 * 8, column = i / 4 * 8 + t % 4 * 2 + i % 2;
    c[row * N + column] = sums[i];
  }
}
)";

Experiment experiment_of(const std::string& text, unsigned threads = 128) {
  Experiment experiment{.text = text, .entry = "product", .block = {threads}};
  experiment.with("c", Role::out, ElementType::f32, std::vector<float>(std::size_t{64} * 256));
  return experiment;
}

float expected(int row, int column) {
  float sum = 0;
  for (int k = 0; k < 32; ++k)
    sum += static_cast<float>(((row * 5 + k * 3) % 17 - 8) * ((column * 7 + k * 5 + column * k) % 13 - 6));
  return sum;
}

/// Whether the kernel computes the product of N columns, under several schedules.
bool is_right(const std::string& text, int n = 24) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    Experiment experiment = experiment_of(text);
    const Execution execution = experiment.run(seed);
    EXPECT_EQ(summary_of(execution), "") << describe(execution.findings.at(0));
    const auto c = values_of<float>(experiment.contents[0]);
    for (int i = 0; i < 64 * n; ++i)
      if (c[static_cast<std::size_t>(i)] != expected(i / n, i % n)) return false;
  }
  return true;
}

Finding found_in(const std::string& text, FindingKind kind, const std::string& marker = "HERE",
                 unsigned threads = 128) {
  return expect_finding(experiment_of(text, threads), kind, marker);
}

TEST(ProductsByWarpgroups, read_rows_as_the_descriptor_says) {
  EXPECT_TRUE(is_right(product));
  const auto rows = [](const std::string& mode, const std::string& bytes) {
    return with(with(product, "swizzle::bytes_64", "swizzle::" + mode), "ROW = 64", "ROW = " + bytes);
  };
  EXPECT_TRUE(is_right(rows("bytes_32", "32")));
  EXPECT_TRUE(is_right(rows("none", "16")));
  // Two products of 32 terms are one row of 128 bytes.
  EXPECT_TRUE(
      is_right(with(with(rows("bytes_128", "128"), "place(64, i / K", "place(64, i / K"), "64 * K * 2", "64 * 128")));
}

TEST(ProductsByWarpgroups, are_wrong_with_another_swizzle_or_stride) {
  EXPECT_FALSE(is_right(with(product, "describe_matrix<mode>(a", "describe_matrix<swizzle::bytes_32>(a")));
  EXPECT_FALSE(is_right(with(product, "describe_matrix<mode>(b, 8 * ROW", "describe_matrix<mode>(b, 4 * ROW")));
  EXPECT_FALSE(is_right(with(product, "of_b.behind(half_b)", "of_b")));
  found_in(with(product, "describe_matrix<mode>(a, 8 * ROW", "describe_matrix<mode>(a, 16 * ROW"),
           FindingKind::out_of_bounds, "// FIRST");
}

TEST(ProductsByWarpgroups, have_any_multiple_of_eight_columns) {
  for (const int n : {8, 64, 128, 256})
    EXPECT_TRUE(is_right(with(product, "N = 24", "N = " + std::to_string(n)), n)) << n;
}

/// The kernel with B by rows of 64, 32, 16 or 8 columns of a term.
std::string with_transposed(const std::string& mode, int row_bytes, int n) {
  const std::string row = std::to_string(row_bytes);
  std::string text = with(with(product, "swizzle::bytes_64", "swizzle::" + mode), "ROW = 64", "ROW = " + row);
  text = with(text, "N = 24", "N = " + std::to_string(n));
  // The columns of a row, then the next term; then the next columns.
  text = with(text, "b + place(N, i / K, i % K * 2)",
              "b + swizzled(mode, i / K * 2 / ROW * (K * ROW) + i % K * ROW + i / K * 2 % ROW)");
  const bool swizzles = row_bytes > 16;
  text = with(
      text, "describe_matrix<mode>(b, 8 * ROW, N * ROW)",
      swizzles ? "describe_transposed<mode>(b, 8 * ROW, K * ROW)" : "describe_transposed<mode>(b, K * ROW, 8 * ROW)");
  return with(text, "half_b = 32 / ROW * N * ROW + 32 % ROW", "half_b = 16 * ROW");
}

TEST(ProductsByWarpgroups, read_transposed_operands_too) {
  // Rows of A have 128 bytes then, of which these terms are half.
  EXPECT_TRUE(is_right(with(with_transposed("bytes_128", 128, 128), "64 * K * 2", "64 * 128"), 128));
  EXPECT_TRUE(is_right(with_transposed("bytes_64", 64, 64), 64));
  EXPECT_TRUE(is_right(with_transposed("bytes_32", 32, 48), 48));
  EXPECT_TRUE(is_right(with_transposed("none", 16, 24)));
  EXPECT_FALSE(is_right(with(with_transposed("bytes_64", 64, 64), "describe_transposed<mode>(b, 8 * ROW, K * ROW)",
                             "describe_transposed<mode>(b, 4 * ROW, K * ROW)"),
                        64));
}

/// The kernel with A in registers.
std::string with_registers() {
  std::string text = with(product, "  float sums[N / 2];\n", R"(  float sums[N / 2];
  unsigned of_lane[2][4];
  for (int part = 0; part < 2; ++part)
    for (int i = 0; i < 4; ++i) {
      const int row = t / 32 * 16 + t % 32 / 4 + i % 2 * 8, k = part * 16 + t % 4 * 2 + i / 2 * 8;
      of_lane[part][i] = bfloat16(left(row, k)).bits | bfloat16(left(row, k + 1)).bits << 16;
    }
)");
  text = with(text, "products_fence(sums)", "products_fence(sums, of_lane[0], of_lane[1])");
  text = with(text, "(sums, of_a, of_b)", "(sums, of_lane[0], of_b)");
  return with(text, "(sums, of_a.behind(half), ", "(sums, of_lane[1], ");
}

TEST(ProductsByWarpgroups, take_a_from_registers_too) {
  EXPECT_TRUE(is_right(with_registers()));
}

TEST(ProductsByWarpgroups, own_their_registers_until_a_wait) {
  const Finding read =
      found_in(with(product, "// MEANWHILE", "c[t] = sums[0];  // HERE"), FindingKind::unfinished_copy);
  EXPECT_THAT(read.message, HasSubstr("load of 4 bytes of the registers of wgmma m64n24k16 f32.bf16.bf16: it is still "
                                      "under way, no products_wait covers it"));
  found_in(with(product, "// MEANWHILE", "sums[t % 8] = 1;  // HERE"), FindingKind::unfinished_copy);
  found_in(with(with_registers(), "// MEANWHILE", "of_lane[1][t % 4] = 1;  // HERE"), FindingKind::unfinished_copy);
  found_in(with(with(product, "products_wait<0>", "products_wait<1>"), "= sums[i];", "= sums[i];  // HERE"),
           FindingKind::unfinished_copy);
}

TEST(ProductsByWarpgroups, need_a_fence_behind_accesses_to_their_registers) {
  const std::string again = R"(sums[0] += 1;  // TOUCHED
  products_fence(sums);  // SECOND
  multiply_add_async<N, bfloat16>(sums, of_a, of_b);  // HERE
  products_commit();
  products_wait<0>(sums);)";
  EXPECT_EQ(summary_of(experiment_of(with(product, "// AFTER", again)).run(1)), "");
  const std::string wrong = with(with(product, "// AFTER", again), "products_fence(sums);  // SECOND", "");
  const Finding finding = found_in(wrong, FindingKind::race);
  EXPECT_THAT(finding.message, HasSubstr("uses registers that this thread has accessed, and no products_fence has"));
  EXPECT_EQ(finding.other.line, line_of(wrong, "// TOUCHED"));
  found_in(with(product, "products_fence(sums);  // FENCE", ""), FindingKind::race, "// FIRST");
}

TEST(ProductsByWarpgroups, read_shared_memory_until_a_wait) {
  const Finding finding =
      found_in(with(product, "// MEANWHILE", "if (t == 0) a[64] = 1;  // HERE"), FindingKind::unfinished_copy);
  EXPECT_THAT(finding.message, HasSubstr("store of 1 bytes at byte 64 of shared array 'a'"));
  EXPECT_THAT(finding.message,
              HasSubstr("while wgmma m64n24k16 f32.bf16.bf16 reads it: it is still under way, no wait covers it"));
  EXPECT_EQ(summary_of(experiment_of(with(product, "// AFTER", "__syncthreads(); if (t == 0) a[64] = 1;")).run(1)), "");
  // Another warp may not have waited yet, but no product of the warpgroup reads any more.
  EXPECT_EQ(summary_of(experiment_of(with(product, "// AFTER", "if (t == 0) a[64] = 1;")).run(1)), "");
}

TEST(ProductsByWarpgroups, do_not_see_ordinary_stores_without_a_fence) {
  const std::string unfenced = with(product, "  fence_async();\n", "");
  const Finding finding = found_in(unfenced, FindingKind::race, "// FIRST");
  EXPECT_THAT(finding.message, HasSubstr("the thread that stored has executed no fence_async since"));
  EXPECT_EQ(summary_of(experiment_of(with(unfenced, "__syncthreads();", "__syncthreads(); fence_async();")).run(1)),
            "");
  EXPECT_THAT(experiment_of(with(product, "__syncthreads();", "")).run(1).findings.at(0).message,
              HasSubstr("races with"));
}

TEST(ProductsByWarpgroups, need_four_warps_in_one_instruction) {
  EXPECT_THAT(found_in(product, FindingKind::bad_warp_mask, "// FIRST", 96).message,
              HasSubstr("without warp 3 of the block, which is incomplete, or does not exist"));
  const std::string leaves = with(product, "  float sums", "  if (t >= 96) return;\n  float sums");
  bool is_found = false;
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    for (const Finding& finding : experiment_of(leaves).run(seed).findings)
      is_found |= finding.kind == FindingKind::bad_warp_mask;
  EXPECT_TRUE(is_found);
  const std::string other =
      "if (t < 32) multiply_async<N, bfloat16>(sums, of_a, of_b);\n  else multiply_async<N, "
      "bfloat16>(sums, of_a, of_b.behind(16));";
  EXPECT_THAT(experiment_of(with(product, "multiply_async<N, bfloat16>(sums, of_a, of_b);", other))
                  .run(1)
                  .findings.at(0)
                  .message,
              HasSubstr("all four warps must execute the same one"));
  const std::string two_groups =
      with(with(with(product, "const int t = threadIdx.x;", "const int t = threadIdx.x % 128;"), "i += blockDim.x",
                "i += 128"),
           "i += blockDim.x", "i += 128");
  for (const Finding& finding : experiment_of(two_groups, 256).run(0).findings)
    EXPECT_EQ(finding.kind, FindingKind::race) << "both store the same operands and results";
}

TEST(ProductsByWarpgroups, are_found_if_nobody_waits_for_them) {
  const std::string text = with(with(product, "  products_wait<0>(sums);  // WAIT\n", ""), "= sums[i];", "= 0;");
  EXPECT_THAT(found_in(text, FindingKind::unfinished_copy, "// FIRST").message, HasSubstr("nobody waits for wgmma"));
}

const std::string registers = R"(#include "kernels/runtime/warpgroup.cuh"
__global__ void product(float* c) {
  if (threadIdx.x >= 256) {
    warpwright::give_registers_back<40>();
  } else {
    warpwright::take_registers<232>();  // HERE
  }
  c[threadIdx.x] = 1;
}
)";

TEST(RegistersOfWarpgroups, are_shared_by_the_block) {
  for (std::uint64_t seed = 0; seed < 4; ++seed)
    EXPECT_EQ(summary_of(experiment_of(registers, 384).run(seed)), "") << seed;
}

TEST(RegistersOfWarpgroups, that_are_not_there_make_a_kernel_hang) {
  const Finding finding = found_in(with(registers, "<40>", "<80>"), FindingKind::hang, "// HERE", 384);
  EXPECT_THAT(finding.message, HasSubstr("no thread can go on:"));
}

TEST(RegistersOfWarpgroups, are_fewer_at_launch_if_more_blocks_share_an_sm) {
  const std::string two = with(with(registers, "<232>", "<96>"), "<40>", "<40>");
  for (std::uint64_t seed = 0; seed < 4; ++seed) EXPECT_EQ(summary_of(experiment_of(two, 384).run(seed)), "") << seed;
  found_in(with(registers, "<232>", "<104>"), FindingKind::hang, "// HERE", 384);
}

TEST(RegistersOfWarpgroups, are_not_taken_by_asking_for_less) {
  const std::string twice =
      with(with(registers, "  // HERE", ""), "  }\n  c[", R"(    warpwright::take_registers<160>();  // HERE
  }
  c[)");
  EXPECT_THAT(found_in(twice, FindingKind::trap, "// HERE", 384).message,
              HasSubstr("setmaxnreg.inc to 160 registers by a warp that has 232"));
}

}  // namespace
}  // namespace warpwright::simulator
