// Tests of the results of compact on the simulator: observation, reference, laws, known results, any order of blocks.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>

#include "kernels/compact/compact_fixture.hpp"

namespace warpwright::compact {
namespace {

using simulator::bytes_of;
using simulator::values_of;
using testing::ElementsAre;

/// A kernel, its operation, and params that make small tiles.
struct Solver {
  const char* name;
  const char* op;
  const char* small;
};

constexpr Solver kSolvers[]{
    {"pack", "select", "{.block_size = 128, .coarsening = 8, .vector_width = 2, .scan_block = 128}"},
    {"single_pass", "select", "{.block_size = 128, .coarsening = 8, .vector_width = 1}"},
    {"stream", "select", "{.compute_warps = 4, .coarsening = 8, .stages = 3, .delay = 1}"},
    {"partition", "partition", "{.block_size = 128, .coarsening = 8, .vector_width = 2}"},
    {"split", "split", "{.block_size = 128, .coarsening = 8, .vector_width = 2}"}};

Problem problem_of(const Solver& solver, std::int64_t count, Settings settings = {},
                   ElementType type = ElementType::f32) {
  settings["op"] = solver.op;
  return array(count, settings, type);
}

std::vector<Bytes> run(const Solver& solver, const std::string& params, const Problem& problem,
                       const std::vector<Bytes>& inputs, simulator::Schedule schedule = {}) {
  return run_plan(plan_of(solver.name, params, problem), kernel(solver.name).source, problem, inputs, schedule);
}

template <class T>
T first_of(const Bytes& bytes) {
  return values_of<T>(bytes).at(0);
}

TEST(CompactResults, MatchTheOracleInAnyOrderOfBlocks) {
  for (const Solver& solver : kSolvers)
    for (std::uint64_t seed = 1; seed <= 6; ++seed)
      for (const char* data : {"kept:0.5", "clustered:0.5"}) {
        const Problem problem = problem_of(solver, 6001, {{"data", data}}, ElementType::f64);
        const auto inputs = own_data(problem, seed);
        ASSERT_EQ(
            run(solver, solver.small, problem, inputs, {.seed = seed, .resident_blocks = static_cast<int>(seed % 4)}),
            expected(problem, inputs))
            << solver.name << ", seed " << seed << ' ' << data;
      }
}

TEST(CompactResults, AreTheSameForAllWaysOfStoringAndLookingBack) {
  const std::map<std::string, std::vector<std::string>> ways{
      {"single_pass",
       {"{.block_size = 128, .coarsening = 8, .vector_width = 1, .store = direct, .window = 1}",
        "{.block_size = 128, .coarsening = 8, .vector_width = 2, .store = staged, .window = 1}",
        "{.block_size = 128, .coarsening = 24, .store = direct, .restore = memset}"}},
      {"partition",
       {"{.block_size = 128, .coarsening = 8, .vector_width = 1, .store = direct}",
        "{.block_size = 128, .coarsening = 24, .vector_width = 4, .store = staged}"}},
      {"split", {"{.block_size = 128, .coarsening = 8, .vector_width = 1, .window = 1, .restore = memset}"}},
      {"stream",
       {"{.compute_warps = 4, .coarsening = 8, .vector_width = 1, .stages = 4, .delay = 1, .store = direct}",
        "{.compute_warps = 4, .look_back_warps = 2, .coarsening = 8, .vector_width = 4, .stages = 4, .delay = 2}"}}};
  for (const Solver& solver : kSolvers) {
    if (!ways.contains(solver.name)) continue;
    for (const std::string& params : ways.at(solver.name))
      for (const std::int64_t count : {1, 1023, 1024, 1025, 20'001})
        for (const char* data : {"kept:0.5", "kept:1", "kept:0"}) {
          const Problem problem = problem_of(solver, count, {{"data", data}});
          const auto inputs = own_data(problem, 9);
          ASSERT_EQ(run(solver, params, problem, inputs, {.seed = static_cast<std::uint64_t>(count)}),
                    expected(problem, inputs))
              << solver.name << params << ' ' << problem_text(problem);
        }
  }
}

TEST(CompactResults, OneLaunchRestoresItsStateForTheNextOne) {
  for (const Solver& solver : kSolvers) {
    const Problem problem = problem_of(solver, 5000);
    Plan plan = plan_of(solver.name, solver.small, problem);
    const auto steps = plan.steps;
    plan.steps.insert(plan.steps.end(), steps.begin(), steps.end());
    const auto inputs = own_data(problem, 4);
    EXPECT_EQ(run_plan(plan, kernel(solver.name).source, problem, inputs), expected(problem, inputs)) << solver.name;
  }
}

TEST(CompactResults, TheObservationShowsTheHeadAndWhatIsUnwrittenAfterIt) {
  const Problem problem = array(5);
  const float poison = values_of<float>(Bytes(4, std::byte{0xAA}))[0];
  const auto right = observed(
      problem, {bytes_of(std::vector{1.0F, 2.0F, poison, poison, poison}), bytes_of(std::vector<std::int64_t>{2})},
      0xAA);
  EXPECT_THAT(values_of<float>(right.buffers.at("head")), ElementsAre(1, 2, 0, 0, 0));
  EXPECT_EQ(first_of<std::int64_t>(right.buffers.at("kept")), 2);
  EXPECT_EQ(first_of<std::uint64_t>(right.buffers.at("tail")), 12U);
  const auto past_the_end = observed(
      problem, {bytes_of(std::vector{1.0F, 2.0F, poison, 4.0F, poison}), bytes_of(std::vector<std::int64_t>{2})}, 0xAA);
  EXPECT_EQ(first_of<std::uint64_t>(past_the_end.buffers.at("tail")), 8U);
}

TEST(CompactResults, TheObservationOfAnImpossibleCountIsNoFault) {
  const Bytes out = bytes_of(std::vector{1.0F, 2.0F, 3.0F});
  for (const auto& [count, head] : {std::pair{std::int64_t{1} << 40, out}, {std::int64_t{-1}, Bytes(12)}}) {
    const auto seen = observed(array(3), {out, bytes_of(std::vector{count})}, 0);
    EXPECT_TRUE(seen.execution.clean()) << describe(seen.execution.findings[0]);
    EXPECT_EQ(first_of<std::int64_t>(seen.buffers.at("kept")), count);
    EXPECT_EQ(seen.buffers.at("head"), head);
  }
}

TEST(CompactResults, AReversedRestIsObservedInItsOrder) {
  const Problem problem = array(5, {{"op", "partition"}});
  const std::vector<Bytes> outputs{bytes_of(std::vector{1.0F, 2.0F, -3.0F, -2.0F, -1.0F}),
                                   bytes_of(std::vector<std::int64_t>{2})};
  const auto seen = observed(problem, outputs, 0, "rest reversed");
  EXPECT_THAT(values_of<float>(seen.buffers.at("head")), ElementsAre(1, 2, -1, -2, -3));
  EXPECT_EQ(observed(problem, outputs, 0).buffers.at("head"), outputs[0]);
}

TEST(CompactResults, TheReferenceIsTheOracle) {
  Device small;
  small.sm_count = 1;
  for (const std::string& op : pattern().variants.at("op"))
    for (const auto& types : pattern().types)
      for (const std::int64_t count : {0, 1, 5000}) {
        const Problem problem = array(count, {{"op", op}, {"predicate", "non_zero"}}, types[0]);
        const auto inputs = generate_inputs(pattern(), problem, {.kind = "special", .seed = 5});
        const Reference reference = pattern().reference(problem, small);
        const auto [execution, buffers] = simulator::run_plan(reference.plan, reference.source, inputs);
        ASSERT_TRUE(execution.clean()) << describe(execution.findings[0]);
        for (const ExpectedOutput& output : pattern().oracle(problem, inputs))
          EXPECT_EQ(buffers.at(output.buffer + ".expected"), output.values) << op << ' ' << output.buffer;
      }
}

TEST(CompactResults, KnownRandomNumbersGiveTheirKnownPack) {
  std::srand(2019);
  std::vector<float> numbers(16);
  for (float& number : numbers)
    number = static_cast<float>(std::rand()) / static_cast<float>(RAND_MAX) - 0.5F;  // NOLINT: the published numbers
  EXPECT_NEAR(numbers[0], -0.4508, 1e-4);
  const Problem problem = array(16);
  for (const Solver& solver : kSolvers) {
    if (std::string(solver.op) != "select") continue;
    const auto shown = run(solver, "{}", problem, {bytes_of(numbers)});
    const auto head = values_of<float>(shown[0]);
    const std::vector<double> known{0.2750, 0.3169, 0.1248, 0.4241};
    for (std::size_t i = 0; i < known.size(); ++i) EXPECT_NEAR(head[i], known[i], 1e-4) << i;
    EXPECT_EQ(shown, expected(problem, {bytes_of(numbers)}));
  }
}

TEST(CompactResults, APartitionIsStableInBothPartsAndASplitUndoesASelection) {
  const Bytes in = bytes_of(std::vector{3, -1, 4, 0, -5, 9, -2, 6});
  const Problem partition = array(8, {{"op", "partition"}}, ElementType::i32);
  const auto parted = run(kSolvers[3], "{}", partition, {in});
  EXPECT_THAT(values_of<int>(parted[0]), ElementsAre(3, 4, 9, 6, -1, 0, -5, -2));
  EXPECT_EQ(first_of<std::int64_t>(parted[1]), 4);
  const Problem split = array(8, {{"op", "split"}}, ElementType::i32);
  EXPECT_THAT(values_of<int>(run(kSolvers[4], "{}", split, {in, parted[0]})[0]), ElementsAre(3, 0, 4, 0, 0, 9, 0, 6));
}

TEST(CompactResults, LawsFindTheirFaults) {
  const std::vector<float> in{3, -1, 4, 0, -5, 9, -2, 6, 5};
  const auto broken_laws = [&](const std::string& op, auto change) {
    const Problem problem = array(9, {{"op", op}});
    std::vector<Bytes> inputs{bytes_of(in)};
    if (op == "split") inputs.push_back(bytes_of(std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
    std::vector<std::string> broken;
    for (const Law& law : pattern().laws) {
      const Runner wrong = [&](const Problem& asked, const std::vector<Bytes>& given) {
        std::vector<Bytes> results = expected(asked, given);
        change(results);
        return results;
      };
      if (!law.broken(problem, inputs, wrong).empty()) broken.push_back(law.name);
    }
    return broken;
  };
  const auto nothing = [](std::vector<Bytes>&) {};
  const auto negate_first = [](std::vector<Bytes>& results) {
    if (!results[0].empty()) results[0][3] ^= std::byte{0x80};
  };
  const auto count_one_less = [](std::vector<Bytes>& results) { results[1][0] ^= std::byte{1}; };
  const auto swap_ends = [](std::vector<Bytes>& results) {
    auto values = values_of<float>(results[0]);
    if (values.size() > 1) std::swap(values.front(), values.back());
    results[0] = bytes_of(values);
  };
  for (const std::string& op : pattern().variants.at("op")) EXPECT_THAT(broken_laws(op, nothing), ElementsAre()) << op;
  EXPECT_THAT(broken_laws("select", count_one_less),
              ElementsAre("count", "concatenation", "idempotence", "pack then split"));
  EXPECT_THAT(broken_laws("select", negate_first), ElementsAre("concatenation", "idempotence", "pack then split"));
  EXPECT_THAT(broken_laws("partition", swap_ends), ElementsAre("concatenation", "idempotence", "pack then split"));
  EXPECT_THAT(broken_laws("split", negate_first), ElementsAre("concatenation", "pack then split"));
}

TEST(CompactResults, AKernelThatWritesPastTheEndIsFound) {
  const Problem problem = array(5000);
  const auto inputs = own_data(problem, 2);
  Plan plan = plan_of("single_pass", "{}", problem);
  plan.steps.insert(plan.steps.begin(), {.what = Memset{.buffer = "out", .count = 5000, .value = value(0.0F)}});
  const auto shown = run_plan(plan, kernel("single_pass").source, problem, inputs);
  EXPECT_EQ(shown[0], expected(problem, inputs)[0]);
  EXPECT_EQ(first_of<std::uint64_t>(shown[2]), 0U);
}

TEST(CompactResults, StaleDescriptorsAreFoundIfNothingZeroesThem) {
  const Problem problem = array(10'000);
  Plan plan = plan_of("single_pass", "{.restore = memset}", problem);
  plan.steps.erase(plan.steps.begin());
  const auto execution = simulator::run_plan(plan, kernel("single_pass").source, own_data(problem, 2)).execution;
  ASSERT_FALSE(execution.clean());
  EXPECT_EQ(execution.findings[0].kind, FindingKind::uninitialised_read);
}

TEST(CompactResults, DescriptorsThatAreNotRestoredAreFound) {
  const Problem problem = array(10'000);
  Plan plan = plan_of("single_pass", "{.restore = memset}", problem);
  for (Buffer& buffer : plan.buffers) buffer.self_restoring = buffer.role == Role::scratch;
  const auto execution = simulator::run_plan(plan, kernel("single_pass").source, own_data(problem, 2)).execution;
  ASSERT_FALSE(execution.clean());
  EXPECT_EQ(execution.findings[0].kind, FindingKind::scratch_not_restored);
}

}  // namespace
}  // namespace warpwright::compact
