// Blocks of launches over buffers larger than memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>

#include "kernels/runtime/simulator/kernel_fixture.hpp"
#include "kernels/system/time_factor.hpp"

namespace warpwright::simulator {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::int64_t huge = 2'500'000'000;

/// A kernel over two buffers of `huge` floats, which gives each block `row`s of 50,000.
Experiment over_huge(const std::string& body, Dim3 grid) {
  Experiment experiment{
      .text = "__global__ void kernel(const float* in, float* out, int cols) {\n  const int row = blockIdx.x;\n" +
              body + "\n}\n",
      .entry = "kernel",
      .grid = grid,
      .block = {64}};
  experiment.buffers = {{.name = "in", .role = Role::in, .type = ElementType::f32, .count = huge},
                        {.name = "out", .role = Role::out, .type = ElementType::f32, .count = huge}};
  experiment.values = {value(50'000)};
  return experiment;
}

/// Runs it again with what was missing, all ones.
Execution blocks_of(const Plan& plan, const Module& module) {
  SimulationOptions options;
  options.sampled_blocks = 5;
  std::vector<Page> pages;
  Execution execution = simulate_blocks(plan, module, pages, options);
  for (int i = 0; i < 9 && !execution.missing.empty(); ++i) {
    for (Page& page : execution.missing) {
      page.bytes = bytes_of(std::vector<float>(Page::size / sizeof(float), 1.0f));
      pages.push_back(std::move(page));
    }
    execution = simulate_blocks(plan, module, pages, options);
  }
  EXPECT_THAT(execution.missing, IsEmpty());
  return execution;
}

Execution blocks_of(const Experiment& experiment) {
  return blocks_of(experiment.plan(), module_of(experiment.text, {experiment.entry}));
}

TEST(SimulatedBlocks, find_a_product_that_an_int_does_not_hold) {
  const std::clock_t begin = std::clock();
  EXPECT_EQ(summary_of(blocks_of(over_huge("out[row * cols + (int)threadIdx.x] = 2;", {50'000}))),
            "signed overflow at 3");
  EXPECT_EQ(summary_of(blocks_of(over_huge("out[(long long)row * cols + threadIdx.x] = 2;", {50'000}))), "");
  EXPECT_LT(static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC, 10 * time_factor);
}

TEST(SimulatedBlocks, find_the_last_block_past_the_end) {
  const std::string past = "out[(long long)row * cols + threadIdx.x + (row == gridDim.x - 1 ? cols : 0)] = 2;";
  EXPECT_EQ(summary_of(blocks_of(over_huge(past, {50'000}))), "out of bounds at 3");
  EXPECT_EQ(summary_of(blocks_of(over_huge("((double*)out)[(row * (long long)cols + 1) / 2 + row] = 2;", {49'000}))),
            "");
  EXPECT_EQ(summary_of(blocks_of(over_huge("*(double*)(out + row * (long long)cols + 1) = 2;", {50'000}))),
            "misaligned at 3");
  EXPECT_EQ(summary_of(blocks_of(over_huge("((float*)in)[row] = 2;", {50'000}))), "input written at 3");
}

TEST(SimulatedBlocks, see_the_data_that_they_read) {
  const std::string reads = "if (in[(long long)row * cols] != 1.0f) out[-1] = 1;\nout[row] = in[huge(in, row)];";
  Experiment experiment = over_huge(reads, {50'000});
  experiment.text =
      "__device__ long long huge(const float* in, int row) { return in[row] == 1.0f ? 2499999999 : -1; }\n" +
      experiment.text;
  EXPECT_EQ(summary_of(blocks_of(experiment)), "");
}

TEST(SimulatedBlocks, that_read_what_others_write_are_not_modelled) {
  const Execution execution =
      blocks_of(over_huge("out[row] = 1;\n__syncthreads();\nout[row] += out[row + 1];", {50'000}));
  ASSERT_FALSE(execution.clean());
  EXPECT_EQ(execution.findings[0].kind, FindingKind::no_model) << describe(execution.findings[0]);
  EXPECT_EQ(summary_of(blocks_of(over_huge("if (threadIdx.x == 0) out[row] = 1, out[row] += 1;", {50'000}))), "");
}

TEST(SimulatedBlocks, that_touch_too_much_are_given_up_before_their_pages_are_asked_for) {
  const Execution execution = blocks_of(over_huge(
      "float sum = 0;\nfor (long long i = threadIdx.x; i < 2000000000; i += 256) sum += in[i];\nout[row] = sum;",
      {50'000}));
  ASSERT_FALSE(execution.clean());
  EXPECT_EQ(execution.findings[0].kind, FindingKind::no_model) << describe(execution.findings[0]);
  EXPECT_THAT(execution.findings[0].message, HasSubstr("touch too much memory"));
  EXPECT_LT(execution.thread_steps, 1'000'000U);
}

TEST(SimulatedBlocks, of_a_second_launch_do_not_know_what_the_first_one_wrote) {
  const Experiment experiment = over_huge("if (threadIdx.x == 0) atomicAdd(out + row, 1.0f);", {50'000});
  Plan plan = experiment.plan();
  plan.steps.insert(plan.steps.begin(), {.what = Memset{.buffer = "out", .count = huge, .value = value(0.0f)}});
  const Module& module = module_of(experiment.text, {experiment.entry});
  EXPECT_EQ(summary_of(blocks_of(plan, module)), "");
  plan.steps.push_back(plan.steps.back());
  EXPECT_THAT(summary_of(blocks_of(plan, module)), HasSubstr("no CPU model"));
}

TEST(SimulatedBlocks, see_zeros_after_a_second_memset) {
  const Experiment experiment =
      over_huge("if (threadIdx.x == 0) {\n if (out[row] != 0.0f) out[-1] = 1;\n out[row] = 1;\n}", {50'000});
  Plan plan = experiment.plan();
  plan.steps.insert(plan.steps.begin(), {.what = Memset{.buffer = "out", .count = huge, .value = value(0.0f)}});
  plan.steps.insert(plan.steps.end(), {plan.steps.front(), plan.steps.back()});
  EXPECT_EQ(summary_of(blocks_of(plan, module_of(experiment.text, {experiment.entry}))), "");
}

TEST(SimulatedBlocks, that_are_spread_begin_in_the_middle_and_have_edges_in_proportion) {
  Experiment experiment = over_huge("if (threadIdx.x == 0) out[row * 100 + blockIdx.y] = 1;", {100, 100});
  experiment.text.insert(0, "#define EDGE(i) ((i) == 0 || (i) == 99)\n");
  const Module& module = module_of(experiment.text, {experiment.entry});
  SimulationOptions options;
  options.count_accesses = options.spread_blocks = true;
  options.sampled_blocks = 1;
  EXPECT_EQ(simulate_blocks(experiment.plan(), module, {}, options).threads, 64U);
  // Of 400 blocks of a grid of 100 x 100 about 16 are at its edges.
  Experiment edges = experiment;
  edges.text =
      with(edges.text, "if (threadIdx.x == 0)", "if (threadIdx.x == 0 && (EDGE(blockIdx.x) || EDGE(blockIdx.y)))");
  const Module& at_edges = module_of(edges.text, {edges.entry});
  EXPECT_EQ(simulate_blocks(edges.plan(), at_edges, {}, options).launches.at(0).global_store_requests, 0U);
  options.sampled_blocks = 400;
  const Execution many = simulate_blocks(edges.plan(), at_edges, {}, options);
  EXPECT_EQ(many.threads, 400U * 64);
  EXPECT_NEAR(static_cast<double>(many.launches.at(0).global_store_requests), 16, 8);
}

TEST(SimulatedBlocks, read_constants_that_are_uploaded_from_given_pages_and_count_them) {
  Experiment experiment = over_huge("if (weights[threadIdx.x % 4] != 1.0f) out[-1] = 1;", {50'000});
  experiment.text.insert(0, "__constant__ float weights[4];\n");
  experiment.buffers.push_back({.name = "given", .role = Role::in, .type = ElementType::f32, .count = 4});
  Plan plan = experiment.plan();
  auto& arguments = std::get<Launch>(plan.steps.back().what).arguments;
  std::erase_if(arguments, [](const Argument& one) {
    const auto* const pointer = std::get_if<BufferArgument>(&one);
    return pointer != nullptr && pointer->buffer == "given";
  });
  plan.steps.insert(plan.steps.begin(), {.what = ConstantUpload{.symbol = "weights", .buffer = "given", .bytes = 16}});
  const Module& module = module_of(experiment.text, {experiment.entry}, {"weights"});
  EXPECT_EQ(summary_of(blocks_of(plan, module)), "");
  SimulationOptions options;
  options.sampled_blocks = 2;
  options.count_accesses = true;
  const std::vector<Page> pages{{.buffer = 2, .number = 0, .bytes = bytes_of(std::vector<float>(4, 1.0f))}};
  const Execution execution = simulate_blocks(plan, module, pages, options);
  EXPECT_EQ(execution.launches.at(0).constant_bytes, 2U * 64 * 4);
}

TEST(SimulatedBlocks, find_reads_of_shared_memory_that_nobody_wrote) {
  const std::string reads =
      "__shared__ float tile[65];\ntile[threadIdx.x] = 1;\n__syncthreads();\nout[row] = tile[threadIdx.x + LATER];";
  EXPECT_EQ(summary_of(blocks_of(over_huge(with(reads, "LATER", "1"), {50'000}))), "uninitialised read at 6");
  EXPECT_EQ(summary_of(blocks_of(over_huge(with(reads, "LATER", "0"), {50'000}))), "");
}

}  // namespace
}  // namespace warpwright::simulator
