// The Kokkos ports on the backend that Kokkos was built with for this machine: right on every small shape.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "conformance/checker.hpp"
#include "conformance/comparison.hpp"
#include "kernels/model/callable.hpp"
#include "kernels/runtime/input.hpp"

namespace warpwright::conformance {
namespace {

constexpr std::uint8_t kPoison = 0xFF;

struct Trial {
  const Callable& callable;
  Problem problem;
  Input input;
  Point knobs;

  std::string text() const {
    return callable.name() + " " + callable.knobs.text(knobs) + " on " + problem_text(problem) + " with " +
           input_text(input);
  }
};

std::vector<std::vector<std::int64_t>> shapes(const Pattern& pattern) {
  if (pattern.extents.size() == 1) return {{1}, {2}, {31}, {1000}, {8192}, {8193}, {70001}};
  return {{1, 1}, {1, 65}, {65, 1}, {32, 32}, {33, 31}, {64, 128}, {127, 129}};
}

/// NaN in a minimum is the pattern's own rule, no library's.
bool is_ordinary(Distribution distribution) {
  return distribution != Distribution::special;
}

ComparisonResult run(const Trial& trial) {
  const Pattern& pattern = catalogue().pattern(trial.problem.pattern);
  const std::vector<Buffer> buffers = pattern.buffers(trial.problem);
  std::vector<Bytes> inputs = generate_inputs(buffers, trial.input);
  const std::vector<Bytes> before = inputs;
  std::vector<Bytes> outputs;
  for (const Buffer& buffer : buffers)
    if (buffer.role == Role::out) outputs.emplace_back(static_cast<std::size_t>(buffer.bytes()), std::byte{kPoison});
  CallableBuffers addresses;
  std::size_t in = 0;
  std::size_t out = 0;
  for (const Buffer& buffer : buffers)
    addresses[buffer.name] = buffer.role == Role::out ? outputs.at(out++).data() : inputs.at(in++).data();
  const auto prepared = trial.callable.prepare(
      {.problem = trial.problem, .knobs = trial.knobs, .device = host_device(), .stream = nullptr});
  prepared->run(nullptr, addresses);
  EXPECT_EQ(inputs, before) << trial.text() << " changed its input";
  const double depth = trial.callable.depth(trial.problem, trial.knobs, host_device());
  return compare_outputs(buffers, pattern.oracle(trial.problem, before), outputs,
                         pattern.bound(trial.problem, trial.input.distribution, depth), kPoison);
}

/// Every problem of the pattern that the callable supports, on small shapes.
std::vector<Problem> problems(const Callable& callable) {
  const Pattern& pattern = catalogue().pattern(callable.pattern);
  std::vector<Problem> found;
  for (const ElementType type : pattern.types)
    for (const auto& variant :
         pattern.variants.empty() ? std::vector<std::string>{""} : pattern.variants.begin()->second)
      for (const auto& shape : shapes(pattern)) {
        std::map<std::string, std::string> options;
        if (!variant.empty()) options[pattern.variants.begin()->first] = variant;
        Problem problem = make_problem(pattern, type, options, shape);
        if (callable.supports(problem)) found.push_back(std::move(problem));
      }
  return found;
}

TEST(KokkosPorts, AreFoundForPatternsOfTheCatalogueOnly) {
  const auto all = callables();
  EXPECT_FALSE(all.empty());
  for (const Callable& callable : all) {
    EXPECT_NO_THROW((void)catalogue().pattern(callable.pattern));
    EXPECT_EQ(callable.implementation, "kokkos");
    EXPECT_EQ(callable.knobs.rejected_by(callable.default_knobs), "") << callable.name();
  }
}

TEST(KokkosPorts, AreRightWithTheirDefaultKnobsOnEveryShapeAndInput) {
  for (const Callable& callable : callables()) {
    const auto supported = problems(callable);
    EXPECT_FALSE(supported.empty()) << callable.name();
    for (const Problem& problem : supported)
      for (const Distribution distribution : catalogue().pattern(problem.pattern).distributions(problem)) {
        if (!is_ordinary(distribution)) continue;
        const Trial trial{callable, problem, {.distribution = distribution, .seed = 7}, callable.default_knobs};
        const ComparisonResult result = run(trial);
        // Sorted terms cancel: their sum is zero, which is mistrusted by rule.
        EXPECT_NE(result.verdict, "failed") << trial.text() << ": " << result.detail;
      }
  }
}

/// A host backend takes few of the GPU's knobs; what it takes must be right, the rest must be refused.
TEST(KokkosPorts, AreRightOrRefuseWithEveryOtherKnob) {
  for (const Callable& callable : callables()) {
    int right = 0;
    for (const Problem& problem : problems(callable)) {
      if (problem.elements() != 8193 && problem.shape != std::vector<std::int64_t>{127, 129}) continue;
      for (const Point& knobs : callable.knobs.points()) {
        const Trial trial{callable, problem, {.distribution = Distribution::exact, .seed = 3}, knobs};
        try {
          const ComparisonResult result = run(trial);
          EXPECT_EQ(result.verdict, "passed") << trial.text() << ": " << result.detail;
          ++right;
        } catch (const CallableRefusal& refused) {
          EXPECT_NE(std::string(refused.what()), "") << trial.text();
        }
      }
    }
    EXPECT_GT(right, 0) << callable.name();
  }
}

}  // namespace
}  // namespace warpwright::conformance
