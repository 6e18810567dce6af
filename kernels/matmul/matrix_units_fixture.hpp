// For tests of matmul on matrix units: runs a kernel in the simulator and compares with the oracle.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kernels/matmul/matmul_fixture.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/simulator/pattern_fixture.hpp"

namespace warpwright::matmul {

/// Runs the kernel on the simulator, expecting no finding and exactly the oracle's values.
template <class Sum>
void expect_right(const std::string& name, const Problem& problem, const std::string& params,
                  const std::string& kind = "exact") {
  const auto inputs = generate_inputs(pattern(), problem, {.kind = kind, .seed = 5});
  const auto values = elements_of<double>(pattern().oracle(problem, inputs).at(0).values);
  const auto got = elements_of<Sum>(simulator::run_kernel(kernel(name), problem, inputs, params, device(90)).at("c"));
  EXPECT_EQ(got, std::vector<Sum>(values.begin(), values.end())) << name << " " << problem_text(problem) << params;
}

inline const Settings padded{{"alpha", "-2"}, {"beta", "0.5"}, {"pad_a", "3"}, {"pad_b", "1"}, {"pad_c", "5"}};
inline const Settings turned{{"alpha", "-2"}, {"beta", "0.5"},     {"pad_a", "3"},
                             {"pad_b", "1"},  {"b", "transposed"}, {"pad_c", "5"}};

}  // namespace warpwright::matmul
