// The cost of each check on one core, for docs/results. Not part of a normal run, since it needs an idle computer:
// simulator_test --gtest_also_run_disabled_tests --gtest_filter='Cost.*'
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <ctime>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

const std::string product_text = R"(
__global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float left[16][16];
  __shared__ float right[16][16];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    left[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
    right[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += left[threadIdx.y][i] * right[i][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = sum;
}
)";

const std::string reduction_text = R"(
__global__ void reduction(const float* in, float* out) {
  __shared__ float part[256];
  const int i = threadIdx.x;
  part[i] = in[blockIdx.x * 256 + i];
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (i < s) part[i] += part[i + s];
    __syncthreads();
  }
  if (i == 0) out[blockIdx.x] = part[0];
}
)";

struct Speed {
  double steps = 0, threads = 0;  ///< millions per second
};

/// The best of several executions, by processor time.
Speed speed_of(Experiment experiment, const SimulationOptions& options) {
  constexpr int times = 7;
  constexpr double million = 1e6;
  Speed best;
  for (int i = 0; i < times; ++i) {
    const std::clock_t begin = std::clock();
    const Execution execution = experiment.run(options);
    const double microseconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC * million;
    EXPECT_EQ(summary_of(execution), "");
    best.steps = std::max(best.steps, static_cast<double>(execution.thread_steps) / microseconds);
    best.threads = std::max(best.threads, static_cast<double>(execution.threads) / microseconds);
  }
  return best;
}

Experiment product() {
  constexpr std::size_t n = 256;
  Experiment experiment{.text = product_text, .entry = "product", .grid = {n / 16, n / 16}, .block = {16, 16}};
  experiment.with("a", Role::in, ElementType::f32, std::vector<float>(n * n, 1.0f));
  experiment.with("b", Role::in, ElementType::f32, std::vector<float>(n * n, 2.0f));
  experiment.with("c", Role::out, ElementType::f32, std::vector<float>(n * n, 0.0f));
  experiment.values = {value(static_cast<int>(n))};
  return experiment;
}

Experiment reduction() {
  constexpr std::size_t blocks = 1000;
  Experiment experiment{.text = reduction_text, .entry = "reduction", .grid = {blocks}, .block = {256}};
  experiment.with("in", Role::in, ElementType::f32, std::vector<float>(blocks * 256, 1.0f));
  experiment.with("out", Role::out, ElementType::f32, std::vector<float>(blocks, 0.0f));
  return experiment;
}

TEST(Cost, DISABLED_of_each_check) {
  SimulationOptions bounds;
  bounds.check_races = bounds.check_initialised = false;
  SimulationOptions initialised = bounds;
  initialised.check_initialised = true;
  SimulationOptions races = bounds;
  races.check_races = true;
  const SimulationOptions all;
  SimulationOptions counting;
  counting.count_accesses = true;
  const struct {
    const char* name;
    const SimulationOptions& options;
  } rows[] = {{"bounds, alignment, schedule, loops", bounds},
              {"and initialisation", initialised},
              {"and races", races},
              {"and both: all checks", all},
              {"and sectors, conflicts, branches", counting}};
  for (const auto& [name, options] : rows) {
    const Speed accesses = speed_of(product(), options), threads = speed_of(reduction(), options);
    fmt::print("{:<36} {:>6.1f} million accesses/s {:>6.2f} million threads/s\n", name, accesses.steps,
               threads.threads);
    if (&options == &all) {
      EXPECT_GE(accesses.steps, 30);
    }
  }
}

}  // namespace
}  // namespace warpwright::simulator
