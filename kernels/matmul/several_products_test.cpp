// Tests of several products of the same size: every kernel that computes them, the oracle, the reference and the laws.
#include <gtest/gtest.h>

#include "kernels/matmul/matrix_units_fixture.hpp"
#include "kernels/matmul/problems.hpp"

namespace warpwright::matmul {
namespace {

Settings with(Settings settings, const std::string& products) {
  settings["products"] = products;
  return settings;
}

TEST(SeveralProducts, AreRightWithEveryKernelThatNumbersItsBlocksInY) {
  const std::string small = "{.tile_m = 32, .tile_n = 32, .tile_k = 8, .thread_m = 4, .thread_n = 4";
  const std::string doubles = "{.tile_m = 64, .tile_n = 64, .tile_k = 16, .warp_m = 32, .warp_n = 32}";
  for (const Settings& form : {with(padded, "3"), with(turned, "2")}) {
    const Problem problem = product({33, 35, 20}, form);
    expect_right<float>("naive", problem, "{}");
    expect_right<float>("tiled", problem, "{}");
    expect_right<float>("register_tiled", problem, small + "}");
    expect_right<float>("vectorized", problem, small + ", .vector_width = 2}");
    expect_right<float>("double_buffered", problem, "{.tile_k = 8, .splits = 2}");
    expect_right<float>("async_copy", problem, "{.tile_m = 64, .tile_n = 64, .tile_k = 8, .splits = 4}");
    expect_right<float>("mma", product({33, 35, 20}, form, ElementType::bf16), "{.splits = 4}");
    expect_right<double>("dmma", product({33, 35, 20}, form, ElementType::f64), doubles);
    expect_right<int>("mma", product({33, 35, 20}, form, ElementType::i8), "{}");
  }
  expect_right<float>("vectorized", product({64, 64, 32}, {{"products", "5"}}), "{}");
}

TEST(SeveralProducts, AreRefusedByPersistentKernels) {
  const auto refused = [](const std::string& name, ElementType type) {
    return kernel(name).refuses(kernel(name).default_point, product({8, 8, 8}, {{"products", "2"}}, type), device(90));
  };
  const std::string reason = "computes one product, not several of the same size";
  EXPECT_EQ(refused("split_mma", ElementType::f32), reason);
  EXPECT_EQ(refused("split_wgmma", ElementType::f32), reason);
  EXPECT_EQ(refused("wgmma", ElementType::bf16), reason);
  EXPECT_EQ(refused("wgmma_tma", ElementType::bf16), reason);
  EXPECT_EQ(refused("mma", ElementType::bf16), "");
}

TEST(SeveralProducts, HaveAReferenceThatAgreesWithTheOracle) {
  for (const ElementType type : {ElementType::f32, ElementType::i8})
    for (const Settings& form : {with(padded, "3"), with(turned, "2")}) {
      const Problem problem = product({5, 7, 9}, form, type);
      simulator::expect_reference(
          pattern(), problem, generate_inputs(pattern(), problem, {.kind = "exact", .seed = 1}), device(90),
          [](double, double) { return 0.0; }, 0);
    }
}

TEST(SeveralProducts, AreTheProductsOfTheirMatrices) {
  const Problem two = product({1, 1, 1}, {{"products", "2"}});
  const auto oracle = pattern().oracle(
      two, {bytes_of(std::vector<float>{2, 3}), bytes_of(std::vector<float>{5, 7}), bytes_of(std::vector<float>(2))});
  EXPECT_EQ(elements_of<double>(oracle.at(0).values), (std::vector<double>{10, 21}));
}

TEST(SeveralProducts, KeepTheLawsThatCompareThem) {
  for (const std::string form : {"plain", "transposed"}) {
    const Problem problem = product({4, 5, 3}, {{"b", form}, {"products", "3"}, {"pad_b", "2"}});
    const Runner oracle = [](const Problem& one, const std::vector<Bytes>& inputs) {
      const auto values = elements_of<double>(pattern().oracle(one, inputs).at(0).values);
      return std::vector<Bytes>{bytes_of(std::vector<float>(values.begin(), values.end()))};
    };
    for (const Law& law : pattern().laws)
      EXPECT_EQ(law.broken(problem, generate_inputs(pattern(), problem, {}), oracle), "") << law.name;
    const Runner first_only = [&](const Problem& one, const std::vector<Bytes>& inputs) {
      auto made = oracle(one, inputs);
      std::fill(made[0].begin() + static_cast<std::ptrdiff_t>(made[0].size() / 3), made[0].end(), std::byte());
      return made;
    };
    for (const Law& law : pattern().laws) {
      if (law.name != "the identity keeps A") continue;
      EXPECT_NE(law.broken(problem, generate_inputs(pattern(), problem, {}), first_only), "");
    }
  }
}

TEST(SeveralProducts, AreNotPartOfTheTextOfASingleOne) {
  EXPECT_EQ(problem_text(product({2, 3, 4})).find("products"), std::string::npos);
  EXPECT_EQ(product({2, 3, 4}, {{"products", "1"}}), product({2, 3, 4}));
  const Problem several = product({2, 3, 4}, {{"products", "12"}});
  EXPECT_NE(problem_text(several).find("products=12"), std::string::npos);
  EXPECT_EQ(products_of(checked_problem(pattern(), parse_problem(problem_text(several)))), 12);
}

TEST(SeveralProducts, TakeTheirShareOfWork) {
  const Work one = pattern().work(product({10, 20, 30}));
  const Work four = pattern().work(product({10, 20, 30}, {{"products", "4"}}));
  EXPECT_EQ(four.operations, 4 * one.operations);
  EXPECT_EQ(four.bytes_read, 4 * one.bytes_read);
  EXPECT_EQ(four.bytes_written, 4 * one.bytes_written);
  EXPECT_EQ(four.steps, 4 * one.steps);
}

}  // namespace
}  // namespace warpwright::matmul
