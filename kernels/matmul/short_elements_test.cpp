// Tests of products of TF32, 8-bit floats and 8-bit integers: every kernel that takes them, in every form.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "kernels/core/target.hpp"
#include "kernels/matmul/matrix_units_fixture.hpp"
#include "kernels/matmul/problems.hpp"
#include "kernels/model/program.hpp"
#include "kernels/runtime/cuda/nvrtc.hpp"
#include "kernels/runtime/simulator/engine/matrix_unit.hpp"

namespace warpwright::matmul {
namespace {

constexpr ElementType all_short[] = {ElementType::tf32, ElementType::e4m3, ElementType::i8};

/// expect_right for the sums of such elements.
void expect_right_sums(const std::string& name, const std::vector<std::int64_t>& shape, const Settings& settings,
                       ElementType type, const std::string& params, const std::string& kind = "exact") {
  const Problem problem = product(shape, settings, type);
  if (type == ElementType::i8)
    expect_right<int>(name, problem, params, kind);
  else
    expect_right<float>(name, problem, params, kind);
}

TEST(ProductsOfShortElements, OrdinaryKernelsAreRight) {
  for (const ElementType type : all_short) {
    expect_right_sums("naive", {17, 35, 20}, padded, type, "{}");
    expect_right_sums("tiled", {17, 35, 20}, turned, type, "{}");
  }
  const Kernel& other = kernel("async_copy");
  EXPECT_EQ(other.refuses(other.default_point, product({8, 8, 8}, {}, ElementType::i8), device(90)),
            "multiplies floats, doubles and 16-bit elements only");
}

TEST(ProductsOfShortElements, SumsOfIntegersWrap) {
  const Settings large{{"alpha", "-7"}, {"beta", "8"}};
  for (const std::string name : {"naive", "tiled", "mma"})
    expect_right_sums(name, {64, 64, 64}, large, ElementType::i8, "{}", "uniform");
}

TEST(ProductsOfShortElements, OnlyWholePartsOfFactorsOfIntegersCount) {
  const auto run = [](const std::string& alpha) {
    const Problem problem = product({3, 5, 7}, {{"alpha", alpha}, {"beta", "-0.75"}}, ElementType::i8);
    return simulator::run_kernel(kernel("naive"), problem,
                                 generate_inputs(pattern(), problem, {.kind = "exact", .seed = 2}), "{}", device(90))
        .at("c");
  };
  EXPECT_EQ(run("-2.75"), run("-2"));
  EXPECT_NE(run("-2.75"), run("-3"));
  expect_right_sums("naive", {3, 5, 7}, {{"alpha", "-2.75"}, {"beta", "-0.75"}}, ElementType::i8, "{}");
}

TEST(ProductsOfShortElements, WarpsAreRightInEveryForm) {
  const std::string tile = "{.tile_m = 64, .tile_n = 64, .tile_k = 32, .warp_m = 32, .warp_n = 32, ";
  for (const ElementType type : all_short) {
    expect_right_sums("mma", {67, 131, 83}, turned, type, tile + ".stages = 2}");
    expect_right_sums("mma", {64, 80, 208}, {}, type, tile + ".stages = 4}");
    expect_right_sums("mma", {64, 64, 208}, {{"b", "transposed"}}, type, tile + ".splits = 4}");
    expect_right_sums("mma", {31, 33, 97}, padded, type, tile + ".copy_width = 2}");
    expect_right_sums("mma", {5, 3, 0}, padded, type, tile + ".bank_pad = 0}");
  }
}

TEST(ProductsOfShortElements, WarpgroupsAreRightWithATransposedB) {
  const Settings aligned{{"alpha", "-2"}, {"beta", "0.5"},     {"pad_a", "13"},
                         {"pad_b", "13"}, {"b", "transposed"}, {"pad_c", "5"}};
  const Settings whole{{"b", "transposed"}};
  for (const ElementType type : all_short) {
    expect_right_sums("wgmma_tma", {67, 131, 83}, aligned, type, "{.tile_m = 64, .tile_n = 64, .stages = 3}");
    expect_right_sums("wgmma_tma", {130, 264, 528}, whole, type, "{.tile_m = 128, .tile_n = 128}");
    expect_right_sums("wgmma_tma", {321, 200, 80}, whole, type, "{.tile_m = 64, .tile_n = 192, .stages = 2}");
  }
  expect_right_sums("wgmma_tma", {67, 131, 96}, whole, ElementType::i8, "{.tile_m = 64, .tile_n = 64}", "uniform");
}

TEST(ProductsOfShortElements, RefusalsSayWhy) {
  const auto refused = [](const std::string& name, ElementType type, const Settings& settings, int capability) {
    const Kernel& of = kernel(name);
    return of.refuses(of.default_point, product({64, 64, 64}, settings, type), device(capability));
  };
  EXPECT_EQ(refused("mma", ElementType::e4m3, {}, 86), "products of 8-bit floats need sm_89");
  EXPECT_EQ(refused("mma", ElementType::e4m3, {}, 89), "");
  EXPECT_EQ(refused("mma", ElementType::i8, {}, 80), "");
  EXPECT_EQ(refused("wgmma_tma", ElementType::i8, {}, 90), "multiplies a plain B of 16-bit elements only");
  EXPECT_EQ(refused("wgmma_tma", ElementType::i8, {{"b", "transposed"}, {"pad_a", "8"}}, 90),
            "rows of A and B must begin at multiples of 16 bytes");
  EXPECT_EQ(refused("wgmma_tma", ElementType::tf32, {{"b", "transposed"}, {"pad_a", "8"}}, 90), "");
  EXPECT_EQ(refused("wgmma", ElementType::tf32, {{"b", "transposed"}}, 90), "multiplies 16-bit elements only");
}

TEST(ProductsOfShortElements, KeepTheirBoundsWithEveryAdderOfTheSimulator) {
  for (const ElementType type : {ElementType::tf32, ElementType::e4m3})
    for (const std::string name : {"mma", "wgmma_tma"}) {
      const Problem problem = product({64, 64, 640}, {{"b", "transposed"}}, type);
      const Kernel& of = kernel(name);
      const Point point = of.space.parse(
          name == "mma" ? "{.tile_m = 64, .tile_n = 64, .warp_m = 32, .warp_n = 32}" : "{.tile_m = 64, .tile_n = 64}",
          of.default_point);
      const auto inputs = generate_inputs(pattern(), problem, {.kind = "uniform", .seed = 3});
      const ExpectedOutput oracle = pattern().oracle(problem, inputs).at(0);
      const auto values = elements_of<double>(oracle.values);
      const double bound =
          pattern().bound(problem, "c", {.name = "uniform"}, of.depth(point, problem, device(90))).relative;
      EXPECT_LT(bound, type == ElementType::e4m3 ? 0.03 : 0.001) << name;
      double worst = 0;
      for (int adder = 0; adder < std::ssize(simulator::matrix_adders); ++adder) {
        simulator::SimulationOptions options;
        options.device = device(90);
        options.matrix_adder = adder;
        const auto done = simulator::run_plan(of.plan(point, problem, device(90)), of.source, inputs, options);
        const auto got = elements_of<float>(done.buffers.at("c"));
        for (std::size_t i = 0; i < got.size(); ++i)
          worst = std::max(worst, std::fabs(got[i] - values[i]) / oracle.magnitude[i]);
      }
      EXPECT_LT(worst, bound) << name;
      EXPECT_GT(worst, bound / 1000) << name << ": the bound is far away";
    }
}

TEST(ProductsOfShortElements, CompileForTheirArchitectures) {
  try {
    const gpu::Nvrtc nvrtc;
    for (const ElementType type : all_short)
      for (const std::string name : {"mma", "wgmma_tma"}) {
        const Kernel& of = kernel(name);
        const Problem problem = product({64, 64, 64}, {{"b", "transposed"}}, type);
        const Plan plan = of.plan(of.default_point, problem, device(90));
        for (const std::string target : {"sm_80", "sm_89", "sm_90"}) {
          if (of.refuses(of.default_point, problem, device(architecture_of(target))) != "") continue;
          const gpu::Cubin cubin = nvrtc.compile(catalogue().sources(), {program_of(plan, of.source)}, target);
          ASSERT_TRUE(cubin.ok) << cubin.log;
          if (name == "mma") continue;
          for (const auto& [entry, instance] : cubin.instances.front())
            EXPECT_EQ(instance.resources.spill_store_bytes, 0) << entry << " for " << target;
        }
      }
  } catch (const std::runtime_error& missing) {
    GTEST_SKIP() << missing.what();
  }
}

}  // namespace
}  // namespace warpwright::matmul
