// Tests of the pattern neighbor: space size, plans at edge sizes, data, oracle, and what its observation accepts.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "kernels/model/catalogue.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/neighbor/bodies.hpp"
#include "kernels/neighbor/geometry.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/simulator/plan_fixture.hpp"

namespace warpwright {
namespace {

const Pattern& pattern() {
  return catalogue().pattern("neighbor");
}

const Kernel& cell_list() {
  return catalogue().kernel("neighbor/cell_list");
}

Problem bodies(std::int64_t count, const Settings& settings = {}, ElementType type = ElementType::f32) {
  return make_problem(pattern(), {type}, settings, {count});
}

Device board(int compute_capability, int threads_per_sm) {
  Device device;
  device.compute_capability = compute_capability;
  device.max_threads_per_sm = threads_per_sm;
  return device;
}

std::vector<Bytes> data_of(const Problem& problem) {
  return generate_inputs(pattern(), problem, {.kind = problem.data, .seed = 3});
}

/// The different numbers of neighbours that bodies have, by the oracle.
std::set<int> numbers_of_neighbors(const Problem& problem) {
  const std::vector<int> length = elements_of<int>(pattern().oracle(problem, data_of(problem)).at(1).values);
  return {length.begin(), length.end()};
}

TEST(Neighbor, TheSpaceHasItsKnownNumberOfValidPoints) {
  const auto points = [](const Device& device) {
    return cell_list().space.points({.types = pattern().types[0], .device = device}).size();
  };
  EXPECT_EQ(points(board(75, 1024)), 252U);
  EXPECT_EQ(points(board(90, 2048)), 288U);
}

TEST(Neighbor, TheDefaultIsValidOnEveryBoard) {
  EXPECT_EQ(cell_list().space.rejected_by(cell_list().default_point,
                                          {.types = pattern().types[0], .device = board(75, 1024)}),
            "");
}

TEST(Neighbor, AnAtomOfArgonHasTheKnownNumberOfNeighbors) {
  const Settings argon{{"data", "fcc"}, {"boundary", "periodic"}};
  const auto within = [&](const char* cutoff) {
    Settings settings = argon;
    settings["cutoff"] = cutoff;
    return numbers_of_neighbors(bodies(500, settings));
  };
  EXPECT_EQ(within("10"), std::set<int>{86});
  EXPECT_EQ(within("11"), std::set<int>{140});
  EXPECT_EQ(within("4"), std::set<int>{12});
}

TEST(Neighbor, AnAtomOfGrapheneHasThreeNeighbors) {
  for (const char* dim : {"xy", "xyz"})
    EXPECT_EQ(numbers_of_neighbors(bodies(
                  112, {{"data", "honeycomb"}, {"boundary", "periodic"}, {"dim", dim}, {"cutoff", "1.8984375"}})),
              std::set<int>{3})
        << dim;
}

TEST(Neighbor, AnOpenBoxEndsAtItsFaces) {
  const auto open = numbers_of_neighbors(bodies(500, {{"data", "fcc"}}));
  EXPECT_LT(*open.begin(), 86);
  EXPECT_LE(*open.rbegin(), 86);
}

TEST(Neighbor, ABodyExactlyAtTheCutoffIsNoNeighbor) {
  Problem problem = bodies(2, {{"cutoff", "2"}, {"dim", "xy"}});
  neighbor::Bodies two{.at = {{{0, 0, 0}}, {{256, 0, 0}}}};
  const auto length = [&] {
    return elements_of<int>(pattern().oracle(problem, {neighbor::positions_of_bodies(problem, two)}).at(1).values);
  };
  EXPECT_EQ(length(), (std::vector<int>{0, 0}));
  two.at[1][0] = 255;
  EXPECT_EQ(length(), (std::vector<int>{1, 1}));
}

TEST(Neighbor, PositionsAreInTheBoxAndOnTheGrid) {
  for (const char* data : {"uniform", "fcc", "honeycomb", "clusters"})
    for (const char* dim : {"xy", "xyz"})
      for (const std::int64_t count : {1, 2, 5, 113, 2000}) {
        const Problem problem = bodies(count, {{"data", data}, {"dim", dim}});
        std::vector<std::string> kinds{"uniform", "fcc", "honeycomb", "clusters"};
        for (const InputKind& kind : pattern().inputs(problem)) kinds.push_back(kind.name);
        for (const std::string& kind : kinds) {
          const auto inputs = generate_inputs(pattern(), problem, {.kind = kind, .seed = 5});
          const neighbor::Bodies read = neighbor::bodies_of(problem, inputs[0]);
          EXPECT_EQ(neighbor::positions_of_bodies(problem, read), inputs[0]) << kind << " in " << problem_text(problem);
          for (const auto& at : read.at)
            EXPECT_TRUE(std::ranges::all_of(at, [&](auto steps) { return steps >= 0 && steps < read.side; }))
                << kind << " in " << problem_text(problem);
        }
      }
}

TEST(Neighbor, NoTwoBodiesOfALatticeHaveTheSamePosition) {
  for (const char* data : {"fcc", "honeycomb"})
    for (const char* dim : {"xy", "xyz"}) {
      const Problem problem = bodies(900, {{"data", data}, {"dim", dim}});
      const auto at = neighbor::bodies_of(problem, data_of(problem)[0]).at;
      EXPECT_EQ(std::set(at.begin(), at.end()).size(), 900U) << data << " " << dim;
    }
}

TEST(Neighbor, BoxesAreTheSmallestThatHoldTheirBodies) {
  EXPECT_EQ(neighbor::side_of(bodies(4 * 27, {{"data", "fcc"}})), 3 * neighbor::fcc_edge);
  EXPECT_EQ(neighbor::side_of(bodies(4 * 27 + 1, {{"data", "fcc"}})), 4 * neighbor::fcc_edge);
  EXPECT_EQ(neighbor::side_of(bodies(4 * 27)), 3 * neighbor::fcc_edge);
  EXPECT_EQ(neighbor::side_of(bodies(112, {{"data", "honeycomb"}})), neighbor::honeycomb_square);
  EXPECT_EQ(neighbor::side_of(bodies(113, {{"data", "honeycomb"}})), 2 * neighbor::honeycomb_square);
  EXPECT_GT(neighbor::side_of(bodies(0)), 0);
}

TEST(Neighbor, DenseClustersOverflowTheirRows) {
  const Problem problem = bodies(400, {{"data", "clusters"}, {"capacity", "8"}});
  const auto expected = pattern().oracle(problem, data_of(problem));
  EXPECT_EQ(elements_of<int>(expected.at(2).values), std::vector<int>{199});
  EXPECT_EQ(elements_of<int>(expected.at(0).values), std::vector<int>(400 * 8, -2));
}

TEST(Neighbor, NoBodiesLaunchNothing) {
  EXPECT_TRUE(launches_of(cell_list().plan(cell_list().default_point, bodies(0), Device{})).empty());
}

TEST(Neighbor, TooManyBodiesForCellsOf31BitsAreRefused) {
  const std::int64_t most = std::int64_t{1} << 28;
  EXPECT_EQ(cell_list().refuses(cell_list().default_point, bodies(most), Device{}), "");
  EXPECT_NE(cell_list().refuses(cell_list().default_point, bodies(most + 1), Device{}), "");
  for (const char* dim : {"xy", "xyz"}) {
    const Plan plan = cell_list().plan(cell_list().default_point, bodies(most, {{"cutoff", "1"}, {"dim", dim}}), {});
    EXPECT_LT(plan.buffer("starts").count, std::int64_t{1} << 31) << dim;
    for (const PlannedLaunch& planned : launches_of(plan)) EXPECT_LT(planned.launch.grid.x, 1U << 31);
  }
}

TEST(Neighbor, SmallerCellsVisitFewerBodies) {
  const Problem problem = bodies(1 << 18, {{"data", "fcc"}});
  const auto steps = [&](const std::string& params) {
    return cell_list().steps(cell_list().space.parse(params, cell_list().default_point), problem);
  };
  EXPECT_LT(steps("{.cells_per_cutoff = 2}"), steps("{.cells_per_cutoff = 1}"));
  EXPECT_LT(steps("{.cells_per_cutoff = 1}"), pattern().work(problem).steps / 100);
}

TEST(Neighbor, TheWorkOfALatticeIsThatOfItsNeighborsOnly) {
  const Work work = pattern().work(bodies(1 << 18, {{"data", "fcc"}}));
  EXPECT_EQ(work.bytes_written, 4.0 * ((1 << 18) * 87.0 + 1));
  EXPECT_EQ(work.operations, (1 << 18) * 43.0 * 9);
}

/// Runs the observation of possible kernel outputs on the simulator; `excess` is the value of the overflow buffer.
simulator::PlanRun observed(const Problem& problem, const Bytes& positions, const std::vector<int>& count,
                            const std::vector<int>& list, int excess = 0) {
  const Observation observation = pattern().observations.at(0).of(problem, Device{});
  simulator::PlanRun run =
      simulator::run_plan(observation.plan, observation.source,
                          {positions, bytes_of(count), bytes_of(list), bytes_of(std::vector{excess})});
  EXPECT_TRUE(run.execution.clean());
  return run;
}

TEST(NeighborObservation, AcceptsRowsInAnyOrderAndLayout) {
  for (const char* layout : {"by_body", "by_slot"}) {
    const Problem problem = bodies(3, {{"capacity", "3"}, {"layout", layout}});
    const bool by_body = problem.option("layout") == "by_body";
    const Bytes positions = generate_inputs(pattern(), problem, {.kind = "all_equal", .seed = 1})[0];
    const auto run = observed(
        problem, positions, {2, 2, 2},
        by_body ? std::vector<int>{2, 1, 77, 0, 2, 77, 1, 0, 77} : std::vector<int>{2, 0, 1, 1, 2, 0, 77, 77, 77});
    EXPECT_EQ(elements_of<int>(run.buffers.at("rows")), (std::vector<int>{1, 2, -1, 0, 2, -1, 0, 1, -1})) << layout;
    EXPECT_EQ(elements_of<int>(run.buffers.at("bad")), std::vector<int>{0}) << layout;
  }
}

TEST(NeighborObservation, AcceptsAnyNeighborsOfARowThatOverflowsButEachOnce) {
  const Problem problem = bodies(4, {{"capacity", "2"}});
  const Bytes positions = generate_inputs(pattern(), problem, {.kind = "all_equal", .seed = 1})[0];
  const std::vector<int> count(4, 3);
  const auto bad = [&](const std::vector<int>& list) {
    const auto run = observed(problem, positions, count, list, 3);
    EXPECT_EQ(elements_of<int>(run.buffers.at("rows")), std::vector<int>(8, -2));
    return elements_of<int>(run.buffers.at("bad")).at(0);
  };
  EXPECT_EQ(bad({1, 2, 2, 3, 3, 0, 0, 1}), 0);
  EXPECT_EQ(bad({3, 1, 3, 2, 1, 0, 2, 0}), 0);
  EXPECT_EQ(bad({1, 1, 2, 3, 3, 0, 0, 1}), 1) << "the same neighbour twice";
  EXPECT_EQ(bad({0, 2, 2, 3, 3, 0, 0, 1}), 1) << "itself";
  EXPECT_EQ(bad({4, -1, 2, 3, 3, 0, 0, 1}), 2) << "no bodies";
}

TEST(NeighborObservation, FindsASlotThatHoldsNoNeighbor) {
  const Problem problem = bodies(2, {{"capacity", "1"}, {"cutoff", "1"}});
  const neighbor::Bodies far{.at = {{{0, 0, 0}}, {{200, 200, 200}}}};
  const auto run = observed(problem, neighbor::positions_of_bodies(problem, far), {1, 1}, {1, 0});
  EXPECT_EQ(elements_of<int>(run.buffers.at("bad")), std::vector<int>{2});
}

TEST(NeighborObservation, DoesNotFaultOnGarbage) {
  const Problem problem = bodies(5, {{"capacity", "7"}});
  const std::vector<int> garbage(35, -1515870811);
  EXPECT_GE(elements_of<int>(
                observed(problem, data_of(problem)[0], {-5, 1 << 30, 7, 8, -1515870811}, garbage).buffers.at("bad"))
                .at(0),
            21);
}

TEST(NeighborReference, IsTheOracle) {
  for (const char* boundary : {"open", "periodic"})
    for (const char* data : {"uniform", "clusters"}) {
      const Problem problem =
          bodies(70, {{"boundary", boundary}, {"data", data}, {"capacity", "30"}}, ElementType::f64);
      const auto inputs = data_of(problem);
      const Reference reference = pattern().reference(problem, Device{});
      const auto run = simulator::run_plan(reference.plan, reference.source, inputs);
      EXPECT_TRUE(run.execution.clean());
      for (const ExpectedOutput& output : pattern().oracle(problem, inputs))
        EXPECT_EQ(run.buffers.at(output.buffer + ".expected"), output.values) << output.buffer;
    }
}

}  // namespace
}  // namespace warpwright
