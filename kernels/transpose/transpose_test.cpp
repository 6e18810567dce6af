// The pattern transpose: sizes of its spaces, plans at the edges, oracle.
#include <gtest/gtest.h>

#include <cstring>

#include "kernels/model/catalogue.hpp"
#include "kernels/runtime/input.hpp"

namespace warpwright {
namespace {

std::size_t points_of(const std::string& kernel) {
  return catalogue().kernel(kernel).space.points().size();
}

Problem matrix(std::int64_t rows, std::int64_t columns, const std::string& op = "transpose") {
  return make_problem(catalogue().pattern("transpose"), ElementType::f32, {{"op", op}}, {rows, columns});
}

TEST(Transpose, SpacesHaveTheirKnownNumberOfValidPoints) {
  EXPECT_EQ(points_of("transpose/copy"), 55U);
  EXPECT_EQ(points_of("transpose/read_coalesced"), 84U);
  EXPECT_EQ(points_of("transpose/write_coalesced"), 84U);
  EXPECT_EQ(points_of("transpose/tiled"), 168U);
  EXPECT_EQ(points_of("transpose/tiled_vector"), 112U);
}

TEST(Transpose, DefaultsAreValidPoints) {
  for (const Kernel* kernel : catalogue().matching("transpose"))
    EXPECT_EQ(kernel->space.rejected_by(kernel->default_point), "") << kernel->full_name();
}

TEST(Transpose, ARejectedPointNamesItsConstraint) {
  const Space& space = catalogue().kernel("transpose/tiled").space;
  const Point point =
      space.parse("{.tile_dim = 8, .coarsening = 16}", catalogue().kernel("transpose/tiled").default_point);
  EXPECT_EQ(space.rejected_by(point), "coarsening divides the tile");
}

TEST(Transpose, AnEmptyMatrixLaunchesNothing) {
  for (const Kernel* kernel : catalogue().matching("transpose"))
    for (const Problem& problem : {matrix(0, 5), matrix(7, 0), matrix(0, 0, "copy")})
      if (kernel->supports(problem)) {
        EXPECT_TRUE(launches_of(kernel->plan(kernel->default_point, problem, Device{})).empty()) << kernel->full_name();
      }
}

TEST(Transpose, GridsOfExtremeShapesStayWithinTheLimits) {
  for (const Kernel* kernel : catalogue().matching("transpose"))
    for (const Problem& problem : {matrix(1 << 28, 1), matrix(1, 1 << 28), matrix(1 << 16, 1 << 15)}) {
      if (!kernel->supports(problem)) continue;
      for (const Point& point : kernel->space.points())
        for (const Launch& launch : launches_of(kernel->plan(point, problem, Device{}))) {
          EXPECT_EQ(launch.grid.y, 1U);
          EXPECT_LT(launch.grid.x, 1U << 31);
        }
    }
}

TEST(Transpose, TheOracleTransposesAnExampleByHand) {
  const Pattern& pattern = catalogue().pattern("transpose");
  const Problem problem = matrix(2, 3);
  const auto inputs = generate_inputs(pattern.buffers(problem), {.distribution = Distribution::position, .seed = 1});
  const auto expected = pattern.oracle(problem, inputs);
  std::vector<float> values(6);
  std::memcpy(values.data(), expected.at(0).values.data(), 6 * sizeof(float));
  EXPECT_EQ(values, (std::vector<float>{1, 4, 2, 5, 3, 6}));
}

}  // namespace
}  // namespace warpwright
