// A test of docs/pipelines.md: its kernel has no finding, and each mistake the one that the page shows.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "kernels/runtime/common/half.cuh"
#include "kernels/runtime/common/shared_matrices.cuh"
#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::HasSubstr;

constexpr int tiles = 5;

std::string page() {
  std::ifstream in(std::string(WARPWRIGHT_SOURCE_DIR) + "/docs/pipelines.md");
  return {std::istreambuf_iterator<char>(in), {}};
}

std::string kernel_of_page() {
  const std::string all = page();
  const std::string mark = "```cuda\n";
  const auto begin = all.find(mark) + mark.size();
  return all.substr(begin, all.find("```", begin) - begin);
}

float element(bool of_b, int row, int term) {
  return static_cast<float>((row * (of_b ? 7 : 5) + term * 3) % 11 - 5);
}

/// Tiles of 64 rows of 32 elements, swizzled by 64 bytes.
std::vector<bfloat16> tiles_of(bool of_b) {
  std::vector<bfloat16> all(std::size_t{tiles} * 64 * 32);
  for (int tile = 0; tile < tiles; ++tile)
    for (int row = 0; row < 64; ++row)
      for (int k = 0; k < 32; ++k)
        all[static_cast<std::size_t>(tile * 64 * 32 + swizzled(swizzle::bytes_64, row * 64 + k * 2) / 2)] =
            bfloat16(element(of_b, row, tile * 32 + k));
  return all;
}

Experiment experiment_of(const std::string& text) {
  Experiment experiment{.text = text, .entry = "pipeline", .block = {160}};
  experiment.with("a", Role::in, ElementType::bf16, tiles_of(false));
  experiment.with("b", Role::in, ElementType::bf16, tiles_of(true));
  experiment.with("c", Role::out, ElementType::f32, std::vector<float>(std::size_t{64} * 64));
  experiment.values = {value(tiles)};
  return experiment;
}

bool is_right(const Experiment& experiment) {
  const auto c = values_of<float>(experiment.contents[2]);
  for (int row = 0; row < 64; ++row)
    for (int column = 0; column < 64; ++column) {
      float sum = 0;
      for (int k = 0; k < tiles * 32; ++k) sum += element(false, row, k) * element(true, column, k);
      if (c[static_cast<std::size_t>(row * 64 + column)] != sum) return false;
    }
  return true;
}

TEST(PipelinesPage, shows_a_right_kernel) {
  for (std::uint64_t seed = 0; seed < test_seeds; ++seed) {
    Experiment experiment = experiment_of(kernel_of_page());
    const Execution execution = experiment.run(seed);
    ASSERT_EQ(summary_of(execution), "") << describe(execution.findings[0]) << " under seed " << seed;
    ASSERT_TRUE(is_right(experiment)) << seed;
  }
}

const std::string under_way = "reads it: it is still under way, no wait covers it";
const std::string hang = "threads poll memory that no thread changes any more";

TEST(PipelinesPage, says_what_each_mistake_gives) {
  const std::string kernel = kernel_of_page();
  const std::string release = "      if (threadIdx.x % 32 == 0) phase_arrive(&empty[s]);\n";
  const std::string wait = "      products_wait<0>(sums);\n";
  const std::string copy_under_way = "while an asynchronous copy writes it: it is still under way, no wait covers it";
  const std::vector<std::string> early{copy_under_way, "nobody wrote", "races with", hang};
  const struct {
    std::string text;
    std::vector<std::string> words;  ///< one of them is found under each schedule
  } mistakes[] = {
      {with(kernel, "phase_wait(&full[s], i / stages & 1);", ""), early},
      {with(kernel, "phase_wait(&empty[s], (i / stages & 1) ^ 1);", ""),
       {under_way, "races with", "while an asynchronous copy", "more than 1 arrivals", hang}},
      {with(kernel, "phase_wait(&full[s], i / stages & 1);", "phase_wait(&full[s], (i / stages & 1) ^ 1);"), early},
      {with(kernel, wait, ""), {"of the registers of wgmma m64n64k16 f32.bf16.bf16", under_way, "nobody waits"}},
      {with(with(kernel, release, ""), wait, release + wait), {under_way, "races with"}},
      {with(kernel, "products_fence(sums);", ""), {"uses registers that may still change, and no products_fence"}},
      {with(kernel, "    fence_async();\n", ""), {"no fence_async has followed its phase_init"}},
      {with(kernel, "phase_arrive_expect(&full[s], 2 * bytes)", "phase_arrive_expect(&full[s], bytes)"),
       {"expects 4096 bytes, and copies of 8192 are under way"}},
      {with(kernel, "threadIdx.x % 32 == 0", "threadIdx.x % 32 == 0 && threadIdx.x < 96"),
       {hang, "no thread can go on"}},
  };
  for (const auto& [text, words] : mistakes)
    for (std::uint64_t seed = 0; seed < 6; ++seed) {
      std::string all;
      for (const Finding& finding : experiment_of(text).run(seed).findings) all += describe(finding) + '\n';
      ASSERT_TRUE(std::ranges::any_of(words, [&](const auto& one) { return all.find(one) != std::string::npos; }))
          << all << " under seed " << seed << "\n"
          << text;
    }
  Experiment swizzled =
      experiment_of(with(kernel, "describe_matrix<swizzle::bytes_64>", "describe_matrix<swizzle::bytes_32>"));
  EXPECT_EQ(summary_of(swizzled.run(1)), "");
  EXPECT_FALSE(is_right(swizzled));
  for (const std::string& words : {copy_under_way, under_way}) EXPECT_THAT(page(), HasSubstr(words));
}

TEST(PipelinesPage, quotes_a_finding) {
  const std::string kernel = kernel_of_page();
  const std::string release = "      if (threadIdx.x % 32 == 0) phase_arrive(&empty[s]);\n";
  const std::string wait = "      products_wait<0>(sums);\n";
  const Execution execution = experiment_of(with(with(kernel, release, ""), wait, release + wait)).run(0);
  ASSERT_FALSE(execution.findings.empty());
  const Finding& finding = execution.findings[0];
  const std::string quoted = finding.message + "\n  " + "product: line " + std::to_string(finding.other.line) +
                             ", copy: line " + std::to_string(finding.location.line);
  EXPECT_THAT(page(), HasSubstr(quoted)) << "docs/pipelines.md needs\n" << quoted;
}

}  // namespace
}  // namespace warpwright::simulator
