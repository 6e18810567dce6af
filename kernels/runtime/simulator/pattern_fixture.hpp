// For tests of patterns: the buffers of a plan after its kernel, and the number of valid points of parameter spaces.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kernels/model/catalogue.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/simulator/plan_fixture.hpp"

namespace warpwright::simulator {

/// The buffers of the kernel's plan, by name, after a run in the simulator without findings. Axes that `params` does
/// not name have their default.
inline std::map<std::string, Bytes> run_kernel(const Kernel& of, const Problem& problem,
                                               const std::vector<Bytes>& inputs, const std::string& params,
                                               const Device& device) {
  SimulationOptions options;
  options.device = device;
  const Plan plan = of.plan(of.space.parse(params, of.default_point), problem, device);
  const PlanRun done = run_plan(plan, of.source, inputs, options);
  for (const Finding& finding : done.execution.findings) ADD_FAILURE() << of.name << ": " << describe(finding);
  return done.buffers;
}

/// Expects these numbers of valid points of each named kernel: for sm_75 with floats and with doubles, then for sm_90
/// likewise.
inline void expect_points(const std::string& pattern, const std::function<Device(int compute_capability)>& device,
                          const std::map<std::string, std::vector<std::size_t>>& known) {
  for (const auto& [name, counts] : known) {
    std::vector<std::size_t> got;
    for (const int capability : {75, 90})
      for (const ElementType type : {ElementType::f32, ElementType::f64})
        got.push_back(catalogue().kernel(pattern + "/" + name).space.points({{type}, device(capability)}).size());
    EXPECT_EQ(got, counts) << name;
  }
}

/// Expects the pattern's reference, in the simulator, to agree with the oracle. A value may differ by what `allowed`
/// says for it and its magnitude, a magnitude by such a part of itself.
inline void expect_reference(const Pattern& pattern, const Problem& problem, const std::vector<Bytes>& inputs,
                             const Device& device, const std::function<double(double value, double magnitude)>& allowed,
                             double part) {
  const Reference reference = pattern.reference(problem, device);
  const PlanRun done = run_plan(reference.plan, reference.source, inputs);
  EXPECT_TRUE(done.execution.clean());
  for (const ExpectedOutput& one : pattern.oracle(problem, inputs)) {
    const auto values = elements_of<double>(one.values);
    const auto got = elements_of<double>(done.buffers.at(one.buffer + ".expected"));
    const auto magnitude = elements_of<double>(done.buffers.at(one.buffer + ".magnitude"));
    ASSERT_EQ(got.size(), values.size());
    for (std::size_t i = 0; i < values.size(); ++i) {
      EXPECT_NEAR(got[i], values[i], allowed(values[i], one.magnitude[i])) << problem_text(problem) << " " << i;
      EXPECT_NEAR(magnitude[i], one.magnitude[i], part * one.magnitude[i]) << problem_text(problem) << " " << i;
    }
  }
}

}  // namespace warpwright::simulator
