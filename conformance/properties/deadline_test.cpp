// Tests of properties that end at a deadline, on a fake GPU.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "conformance/properties/property.hpp"
#include "conformance/suite/host_fixture.hpp"
#include "conformance/suite/text_kernel.hpp"
#include "kernels/core/boards.hpp"

namespace warpwright::conformance {
namespace {

using testing::Ge;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// A GPU that copies the input to the output.
class CopyingGpu : public CaseRunner {
 public:
  explicit CopyingGpu(std::vector<double>& steps) : steps_(steps) {}

  const Device& device(const std::string&) const override { return device_; }
  RunResult run(RunRequest request) override {
    steps_.push_back(request.steps);
    RunResult result{.buffers = std::move(request.buffers)};
    result.buffers.at(1) = result.buffers.at(0);
    return result;
  }
  std::map<std::string, Bytes> run_plan(const worker::CompiledPlan&, const std::vector<Bytes>&,
                                        const Device&) override {
    return {};
  }
  std::optional<CaseResult> check_by_reference(const Case&) override { return std::nullopt; }

 private:
  std::vector<double>& steps_;
  const Device device_ = default_board(90).device;
};

class Deadlines : public HostFixture {
 protected:
  PropertyReport run(const Kernel& kernel, PropertyOptions options) {
    const Catalogue all(text_.patterns(), {kernel}, text_.sources());
    options.target = "sm_90";
    options.params = {kernel.default_point};
    options.problems = {make_problem(all.pattern("copying"), {ElementType::f32}, {}, {1})};
    options.remark = false;
    worker::Compiler compiler(pool_, cache_, all.sources());
    worker::Process process;
    Checker checker(all, process, compiler, std::make_unique<CopyingGpu>(steps_));
    PropertyReport report = run_property(all, checker, all.kernels().front(), options);
    EXPECT_TRUE(report.ok()) << report.failure.detail;
    return report;
  }

  const Catalogue text_ =
      TextKernel{.code = "__global__ void text(const float*, float*, long long) {}\n"}.catalogue_of();
  std::vector<double> steps_;  ///< of the runs
};

TEST_F(Deadlines, OnAGpuSmallCasesRunBeforeLargeOnesAndGivenShapesFirst) {
  const Kernel kernel = text_.kernels().front();
  run(kernel, {.cases = 60,
               .params = {},
               .problems = {},
               .shapes = {{777}},
               .deadline = Stop::Clock::now() + std::chrono::hours(1)});
  ASSERT_THAT(steps_, SizeIs(Ge(50)));
  EXPECT_EQ(steps_.front(), 777);
  EXPECT_TRUE(std::is_sorted(steps_.begin() + 2, steps_.end()));
  EXPECT_GT(steps_.back(), 4096);
}

TEST_F(Deadlines, AKernelThatRefusesMostShapesHasTimeForTheCasesThatWereDrawn) {
  Kernel kernel = text_.kernels().front();
  kernel.refuses = [](const Point&, const Problem& problem, const Device&) -> std::string {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    return problem.elements() % 8 == 0 ? "" : "no whole tiles";
  };
  const auto begin = Stop::Clock::now();
  const PropertyReport report =
      run(kernel, {.params = {}, .problems = {}, .deadline = begin + std::chrono::seconds(3)});
  EXPECT_THAT(steps_, Not(IsEmpty()));
  EXPECT_LT(report.cases, 200);
  EXPECT_TRUE(report.interrupted);
}

}  // namespace
}  // namespace warpwright::conformance
