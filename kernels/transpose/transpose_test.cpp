// Tests of the pattern transpose: space sizes, plans at edge sizes, oracle.
#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "kernels/model/catalogue.hpp"
#include "kernels/runtime/input.hpp"

namespace warpwright {
namespace {

Surroundings floats_on(int compute_capability) {
  Device device;
  device.compute_capability = compute_capability;
  return {.types = {ElementType::f32}, .device = device};
}

Problem matrix(std::int64_t rows, std::int64_t columns, const std::string& op = "transpose") {
  return make_problem(catalogue().pattern("transpose"), {ElementType::f32}, {{"op", op}}, {rows, columns});
}

TEST(Transpose, SpacesHaveTheirKnownNumberOfValidPoints) {
  const std::map<std::string, std::size_t> known{
      {"copy", 55}, {"read_coalesced", 42}, {"write_coalesced", 42}, {"tiled", 84}, {"tiled_vector", 112}};
  const auto kernels = catalogue().matching("transpose");
  EXPECT_EQ(kernels.size(), known.size());
  for (const Kernel* kernel : kernels)
    for (const int capability : {75, 90})
      EXPECT_EQ(kernel->space.points(floats_on(capability)).size(), known.at(kernel->name)) << kernel->full_name();
}

TEST(Transpose, DefaultsAreValidPoints) {
  for (const Kernel* kernel : catalogue().matching("transpose"))
    EXPECT_EQ(kernel->space.rejected_by(kernel->default_point, floats_on(75)), "") << kernel->full_name();
}

TEST(Transpose, ARejectedPointNamesItsConstraint) {
  const Space& space = catalogue().kernel("transpose/tiled").space;
  const Point point =
      space.parse("{.tile_dim = 8, .coarsening = 16}", catalogue().kernel("transpose/tiled").default_point);
  EXPECT_EQ(space.rejected_by(point, floats_on(75)), "coarsening divides the tile");
}

TEST(Transpose, AnEmptyMatrixLaunchesNothing) {
  for (const Kernel* kernel : catalogue().matching("transpose"))
    for (const Problem& problem : {matrix(0, 5), matrix(7, 0), matrix(0, 0, "copy")})
      if (kernel->refuses(kernel->default_point, problem, Device{}).empty()) {
        EXPECT_TRUE(launches_of(kernel->plan(kernel->default_point, problem, Device{})).empty()) << kernel->full_name();
      }
}

TEST(Transpose, GridsOfExtremeShapesStayWithinTheLimits) {
  for (const Kernel* kernel : catalogue().matching("transpose"))
    for (const Problem& problem : {matrix(1 << 28, 1), matrix(1, 1 << 28), matrix(1 << 16, 1 << 15)}) {
      if (!kernel->refuses(kernel->default_point, problem, Device{}).empty()) continue;
      for (const Point& point : kernel->space.points(floats_on(75)))
        for (const auto& [launch, times] : launches_of(kernel->plan(point, problem, Device{}))) {
          EXPECT_EQ(launch.grid.y, 1U);
          EXPECT_LT(launch.grid.x, 1U << 31);
        }
    }
}

TEST(Transpose, TheOracleTransposesAHandComputedExample) {
  const Pattern& pattern = catalogue().pattern("transpose");
  const Problem problem = matrix(2, 3);
  const auto inputs = generate_inputs(pattern, problem, {.kind = "position", .seed = 1});
  const auto expected = pattern.oracle(problem, inputs);
  std::vector<float> values(6);
  std::memcpy(values.data(), expected.at(0).values.data(), 6 * sizeof(float));
  EXPECT_EQ(values, (std::vector<float>{1, 4, 2, 5, 3, 6}));
}

}  // namespace
}  // namespace warpwright
