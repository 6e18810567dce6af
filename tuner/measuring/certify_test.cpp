// Tests of certificates: their shapes, and their time.
#include "tuner/measuring/certify.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "kernels/core/target.hpp"
#include "tuner/measuring/measuring_fixture.hpp"

namespace warpwright::tuner {
namespace {

using testing::ElementsAre;
using testing::SizeIs;

/// Tiles of 64 elements, with a separate instance for an incomplete last tile.
Kernel tiled_kernel() {
  Kernel kernel = row_kernel();
  kernel.tile = [](const Point&) { return std::vector<std::int64_t>{64}; };
  kernel.plan = [plan = kernel.plan](const Point& params, const Problem& problem, const Device& device) {
    Plan made = plan(params, problem, device);
    if (problem.elements() % 64 == 0) std::get<Launch>(made.steps.front().what).entry += " whole";
    return made;
  };
  return kernel;
}

class Certificates : public Measuring {
 protected:
  std::vector<std::vector<std::int64_t>> shapes(std::int64_t tuned) const {
    const Problem problem = make_problem(toys_.pattern("toy"), {ElementType::f32}, {}, {tuned});
    return shapes_of_instances(prepare(kernel_, kernel_.default_point, problem, gpu_.device()), problem, gpu_.device());
  }

  const Kernel kernel_ = tiled_kernel();
};

TEST_F(Certificates, HaveAShapeForTheInstanceThatWasTuned) {
  EXPECT_THAT(shapes(1 << 20), ElementsAre(ElementsAre(64)));
  EXPECT_THAT(shapes((1 << 20) + 1), ElementsAre(ElementsAre(65)));
}

TEST_F(Certificates, CoverGpuAndSimulatorAndEndInTime) {
  const CompiledConfiguration winner = prepare(kernel_, kernel_.default_point, task_.problem, gpu_.device());
  const Certification whole = certify(gpu_, winner, task_.problem, 1, {}, stop_);
  EXPECT_EQ(whole.on_device.cases, 200);
  EXPECT_EQ(whole.on_host.cases, 60);
  EXPECT_THAT(gpu_.simulated, SizeIs(1));
  ASSERT_THAT(gpu_.properties, SizeIs(5));
  std::set<std::uint64_t> seeds;
  for (const conformance::PropertyOptions& options : gpu_.properties)
    if (is_host(options.target)) seeds.insert(options.seed);
  EXPECT_THAT(seeds, SizeIs(4));
  const auto before = Budget::Clock::now();
  certify(gpu_, winner, task_.problem, 1, before, stop_);
  for (std::size_t i = 0; i < gpu_.properties.size(); ++i) {
    const conformance::PropertyOptions& options = gpu_.properties[i];
    EXPECT_THAT(options.shapes, SizeIs(is_host(options.target) ? 2 : 8));
    EXPECT_EQ(options.deadline.has_value(), i >= 5);
    if (options.deadline) {
      EXPECT_GE(*options.deadline - before, std::chrono::seconds(1));
    }
  }
}

}  // namespace
}  // namespace warpwright::tuner
