// For tests of the scans: runs their kernels on the simulator.
#pragma once

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "kernels/core/target.hpp"
#include "kernels/model/catalogue.hpp"
#include "kernels/runtime/simulator/kernel_fixture.hpp"
#include "kernels/runtime/simulator/plan_fixture.hpp"

namespace warpwright::scan {

inline const Pattern& pattern() {
  return catalogue().pattern("scan");
}

inline Problem array(std::int64_t count, const Settings& settings = {}, ElementType type = ElementType::f32) {
  return make_problem(pattern(), {type}, settings, {count});
}

inline Device device_with(int compute_capability, int sm_count = 3) {
  Device device = architecture_limits(compute_capability);
  device.sm_count = sm_count;
  return device;
}

inline Point params(const Kernel& kernel, const std::string& text) {
  return kernel.space.parse(text, kernel.default_point);
}

/// Runs a kernel of the pattern on the simulator as sm_90; `text` are params, and the rest are the defaults.
inline simulator::PlanRun run(const std::string& name, const std::string& text, const Problem& problem,
                              const Bytes& input, std::uint64_t seed = 0, int resident_blocks = 0) {
  const Kernel& kernel = catalogue().kernel("scan/" + name);
  simulator::SimulationOptions options;
  options.device = device_with(90);
  options.schedule = {.seed = seed, .resident_blocks = resident_blocks};
  options.count_accesses = true;
  return simulator::run_plan(kernel.plan(params(kernel, text), problem, options.device), kernel.source, {input},
                             options);
}

/// Runs a kernel on these elements; fails the test if there is a finding.
template <class T>
std::vector<T> scanned(const std::string& name, const std::string& text, const std::vector<T>& in,
                       const Settings& settings = {}, ElementType type = ElementType::f32) {
  const auto [execution, buffers] =
      run(name, text, array(static_cast<std::int64_t>(in.size()), settings, type), simulator::bytes_of(in));
  EXPECT_TRUE(execution.clean()) << name << text << ": " << describe(execution.findings[0]);
  return simulator::values_of<T>(buffers.at("out"));
}

/// Params for every kernel that make small tiles.
inline const std::map<std::string, std::string>& small_tiles() {
  static const std::map<std::string, std::string> small{
      {"naive", "{.block_size = 32}"},
      {"hillis_steele", "{.block_size = 32}"},
      {"kogge_stone", "{.block_size = 32, .coarsening = 1, .vector_width = 1}"},
      {"brent_kung", "{.block_size = 32, .coarsening = 1, .vector_width = 1}"},
      {"blelloch", "{.block_size = 32, .coarsening = 1, .vector_width = 1}"},
      {"coarsened", "{.block_size = 32, .coarsening = 2, .vector_width = 1}"},
      {"warp_shuffle", "{.block_size = 32, .coarsening = 1, .vector_width = 1}"},
      {"three_kernel", "{.block_size = 128, .coarsening = 2, .vector_width = 1}"},
      {"domino", "{.block_size = 64, .coarsening = 4, .vector_width = 1}"},
      {"decoupled_lookback", "{.block_size = 128, .coarsening = 4, .vector_width = 1}"},
      {"stream", "{.compute_warps = 4, .coarsening = 4, .vector_width = 2, .stages = 3, .delay = 1}"}};
  return small;
}

}  // namespace warpwright::scan
