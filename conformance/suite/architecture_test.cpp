// Tests of simulating different architectures: some faults and refusals occur only on one of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "conformance/checks/case_plan.hpp"
#include "conformance/properties/property.hpp"
#include "conformance/suite/host_fixture.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright::conformance {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr int kOld = 75;
constexpr int kNew = 90;
constexpr const char* kCopied = "kernels/transpose/copy.cuh";

class Architectures : public HostFixture {
 protected:
  /// transpose/copy with each launch of its plan changed.
  static Kernel copy_with(const std::function<void(Launch&)>& change) {
    Kernel kernel = catalogue().kernel("transpose/copy");
    kernel.plan = [plan = kernel.plan, change](const Point& point, const Problem& problem, const Device& device) {
      Plan made = plan(point, problem, device);
      for (Step& step : made.steps)
        if (auto* launch = std::get_if<Launch>(&step.what)) change(*launch);
      return made;
    };
    return kernel;
  }

  static Case case_of(const Kernel& kernel, int capability) {
    Case test;
    test.kernel = &kernel;
    test.params = kernel.default_point;
    test.problem = make_problem(catalogue().pattern("transpose"), {ElementType::f32}, {{"op", "copy"}}, {64, 128});
    test.target = host_target(capability);
    return test;
  }

  CaseResult check(const Case& test) {
    worker::Process process;
    return checker_with(process).check(test);
  }

  /// The catalogue's device code with a transpose/copy that is wrong on newer architectures only.
  static SourceTree wrong_when_new() {
    SourceTree sources = catalogue().sources();
    std::string& text = sources.at(kCopied);
    const std::string right = "store_vector(out + at, held[i]);";
    text.replace(text.find(right), right.size(),
                 "\n#if __CUDA_ARCH__ >= 900\nif (at > 0) " + right + "\n#else\n" + right + "\n#endif\n");
    return sources;
  }
};

TEST_F(Architectures, AFaultInABranchForNewArchitecturesIsFoundOnlyThereAndReproduced) {
  const SourceTree sources = wrong_when_new();
  worker::Compiler compiler(pool_, cache_, sources);
  worker::Process process;
  Checker checker(catalogue(), process, compiler);
  const Kernel& kernel = catalogue().kernel("transpose/copy");
  const Case old = case_of(kernel, kOld);
  EXPECT_EQ(checker.check(old).verdict, Verdict::passed);
  const Case found = case_of(kernel, kNew);
  EXPECT_EQ(checker.check(found).verdict, Verdict::failed);

  const std::string line = repro_line(found);
  EXPECT_THAT(line, HasSubstr(" target=host/sm_90"));
  EXPECT_EQ(parse_repro(catalogue(), line), found);
  EXPECT_EQ(checker.check(parse_repro(catalogue(), line)).verdict, Verdict::failed);
  EXPECT_EQ(checker.check(parse_repro(catalogue(), repro_line(old))).verdict, Verdict::passed);

  const PropertyReport as_new = run_property(catalogue(), checker, kernel,
                                             {.target = host_target(kNew),
                                              .cases = 20,
                                              .params = {kernel.default_point},
                                              .problems = {found.problem},
                                              .deadline = std::nullopt});
  ASSERT_FALSE(as_new.ok());
  EXPECT_EQ(as_new.counterexample->target, "host/sm_90");
}

TEST_F(Architectures, TwoArchitecturesShareNoCompiledProgram) {
  const TemporaryFolder folder;
  const DiskCache cache(folder.path());
  const Kernel& kernel = catalogue().kernel("transpose/copy");
  const Case test = case_of(kernel, kOld);
  const Program program = program_for(catalogue(), kernel, test.params, test.problem, host_device(test.target));
  const SourceTree sources = wrong_when_new();
  std::string first;
  {
    worker::Compiler compiler(pool_, cache, sources);
    first = compiler.compile_one(host_target(kOld), program).module;
    EXPECT_EQ(compiler.compiled(), 1);
    EXPECT_NE(compiler.compile_one(host_target(kNew), program).module, first) << "__CUDA_ARCH__ is part of it";
    EXPECT_EQ(compiler.compiled(), 2);
  }
  worker::Compiler again(pool_, cache, sources);
  EXPECT_EQ(again.compile_one(host_target(kOld), program).module, first);
  EXPECT_EQ(again.compiled(), 0);
  EXPECT_FALSE(again.compile_one(host_target(kOld + 5), program).module.empty());
  EXPECT_EQ(again.compiled(), 1);
}

TEST_F(Architectures, MoreSharedMemoryThanTheArchitectureHasIsRefusedWithTheLimit) {
  const Kernel kernel = copy_with([](Launch& launch) { launch.shared_bytes = 100 << 10; });
  const CaseResult refused = check(case_of(kernel, kOld));
  EXPECT_EQ(refused.verdict, Verdict::not_launchable);
  EXPECT_THAT(refused.detail, AllOf(HasSubstr("102400 bytes"), HasSubstr("limit of 65536 of sm_75")));
  const CaseResult taken = check(case_of(kernel, kNew));
  EXPECT_EQ(taken.verdict, Verdict::passed) << taken.detail;
  const Kernel most = copy_with([](Launch& launch) { launch.shared_bytes = 227 << 10; });
  EXPECT_EQ(check(case_of(most, kNew)).verdict, Verdict::passed);
  const Kernel more = copy_with([](Launch& launch) { launch.shared_bytes = (227 << 10) + 1; });
  EXPECT_THAT(check(case_of(more, kNew)).detail, HasSubstr("limit of 232448 of sm_90"));
}

TEST_F(Architectures, AClusterIsRefusedOnArchitecturesWithoutClusters) {
  const Kernel kernel = copy_with([](Launch& launch) { launch.cluster = {.x = 2}; });
  const CaseResult refused = check(case_of(kernel, kOld));
  EXPECT_EQ(refused.verdict, Verdict::not_launchable);
  EXPECT_THAT(refused.detail, HasSubstr("sm_75 has no clusters"));
  const CaseResult taken = check(case_of(kernel, kNew));
  EXPECT_EQ(taken.verdict, Verdict::passed) << taken.detail;
}

TEST_F(Architectures, PlansAndRefusalsUseTheRequestedArchitecture) {
  Kernel kernel = catalogue().kernel("transpose/copy");
  kernel.refuses = [](const Point&, const Problem&, const Device& device) -> std::string {
    return device.compute_capability < kNew ? "needs sm_90" : "";
  };
  EXPECT_EQ(check(case_of(kernel, kOld)).verdict, Verdict::skipped);
  EXPECT_EQ(check(case_of(kernel, kNew)).verdict, Verdict::passed);
  const PropertyOptions options{.target = host_target(kOld),
                                .cases = 5,
                                .params = {kernel.default_point},
                                .problems = {case_of(kernel, kOld).problem},
                                .deadline = std::nullopt};
  worker::Process process;
  Checker checker = checker_with(process);
  EXPECT_EQ(run_property(catalogue(), checker, kernel, options).skipped, "needs sm_90");
}

TEST_F(Architectures, AReproLineWithoutAnArchitectureMeansTheDefault) {
  const Case test = case_of(catalogue().kernel("transpose/copy"), default_architecture);
  std::string line = repro_line(test);
  line.resize(line.find("/sm_"));
  EXPECT_THAT(line, testing::EndsWith(" target=host"));
  EXPECT_EQ(parse_repro(catalogue(), line), test);
  EXPECT_THROW(parse_repro(catalogue(), line + "/sm_42"), std::invalid_argument);
}

}  // namespace
}  // namespace warpwright::conformance
