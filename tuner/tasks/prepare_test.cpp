// Tests of launches that an architecture refuses, each with the resource and the numbers.
#include "tuner/tasks/prepare.hpp"

#include <gtest/gtest.h>

#include "kernels/core/boards.hpp"

namespace warpwright::tuner {
namespace {

std::string refusal(int cc, const Launch& launch, const Resources& resources) {
  const Device device = default_board(cc).device;
  CompiledConfiguration configuration;
  configuration.plan.steps.push_back({.what = launch});
  CompiledProgram built;
  built.ok = true;
  built.instances[launch.entry].resources = resources;
  complete(configuration, built, device);
  return refuses_launch(configuration, device);
}

Launch launch_of(Dim3 grid, Dim3 block, std::uint32_t shared_bytes = 0, bool cooperative = false) {
  return {.entry = "k<1>",
          .grid = grid,
          .block = block,
          .shared_bytes = shared_bytes,
          .arguments = {},
          .cooperative = cooperative};
}

void expect_words(const std::string& text, const std::vector<std::string>& words) {
  for (const std::string& word : words) EXPECT_NE(text.find(word), std::string::npos) << word << " in: " << text;
}

TEST(RefusesLaunch, legal_launches_are_not_refused) {
  EXPECT_EQ(refusal(75, launch_of({1}, {1024}), {.registers = 64}), "");
  EXPECT_EQ(refusal(75, launch_of({2'147'483'647, 65'535, 65'535}, {32}), {.registers = 255}), "");
  EXPECT_EQ(refusal(90, launch_of({1}, {256}, 200'000), {.registers = 32}), "");
}

TEST(RefusesLaunch, the_block) {
  expect_words(refusal(75, launch_of({1}, {32, 33}), {.registers = 16}), {"32 x 33 x 1", "1024", "sm_75", "k<1>"});
  expect_words(refusal(75, launch_of({1}, {1, 1, 65}), {.registers = 16}), {"1 x 1 x 65", "64 in z"});
}

TEST(RefusesLaunch, a_block_over_the_launch_bounds_of_its_kernel) {
  const Device device = default_board(90).device;
  CompiledConfiguration configuration;
  configuration.plan.steps.push_back({.what = launch_of({1}, {256})});
  CompiledProgram built;
  built.ok = true;
  built.instances["k<1>"].resources = {.registers = 16};
  complete(configuration, built, device);
  EXPECT_EQ(refuses_launch(configuration, device), "");
  configuration.most_threads = {256};
  EXPECT_EQ(refuses_launch(configuration, device), "");
  configuration.most_threads = {128};
  expect_words(refuses_launch(configuration, device), {"block of 256 threads", "__launch_bounds__ allow 128", "k<1>"});
}

TEST(RefusesLaunch, the_grid) {
  expect_words(refusal(75, launch_of({1, 65'536}, {32}), {.registers = 16}), {"1 x 65536 x 1", "65535 in y and z"});
  expect_words(refusal(75, launch_of({0}, {32}), {.registers = 16}), {"grid of 0 x 1 x 1"});
}

TEST(RefusesLaunch, shared_memory) {
  expect_words(refusal(75, launch_of({1}, {32}, 40'000), {.registers = 16, .static_shared = 30'000}),
               {"30000 static", "40000 dynamic", "65536 together"});
  expect_words(refusal(75, launch_of({1}, {32}), {.registers = 16, .static_shared = 49'153}), {"at most 49152 static"});
}

TEST(RefusesLaunch, registers) {
  expect_words(refusal(75, launch_of({1}, {1024}), {.registers = 65}),
               {"65 for each of 1024 threads", "65536 a block"});
  // 3 warps of 168 registers fit 20 times into 64 K, also in whole allocation units of 4 warps.
  EXPECT_EQ(refusal(75, launch_of({1}, {96}), {.registers = 168}), "");
}

TEST(RefusesLaunch, a_cooperative_grid_that_cannot_be_resident) {
  const Device device = default_board(75).device;
  const auto resident = static_cast<std::uint32_t>(device.sm_count);
  EXPECT_EQ(refusal(75, launch_of({resident}, {1024}, 0, true), {.registers = 64}), "");
  expect_words(refusal(75, launch_of({resident + 1}, {1024}, 0, true), {.registers = 64}),
               {"cooperative grid of " + std::to_string(resident + 1), "at most " + std::to_string(resident)});
  EXPECT_EQ(refusal(75, launch_of({resident + 1}, {1024}), {.registers = 64}), "");
}

}  // namespace
}  // namespace warpwright::tuner
