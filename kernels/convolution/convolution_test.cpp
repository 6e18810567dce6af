// Tests of the pattern convolution: space size, plans at edge sizes, oracle, bound, laws, hand-computed examples.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "kernels/model/catalogue.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/simulator/plan_fixture.hpp"

namespace warpwright {
namespace {

using Floats = std::vector<float>;

const Pattern& pattern() {
  return catalogue().pattern("convolution");
}

const Kernel& constant() {
  return catalogue().kernel("convolution/constant");
}

const Kernel& register_tiled() {
  return catalogue().kernel("convolution/register_tiled");
}

const Kernel& of_name(const std::string& name) {
  return catalogue().kernel("convolution/" + name);
}

/// The kernels that accept any filter.
const std::vector<const Kernel*>& general() {
  static const std::vector<const Kernel*> all{&constant(), &register_tiled(), &of_name("global"), &of_name("tiled")};
  return all;
}

Device device(int compute_capability) {
  Device device;
  device.compute_capability = compute_capability;
  return device;
}

Problem image(std::int64_t rows, std::int64_t columns, int filter = 3, const std::string& border = "zero",
              ElementType type = ElementType::f32, const std::string& form = "any") {
  return make_problem(pattern(), {type}, {{"border", border}, {"filter", std::to_string(filter)}, {"form", form}},
                      {rows, columns});
}

Point params(const std::string& text, const Kernel& of = constant()) {
  return of.space.parse(text, of.default_point);
}

/// Runs a kernel on an image and a filter on the simulator, expecting no finding.
Floats convolved(const Problem& problem, const Floats& pixels, const Floats& filter, const std::string& text = "{}",
                 const Kernel& of = constant()) {
  simulator::SimulationOptions options;
  options.device = device(90);
  const Plan plan = of.plan(params(text, of), problem, options.device);
  const simulator::PlanRun run = simulator::run_plan(plan, of.source, {bytes_of(pixels), bytes_of(filter)}, options);
  for (const simulator::Finding& finding : run.execution.findings) ADD_FAILURE() << describe(finding);
  return elements_of<float>(run.buffers.at("out"));
}

std::vector<double> expected(const Problem& problem, const Floats& pixels, const Floats& filter) {
  return elements_of<double>(pattern().oracle(problem, {bytes_of(pixels), bytes_of(filter)}).at(0).values);
}

const Floats kOneToNine{1, 2, 3, 4, 5, 6, 7, 8, 9};

TEST(Convolution, TheSpaceHasItsKnownNumberOfValidPoints) {
  for (const int capability : {75, 90}) {
    EXPECT_EQ(constant().space.points({{ElementType::f32}, device(capability)}).size(), 336U);
    EXPECT_EQ(constant().space.points({{ElementType::f64}, device(capability)}).size(), 288U);
    for (const auto& [name, count] : std::map<std::string, std::size_t>{
             {"register_tiled", 23184}, {"global", 144}, {"tiled", 348}, {"separable", 135}})
      for (const ElementType type : {ElementType::f32, ElementType::f64}) {
        EXPECT_EQ(of_name(name).space.points({{type}, device(capability)}).size(), count) << name;
        EXPECT_EQ(of_name(name).space.rejected_by(of_name(name).default_point, {{type}, device(75)}), "") << name;
      }
  }
}

TEST(Convolution, TheDefaultIsValidForEveryTypeAndAcceptsAnyFilter) {
  for (const ElementType type : {ElementType::f32, ElementType::f64}) {
    EXPECT_EQ(constant().space.rejected_by(constant().default_point, {{type}, device(75)}), "");
    EXPECT_EQ(constant().refuses(constant().default_point, image(9, 9, 89, "zero", type), device(75)), "");
  }
}

TEST(Convolution, ManySumsFitFloatsButNotDoubles) {
  const Point many = params("{.rows_per_thread = 8, .vector_width = 4}");
  EXPECT_EQ(constant().space.rejected_by(many, {{ElementType::f32}, device(90)}), "");
  EXPECT_EQ(constant().space.rejected_by(many, {{ElementType::f64}, device(90)}), "at most 128 bytes of sums a thread");
}

TEST(Convolution, AFilterBeyondConstantMemoryIsRefusedWithItsSize) {
  const Point& point = constant().default_point;
  EXPECT_EQ(constant().refuses(point, image(9, 9, 127), device(90)), "");
  EXPECT_EQ(constant().refuses(point, image(9, 9, 89, "zero", ElementType::f64), device(90)), "");
  EXPECT_EQ(constant().refuses(point, image(9, 9, 91, "zero", ElementType::f64), device(90)),
            "the filter takes 66248 bytes of constant memory, of which there are 65536");
}

TEST(Convolution, OnlySmallFiltersAreFullyUnrolled) {
  const Point whole = params("{.unroll = 0}");
  EXPECT_EQ(constant().refuses(whole, image(9, 9, 9), device(90)), "");
  EXPECT_EQ(constant().refuses(whole, image(9, 9, 11), device(90)),
            "unrolls all steps (unroll = 0) for filters up to 9 only");
}

TEST(Convolution, FiltersThatDoNotFitRegistersAreRefusedWithTheSize) {
  const auto refused = [](const std::string& text, int filter, ElementType type = ElementType::f32) {
    return register_tiled().refuses(params(text, register_tiled()), image(9, 9, filter, "zero", type), device(90));
  };
  EXPECT_EQ(refused("{.columns = 8}", 17), "");
  EXPECT_EQ(refused("{.columns = 8}", 19), "152 registers of sums, more than 144");
  EXPECT_EQ(refused("{.columns = 4}", 33), "");
  EXPECT_EQ(refused("{.columns = 4}", 17, ElementType::f64), "");
  EXPECT_EQ(refused("{.columns = 4}", 19, ElementType::f64), "152 registers of sums, more than 144");
  EXPECT_EQ(refused("{.filter_in = registers}", 7), "");
  EXPECT_EQ(refused("{.columns = 8, .filter_in = registers}", 9), "");
  EXPECT_EQ(refused("{.columns = 4, .filter_in = registers}", 11), "121 registers of weights, more than 90");
  EXPECT_EQ(refused("{.columns = 4, .filter_in = registers}", 7, ElementType::f64),
            "98 registers of weights, more than 90");
  EXPECT_EQ(refused("{.columns = 8, .filter_in = registers}", 5, ElementType::f64), "");
  EXPECT_EQ(refused("{.columns = 4, .skips = true}", 33), "");
  EXPECT_EQ(refused("{.columns = 4, .rows_per_thread = 8, .unroll = 0, .skips = true}", 17), "");
  EXPECT_EQ(refused("{.columns = 4, .rows_per_thread = 16, .unroll = 0, .skips = true}", 17),
            "18496 products in the loop's body, more than 9300");
}

TEST(Convolution, OnlyAFilterInConstantMemoryIsUploaded) {
  const auto launches = [](const std::string& text) {
    const Kernel& of = register_tiled();
    return of.plan(params(text, of), image(8, 8, 5), device(90)).steps;
  };
  EXPECT_EQ(launches("{}").front(),
            constant().plan(constant().default_point, image(8, 8, 5), device(90)).steps.front());
  ASSERT_EQ(launches("{.filter_in = registers}").size(), 1U);
  EXPECT_TRUE(std::holds_alternative<Launch>(launches("{.filter_in = registers}").front().what));
}

TEST(Convolution, FiltersAreOddAndNoLargerThanTheDomain) {
  for (const int filter : {1, 4, 129}) EXPECT_THROW((void)image(8, 8, filter), std::invalid_argument) << filter;
}

TEST(Convolution, AnEmptyImageHasNoSteps) {
  for (const std::string name : {"constant", "register_tiled", "global", "tiled", "separable"})
    for (const Problem& problem : {image(0, 5), image(7, 0)})
      EXPECT_TRUE(of_name(name).plan(of_name(name).default_point, problem, device(90)).steps.empty()) << name;
}

TEST(Convolution, TheFilterIsUploadedInATimedStepBeforeTheLaunch) {
  const Plan plan = constant().plan(constant().default_point, image(8, 8, 5), device(90));
  ASSERT_EQ(plan.steps.size(), 2U);
  EXPECT_TRUE(plan.steps[0].timed);
  EXPECT_EQ(std::get<ConstantUpload>(plan.steps[0].what),
            (ConstantUpload{
                .symbol = "warpwright::convolution::filter_values<float, 25>", .buffer = "filter", .bytes = 100}));
  EXPECT_TRUE(std::holds_alternative<Launch>(plan.steps[1].what));
}

TEST(Convolution, GridsOfExtremeShapesStayWithinTheLimits) {
  for (const std::string name : {"constant", "register_tiled", "global", "tiled", "separable"})
    for (const Problem& problem : {image(1 << 28, 1), image(1, 1 << 28), image(1 << 16, 1 << 15)})
      for (const Point& point : of_name(name).space.points({{ElementType::f32}, device(90)}))
        for (const PlannedLaunch& planned : launches_of(of_name(name).plan(point, problem, device(90)))) {
          EXPECT_EQ(planned.launch.grid.y, 1U);
          EXPECT_LT(planned.launch.grid.x, 1U << 31);
        }
}

TEST(Convolution, AnExampleByHandHasAFilterThatIsNotRotated) {
  const Floats zero{94, 154, 106, 186, 285, 186, 106, 154, 94};
  const Problem clamp = image(3, 3, 3, "clamp");
  for (const Kernel* of : general()) {
    EXPECT_EQ(convolved(image(3, 3), kOneToNine, kOneToNine, "{}", *of), zero) << of->name;
    EXPECT_EQ(convolved(clamp, kOneToNine, kOneToNine, "{}", *of).at(0), 135) << of->name;
  }
  EXPECT_EQ(expected(image(3, 3), kOneToNine, kOneToNine), std::vector<double>(zero.begin(), zero.end()));
  EXPECT_EQ(expected(clamp, kOneToNine, kOneToNine).at(0), 135);
}

TEST(Convolution, AnImpulseGivesTheRotatedFilterAroundIt) {
  Floats pixels(25);
  pixels[12] = 1;
  const Floats turned{0, 0, 0, 0, 0, 0, 9, 8, 7, 0, 0, 6, 5, 4, 0, 0, 3, 2, 1, 0, 0, 0, 0, 0, 0};
  EXPECT_EQ(convolved(image(5, 5), pixels, kOneToNine), turned);
  EXPECT_EQ(convolved(image(5, 5, 3, "clamp"), pixels, kOneToNine), turned);
}

TEST(Convolution, AnInfiniteTapCountsOnlyWhereItLiesOnAPixel) {
  Floats filter(9, 1);
  filter[0] = std::numeric_limits<float>::infinity();
  const Floats ones(9, 1);
  const float all = filter[0];
  const Floats zero{4, 6, 4, 6, all, all, 4, all, all};
  EXPECT_EQ(expected(image(3, 3), ones, filter), std::vector<double>(zero.begin(), zero.end()));
  for (const Kernel* of : general()) {
    EXPECT_EQ(convolved(image(3, 3), ones, filter, "{}", *of), zero) << of->name;
    EXPECT_EQ(convolved(image(3, 3, 3, "clamp"), ones, filter, "{}", *of), Floats(9, all)) << of->name;
  }
}

TEST(Convolution, AnInfinitePixelReachesAsFarAsTheFilter) {
  Floats pixels(9 * 32, 1);
  pixels[4 * 32 + 16] = std::numeric_limits<float>::infinity();
  const Floats out = convolved(image(9, 32), pixels, Floats(9, 2), "{.rows_per_thread = 2, .vector_width = 4}");
  for (int row = 0; row < 9; ++row)
    for (int column = 0; column < 32; ++column)
      EXPECT_EQ(std::isinf(out[static_cast<std::size_t>(row * 32 + column)]),
                std::abs(row - 4) <= 1 && std::abs(column - 16) <= 1)
          << row << ", " << column;
}

/// Images with interior warps beside all kinds of edges, with complete and partial vectors.
TEST(Convolution, RollingDownColumnsGivesTheOracleEverywhere) {
  const std::string small =
      "{.block_x = 32, .block_y = 2, .rows_per_thread = 8, .columns = 4, .vector_width = 4, .ahead = ";
  for (const std::string rest :
       {"0}", "1, .filter_in = registers}", "1, .skips = true}", "0, .skips = true, .unroll = 0}",
        "1, .skips = true, .unroll = 0, .filter_in = registers}"})
    for (const Problem& problem : {image(30, 140, 5), image(33, 131, 5, "clamp"), image(21, 264, 5, "clamp")}) {
      const auto inputs = generate_inputs(pattern(), problem, {.kind = "exact", .seed = 4});
      const Floats pixels = elements_of<float>(inputs.at(0));
      const Floats filter = elements_of<float>(inputs.at(1));
      const auto values = expected(problem, pixels, filter);
      EXPECT_EQ(convolved(problem, pixels, filter, small + rest, register_tiled()),
                Floats(values.begin(), values.end()))
          << rest << " " << problem_text(problem);
    }
}

/// Images of complete and partial tiles, wider and higher than one tile.
TEST(Convolution, PixelsFromGlobalAndFromSharedMemoryGiveTheOracle) {
  for (const auto& [name, text] : std::map<std::string, std::string>{
           {"global", "{.block_x = 16, .rows_per_thread = 4, .unroll = 3}"},
           {"tiled", "{.tile_x = 16, .tile_y = 8, .rows_per_thread = 2, .bank_pad = 1, .unroll = 0}"},
           {"separable", "{.block_x = 32, .coarsening = 2, .unroll = 3}"}})
    for (const Problem& problem : {image(33, 70, 5, "zero", ElementType::f32, "separable"),
                                   image(21, 65, 7, "clamp", ElementType::f32, "separable")}) {
      const auto inputs = generate_inputs(pattern(), problem, {.kind = "exact", .seed = 5});
      const Floats pixels = elements_of<float>(inputs.at(0));
      const Floats filter = elements_of<float>(inputs.at(1));
      const auto values = expected(problem, pixels, filter);
      EXPECT_EQ(convolved(problem, pixels, filter, text, of_name(name)), Floats(values.begin(), values.end()))
          << name << problem_text(problem);
    }
}

TEST(Convolution, OnlyOuterProductsAreSeparated) {
  const Kernel& separable = of_name("separable");
  EXPECT_EQ(separable.refuses(separable.default_point, image(8, 8), device(90)),
            "takes filters that are outer products only (form=separable)");
  const Problem problem = image(3, 3, 3, "zero", ElementType::f32, "separable");
  EXPECT_EQ(separable.refuses(separable.default_point, problem, device(90)), "");
  EXPECT_EQ(separable.depth(separable.default_point, problem, device(90)), 7);
  // A Sobel filter, whose first tap is not the largest, and a zero filter.
  const Floats sobel{1, 0, -1, 2, 0, -2, 1, 0, -1};
  const Floats edges{-9, -6, 9, -20, -8, 20, -21, -6, 21};
  EXPECT_EQ(convolved(problem, kOneToNine, sobel, "{}", separable), edges);
  EXPECT_EQ(expected(problem, kOneToNine, sobel), std::vector<double>(edges.begin(), edges.end()));
  EXPECT_EQ(convolved(problem, kOneToNine, Floats(9), "{}", separable), Floats(9));
}

TEST(Convolution, SeparableFiltersAreExactProducts) {
  for (const std::string kind : {"exact", "uniform"}) {
    const Problem problem = image(3, 3, 9, "zero", ElementType::f32, "separable");
    const Floats filter = elements_of<float>(generate_inputs(pattern(), problem, {.kind = kind, .seed = 8}).at(1));
    for (std::size_t i = 1; i < 9; ++i)
      for (std::size_t j = 1; j < 9; ++j)
        EXPECT_EQ(static_cast<double>(filter[i * 9 + j]) * static_cast<double>(filter[0]),
                  static_cast<double>(filter[i * 9]) * static_cast<double>(filter[j]))
            << kind << i << j;
  }
  EXPECT_EQ(pattern().work(image(10, 10, 9, "zero", ElementType::f32, "separable")).operations, 2 * 100 * 18);
  EXPECT_EQ(pattern().work(image(10, 10, 9)).operations, 2 * 100 * 81);
}

TEST(Convolution, ATileThatDoesNotFitSharedMemoryIsRefusedWithItsSize) {
  const auto refused = [](const std::string& text, const Problem& problem) {
    Device small = device(75);
    small.shared_per_block_optin = 65536;
    return of_name("tiled").refuses(params(text, of_name("tiled")), problem, small);
  };
  EXPECT_EQ(refused("{}", image(9, 9, 89)), "");
  EXPECT_EQ(refused("{.tile_x = 64}", image(9, 9, 127)),
            "needs 107920 bytes of shared memory, of which a block has 65536");
  EXPECT_EQ(refused("{.unroll = 0}", image(9, 9, 11)), "unrolls all rows (unroll = 0) for filters up to 9 only");
}

TEST(Convolution, TheReferenceAgreesWithTheOracle) {
  for (const std::string border : {"zero", "clamp"})
    for (const std::string kind : {"exact", "special"}) {
      const Problem problem = image(7, 11, 5, border);
      const auto inputs = generate_inputs(pattern(), problem, {.kind = kind, .seed = 3});
      const Reference reference = pattern().reference(problem, device(90));
      const simulator::PlanRun run = simulator::run_plan(reference.plan, reference.source, inputs);
      EXPECT_TRUE(run.execution.clean());
      const ExpectedOutput oracle = pattern().oracle(problem, inputs).at(0);
      const auto values = elements_of<double>(oracle.values);
      const auto got = elements_of<double>(run.buffers.at("out.expected"));
      const auto magnitude = elements_of<double>(run.buffers.at("out.magnitude"));
      for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i])) {
          EXPECT_TRUE(got[i] == values[i] || (std::isnan(got[i]) && std::isnan(values[i]))) << kind << " " << i;
          continue;
        }
        EXPECT_NEAR(got[i], values[i], 1e-14 * oracle.magnitude[i]) << kind << " " << i;
        EXPECT_NEAR(magnitude[i], oracle.magnitude[i], 1e-14 * oracle.magnitude[i]) << kind << " " << i;
      }
    }
}

TEST(Convolution, ExactInputsHaveABoundOfZeroAndOthersOneThatGrowsWithDepth) {
  const Problem problem = image(9, 9);
  EXPECT_EQ(pattern().bound(problem, "out", {.name = "exact", .exact = true}, 9).relative, 0);
  const double relative = pattern().bound(problem, "out", {.name = "uniform"}, 9).relative;
  EXPECT_GT(relative, 9 * 0x1p-24);
  EXPECT_LT(relative, 9.0001 * 0x1p-24);
  EXPECT_EQ(constant().depth(constant().default_point, problem, device(90)), 9);
}

/// What the law with that name reports for an implementation on exact inputs.
std::string verdict(const std::string& name, const Problem& problem, const Runner& run) {
  for (const Law& law : pattern().laws)
    if (law.name == name) return law.broken(problem, generate_inputs(pattern(), problem, {}), run);
  return "no law " + name;
}

/// The oracle as an implementation that always uses this border, or that rotates its filter.
Runner oracle_of(const std::string& border, bool turns = false) {
  return [border, turns](const Problem& problem, const std::vector<Bytes>& inputs) {
    Problem other = problem;
    other.variant["border"] = border;
    Floats filter = elements_of<float>(inputs.at(1));
    if (turns) std::ranges::reverse(filter);
    const auto values = expected(other, elements_of<float>(inputs.at(0)), filter);
    return std::vector<Bytes>{bytes_of(Floats(values.begin(), values.end()))};
  };
}

TEST(Convolution, LawsHoldForTheOracleOnEveryShape) {
  for (const std::string border : {"zero", "clamp"})
    for (const Problem& problem : {image(0, 3, 5, border), image(1, 1, 3, border), image(2, 9, 5, border),
                                   image(12, 17, 5, border), image(9, 10, 33, border)})
      for (const Law& law : pattern().laws)
        EXPECT_EQ(verdict(law.name, problem, oracle_of(border)), "") << law.name << " " << problem_text(problem);
}

TEST(Convolution, ARotatedFilterBreaksTheLawOfTheImpulse) {
  EXPECT_NE(verdict("an impulse gives the filter", image(9, 9, 5), oracle_of("zero", true)), "");
}

TEST(Convolution, TheWrongBorderBreaksTheLawOfTheBox) {
  EXPECT_NE(verdict("a box filter keeps a constant image", image(9, 9, 5), oracle_of("clamp")), "");
  EXPECT_NE(verdict("a box filter keeps a constant image", image(9, 9, 5, "clamp"), oracle_of("zero")), "");
}

TEST(Convolution, AnOutputThatDependsOnItsPositionBreaksTheLawOfTheShift) {
  const Runner positioned = [](const Problem& problem, const std::vector<Bytes>& inputs) {
    std::vector<Bytes> outputs = oracle_of("zero")(problem, inputs);
    Floats out = elements_of<float>(outputs.at(0));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] += static_cast<float>(i);
    outputs[0] = bytes_of(out);
    return outputs;
  };
  EXPECT_NE(verdict("a shift of the image shifts the output", image(12, 17, 3), positioned), "");
  EXPECT_NE(verdict("linearity", image(12, 17, 3), positioned), "");
}

}  // namespace
}  // namespace warpwright
