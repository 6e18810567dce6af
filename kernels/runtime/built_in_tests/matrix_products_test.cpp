// Tests of every modelled product of matrices against a plain one: in the simulator, and on a GPU. They also prove that
// NVRTC assembles each, and that the table in the docs is the list of them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

#include "kernels/runtime/built_in_tests/matrix_trial.hpp"
#include "kernels/runtime/cuda/nvrtc.hpp"
#include "kernels/runtime/cuda/on_a_gpu.hpp"
#include "kernels/runtime/cuda/plan_runner.hpp"
#include "kernels/runtime/simulator/engine/matrix_unit.hpp"
#include "kernels/runtime/simulator/module/compile.hpp"

namespace warpwright::built_ins {
namespace {

using Bytes = std::vector<std::byte>;

constexpr unsigned adder_count = std::size(simulator::matrix_adders);

bool has_float_sums(const MatrixRow& row) {
  return row.sum == "float" || row.sum == "float16";
}

class MatrixProducts : public testing::Test {
 protected:
  void SetUp() override {
    if (simulator::host_compiler().empty()) GTEST_SKIP() << "no host compiler";
  }
};

TEST_F(MatrixProducts, OfWholeNumbersAreThePlainOnesInTheSimulator) {
  for (const MatrixRow& row : matrix_rows()) {
    const Operands of = whole_numbers(row, 6);
    for (unsigned adder = 0; adder < adder_count; ++adder) EXPECT_EQ(wrong(of, simulated(of, adder)), "");
  }
}

TEST_F(MatrixProducts, AreWithinTheBoundWithEveryAdder) {
  for (const MatrixRow& row : matrix_rows()) {
    if (row.sum == "int") continue;
    for (const int range : {0, 12}) {
      const Operands of = random_numbers(row, 3, range);
      for (unsigned adder = 0; adder < adder_count; ++adder) EXPECT_EQ(beyond_the_bound(of, simulated(of, adder)), "");
    }
  }
}

TEST_F(MatrixProducts, ByWarpgroupsAreThePlainOnesOfWholeNumbers) {
  for (const MatrixRow& row : tried_warpgroup_rows()) {
    const Operands of = whole_numbers(row, 6);
    EXPECT_EQ(wrong(of, simulated(of, static_cast<unsigned>(row.n) / 8 % adder_count)), "");
  }
}

TEST_F(MatrixProducts, ByWarpgroupsAreWithinTheBoundWithEveryAdder) {
  for (const MatrixRow& row : tried_warpgroup_rows()) {
    if (row.sum == "int" || row.n != 48) continue;
    const Operands of = random_numbers(row, 1, 12);
    std::set<Bytes> results;
    for (unsigned adder = 0; adder < adder_count; ++adder) {
      results.insert(simulated(of, adder));
      EXPECT_EQ(beyond_the_bound(of, simulated(of, adder)), "");
    }
    EXPECT_EQ(results.size(), adder_count) << row.instruction();
  }
}

TEST_F(MatrixProducts, DependOnTheAdderIfBitsAreLost) {
  for (const MatrixRow& row : matrix_rows()) {
    if (row.sum != "float" || row.k * bytes_of_type(row.a) < 32) continue;
    const Operands of = random_numbers(row, 3, 12);
    std::set<Bytes> results;
    for (unsigned adder = 0; adder < adder_count; ++adder) results.insert(simulated(of, adder));
    EXPECT_EQ(results.size(), adder_count) << row.instruction();
  }
}

TEST_F(MatrixProducts, OfLargeIntegersKeepTheirLowerBitsOrSaturate) {
  std::vector<MatrixRow> rows = matrix_rows();
  for (const MatrixRow& row : warpgroup_rows(8)) rows.push_back(row);
  for (const MatrixRow& row : rows) {
    if (row.sum != "int") continue;
    for (const int sign : {1, -1}) {
      if (sign < 0 && row.a != "signed char") continue;
      Operands of(row, 1);
      for (std::size_t i = 0; i < of.a.size(); ++i) put(of.a, i, row.a, 100 * sign);
      for (std::size_t i = 0; i < of.b.size(); ++i) put(of.b, i, row.b, 100);
      const std::int32_t before = sign > 0 ? 0x7fffffff : -0x7fffffff;
      for (std::size_t i = 0; i < of.c.size() / 4; ++i) put(of.c, i, row.sum, before);
      const auto wrapped = static_cast<std::int32_t>(static_cast<std::uint32_t>(before) +
                                                     static_cast<std::uint32_t>(row.k * 10000 * sign));
      const std::int32_t limit = sign > 0 ? 0x7fffffff : -0x7fffffff - 1;
      EXPECT_EQ(get(simulated(of, 0), 5, "int"), row.saturates ? limit : wrapped) << row.instruction();
    }
  }
}

/// The first step of the adders of sm_80 and sm_90 is rounded to a half from the exact sum, and not from a float.
TEST_F(MatrixProducts, WithSumsOfHalvesAreRoundedOnce) {
  const MatrixRow& row = matrix_rows()[2];
  Operands of(row, 1);
  // 1 + 2^-11 lies between two halves; the third term decides, and is lost in a float whose first bit is 2^1.
  const double left[] = {1, 1, 0x1p-12}, right[] = {2, 0x1p-10, 0x1p-12};
  for (int k = 0; k < 3; ++k) {
    put(of.a, of.number(0, 0, k, row.m, row.k), row.a, left[k]);
    put(of.b, of.number(0, k, 0, row.k, row.n), row.b, right[k]);
  }
  EXPECT_EQ(of.at_d(simulated(of, 2), 0, 0, 0), 2 + 0x1p-9);
  EXPECT_EQ(of.at_d(simulated(of, 0), 0, 0, 0), 2);
}

/// Of each four terms of 8-bit floats, adder 2 adds the first two before the others, and the old sum last.
TEST_F(MatrixProducts, OfFloat8DifferInOrder) {
  const auto rows = matrix_rows();
  const auto row = std::ranges::find_if(
      rows, [](const MatrixRow& one) { return one.ptx_b == "e5m2" && one.a == one.b && one.k == 32; });
  Operands of(*row, 1);
  // 2^20 and -2^20 are far from each other in the order of adder 2, so that it loses the 2^-8 between them.
  const std::pair<int, double> terms[] = {{0, 0x1p10}, {1, 0x1p-8}, {2, -0x1p10}};
  for (const auto& [k, value] : terms) {
    put(of.a, of.number(0, 0, k, row->m, row->k), row->a, value);
    put(of.b, of.number(0, k, 0, row->k, row->n), row->b, k == 1 ? 1 : 0x1p10);
  }
  put(of.c, 0, row->sum, 0x1p-3);
  EXPECT_EQ(of.at_d(simulated(of, 1), 0, 0, 0), 0) << "all at once, 13 bits below 2^20";
  EXPECT_EQ(of.at_d(simulated(of, 2), 0, 0, 0), 0x1p-3) << "the old sum comes last";
}

TEST_F(MatrixProducts, OfSpecialValuesAreThoseOfFloats) {
  constexpr double infinity = INFINITY;
  const MatrixRow& row = matrix_rows()[1];
  Operands of(row, 1);
  put(of.a, of.number(0, 0, 3, row.m, row.k), row.a, infinity);  // d[0][0] = inf * 2
  put(of.b, of.number(0, 3, 0, row.k, row.n), row.b, 2);         // d[0][1] = inf * 0
  put(of.c, of.number(0, 0, 2, row.m, row.n), row.sum, -infinity);
  put(of.b, of.number(0, 3, 2, row.k, row.n), row.b, 1);  // d[0][2] = inf - inf
  const Bytes d = simulated(of, 1);
  EXPECT_EQ(of.at_d(d, 0, 0, 0), infinity);
  EXPECT_TRUE(std::isnan(of.at_d(d, 0, 0, 1)));
  EXPECT_TRUE(std::isnan(of.at_d(d, 0, 0, 2)));
  EXPECT_EQ(of.at_d(d, 0, 1, 0), 0);
}

TEST_F(MatrixProducts, AreAssembledByNvrtc) {
  try {
    const gpu::Nvrtc nvrtc;
    for (const int architecture : {80, 89, 90}) {
      const gpu::Cubin cubin =
          nvrtc.compile(product_sources(), {{.source = "product.cuh", .entries = product_entries(architecture)}},
                        fmt::format("sm_{}", architecture));
      EXPECT_TRUE(cubin.ok) << cubin.log;
    }
    const gpu::Cubin by_groups = nvrtc.compile(
        product_sources(), {{.source = "group_product.cuh", .entries = group_product_entries()}}, "sm_90");
    EXPECT_TRUE(by_groups.ok) << by_groups.log;
    const gpu::Cubin ampere =
        nvrtc.compile(product_sources(), {{.source = "product.cuh", .entries = product_entries(89)}}, "sm_80");
    EXPECT_FALSE(ampere.ok);
    const gpu::Cubin old =
        nvrtc.compile(product_sources(), {{.source = "product.cuh", .entries = product_entries(80)}}, "sm_75");
    EXPECT_FALSE(old.ok);
    EXPECT_THAT(old.log, testing::HasSubstr("this product of matrices needs a newer architecture"));
  } catch (const std::runtime_error& missing) {
    GTEST_SKIP() << missing.what();
  }
}

TEST(MatrixUnits, TheTableOfTheDocsListsThem) {
  std::ifstream in(std::string(WARPWRIGHT_SOURCE_DIR) + "/docs/matrix_units.md");
  std::stringstream page;
  page << in.rdbuf();
  for (const std::string& table : {matrix_table(), warpgroup_table()})
    EXPECT_NE(page.str().find(table), std::string::npos) << "docs/matrix_units.md needs\n" << table;
}

class MatrixProductsOnAGpu : public gpu::OnAGpu {
 protected:
  int capability() const { return gpu_->info().device.compute_capability; }

  void SetUp() override {
    OnAGpu::SetUp();
    if (IsSkipped()) return;
    if (capability() < 80) GTEST_SKIP() << "products of matrices need sm_80";
  }

  /// The kernels of all rows that the GPU can run, from that header.
  void compile(const std::string& header, const std::vector<std::string>& entries) {
    cubin_ =
        gpu::Nvrtc().compile(product_sources(), {{.source = header, .entries = entries}}, gpu_->info().device.arch());
    ASSERT_TRUE(cubin_.ok) << cubin_.log;
    std::ofstream(folder_ / "product.cubin", std::ios::binary) << cubin_.image;
  }

  Bytes run(const Operands& of) {
    const Plan plan = product_plan(of);
    std::vector<gpu::Memory> memory;
    gpu::Addresses addresses;
    const Bytes* const contents[] = {&of.a, &of.b, &of.c, &of.c};
    for (std::size_t i = 0; i < plan.buffers.size(); ++i) {
      memory.emplace_back(plan.buffers[i].bytes());
      memory.back().upload(gpu_->stream(), *contents[i]);
      addresses[plan.buffers[i].name] = memory.back().address();
    }
    gpu::PlanRunner(*gpu_, modules_, plan,
                    {.ok = true, .module = (folder_ / "product.cubin").string(), .instances = cubin_.instances.at(0)},
                    addresses)
        .run();
    return memory.back().download(gpu_->stream());
  }

  void expect_plain_products(const std::vector<MatrixRow>& rows) {
    for (const MatrixRow& row : rows) {
      const Operands of = whole_numbers(row, 6);
      if (row.architecture <= capability()) {
        EXPECT_EQ(wrong(of, run(of)), "") << (row.a_in_registers ? "A in registers" : "");
      }
    }
  }

  /// Sums of large integers, to the bit.
  void expect_the_integers_of_the_simulator(const std::vector<MatrixRow>& rows) {
    for (const MatrixRow& row : rows) {
      if (row.sum != "int" || row.architecture > capability()) continue;
      Operands of = whole_numbers(row, row.a == "signed char" ? 127 : 255);
      for (std::size_t i = 0; i < of.c.size() / 4; ++i)
        put(of.c, i, "int", i % 3 == 0 ? 0x7fffff00 : i % 3 == 1 ? -0x7fffff00 : static_cast<double>(i) * 7919);
      EXPECT_EQ(run(of), simulated(of, 0)) << row.instruction();
    }
  }

  /// Prints which adders give the bits of the GPU for products of that row, and expects one.
  void expect_an_adder(const MatrixRow& row, int products) {
    std::string equal, unequal;
    for (unsigned adder = 0; adder < adder_count; ++adder) {
      std::size_t differing = 0, all = 0;
      for (const int range : {0, 4, 12}) {
        const Operands of = random_numbers(row, products, range);
        const Bytes got = run(of), modelled = simulated(of, adder);
        EXPECT_EQ(beyond_the_bound(of, got), "");
        const std::size_t bytes = bytes_of_type(row.sum);
        for (std::size_t i = 0; i < got.size(); i += bytes, ++all)
          differing += std::memcmp(got.data() + i, modelled.data() + i, bytes) != 0 ? 1 : 0;
      }
      if (differing == 0)
        equal += fmt::format(" {}", adder);
      else
        unequal += fmt::format("adder {}: {} of {} sums differ; ", adder, differing, all);
      if (!has_float_sums(row)) break;
    }
    fmt::print("{}: the bits of adder{}; {}\n", row.instruction(), equal.empty() ? " none" : equal, unequal);
    EXPECT_NE(equal, "") << row.instruction() << ": " << unequal;
  }

  gpu::Cubin cubin_;
  gpu::ModuleCache modules_;
};

TEST_F(MatrixProductsOnAGpu, OfWholeNumbersAreThePlainOnes) {
  compile("product.cuh", product_entries(capability()));
  expect_plain_products(matrix_rows());
  expect_the_integers_of_the_simulator(matrix_rows());
}

TEST_F(MatrixProductsOnAGpu, HaveTheBitsOfAnAdderOfTheSimulator) {
  compile("product.cuh", product_entries(capability()));
  for (const MatrixRow& row : matrix_rows())
    if (row.architecture <= capability() && row.sum != "int") expect_an_adder(row, 64);
}

class WarpgroupProductsOnAGpu : public MatrixProductsOnAGpu {
 protected:
  void SetUp() override {
    MatrixProductsOnAGpu::SetUp();
    if (IsSkipped()) return;
    if (capability() != 90) GTEST_SKIP() << "products by warpgroups need sm_90";
    compile("group_product.cuh", group_product_entries());
  }
};

TEST_F(WarpgroupProductsOnAGpu, OfWholeNumbersAreThePlainOnes) {
  expect_plain_products(tried_warpgroup_rows());
  expect_the_integers_of_the_simulator(tried_warpgroup_rows());
}

TEST_F(WarpgroupProductsOnAGpu, HaveTheBitsOfAnAdderOfTheSimulator) {
  for (const MatrixRow& row : tried_warpgroup_rows())
    if (row.sum != "int" && row.n == 48) expect_an_adder(row, 8);
}

}  // namespace
}  // namespace warpwright::built_ins
