// For tests of patterns: what a kernel leaves in its buffers, and how many points spaces have.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "kernels/model/catalogue.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/host/plan_fixture.hpp"

namespace warpwright::host {

/// What the kernel leaves in the buffers of its plan, by name, on the host and without a finding; axes that `params`
/// does not name have their default.
inline std::map<std::string, Bytes> run_kernel(const Kernel& of, const Problem& problem,
                                               const std::vector<Bytes>& inputs, const std::string& params,
                                               const Device& device) {
  ExecuteOptions options;
  options.device = device;
  const Plan plan = of.plan(of.space.parse(params, of.default_point), problem, device);
  const PlanRun done = run_plan(plan, of.source, inputs, options);
  for (const Finding& finding : done.execution.findings) ADD_FAILURE() << of.name << ": " << describe(finding);
  return done.buffers;
}

/// Expects of every kernel that is named the numbers of valid points for sm_75 with floats, with doubles, and for sm_90
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

}  // namespace warpwright::host
