// Tests of the kernels of matmul on matrix units: refusals, space sizes, and every form and instruction on odd shapes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "kernels/core/target.hpp"
#include "kernels/matmul/matmul_fixture.hpp"
#include "kernels/matmul/matrix_units_fixture.hpp"
#include "kernels/matmul/problems.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/model/program.hpp"
#include "kernels/runtime/common/half.cuh"
#include "kernels/runtime/cuda/nvrtc.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/simulator/pattern_fixture.hpp"

namespace warpwright::matmul {
namespace {

TEST(MatmulOnMatrixUnits, NeedsSm80AndItsElements) {
  const auto refused = [](const std::string& name, ElementType type, int capability) {
    return kernel(name).refuses(kernel(name).default_point, product({8, 8, 8}, {}, type), device(capability));
  };
  EXPECT_EQ(refused("dmma", ElementType::f64, 75), "products of matrices by mma.sync need sm_80");
  EXPECT_EQ(refused("mma", ElementType::f16, 75), "products of matrices by mma.sync need sm_80");
  EXPECT_EQ(refused("dmma", ElementType::f64, 80), "");
  EXPECT_EQ(refused("mma", ElementType::bf16, 80), "");
  EXPECT_EQ(refused("dmma", ElementType::f32, 90), "multiplies doubles only");
  EXPECT_EQ(refused("mma", ElementType::f64, 90), "multiplies elements of 8 and 16 bits and TF32 only");
  EXPECT_EQ(refused("split_mma", ElementType::f32, 75), "products of matrices by mma.sync need sm_80");
  EXPECT_EQ(refused("split_mma", ElementType::f64, 80), "multiplies floats only");
  for (const int other : {75, 80, 89, 100, 120})
    EXPECT_EQ(refused("split_wgmma", ElementType::f32, other), "products by warpgroups (wgmma) exist on sm_90 only");
  EXPECT_EQ(refused("wgmma", ElementType::bf16, 80), "products by warpgroups (wgmma) exist on sm_90 only");
  EXPECT_EQ(refused("wgmma", ElementType::f32, 90), "multiplies 16-bit elements only");
  EXPECT_EQ(refused("split_wgmma", ElementType::f64, 90), "multiplies floats only");
  EXPECT_EQ(refused("split_wgmma", ElementType::f32, 90), "");
}

TEST(MatmulOnMatrixUnits, SpacesHaveTheirKnownNumberOfValidPoints) {
  const auto count = [](const std::string& name, ElementType type, int capability) {
    return kernel(name).space.points({product({1, 1, 1}, {}, type).types, device(capability)}).size();
  };
  EXPECT_EQ(count("dmma", ElementType::f64, 90), 9408U);
  EXPECT_EQ(count("dmma", ElementType::f64, 80), 2864U);
  EXPECT_EQ(count("mma", ElementType::f16, 90), 6968U);
  EXPECT_EQ(count("split_mma", ElementType::f32, 90), 458U);
}

TEST(MatmulOnMatrixUnits, DefaultsFitSmallBoards) {
  Device small = device(86);
  small.shared_per_sm = 100 << 10;
  small.shared_per_block_optin = 99 << 10;
  for (const auto& [name, type] :
       {std::pair("dmma", ElementType::f64), {"mma", ElementType::f16}, {"split_mma", ElementType::f32}}) {
    const Kernel& of = kernel(name);
    EXPECT_EQ(of.space.rejected_by(of.default_point, {product({1, 1, 1}, {}, type).types, small}), "") << name;
  }
}

TEST(MatmulOnMatrixUnits, InstructionsOfSm90AreRejectedBefore) {
  const Kernel& of = kernel("dmma");
  const auto rejected = [&](const std::string& params, int capability) {
    return of.space.rejected_by(of.space.parse(params, of.default_point), {{ElementType::f64}, device(capability)});
  };
  EXPECT_EQ(rejected("{.mma_m = 16, .mma_k = 8}", 90), "");
  EXPECT_EQ(rejected("{.mma_m = 16, .mma_k = 8}", 80), "an instruction of the architecture");
  EXPECT_EQ(rejected("{.mma_m = 8, .mma_k = 8}", 90), "an instruction of the architecture");
}

TEST(MatmulOnMatrixUnits, ProductsOfDoublesAreRightWithEveryInstruction) {
  const std::string tile = "{.tile_m = 64, .tile_n = 64, .tile_k = 16, .warp_m = 32, .warp_n = 32, ";
  for (const std::string instruction :
       {".mma_m = 8, .mma_k = 4", ".mma_m = 16, .mma_k = 4", ".mma_m = 16, .mma_k = 8", ".mma_m = 16, .mma_k = 16"}) {
    expect_right<double>("dmma", product({67, 131, 43}, turned, ElementType::f64), tile + instruction + "}");
    expect_right<double>("dmma", product({64, 66, 70}, {}, ElementType::f64), tile + instruction + ", .stages = 4}");
  }
  expect_right<double>("dmma", product({31, 33, 97}, padded, ElementType::f64), tile + ".splits = 4}");
  expect_right<double>("dmma", product({1, 1, 1}, turned, ElementType::f64), tile + ".copy_width = 1, .stages = 2}");
  expect_right<double>("dmma", product({5, 3, 0}, turned, ElementType::f64), tile + ".bank_pad = 0}");
}

TEST(MatmulOnMatrixUnits, ProductsOfHalvesAreRightInEveryForm) {
  const std::string tile = "{.tile_m = 64, .tile_n = 64, .tile_k = 32, .warp_m = 32, .warp_n = 32, ";
  expect_right<float>("mma", product({67, 131, 43}, turned, ElementType::f16), tile + ".stages = 2}");
  expect_right<float>("mma", product({64, 72, 104}, {}, ElementType::bf16), tile + ".stages = 4}");
  expect_right<float>("mma", product({64, 64, 104}, {{"b", "transposed"}}, ElementType::f16), tile + ".splits = 4}");
  expect_right<float>("mma", product({31, 33, 97}, padded, ElementType::bf16), tile + ".copy_width = 2}");
}

const std::string split_tile = "{.tile_m = 64, .tile_n = 64, .tile_k = 16, .warp_m = 32, .warp_n = 32, ";
const std::string group_tile = "{.tile_m = 64, .tile_n = 64, .stages = 2, ";

/// The kernels that split floats, each with params for small tiles.
const std::pair<std::string, std::string> splitting[] = {{"split_mma", split_tile + "}"},
                                                         {"split_wgmma", group_tile + "}"}};

TEST(MatmulOnMatrixUnits, SplitProductsOfWholeNumbersAreExact) {
  expect_right<float>("split_mma", product({67, 70, 43}, turned), split_tile + ".stages = 3}");
  expect_right<float>("split_mma", product({31, 66, 33}, padded), split_tile + ".bank_pad = 0}");
  expect_right<float>("split_mma", product({64, 64, 64}), split_tile + ".tile_k = 32}");
  expect_right<float>("split_mma", product({5, 3, 0}, padded), split_tile + "}");
  expect_right<float>("split_wgmma", product({67, 70, 43}, turned), group_tile + "}");
  expect_right<float>("split_wgmma", product({131, 66, 97}, padded), "{.tile_m = 128, .tile_n = 64, .stages = 2}");
  expect_right<float>("split_wgmma", product({64, 64, 64}), group_tile + "}");
  expect_right<float>("split_wgmma", product({5, 3, 0}, padded), group_tile + "}");
}

TEST(MatmulOnMatrixUnits, ProductsOfHalvesByWarpgroupsAreRightInEveryForm) {
  const std::string tile = "{.tile_m = 64, .tile_n = 64, .stages = 3, .ahead = 1";
  expect_right<float>("wgmma", product({67, 131, 43}, turned, ElementType::f16), tile + "}");
  expect_right<float>("wgmma", product({64, 72, 200}, {}, ElementType::bf16), tile + "}");
  expect_right<float>("wgmma", product({131, 64, 328}, {{"b", "transposed"}}, ElementType::f16), tile + "}");
  expect_right<float>("wgmma", product({31, 33, 97}, padded, ElementType::bf16), tile + "}");
  expect_right<float>("wgmma", product({5, 3, 0}, padded, ElementType::f16), tile + "}");
  expect_right<float>("wgmma", product({130, 264, 136}, {}, ElementType::bf16), "{.tile_n = 256}");
}

TEST(MatmulOnMatrixUnits, ProductsOfHalvesByBoxesAreRightInEveryForm) {
  const std::string tile = "{.tile_m = 64, .tile_n = 64, .stages = 3}";
  const Settings aligned{{"alpha", "-2"}, {"beta", "0.5"}, {"pad_a", "5"}, {"pad_b", "6"}, {"pad_c", "5"}};
  Settings aligned_columns = aligned;
  aligned_columns["pad_b"] = "5";
  aligned_columns["b"] = "transposed";
  expect_right<float>("wgmma_tma", product({67, 130, 43}, aligned, ElementType::f16), tile);
  expect_right<float>("wgmma_tma", product({67, 131, 43}, aligned_columns, ElementType::bf16), tile);
  expect_right<float>("wgmma_tma", product({64, 72, 200}, {}, ElementType::bf16), tile);
  expect_right<float>("wgmma_tma", product({131, 64, 328}, {{"b", "transposed"}}, ElementType::f16), tile);
  expect_right<float>("wgmma_tma", product({130, 264, 136}, {}, ElementType::bf16), "{}");
  expect_right<float>("wgmma_tma", product({321, 200, 72}, {}, ElementType::f16), "{.tile_m = 64, .tile_n = 192}");
  const Kernel& of = kernel("wgmma_tma");
  EXPECT_EQ(of.refuses(of.default_point, product({64, 64, 64}, {}, ElementType::f16), device(80)),
            "products by warpgroups (wgmma) exist on sm_90 only");
  EXPECT_EQ(of.refuses(of.default_point, product({64, 64, 65}, {}, ElementType::f16), device(90)),
            "rows of A and B must begin at multiples of 16 bytes");
}

TEST(MatmulOnMatrixUnits, BlocksOfWarpgroupsMultiplyManyTiles) {
  expect_right<float>("wgmma", product({321, 200, 72}, {}, ElementType::f16), "{.tile_m = 64, .tile_n = 64}");
  expect_right<float>("split_wgmma", product({321, 200, 35}), group_tile + ".group_m = 4}");
  expect_right<float>("split_wgmma", product({130, 129, 70}), "{}");
}

/// The largest error of the product over that of its terms, in roundings of floats, and the same of sums in order.
std::pair<double, double> errors_of(const std::string& split, const std::string& tile, const Problem& problem,
                                    const std::string& kind, std::uint64_t seed) {
  const auto inputs = generate_inputs(pattern(), problem, {.kind = kind, .seed = seed});
  const ExpectedOutput oracle = pattern().oracle(problem, inputs).at(0);
  const auto values = elements_of<double>(oracle.values);
  const auto largest = [&](const std::vector<float>& got) {
    double most = 0;
    for (std::size_t i = 0; i < got.size(); ++i)
      most = std::max(most, std::fabs(got[i] - values[i]) / oracle.magnitude[i] * 0x1p24);
    return most;
  };
  const auto run = [&](const std::string& name, const std::string& params) {
    return elements_of<float>(simulator::run_kernel(kernel(name), problem, inputs, params, device(90)).at("c"));
  };
  return {largest(run(split, tile)), largest(run("naive", "{}"))};
}

TEST(MatmulOnMatrixUnits, SplitProductsAreAsAccurateAsFloats) {
  const Problem problem = product({64, 64, 256});
  for (const auto& [name, params] : splitting) {
    const auto [of_split, of_floats] = errors_of(name, params, problem, "uniform", 2);
    EXPECT_LT(of_split, of_floats) << name;
    EXPECT_GT(of_split, 0) << name;
    EXPECT_LT(of_split, kernel(name).depth(kernel(name).default_point, problem, device(90))) << name;
  }
}

TEST(MatmulOnMatrixUnits, NumbersThatCannotBeSplitAreMultipliedAsFloats) {
  const Problem problem = product({2, 2, 2});
  const float infinity = INFINITY;
  for (const auto& [name, params] : splitting) {
    const auto run = [&](const std::vector<float>& a, const std::vector<float>& b) {
      return elements_of<float>(simulator::run_kernel(kernel(name), problem,
                                                      {bytes_of(a), bytes_of(b), bytes_of(std::vector<float>(4))},
                                                      params, device(90))
                                    .at("c"));
    };
    const std::vector<float> two{2, 0, 0, 2};
    EXPECT_EQ(run({infinity, 1, 1, 1}, {1, 1, 1, 1}), (std::vector<float>{infinity, infinity, 2, 2})) << name;
    EXPECT_EQ(run({0x1.fffffep126f, 1, 1, 1}, two), (std::vector<float>{0x1.fffffep127f, 2, 2, 2})) << name;
    EXPECT_EQ(run({0x1.fffffep-120f, 1, 1, 1}, two), (std::vector<float>{0x1.fffffep-119f, 2, 2, 2})) << name;
    EXPECT_EQ(run({0x1.fffffep10f, 1, 1, -0x1.000002p0f}, two),
              (std::vector<float>{0x1.fffffep11f, 2, 2, -0x1.000002p1f}))
        << name;
  }
}

TEST(MatmulOnMatrixUnits, KernelsCompileForEveryArchitectureWithMatrixUnits) {
  try {
    const gpu::Nvrtc nvrtc;
    for (const auto& [name, type] : {std::pair("dmma", ElementType::f64),
                                     {"mma", ElementType::f16},
                                     {"split_mma", ElementType::f32},
                                     {"split_wgmma", ElementType::f32},
                                     {"wgmma", ElementType::bf16},
                                     {"wgmma_tma", ElementType::bf16}})
      for (const std::string form : {"plain", "transposed"}) {
        const Kernel& of = kernel(name);
        const Plan plan = of.plan(of.default_point, product({64, 64, 64}, {{"b", form}}, type), device(90));
        for (const std::string target : {"sm_80", "sm_90"}) {
          if (of.refuses(of.default_point, product({64, 64, 64}, {}, type), device(architecture_of(target))) != "")
            continue;
          const gpu::Cubin cubin = nvrtc.compile(catalogue().sources(), {program_of(plan, of.source)}, target);
          ASSERT_TRUE(cubin.ok) << cubin.log;
          if (std::string(name).find("wgmma") == std::string::npos) continue;
          for (const auto& [entry, instance] : cubin.instances.front())
            EXPECT_EQ(instance.resources.spill_store_bytes, 0) << entry;
        }
      }
  } catch (const std::runtime_error& missing) {
    GTEST_SKIP() << missing.what();
  }
}

TEST(MatmulOnMatrixUnits, SumsOfHalvesMayLoseTwoBitsOfEachGroupOfFour) {
  const Kernel& of = kernel("mma");
  EXPECT_EQ(of.depth(of.default_point, product({9, 9, 30}, {}, ElementType::f16), device(90)), 2 * (30 + 2 * 8) + 2);
  EXPECT_EQ(kernel("dmma").depth(kernel("dmma").default_point, product({9, 9, 30}, {}, ElementType::f64), device(90)),
            32);
}

}  // namespace
}  // namespace warpwright::matmul
