// Tests that float kernels whose machine code uses doubles are flagged: in the plan's warning, in the trial and in the
// output of `tune`.
#include "kernels/runtime/cubin/instance_code.hpp"
#include "db/exchange/best_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "kernels/core/boards.hpp"
#include "kernels/runtime/cuda/nvrtc.hpp"
#include "kernels/system/temporary_folder.hpp"
#include "tuner/tasks/prepare.hpp"

namespace warpwright::tuner {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class Fp64Warning : public testing::Test {
 protected:
  void SetUp() override {
    try {
      gpu::Nvrtc().version();
    } catch (const std::runtime_error& missing) {
      GTEST_SKIP() << missing.what();
    }
  }

  /// out[0] = `expression` of in[0], compiled for sm_90.
  CompiledProgram built(const std::string& type, const std::string& expression) {
    const SourceTree tree{{"k.cuh", "extern \"C\" __global__ void k(const " + type + "* in, " + type +
                                        "* out) { out[0] = " + expression + "; }\n"}};
    const Program program{.source = "k.cuh", .entries = {"k"}};
    const gpu::Cubin cubin = gpu::Nvrtc().compile(tree, {program}, "sm_90");
    EXPECT_TRUE(cubin.ok) << cubin.log;
    const auto path = folder_ / "k.cubin";
    std::ofstream(path, std::ios::binary) << cubin.image;
    return {.ok = true, .module = path.string(), .instances = cubin.instances.at(0)};
  }

  static Plan plan(ElementType type) {
    return {
        .buffers = {{.name = "in", .role = Role::in, .type = type, .count = 1},
                    {.name = "out", .role = Role::out, .type = type, .count = 1}},
        .steps = {{.what = Launch{
                       .entry = "k", .grid = {1}, .block = {32}, .arguments = {pointer_to("in"), pointer_to("out")}}}}};
  }

  const TemporaryFolder folder_;
};

TEST_F(Fp64Warning, NamesTheEntryAndTheNumberOfInstructions) {
  const CompiledProgram slow = built("float", "1.0 / (in[0] + 0.1)");
  EXPECT_THAT(InstanceCode(slow, 90).fp64_warning(plan(ElementType::f32)), HasSubstr(" FP64 instructions in k"));
  EXPECT_EQ(InstanceCode(built("float", "1.0f / (in[0] + 0.1f)"), 90).fp64_warning(plan(ElementType::f32)), "");
}

TEST_F(Fp64Warning, IsEmptyIfTheProblemHasDoublesOrNoFloats) {
  const CompiledProgram doubles = built("double", "in[0] * in[0]");
  EXPECT_EQ(InstanceCode(doubles, 90).fp64_warning(plan(ElementType::f64)), "");
  EXPECT_EQ(InstanceCode(doubles, 90).fp64_warning(plan(ElementType::i32)), "");
}

TEST_F(Fp64Warning, IsEmptyForAMissingModule) {
  CompiledProgram gone = built("float", "1.0 / in[0]");
  gone.module += ".gone";
  EXPECT_TRUE(InstanceCode(gone, 90).of("k").empty());
  EXPECT_EQ(InstanceCode(gone, 90).fp64_warning(plan(ElementType::f32)), "");
  EXPECT_TRUE(InstanceCode(built("float", "in[0]"), 90).of("another").empty());
}

TEST_F(Fp64Warning, TheCodeAlsoSaysHowManyThreadsLaunchBoundsAllow) {
  const auto most = [&](const std::string& bounds) {
    CompiledProgram made =
        built("float", "in[0]; } extern \"C\" __global__ void " + bounds + " other(float* out) { *out = 1");
    made.instances["other"].symbol = "other";
    return InstanceCode(made, 90).most_threads("other");
  };
  EXPECT_EQ(most("__launch_bounds__(96)"), 96);
  EXPECT_EQ(most("__launch_bounds__(128, 2)"), 128);
  EXPECT_EQ(most(""), 0);
}

TEST_F(Fp64Warning, StandsWithTheConfigurationItsTrialsAndTheBest) {
  CompiledConfiguration configuration;
  configuration.plan = plan(ElementType::f32);
  complete(configuration, built("float", "1.0 / (in[0] + 0.1)"), default_board(90).device);
  EXPECT_THAT(configuration.warning, HasSubstr("FP64"));

  db::Trial trial;
  trial.warnings = configuration.warning;
  warn(trial, "");
  EXPECT_EQ(trial.warnings, configuration.warning);
  warn(trial, "2 samples at a reduced clock");
  EXPECT_EQ(trial.warnings, configuration.warning + "; 2 samples at a reduced clock");

  db::Best best;
  best.winner.trial = trial;
  EXPECT_THAT(db::best_notes({best}, {.width = 0}), HasSubstr(configuration.warning));
}

TEST(PredictedRate, IsThatOfArithmeticIfItTakesLongerThanMemory) {
  const db::Rates rates = db::rates_of(db::Board{.sm_count = 132,
                                                 .sm_clock_mhz = 1980,
                                                 .memory_bandwidth_gbs = 4800,
                                                 .fp32_lanes_per_sm = 128,
                                                 .fp64_lanes_per_sm = 64});
  db::Best best;
  db::Problem& problem = best.winner.problem;
  problem.bytes_read = 2e8;
  problem.bytes_written = 1e8;
  problem.operations = 1.4e11;
  problem.arithmetic = "float";
  best.winner.trial.provenance = "predicted";
  best.winner.trial.predicted_us = 2800;
  const auto printed = [&] {
    best.ceiling = db::ceiling_of(problem, rates);
    return db::best_details({best}, {.width = 0});
  };
  EXPECT_THAT(printed(), AllOf(HasSubstr("predicted 2800.0 us, 50 TFLOP/s"),
                               HasSubstr("74.7 % of the ceiling (the board's arithmetic, 66.91 TFLOP/s)")));
  problem.operations = 1e8;
  EXPECT_THAT(printed(), AllOf(HasSubstr("107.1 GB/s"), HasSubstr("of the ceiling (the board's bandwidth, 4800 GB/s)"),
                               Not(HasSubstr("FLOP"))));
}

}  // namespace
}  // namespace warpwright::tuner
