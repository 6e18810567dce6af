// Tests of the pattern lennard_jones: golden values of argon, spaces, plans at edge sizes, oracle, reference, laws.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/lennard_jones/argon.hpp"
#include "kernels/lennard_jones/liquid.hpp"
#include "kernels/model/catalogue.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/simulator/pattern_fixture.hpp"

namespace warpwright::lennard_jones {
namespace {

using Doubles = std::vector<double>;

const Pattern& pattern() {
  return catalogue().pattern("lennard_jones");
}

const Kernel& kernel(const std::string& name) {
  return catalogue().kernel("lennard_jones/" + name);
}

Device device(int compute_capability) {
  Device device;
  device.compute_capability = compute_capability;
  if (compute_capability >= 80) device.max_threads_per_sm = 2048;
  return device;
}

Problem forces(std::int64_t atoms, ElementType type = ElementType::f64) {
  return make_problem(pattern(), {type}, {}, {atoms});
}

Problem steps(std::int64_t atoms, int count, ElementType type = ElementType::f64) {
  return make_problem(pattern(), {type}, {{"op", "steps"}, {"steps", std::to_string(count)}}, {atoms});
}

Problem asking(const std::string& op, std::int64_t atoms, ElementType type = ElementType::f64) {
  return make_problem(pattern(), {type}, {{"op", op}}, {atoms});
}

const std::vector<std::string>& kernels_that_move() {
  static const std::vector<std::string> names{"step", "force_only", "integrate"};
  return names;
}

std::vector<Bytes> inputs_of(const Problem& problem, const std::string& kind) {
  return generate_inputs(pattern(), problem, {.kind = kind, .seed = 4});
}

/// Runs the kernel on the simulator, expecting no finding, and returns the problem's buffers; if lists have room,
/// expects no overflow.
std::map<std::string, Bytes> run(const Kernel& of, const Problem& problem, const std::vector<Bytes>& inputs,
                                 const std::string& params = "{}", bool has_room = true) {
  auto buffers = simulator::run_kernel(of, problem, inputs, params, device(90));
  if (const auto overflow = buffers.find("overflow"); overflow != buffers.end() && has_room) {
    EXPECT_EQ(elements_of<int>(overflow->second), std::vector<int>{0}) << of.name;
  }
  return buffers;
}

TEST(LennardJones, SpacesHaveTheirKnownNumberOfValidPoints) {
  simulator::expect_points("lennard_jones", device,
                           {{"force_gather", {181, 164, 187, 164}},
                            {"force_half", {181, 164, 187, 164}},
                            {"step", {3258, 2952, 3366, 2952}},
                            {"force_only", {1629, 1476, 1683, 1476}},
                            {"integrate", {4887, 4428, 5049, 4428}},
                            {"energy", {362, 328, 374, 328}},
                            {"scale_velocity", {120, 120, 120, 120}}});
}

TEST(LennardJones, DefaultsAreValidForBothTypesAndArchitectures) {
  for (const char* name : {"force_gather", "force_half", "step", "force_only", "integrate", "energy", "scale_velocity"})
    for (const int capability : {75, 90})
      for (const ElementType type : {ElementType::f32, ElementType::f64})
        EXPECT_EQ(kernel(name).space.rejected_by(kernel(name).default_point, {{type}, device(capability)}), "") << name;
}

TEST(LennardJones, AKernelSaysWhatItDoesNotCompute) {
  for (const char* name : {"force_gather", "force_half"})
    EXPECT_EQ(kernel(name).refuses(kernel(name).default_point, steps(4, 1), device(90)),
              "gives forces (op=forces) only");
  for (const std::string& name : kernels_that_move())
    EXPECT_EQ(kernel(name).refuses(kernel(name).default_point, forces(4), device(90)), "moves atoms (op=steps) only");
  EXPECT_EQ(kernel("energy").refuses(kernel("energy").default_point, forces(4), device(90)),
            "gives the energy (op=energy) only");
  EXPECT_EQ(kernel("scale_velocity").refuses(kernel("scale_velocity").default_point, forces(4), device(90)),
            "scales velocities (op=scale) only");
}

TEST(LennardJones, TheOracleHasArgonsGoldenValues) {
  // 4,000 atoms: -331.485 eV, -0.082871 per atom, 86 neighbours within 10 A and 140 within 11, no force.
  const Problem problem = forces(4000);
  const Liquid liquid(problem, inputs_of(problem, "fcc"));
  EXPECT_NEAR(static_cast<double>(liquid.energy().potential), -331.485, 5e-4);
  EXPECT_NEAR(static_cast<double>(liquid.energy().potential) / 4000, -0.082871, 5e-7);
  for (const std::size_t atom : {std::size_t{0}, std::size_t{1234}, std::size_t{3999}}) {
    EXPECT_EQ(liquid.neighbors_within(atom, 10), 86);
    EXPECT_EQ(liquid.neighbors_within(atom, 11), 140);
    for (const long double along : liquid.pull_on(atom).force) EXPECT_NEAR(static_cast<double>(along), 0, 1e-14);
  }
}

TEST(LennardJones, AFullLatticeHasNoForces) {
  const Problem problem = forces(4 * 9 * 9 * 9, ElementType::f32);
  const auto force = run(kernel("force_half"), problem, inputs_of(problem, "fcc")).at("force");
  for (const float along : elements_of<float>(force)) ASSERT_NEAR(along, 0, 5e-7);
}

TEST(LennardJones, TwoAtomsByHandAttractAcrossTheBox) {
  // At sigma 2^(1/6) there is no force; at 4 A, across a face of the box, 24 epsilon / r (s^6 - 2 s^12).
  const Problem problem = forces(2);
  const double side = side_of(problem);
  const double sixth = std::pow(kSigma / 4, 6);
  const double pull = 24 * kEpsilon / 4 * (sixth - 2 * sixth * sixth);
  const Doubles positions{1, side - 3, 5, 5, 7, 7};
  for (const char* name : {"force_gather", "force_half"}) {
    const Doubles force = elements_of<double>(run(kernel(name), problem, {bytes_of(positions)}).at("force"));
    EXPECT_NEAR(force.at(0), -pull, 1e-16) << name;
    EXPECT_NEAR(force.at(1), pull, 1e-16) << name;
    EXPECT_EQ(force.at(2), 0) << name;
  }
  const Doubles at_rest{1, 1, 5, 5, 7, 7 + kSigma * std::pow(2, 1.0 / 6)};
  EXPECT_NEAR(elements_of<double>(run(kernel("force_gather"), problem, {bytes_of(at_rest)}).at("force")).at(5), 0,
              1e-15);
}

TEST(LennardJones, NoAtomsAndNoStepsHaveNoLaunches) {
  for (const char* name : {"force_gather", "force_half"})
    EXPECT_TRUE(launches_of(kernel(name).plan(kernel(name).default_point, forces(0), device(90))).empty());
  for (const std::string& name : kernels_that_move())
    for (const Problem& nothing : {steps(0, 5), steps(7, 0)})
      EXPECT_TRUE(launches_of(kernel(name).plan(kernel(name).default_point, nothing, device(90))).empty());
}

TEST(LennardJones, ListsForForcesAreUntimedAndListsForStepsAreTimed) {
  for (const Step& step : kernel("force_half").plan(kernel("force_half").default_point, forces(9), device(90)).steps) {
    const auto* launch = std::get_if<Launch>(&step.what);
    if (launch != nullptr) {
      EXPECT_EQ(step.timed, launch->entry.find("force_half<") != std::string::npos);
    }
  }
  for (const Step& step : kernel("step").plan(kernel("step").default_point, steps(9, 3), device(90)).steps)
    EXPECT_TRUE(step.timed);
}

TEST(LennardJones, ListsAreBuiltBeforeTheFirstStepAndAfterEachInterval) {
  for (const auto& [count, made] : std::vector<std::pair<int, int>>{{1, 1}, {3, 1}, {4, 1}, {9, 3}, {12, 3}, {13, 4}}) {
    const Kernel& of = kernel("step");
    std::int64_t lists = 0;
    std::int64_t evaluations = 0;
    for (const PlannedLaunch& planned :
         launches_of(of.plan(of.space.parse("{.rebuild_every = 4}", of.default_point), steps(9, count), device(90)))) {
      if (planned.launch.entry.find("make_lists") != std::string::npos) lists += planned.times;
      if (planned.launch.entry.find("::step<") != std::string::npos) evaluations += planned.times;
    }
    EXPECT_EQ(evaluations, count + 1);
    EXPECT_EQ(lists, made) << count;
  }
}

TEST(LennardJones, BothWaysToMoveAtomsAgreeWithTheOracle) {
  const Problem problem = steps(60, 13);
  const auto inputs = inputs_of(problem, "images");
  const Expectation expected = pattern().oracle(problem, inputs);
  for (const std::string& name : kernels_that_move()) {
    const auto got = run(kernel(name), problem, inputs, "{.block_size = 32, .unroll = 1, .rebuild_every = 4}");
    for (const std::size_t output : {0, 1}) {
      const Doubles values = elements_of<double>(expected[output].values);
      const Doubles is = elements_of<double>(got.at(expected[output].buffer));
      for (std::size_t i = 0; i < values.size(); ++i)
        ASSERT_NEAR(is.at(i), values[i], 0x1p-53 * expected[output].magnitude[i]) << name << " " << i;
    }
  }
}

/// A problem whose lists have rows of this capacity.
Problem narrow(const std::string& op, std::int64_t atoms, int capacity, ElementType type = ElementType::f64) {
  return make_problem(pattern(), {type}, {{"op", op}, {"steps", "3"}, {"capacity", std::to_string(capacity)}}, {atoms});
}

void expect_reference(const Problem& problem, const std::vector<Bytes>& inputs) {
  const auto allowed = [](double value, double magnitude) { return 1e-15 * (1 + magnitude + std::fabs(value) * 100); };
  simulator::expect_reference(pattern(), problem, inputs, device(90), allowed, 1e-6);
}

TEST(LennardJones, TheReferenceAgreesWithTheOracle) {
  for (const std::string kind : {"warm", "images"})
    for (const Problem& problem : {forces(70, ElementType::f32), steps(70, 6, ElementType::f32), steps(5, 0),
                                   asking("energy", 70, ElementType::f32), asking("energy", 0), asking("scale", 70),
                                   asking("scale", 0), narrow("forces", 40, 7), narrow("steps", 40, 2)})
      expect_reference(problem, inputs_of(problem, kind));
}

/// Five atoms along each axis, each with six neighbours within the cutoff, in all cells of the reference and across all
/// faces of the box. Some lie in other images, and one so far away that its position is not exact.
TEST(LennardJones, TheReferenceFindsNeighboursInAllCellsAndAtomsOutsideTheBox) {
  const Problem problem = forces(125);
  const double side = side_of(problem);
  Doubles places(3 * 125);
  for (std::size_t atom = 0; atom < 125; ++atom) {
    for (std::size_t axis = 0, at = atom; axis < 3; ++axis, at /= 5)
      places[axis * 125 + atom] = side / 5 * static_cast<double>(at % 5) + 1e-2 * static_cast<double>(atom % 7);
  }
  places[0] -= side;
  places[125 + 31] += 3 * side;
  places[250 + 62] += 0x1p21 * side;
  const Doubles force = elements_of<double>(pattern().oracle(problem, {bytes_of(places)}).at(0).values);
  EXPECT_GT(std::ranges::count_if(force, [](double f) { return std::fabs(f) > 1e-9; }), 250);
  expect_reference(problem, {bytes_of(places)});
}

TEST(LennardJones, AMissingPairAtTheCutoffIsMoreThanTheBoundOfFloats) {
  const Problem problem = forces(2916, ElementType::f32);
  const Liquid liquid(problem, inputs_of(problem, "fcc"));
  const double sixth = std::pow(kSigma / 9.33, 6);
  const double farthest = 24 * kEpsilon / 9.33 * (sixth - 2 * sixth * sixth);
  EXPECT_LT(static_cast<double>(liquid.pull_on(1500).error) * 0x1p-24, farthest);
}

TEST(LennardJones, FullRowsDoNotOverflowAndLongerOnesReportByHowMuch) {
  // All three atoms are neighbours of each other.
  const std::map<std::string, std::vector<std::string>> all{
      {"forces", {"force_gather", "force_half"}}, {"energy", {"energy"}}, {"steps", kernels_that_move()}};
  for (const auto& [op, names] : all)
    for (const std::string& name : names)
      for (const std::string params : {"{.layout = by_body}", "{.layout = by_slot}", "{.layout = by_four}"}) {
        run(kernel(name), narrow(op, 3, 2), inputs_of(narrow(op, 3, 2), "warm"), params);
        const Problem problem = narrow(op, 3, 1);
        const auto got = run(kernel(name), problem, inputs_of(problem, "warm"), params, false);
        EXPECT_EQ(elements_of<int>(got.at("overflow")), std::vector<int>{2}) << name << params;
        const Expectation expected = pattern().oracle(problem, inputs_of(problem, "warm"));
        EXPECT_EQ(elements_of<double>(expected.back().values), Doubles{2.5}) << name;
        EXPECT_EQ(expected.back().magnitude, Doubles{0.5}) << name;
        EXPECT_GT(expected.front().magnitude.at(0), 1e100) << name;
      }
}

TEST(LennardJones, RowsOfAnyLengthAndLayoutGiveTheForcesOfTheOracle) {
  for (std::int64_t atoms = 1; atoms < 11; ++atoms)
    for (const char* name : {"force_gather", "force_half"})
      for (const std::string params : {"1, .layout = by_body", "2, .layout = by_slot", "4, .layout = by_four"}) {
        const auto inputs = inputs_of(forces(atoms), "images");
        const ExpectedOutput want = pattern().oracle(forces(atoms), inputs).at(0);
        const Bytes got = run(kernel(name), forces(atoms), inputs, "{.unroll = " + params + "}").at("force");
        for (std::size_t i = 0; i < want.magnitude.size(); ++i)
          ASSERT_NEAR(elements_of<double>(got)[i], elements_of<double>(want.values)[i], 0x1p-53 * want.magnitude[i]);
      }
  // Rows have room for the atoms within the outer reach, but not for all atoms of the surrounding cells.
  const auto inputs = inputs_of(steps(36, 1), "fcc");
  const int most = Liquid(steps(36, 1), inputs).most_within(reach_of(steps(36, 1)).outer);
  for (const std::string& name : kernels_that_move()) run(kernel(name), narrow("steps", 36, most), inputs);
}

TEST(LennardJones, TheOverflowIsKnownExceptForTheKernelsSkin) {
  // A full lattice has 86 atoms within 10 A, 140 within 11, more within 12, and none between 10 and 10.5.
  const auto overflow = [](const std::string& op, int capacity) {
    const Problem problem = narrow(op, 4 * 9 * 9 * 9, capacity);
    Problem at_once = problem;
    at_once.numbers["steps"] = 1;
    const auto got = pattern().oracle(at_once, inputs_of(problem, "fcc")).back();
    return std::pair(elements_of<double>(got.values).at(0), got.magnitude.at(0));
  };
  EXPECT_EQ(overflow("energy", 140), std::pair(0.0, 0.0));
  EXPECT_EQ(overflow("energy", 139), std::pair((140.0 + 2916) / 2, (2916 - 140.0) / 2));
}

TEST(LennardJones, TheEnergyOfTheLatticeIsArgonsAndThatOfAtomsInMotionIsTheOracles) {
  const Problem lattice = asking("energy", 4 * 9 * 9 * 9, ElementType::f32);
  const auto got = elements_of<float>(run(kernel("energy"), lattice, inputs_of(lattice, "fcc")).at("energy"));
  EXPECT_NEAR(got.at(1) / 2916, -0.082871, 5e-7);
  // 3/2 k T per atom, the average of uniformly distributed velocities.
  EXPECT_NEAR(got.at(0) / 2916, 1.5 * kBoltzmann * 60, 0.03 * 1.5 * kBoltzmann * 60);
  const Problem problem = asking("energy", 300);
  const auto inputs = inputs_of(problem, "images");
  const ExpectedOutput expected = pattern().oracle(problem, inputs).at(0);
  for (const char* params : {"{.block_size = 32}", "{.block_size = 32, .unroll = 2, .finish = second_kernel}"}) {
    const Doubles is = elements_of<double>(run(kernel("energy"), problem, inputs, params).at("energy"));
    for (const std::size_t part : {0, 1})
      EXPECT_NEAR(is.at(part), elements_of<double>(expected.values).at(part),
                  0x1p-53 * 300 * expected.magnitude.at(part))
          << params;
  }
}

TEST(LennardJones, VelocitiesAreScaledToTheTemperatureAndAtomsAtRestStayThere) {
  Problem problem = asking("scale", 211);
  problem.numbers["temperature"] = 120;
  const auto inputs = inputs_of(problem, "warm");
  const Doubles was = elements_of<double>(inputs[0]);
  const Doubles is = elements_of<double>(
      run(kernel("scale_velocity"), problem, inputs, "{.block_size = 32, .coarsening = 2}").at("velocity"));
  double squares = 0;
  for (const double along : is) squares += along * along;
  EXPECT_NEAR(kMass * squares / (3 * 211 * kBoltzmann), 120, 1e-11);
  for (std::size_t i = 0; i < is.size(); ++i) EXPECT_NEAR(is[i] / is[0], was[i] / was[0], 1e-12);
  const Doubles at_rest(3 * 5);
  EXPECT_EQ(elements_of<double>(run(kernel("scale_velocity"), asking("scale", 5), {bytes_of(at_rest)}).at("velocity")),
            at_rest);
}

TEST(LennardJones, TheEnergyOfMovingAtomsIsConserved) {
  // 256 atoms on a part of the lattice, 60 steps of 5 fs from 60 K: drift below 1e-4, but above roundings.
  const Problem problem = steps(256, 60, ElementType::f32);
  const auto inputs = inputs_of(problem, "fcc");
  const long double before = Liquid(problem, inputs).lasting_energy();
  for (const std::string& name : kernels_that_move()) {
    const auto got = run(kernel(name), problem, inputs, "{.block_size = 64, .rebuild_every = 20}");
    const long double after = Liquid(problem, {got.at("positions"), got.at("velocity")}).lasting_energy();
    EXPECT_LT(std::fabs((after - before) / before), 1e-4L) << name;
    EXPECT_NE(after, before) << name;
  }
}

/// The oracle as an implementation whose outputs are altered by `change`.
Runner oracle_and(const std::function<void(const Problem&, std::vector<Doubles>&)>& change) {
  return [change](const Problem& problem, const std::vector<Bytes>& inputs) {
    std::vector<Doubles> outputs;
    for (const ExpectedOutput& one : pattern().oracle(problem, inputs))
      if (one.buffer != "overflow") outputs.push_back(elements_of<double>(one.values));
    change(problem, outputs);
    std::vector<Bytes> bytes;
    for (const Doubles& output : outputs) bytes.push_back(bytes_of(output));
    bytes.push_back(bytes_of(std::vector<int>{0}));
    return bytes;
  };
}

/// What the law with that name reports for an implementation.
std::string verdict(const std::string& name, const Problem& problem, const Runner& runner) {
  for (const Law& law : pattern().laws)
    if (law.name == name) return law.broken(problem, inputs_of(problem, law.input), runner);
  return "no law " + name;
}

TEST(LennardJones, LawsHoldForTheOracle) {
  for (const Problem& problem : {forces(0), forces(1), forces(40), steps(0, 3), steps(1, 3), steps(40, 7),
                                 asking("energy", 0), asking("energy", 40), asking("scale", 0), asking("scale", 40)})
    for (const Law& law : pattern().laws)
      EXPECT_EQ(verdict(law.name, problem, oracle_and([](const Problem&, const auto&) {})), "")
          << law.name << problem_text(problem);
}

TEST(LennardJones, LawsFindNonMutualForces) {
  const auto pulled = [](const Problem&, std::vector<Doubles>& outputs) { outputs.back()[4] += 1e-6; };
  for (const Problem& problem : {forces(40), steps(40, 7)})
    EXPECT_NE(verdict("forces are mutual", problem, oracle_and(pulled)), "");
  EXPECT_NE(verdict("images do not matter", forces(40), oracle_and(pulled)), "");
}

TEST(LennardJones, LawsFindStepsThatAreIrreversibleOrLoseEnergy) {
  const auto drifts = [](const Problem&, std::vector<Doubles>& outputs) {
    if (outputs.size() == 2) outputs[0][3] += 1e-6;
  };
  EXPECT_NE(verdict("time reversal", steps(40, 7), oracle_and(drifts)), "");
  const auto heats = [](const Problem&, std::vector<Doubles>& outputs) {
    if (outputs.size() == 2)
      for (double& speed : outputs[1]) speed *= 1.01;
  };
  EXPECT_NE(verdict("energy drift", steps(40, 7), oracle_and(heats)), "");
}

TEST(LennardJones, LawsFindEnergiesThatAreNotQuadraticAndWrongTemperatures) {
  const auto adds = [](std::size_t part) {
    return oracle_and([part](const Problem&, std::vector<Doubles>& outputs) { outputs[0][part] += 1e-6; });
  };
  EXPECT_NE(verdict("kinetic energy is quadratic", asking("energy", 40), adds(0)), "");
  int calls = 0;
  const auto depends = oracle_and([&](const Problem&, std::vector<Doubles>& outputs) { outputs[0][1] += ++calls; });
  EXPECT_NE(verdict("kinetic energy is quadratic", asking("energy", 40), depends), "");
  for (const auto& change :
       std::vector<std::function<double(double)>>{[](double v) { return 1.01 * v; }, [](double v) { return -v; }})
    EXPECT_NE(
        verdict("temperature", asking("scale", 40), oracle_and([&](const Problem&, std::vector<Doubles>& outputs) {
                  for (double& along : outputs[0]) along = change(along);
                })),
        "");
}

TEST(LennardJones, TheEnergyDriftIsReportedInWords) {
  const Problem problem = steps(40, 7);
  for (const Law& law : pattern().laws)
    if (law.name == "energy drift") {
      const auto inputs = inputs_of(problem, law.input);
      EXPECT_NE(law.in_words(problem, inputs, {oracle_and([](const Problem&, const auto&) {})(problem, inputs)})
                    .find("20 steps of 5 fs change the energy of"),
                std::string::npos);
      std::vector<Bytes> overflowed = inputs;
      overflowed.push_back(bytes_of(std::vector<int>{3}));
      EXPECT_EQ(law.in_words(problem, inputs, {overflowed}), "rows of lists overflowed");
    }
}

}  // namespace
}  // namespace warpwright::lennard_jones
