// Tests of every modelled product of matrices against a plain one: in the simulator, and on a GPU. They also prove that
// NVRTC assembles each, and that the table in the docs is the list of them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST_F(MatrixProducts, DependOnTheAdderIfBitsAreLost) {
  for (const MatrixRow& row : matrix_rows()) {
    if (row.sum != "float" || row.k * bytes_of_type(row.a) < 32) continue;
    const Operands of = random_numbers(row, 3, 12);
    std::set<Bytes> results;
    for (unsigned adder = 0; adder < adder_count; ++adder) results.insert(simulated(of, adder));
    EXPECT_EQ(results.size(), adder_count) << row.instruction();
  }
}

TEST_F(MatrixProducts, OfLargeIntegersKeepTheirLowerBits) {
  const MatrixRow& row = matrix_rows().back();
  Operands of(row, 1);
  for (std::size_t i = 0; i < of.a.size(); ++i) put(of.a, i, row.a, 255);
  for (std::size_t i = 0; i < of.b.size(); ++i) put(of.b, i, row.b, 255);
  for (std::size_t i = 0; i < of.c.size() / 4; ++i) put(of.c, i, row.sum, 0x7fffffff);
  const auto expected = static_cast<std::int32_t>(0x7fffffffU + 32 * 255 * 255);
  EXPECT_EQ(get(simulated(of, 0), 5, "int"), expected);
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
    for (const int architecture : {80, 90}) {
      const gpu::Cubin cubin =
          nvrtc.compile(product_sources(), {{.source = "product.cuh", .entries = product_entries(architecture)}},
                        fmt::format("sm_{}", architecture));
      EXPECT_TRUE(cubin.ok) << cubin.log;
    }
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
  EXPECT_NE(page.str().find(matrix_table()), std::string::npos) << "docs/matrix_units.md needs\n" << matrix_table();
}

class MatrixProductsOnAGpu : public gpu::OnAGpu {
 protected:
  int capability() const { return gpu_->info().device.compute_capability; }

  void SetUp() override {
    OnAGpu::SetUp();
    if (IsSkipped()) return;
    if (capability() < 80) GTEST_SKIP() << "products of matrices need sm_80";
    cubin_ =
        gpu::Nvrtc().compile(product_sources(), {{.source = "product.cuh", .entries = product_entries(capability())}},
                             gpu_->info().device.arch());
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
    gpu::ModuleCache modules;
    gpu::PlanRunner(*gpu_, modules, plan,
                    {.ok = true, .module = (folder_ / "product.cubin").string(), .instances = cubin_.instances.at(0)},
                    addresses)
        .run();
    return memory.back().download(gpu_->stream());
  }

  gpu::Cubin cubin_;
};

TEST_F(MatrixProductsOnAGpu, OfWholeNumbersAreThePlainOnes) {
  for (const MatrixRow& row : matrix_rows()) {
    const Operands of = whole_numbers(row, 6);
    if (row.architecture <= capability()) {
      EXPECT_EQ(wrong(of, run(of)), "");
    }
  }
}

/// Sums in half precision are rounded in a way that is not known: on an H200, 1 or 2 of 24,576 differ from adder 2.
TEST_F(MatrixProductsOnAGpu, HaveTheBitsOfAnAdderOfTheSimulator) {
  for (const MatrixRow& row : matrix_rows()) {
    if (row.architecture > capability() || row.sum == "int") continue;
    std::string equal, unequal;
    for (unsigned adder = 0; adder < adder_count; ++adder) {
      std::size_t differing = 0, all = 0;
      for (const int range : {0, 4, 12}) {
        const Operands of = random_numbers(row, 64, range);
        const Bytes got = run(of), modelled = simulated(of, adder);
        EXPECT_EQ(beyond_the_bound(of, got), "");
        const std::size_t bytes = bytes_of_type(row.sum);
        for (std::size_t i = 0; i < got.size(); i += bytes, ++all)
          differing += std::memcmp(got.data() + i, modelled.data() + i, bytes) != 0 ? 1 : 0;
      }
      if (differing <= (row.sum == "float16" ? all / 1000 : 0))
        equal += fmt::format(" {}", adder);
      else
        unequal += fmt::format("adder {}: {} of {} sums differ; ", adder, differing, all);
      if (!has_float_sums(row)) break;
    }
    fmt::print("{}: the bits of adder{}; {}\n", row.instruction(), equal.empty() ? " none" : equal, unequal);
    EXPECT_NE(equal, "") << row.instruction() << ": " << unequal;
  }
}

}  // namespace
}  // namespace warpwright::built_ins
