// Tests of the pattern nbody: space sizes, plans at edge sizes, oracle, reference, bound, laws, hand-computed forces.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/model/catalogue.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/nbody/data.cuh"
#include "kernels/nbody/orbit.hpp"
#include "kernels/nbody/problems.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/simulator/pattern_fixture.hpp"

namespace warpwright::nbody {
namespace {

using Doubles = std::vector<double>;

const Pattern& pattern() {
  return catalogue().pattern("nbody");
}

const Kernel& kernel(const std::string& name) {
  return catalogue().kernel("nbody/" + name);
}

Device device(int compute_capability) {
  Device device;
  device.compute_capability = compute_capability;
  if (compute_capability >= 80) device.shared_per_sm = 228 << 10;
  if (compute_capability >= 80) device.max_threads_per_sm = 2048;
  device.sm_count = 3;
  return device;
}

Problem forces(std::int64_t bodies, const Settings& settings = {}, ElementType type = ElementType::f64) {
  return make_problem(pattern(), {type}, settings, {bodies});
}

Problem steps(std::int64_t bodies, Settings settings = {}, ElementType type = ElementType::f64) {
  settings["op"] = "steps";
  return make_problem(pattern(), {type}, settings, {bodies});
}

/// Runs the kernel on the simulator, expecting no finding, and returns the problem's buffers.
std::map<std::string, Bytes> run(const Kernel& of, const Problem& problem, const std::vector<Bytes>& inputs,
                                 const std::string& params = "{}") {
  return simulator::run_kernel(of, problem, inputs, params, device(90));
}

const std::vector<std::string>& kernels_of_forces() {
  static const std::vector<std::string> names{"global", "tiled", "register_tiled"};
  return names;
}

TEST(Nbody, SpacesHaveTheirKnownNumberOfValidPoints) {
  simulator::expect_points("nbody", device,
                           {{"global", {150, 69, 150, 69}},
                            {"tiled", {150, 132, 150, 132}},
                            {"register_tiled", {3456, 3082, 3846, 3392}},
                            {"step", {696, 591, 696, 596}}});
}

TEST(Nbody, DefaultsAreValidForBothTypesAndArchitectures) {
  for (const char* name : {"global", "tiled", "register_tiled", "step"})
    for (const int capability : {75, 90})
      for (const ElementType type : {ElementType::f32, ElementType::f64})
        EXPECT_EQ(kernel(name).space.rejected_by(kernel(name).default_point, {{type}, device(capability)}), "") << name;
}

TEST(Nbody, AKernelSaysWhatItDoesNotCompute) {
  for (const std::string& name : kernels_of_forces())
    EXPECT_EQ(kernel(name).refuses(kernel(name).default_point, steps(4), device(90)), "gives forces (op=forces) only");
  EXPECT_EQ(kernel("step").refuses(kernel("step").default_point, forces(4), device(90)),
            "moves bodies (op=steps) only");
}

TEST(Nbody, NoBodiesAndNoStepsHaveNoLaunches) {
  for (const std::string& name : kernels_of_forces())
    EXPECT_TRUE(kernel(name).plan(kernel(name).default_point, forces(0), device(90)).steps.empty()) << name;
  for (const Problem& nothing : {steps(0), steps(7, {{"steps", "0"}})}) {
    const Plan plan = kernel("step").plan(kernel("step").default_point, nothing, device(90));
    EXPECT_TRUE(plan.steps.empty());
    EXPECT_EQ(plan.buffers.size(), 2U);
  }
}

TEST(Nbody, AtomicsStartFromZeroOnAGridOfTheSizeOfTheDevice) {
  const Kernel& of = kernel("register_tiled");
  const Plan plan = of.plan(of.space.parse("{.grid_blocks_per_sm = 2}", of.default_point), forces(1000), device(90));
  ASSERT_EQ(plan.steps.size(), 2U);
  EXPECT_EQ(std::get<Memset>(plan.steps[0].what).count, 3000);
  EXPECT_EQ(std::get<Launch>(plan.steps[1].what).grid.x, 2U * 3);
  const Point block = of.space.parse("{.combine = block, .grid_blocks_per_sm = 1}", of.default_point);
  const auto launches = launches_of(of.plan(block, forces(1000), device(90)));
  ASSERT_EQ(launches.size(), 1U);
  EXPECT_EQ(launches[0].launch.grid.x, 8U);
  EXPECT_TRUE(of.deterministic(block, forces(1000)));
  EXPECT_FALSE(of.deterministic(of.default_point, forces(1000)));
}

TEST(Nbody, StepsEndInTheProblemsOwnBufferForAnyNumberOfSteps) {
  for (const int count : {1, 2, 3, 4}) {
    const Plan plan =
        kernel("step").plan(kernel("step").default_point, steps(9, {{"steps", std::to_string(count)}}), device(90));
    const auto launches = launches_of(plan);
    EXPECT_EQ(launches.size(), count == 1 ? 2U : 3U);
    std::int64_t times = 0;
    for (const PlannedLaunch& planned : launches) times += planned.times;
    EXPECT_EQ(times, count + 1);
    EXPECT_EQ(std::get<BufferArgument>(launches.back().launch.arguments[0]).buffer, count % 2 == 1 ? "next" : "bodies");
  }
}

/// Softened distances of 2.5 and 3.25 from body 0: inverse cubes of 0.064 and 0.02913...
const Doubles kThree{0, 0, 0, 2, 1.5, 0, 0, 4, 0, -2.5625, 0, 0.5};

TEST(Nbody, ThreeBodiesByHandWithEveryKernel) {
  const double far = 1 / std::pow(2.5625 * 2.5625 + 4, 1.5);
  const double across = 1 / std::pow(1.5 * 1.5 + 2.5625 * 2.5625 + 4, 1.5);
  const Doubles wanted{4 * 1.5 * 0.064,
                       -0.5 * 2.5625 * far,
                       0,
                       -2 * 1.5 * 0.064 - 0.5 * 1.5 * across,
                       -0.5 * 2.5625 * across,
                       0,
                       4 * 1.5 * across,
                       2 * 2.5625 * far + 4 * 2.5625 * across,
                       0};
  const Problem problem = forces(3, {{"softening", "2"}});
  const Doubles oracle = elements_of<double>(pattern().oracle(problem, {bytes_of(kThree)}).at(0).values);
  for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(oracle.at(i), wanted[i], 1e-15) << i;
  for (const std::string& name : kernels_of_forces()) {
    const Doubles got = elements_of<double>(run(kernel(name), problem, {bytes_of(kThree)}).at("acceleration"));
    for (std::size_t i = 0; i < wanted.size(); ++i) EXPECT_NEAR(got.at(i), wanted[i], 1e-15) << name << i;
  }
}

TEST(Nbody, ABodyInOrbitReturns) {
  // Around a heavy body at distance 1, with softening 1: v^2 = M r^2 / 2^1.5, and an orbit takes 2 pi 2^0.75 / sqrt(M).
  const double turn = 2 * M_PI * std::pow(2, 0.75);
  const double dt = 0x1p-5;
  const auto count = static_cast<int>(std::lround(turn / dt));
  const Problem problem = steps(2, {{"softening", "1"}, {"dt", "0.03125"}, {"steps", std::to_string(count)}});
  const Doubles bodies{0, 0, 0, 1, 1, 0, 0, 0};
  const Doubles velocity{0, 0, 0, 0, std::pow(2, -0.75), 0};
  const auto after = run(kernel("step"), problem, {bytes_of(bodies), bytes_of(velocity)}, "{.block_size = 32}");
  const Doubles places = elements_of<double>(after.at("bodies"));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(places.at(i), bodies[i]) << "the heavy body is not pulled";
  EXPECT_NEAR(places.at(4), 1, 1e-3);
  EXPECT_NEAR(places.at(5), 0, 0.02);
}

TEST(Nbody, NoForceIsLostIfAllTilesOfAllWarpsAreUsed) {
  // The force of every single body shows: with eight positions and equal masses, sums are multiples of a few numbers.
  const std::map<std::string, std::string> small{
      {"tiled", "{.block_size = 64, .tile = 32, .unroll = 4}"},
      {"register_tiled",
       "{.block_size = 64, .bodies_per_thread = 2, .tile = 32, .unroll = 4, .grid_blocks_per_sm = 1}"},
      {"global", "{.block_size = 64, .vector_width = 1, .root = library}"}};
  const Problem problem = forces(193, {{"softening", "1"}}, ElementType::f32);
  const auto inputs = generate_inputs(pattern(), problem, {.kind = "exact", .seed = 5});
  const ExpectedOutput expected = pattern().oracle(problem, inputs).at(0);
  const Doubles values = elements_of<double>(expected.values);
  for (const auto& [name, params] : small) {
    const auto got = elements_of<float>(run(kernel(name), problem, inputs, params).at("acceleration"));
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_NEAR(got.at(i), values[i], 20 * 0x1p-24 * expected.magnitude[i]) << name << " " << i;
  }
}

TEST(Nbody, ExactInputsHaveFewMassiveBodiesForAnyNumberOfBodies) {
  for (const long long count : {1LL, 500LL, 512LL, 5000LL}) {
    long long massive = 0;
    const bodies_of<float> made{.kind = placement::exact};
    for (long long i = 0; i < count; ++i) massive += made(7, 4 * i + 3, 4 * count) > 0 ? 1 : 0;
    EXPECT_LE(massive, most_massive);
    EXPECT_GT(massive, std::min<long long>(count, most_massive) * 4 / 5) << count;
  }
}

TEST(Nbody, TheBoundOfExactInputsStaysBelowOneForceAtTuningSize) {
  const Problem large = forces(1 << 16, {{"softening", "0.0625"}}, ElementType::f32);
  const double depth = chain_depth(1 << 16);
  const Bound exact = pattern().bound(large, "acceleration", {.name = "exact", .exact = true}, depth);
  // Half of the massive bodies pull along x, from four distances, of which the greatest is 21^0.5.
  double largest = 0;
  for (const double square : {1, 5, 17, 21}) largest += most_massive / 8.0 / std::pow(square, 1.5);
  EXPECT_LT(2 * exact.relative * largest, 1 / std::pow(21, 1.5));
  EXPECT_NEAR(pattern().bound(large, "acceleration", {.name = "uniform"}, depth).relative, depth * 0x1p-24, 2e-5);
}

TEST(Nbody, TheReferenceAgreesWithTheOracle) {
  for (const std::string kind : {"uniform", "exact", "clusters"})
    for (const Problem& problem : {forces(37, {}, ElementType::f32), steps(37, {{"steps", "1"}}, ElementType::f32),
                                   steps(37, {{"steps", "6"}}, ElementType::f32), steps(5, {{"steps", "0"}})}) {
      const auto inputs = generate_inputs(pattern(), problem, {.kind = kind, .seed = 3});
      simulator::expect_reference(
          pattern(), problem, inputs, device(90), [](double, double magnitude) { return 1e-15 * (1 + magnitude); },
          1e-9);
    }
}

TEST(Nbody, ErrorsOfAnOrbitCoverTheSameStepsInFloat) {
  // The same steps in float, by the oracle's own formulas, have errors below the bound, but not below a thousandth of
  // it.
  const Problem problem = steps(40, {{"steps", "20"}}, ElementType::f32);
  const auto inputs = generate_inputs(pattern(), problem, {.kind = "clusters", .seed = 2});
  Orbit orbit(problem, inputs);
  orbit.advance(20, 0x1p-7L);
  const auto got =
      elements_of<float>(run(kernel("step"), problem, inputs, "{.block_size = 32, .tile = 32}").at("bodies"));
  long double worst = 0;
  for (std::size_t i = 0; i < orbit.place.size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis)
      worst = std::max(worst, std::fabs(static_cast<long double>(got.at(4 * i + axis)) - orbit.place[i][axis]) /
                                  (orbit.unit * orbit.place_error[i]));
  EXPECT_LT(worst, 1);
  EXPECT_GT(worst, 1e-3);
}

TEST(Nbody, WorkCountsInteractions) {
  EXPECT_EQ(pattern().work(forces(1000)).operations, 19e6);
  EXPECT_EQ(pattern().work(steps(1000, {{"steps", "3"}})).operations, 4 * 19e6);
  EXPECT_EQ(pattern().work(steps(1000, {{"steps", "0"}})).operations, 0);
  EXPECT_EQ(pattern().work(forces(1000, {}, ElementType::f32)).bytes_read, 16e3);
}

/// The oracle as an implementation whose outputs are altered by `change`.
Runner oracle_and(const std::function<void(const Problem&, std::vector<Doubles>&)>& change) {
  return [change](const Problem& problem, const std::vector<Bytes>& inputs) {
    std::vector<Doubles> outputs;
    for (const ExpectedOutput& one : pattern().oracle(problem, inputs))
      outputs.push_back(elements_of<double>(one.values));
    change(problem, outputs);
    std::vector<Bytes> bytes;
    for (const Doubles& output : outputs) bytes.push_back(bytes_of(output));
    return bytes;
  };
}

/// What the law with that name reports for an implementation, on its own inputs.
std::string verdict(const std::string& name, const Problem& problem, const Runner& runner) {
  for (const Law& law : pattern().laws)
    if (law.name == name)
      return law.broken(problem, generate_inputs(pattern(), problem, {.kind = law.input.empty() ? "exact" : law.input}),
                        runner);
  return "no law " + name;
}

TEST(Nbody, LawsHoldForTheOracle) {
  for (const Problem& problem : {forces(0), forces(1), forces(23), steps(0), steps(1), steps(23)})
    for (const Law& law : pattern().laws)
      EXPECT_EQ(verdict(law.name, problem, oracle_and([](const Problem&, const auto&) {})), "")
          << law.name << problem_text(problem);
}

TEST(Nbody, LawsFindNonMutualForces) {
  const auto pulled = [](const Problem&, std::vector<Doubles>& outputs) { outputs.back()[4] += 1e-6; };
  for (const Problem& problem : {forces(23), steps(23)})
    EXPECT_NE(verdict("momentum is kept", problem, oracle_and(pulled)), "");
  const auto always = [](const Problem&, std::vector<Doubles>& outputs) { outputs.back()[0] += 1; };
  for (const Problem& problem : {forces(23), steps(23)})
    EXPECT_NE(verdict("one body alone is not pulled", problem, oracle_and(always)), "");
  const auto stops = [](const Problem&, std::vector<Doubles>& outputs) { outputs[0][1] += 0.125; };
  EXPECT_NE(verdict("one body alone is not pulled", steps(23), oracle_and(stops)), "");
}

/// Steps of Euler's method, which mix old and new velocity and position and are not reversible.
Runner euler() {
  return [](const Problem& problem, const std::vector<Bytes>& inputs) {
    Orbit orbit(problem, inputs);
    const auto dt = static_cast<long double>(problem.number("dt"));
    for (std::int64_t step = 0; step < problem.integer("steps"); ++step) {
      std::vector<Vector> pulls;
      for (std::size_t i = 0; i < orbit.place.size(); ++i) pulls.push_back(orbit.pull_of(i));
      for (std::size_t i = 0; i < pulls.size(); ++i)
        for (std::size_t axis = 0; axis < 3; ++axis) {
          orbit.place[i][axis] += dt * orbit.velocity[i][axis];
          orbit.velocity[i][axis] += dt * pulls[i][axis];
        }
    }
    Doubles bodies;
    Doubles velocity;
    for (std::size_t i = 0; i < orbit.place.size(); ++i)
      for (std::size_t axis = 0; axis < 3; ++axis) {
        bodies.push_back(static_cast<double>(orbit.place[i][axis]));
        velocity.push_back(static_cast<double>(orbit.velocity[i][axis]));
        if (axis == 2) bodies.push_back(static_cast<double>(orbit.mass[i]));
      }
    return std::vector<Bytes>{bytes_of(bodies), bytes_of(velocity)};
  };
}

TEST(Nbody, EulersStepsAreNotReversible) {
  EXPECT_NE(verdict("time reversal", steps(23), euler()), "");
}

TEST(Nbody, PushedBodiesGainEnergy) {
  const auto heats = [](const Problem&, std::vector<Doubles>& outputs) {
    if (outputs.size() == 2)
      for (double& speed : outputs[1]) speed *= 1.05;
  };
  EXPECT_NE(verdict("energy drift", steps(23), oracle_and(heats)), "");
}

}  // namespace
}  // namespace warpwright::nbody
