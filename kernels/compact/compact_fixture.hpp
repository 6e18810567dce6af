// For tests of the compact pattern: runs its kernels on the simulator and observes the results.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/core/target.hpp"
#include "kernels/model/catalogue.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/simulator/kernel_fixture.hpp"
#include "kernels/runtime/simulator/plan_fixture.hpp"

namespace warpwright::compact {

inline const Pattern& pattern() {
  return catalogue().pattern("compact");
}

inline const Kernel& kernel(const std::string& name) {
  return catalogue().kernel("compact/" + name);
}

inline Problem array(std::int64_t count, const Settings& settings = {}, ElementType type = ElementType::f32) {
  return make_problem(pattern(), {type}, settings, {count});
}

inline Device hopper(int sm_count = 3) {
  Device device = architecture_limits(90);
  device.sm_count = sm_count;
  return device;
}

inline Plan plan_of(const std::string& name, const std::string& params, const Problem& problem,
                    const Device& device = hopper()) {
  return kernel(name).plan(kernel(name).space.parse(params, kernel(name).default_point), problem, device);
}

/// Runs the observation on these outputs.
inline simulator::PlanRun observed(const Problem& problem, std::vector<Bytes> outputs, std::uint8_t poison,
                                   const std::string& observation = {}) {
  const Observation made = find_observation(pattern(), observation)->of(problem, Device{});
  std::vector<Bytes> given;
  for (const Buffer& buffer : made.plan.buffers)
    if (buffer.role == Role::in)
      given.push_back(buffer.name == kPoisonBuffer ? Bytes{std::byte{poison}}
                                                   : outputs.at(buffer.name == "out" ? 0 : 1));
  return simulator::run_plan(made.plan, made.source, given);
}

/// The compared buffers of an observation's run.
inline std::vector<Bytes> shown(const Problem& problem, const simulator::PlanRun& run) {
  std::vector<Bytes> values;
  for (const Buffer& buffer : observed_buffers(pattern(), problem, Device{}))
    values.push_back(run.buffers.at(buffer.name));
  return values;
}

/// Runs a plan on poisoned outputs and returns the observation of the result.
inline std::vector<Bytes> run_plan(const Plan& plan, const std::string& source, const Problem& problem,
                                   const std::vector<Bytes>& inputs, simulator::Schedule schedule = {}) {
  constexpr std::uint8_t kPoison = 0xC5;
  simulator::SimulationOptions options;
  options.device = hopper();
  options.schedule = schedule;
  std::vector<Bytes> given = inputs;
  std::vector<std::string> outputs;
  for (const Buffer& buffer : pattern().buffers(problem))
    if (buffer.role == Role::out) {
      given.emplace_back(static_cast<std::size_t>(buffer.bytes()), std::byte{kPoison});
      outputs.push_back(buffer.name);
    }
  const auto [execution, buffers] = simulator::run_plan(plan, source, given, options);
  EXPECT_TRUE(execution.clean()) << describe(execution.findings[0]);
  std::vector<Bytes> written;
  for (const std::string& name : outputs) written.push_back(buffers.at(name));
  const simulator::PlanRun run = observed(problem, written, kPoison);
  EXPECT_TRUE(run.execution.clean()) << describe(run.execution.findings[0]);
  return shown(problem, run);
}

inline std::vector<Bytes> expected(const Problem& problem, const std::vector<Bytes>& inputs) {
  std::vector<Bytes> values;
  for (const ExpectedOutput& output : pattern().oracle(problem, inputs)) values.push_back(output.values);
  return values;
}

inline std::vector<Bytes> own_data(const Problem& problem, std::uint64_t seed) {
  return generate_inputs(pattern(), problem, {.kind = std::string(kOwnData), .seed = seed});
}

}  // namespace warpwright::compact
