// Tests that inline PTX of matrix units and asynchronous copies, and wmma, run in the simulator and are checked there.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

using testing::HasSubstr;

/// first: 16 x 16 floats 0, 1, 2, ...; second: as many. One warp.
Experiment over_matrix(const std::string& text) {
  Experiment experiment{.text = text, .entry = "kernel"};
  std::vector<float> values(256);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
  experiment.with("first", Role::inout, ElementType::f32, values);
  experiment.with("second", Role::inout, ElementType::f32, std::vector<float>(256, 1));
  return experiment;
}

const std::string product_in_ptx = R"(
#include <cuda_fp16.h>
#define LOAD_A(R0, R1, R2, R3, address)                                              \
  asm volatile("ldmatrix.sync.aligned.x4.m8n8.shared.b16 {%0, %1, %2, %3}, [%4];\n" \
               : "=r"(R0), "=r"(R1), "=r"(R2), "=r"(R3)                              \
               : "r"(address))
__global__ void kernel(const float* first, float* second) {
  __shared__ __align__(16) half a[16][16], b[16][8];
  for (int i = threadIdx.x; i < 256; i += 32) a[i / 16][i % 16] = __float2half(first[i]);
  for (int i = threadIdx.x; i < 128; i += 32) b[i / 8][i % 8] = __float2half(i / 8 == i % 8 ? 2.0f : 0.0f);
  __syncthreads();
  uint32_t ra[4], rb[2];
  const uint32_t at = static_cast<uint32_t>(__cvta_generic_to_shared(&a[threadIdx.x % 16][threadIdx.x / 16 * 8]));
  LOAD_A(ra[0], ra[1], ra[2], ra[3], at);
  uint32_t of_b;
  asm("{ .reg .u64 s; cvta.to.shared.u64 s, %1; cvt.u32.u64 %0, s; }" : "=r"(of_b) : "l"(&b[threadIdx.x % 16][0]));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(of_b));
  float d[4] = {1, 1, 1, 1};
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
  for (int i = 0; i < 4; ++i)
    second[(threadIdx.x / 4 + i / 2 * 8) * 16 + threadIdx.x % 4 * 2 + i % 2] = d[i];
}
)";

TEST(InlinePtxOfMatrixUnits, gives_plain_products) {
  Experiment experiment = over_matrix(product_in_ptx);
  ASSERT_EQ(summary_of(experiment.run(1)), "");
  const auto got = values_of<float>(experiment.contents[1]);
  for (std::size_t i = 0; i < 256; ++i) EXPECT_EQ(got[i], i % 16 < 8 ? 1 + 2 * static_cast<float>(i) : 1) << i;
}

TEST(InlinePtxOfMatrixUnits, is_checked_at_its_line) {
  std::string text = product_in_ptx;
  const std::string row = "&a[threadIdx.x % 16][threadIdx.x / 16 * 8]";
  text.replace(text.find(row), row.size(), "&a[threadIdx.x % 16][threadIdx.x / 16 * 8 + 1]");
  const Execution execution = over_matrix(text).run(0);
  ASSERT_EQ(execution.findings.size(), 1U);
  EXPECT_EQ(execution.findings[0].kind, FindingKind::misaligned);
  EXPECT_EQ(execution.findings[0].location.line, line_of(text, "LOAD_A(ra[0]"));
  std::string divergent = product_in_ptx;
  divergent.replace(divergent.find("  asm volatile(\n"), 2, "  if (threadIdx.x > 3) ");
  EXPECT_EQ(over_matrix(divergent).run(0).findings.at(0).kind, FindingKind::bad_warp_mask);
}

const std::string copies_in_ptx = R"(
__global__ void kernel(const float* first, float* second) {
  __shared__ __align__(16) float tile[128];
  const uint32_t to = static_cast<uint32_t>(__cvta_generic_to_shared(tile + 4 * threadIdx.x));
  asm volatile("cp.async.cg.shared.global [%0], [%1], %2;\n" ::"r"(to), "l"(first + 4 * threadIdx.x), "n"(16));
  asm volatile("cp.async.commit_group;\n" ::);
  asm volatile("cp.async.wait_group %0;\n" ::"n"(0));
  __syncthreads();
  second[threadIdx.x] = tile[127 - threadIdx.x];
}
)";

TEST(InlinePtxOfCopies, is_complete_after_its_wait) {
  Experiment experiment = over_matrix(copies_in_ptx);
  ASSERT_EQ(summary_of(experiment.run(1)), "");
  EXPECT_EQ(values_of<float>(experiment.contents[1])[5], 122);
  std::string hasty = copies_in_ptx;
  const std::string wait = R"(asm volatile("cp.async.wait_group %0;\n" ::"n"(0));)";
  hasty.erase(hasty.find(wait), wait.size());
  EXPECT_THAT(summary_of(over_matrix(hasty).run(1)), HasSubstr("unfinished copy"));
}

/// Ones times twos by a warpgroup, as CUTLASS writes it: each sum is 32.
const std::string warpgroup_in_ptx = R"(
__device__ uint64_t describe(const void* first) {
  const uint64_t at = static_cast<uint32_t>(__cvta_generic_to_shared(first));
  return (at & 0x3FFFF) >> 4 | uint64_t{128 >> 4} << 16 | uint64_t{256 >> 4} << 32;
}
struct Atom {
  static __device__ void fma(uint64_t const& a, uint64_t const& b, float& d0, float& d1, float& d2, float& d3, int scale) {
    asm volatile(
        "{\n"
        ".reg .pred p;\n"
        "setp.ne.b32 p, %6, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n8k16.f32.bf16.bf16 {%0, %1, %2, %3}, %4, %5, p, %7, %8, %9, %10;\n"
        "}\n"  // PRODUCT
        : "+f"(d0), "+f"(d1), "+f"(d2), "+f"(d3)
        : "l"(a), "l"(b), "r"(scale), "n"(1), "n"(1), "n"(0), "n"(0));
  }
};
__global__ void kernel(const float* first, float* second) {
  __shared__ __align__(128) unsigned short a[64 * 16], b[8 * 16];
  for (int i = threadIdx.x; i < 64 * 16; i += 128) a[i] = 0x3f80;
  if (threadIdx.x < 128) b[threadIdx.x] = 0x4000;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");  // PROXY
  asm volatile("bar.sync 1, 128;" ::: "memory");  // BARRIER
  float d[4];
  for (int i = 0; i < 4; ++i) asm volatile("" : "+f"(d[i])::"memory");
  asm volatile("wgmma.fence.sync.aligned;\n" ::: "memory");  // FENCE
  Atom::fma(describe(a), describe(b), d[0], d[1], d[2], d[3], 0);
  asm volatile("wgmma.commit_group.sync.aligned;\n" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned %0;\n" ::"n"(0) : "memory");  // WAIT
  second[threadIdx.x] = d[0];  // READ
  second[128 + threadIdx.x] = d[3];
}
)";

Experiment over_warpgroup(const std::string& text) {
  Experiment experiment = over_matrix(text);
  experiment.block = {128};
  return experiment;
}

/// The text without the statement before that mark.
std::string without_statement(std::string text, const std::string& mark) {
  const std::size_t end = text.find("// " + mark);
  return text.erase(text.rfind("asm", end), end - text.rfind("asm", end));
}

TEST(InlinePtxOfWarpgroups, gives_plain_products) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    Experiment experiment = over_warpgroup(warpgroup_in_ptx);
    const Execution execution = experiment.run(seed);
    ASSERT_EQ(summary_of(execution), "") << describe(execution.findings.at(0));
    for (const float sum : values_of<float>(experiment.contents[1])) EXPECT_EQ(sum, 32);
  }
}

TEST(InlinePtxOfWarpgroups, is_checked) {
  const Finding early = expect_finding(over_warpgroup(without_statement(warpgroup_in_ptx, "WAIT")),
                                       FindingKind::unfinished_copy, "// READ");
  EXPECT_THAT(early.message, HasSubstr("load of 4 bytes of the registers of wgmma m64n8k16 f32.bf16.bf16"));
  EXPECT_THAT(over_warpgroup(without_statement(warpgroup_in_ptx, "PROXY")).run(1).findings.at(0).message,
              HasSubstr("the thread that stored has executed no fence_async since"));
  EXPECT_THAT(over_warpgroup(without_statement(warpgroup_in_ptx, "FENCE")).run(1).findings.at(0).message,
              HasSubstr("no products_fence has followed"));
  EXPECT_FALSE(races_of(over_warpgroup(without_statement(warpgroup_in_ptx, "BARRIER"))).empty());
}

TEST(InlinePtxOfWarpgroups, takes_registers_that_do_not_follow_each_other) {
  std::string text = with(warpgroup_in_ptx, "float d[4];", "float d[8];");
  text = with(text, "i < 4; ++i) asm", "i < 8; ++i) asm");
  text = with(text, "d[0], d[1], d[2], d[3], 0);", "d[0], d[2], d[4], d[7], 0);");
  Experiment experiment = over_warpgroup(with(text, "= d[3];", "= d[7];"));
  ASSERT_EQ(summary_of(experiment.run(2)), "");
  for (const float sum : values_of<float>(experiment.contents[1])) EXPECT_EQ(sum, 32);
  const std::string touched =
      with(text, "  asm volatile(\"wgmma.wait", "  second[threadIdx.x] = d[4];  // EARLY\n  asm volatile(\"wgmma.wait");
  expect_finding(over_warpgroup(touched), FindingKind::unfinished_copy, "// EARLY");
  // A register between them is free.
  const std::string other = with(text, "  asm volatile(\"wgmma.wait", "  d[3] = 1;\n  asm volatile(\"wgmma.wait");
  EXPECT_EQ(summary_of(over_warpgroup(other).run(2)), "");
}

TEST(InlinePtxOfWarpgroups, takes_a_from_registers) {
  std::string text = with(warpgroup_in_ptx, "uint64_t const& a, uint64_t", "const uint32_t (&a)[4], uint64_t");
  text = with(text, "{%0, %1, %2, %3}, %4, %5, p, %7, %8, %9, %10;",
              "{%0, %1, %2, %3}, {%4, %5, %6, %7}, %8, p, %10, %11, %12;");
  text = with(text, "p, %6, 0;", "p, %9, 0;");
  text = with(text, ": \"l\"(a), \"l\"(b), \"r\"(scale), \"n\"(1), \"n\"(1), \"n\"(0), \"n\"(0));",
              ": \"r\"(a[0]), \"r\"(a[1]), \"r\"(a[2]), \"r\"(a[3] + 0u), \"l\"(b), \"r\"(scale), \"n\"(1), \"n\"(-1), "
              "\"n\"(0));");
  text = with(text, "  float d[4];",
              "  uint32_t ones[4] = {0x3f803f80, 0x3f803f80, 0x3f803f80, 0x3f803f80};\n  float d[4];");
  text = with(text, "Atom::fma(describe(a), ", "Atom::fma(ones, ");
  Experiment experiment = over_warpgroup(text);
  const Execution execution = experiment.run(3);
  ASSERT_EQ(summary_of(execution), "") << describe(execution.findings.at(0));
  for (const float sum : values_of<float>(experiment.contents[1])) EXPECT_EQ(sum, -32) << "B is negated";
  const std::string touched =
      with(text, "  asm volatile(\"wgmma.wait", "  ones[1] = 0;  // EARLY\n  asm volatile(\"wgmma.wait");
  expect_finding(over_warpgroup(touched), FindingKind::unfinished_copy, "// EARLY");
}

/// D = A B with A = first as T, and B twice the identity, through shared memory; in pieces of K terms.
std::string wmma_text(const std::string& type, const std::string& element, const std::string& sum, int m, int n, int k,
                      const std::string& layout) {
  std::string text = R"(
#include <mma.h>
using namespace nvcuda;
__global__ void kernel(const float* first, float* second) {
  using T = ELEMENT;
  using Sum = SUM;
  __shared__ __align__(32) T a[M * K], b[K * N];
  __shared__ __align__(32) Sum d[M * N];
  for (int i = threadIdx.x; i < M * K; i += 32) a[i] = T(i % K + i / K % 3);
  for (int i = threadIdx.x; i < K * N; i += 32) {
    const int row = wmma::LAYOUT_is_rows ? i / N : i % K, column = wmma::LAYOUT_is_rows ? i % N : i / K;
    b[i] = T(row == column ? 2.0f : 0.0f);
  }
  __syncthreads();
  wmma::fragment<wmma::matrix_a, M, N, K, TYPE, wmma::row_major> of_a;
  wmma::fragment<wmma::matrix_b, M, N, K, TYPE, wmma::LAYOUT> of_b;
  wmma::fragment<wmma::accumulator, M, N, K, Sum> sums;
  wmma::fill_fragment(sums, 1);
  wmma::load_matrix_sync(of_a, a, K);
  wmma::load_matrix_sync(of_b, b, wmma::LAYOUT_is_rows ? N : K);
  wmma::mma_sync(sums, of_a, of_b, sums);
  for (int i = 0; i < sums.num_elements; ++i) sums.x[i] = sums.x[i] + Sum(1);
  wmma::store_matrix_sync(d, sums, N, wmma::mem_row_major);  // STORE
  __syncthreads();
  for (int i = threadIdx.x; i < M * N; i += 32) second[i] = static_cast<float>(d[i]);
}
)";
  const auto put = [&](const std::string& what, const std::string& instead) {
    for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + instead.size()))
      text.replace(at, what.size(), instead);
  };
  put("wmma::LAYOUT_is_rows", layout == "row_major" ? "true" : "false");
  put("LAYOUT", layout);
  put("ELEMENT", element);
  put("TYPE", type);
  put("SUM", sum);
  return "constexpr int M = " + std::to_string(m) + ", N = " + std::to_string(n) + ", K = " + std::to_string(k) + ";" +
         text;
}

void expect_wmma(const std::string& text, int m, int n, int k) {
  Experiment experiment = over_matrix(text);
  const Execution execution = experiment.run(2);
  ASSERT_EQ(summary_of(execution), "") << describe(execution.findings[0]);
  const auto got = values_of<float>(experiment.contents[1]);
  for (int i = 0; i < m * n; ++i) {
    const int row = i / n, column = i % n;
    const int factor = column < k ? 2 * (column + row % 3) : 0;
    EXPECT_EQ(got[static_cast<std::size_t>(i)], static_cast<float>(2 + factor)) << i << text.substr(0, 40);
  }
}

TEST(Wmma, multiplies_every_type_and_shape) {
  for (const auto& [m, n, k] : {std::tuple(16, 16, 16), {32, 8, 16}, {8, 32, 16}})
    expect_wmma(wmma_text("half", "half", "float", m, n, k, "col_major"), m, n, k);
  expect_wmma(wmma_text("half", "half", "half", 16, 16, 16, "row_major"), 16, 16, 16);
  expect_wmma(wmma_text("__nv_bfloat16", "__nv_bfloat16", "float", 16, 16, 16, "row_major"), 16, 16, 16);
  expect_wmma(wmma_text("wmma::precision::tf32", "float", "float", 16, 16, 8, "col_major"), 16, 16, 8);
  expect_wmma(wmma_text("double", "double", "double", 8, 8, 4, "row_major"), 8, 8, 4);
  expect_wmma(wmma_text("signed char", "signed char", "int", 16, 16, 16, "col_major"), 16, 16, 16);
}

TEST(Wmma, accesses_are_checked_and_all_lanes_take_part) {
  const auto with = [](const std::string& what, const std::string& instead) {
    std::string text = wmma_text("half", "half", "float", 16, 16, 16, "col_major");
    return over_matrix(text.replace(text.find(what), what.size(), instead)).run(1).findings.at(0).kind;
  };
  EXPECT_EQ(with("load_matrix_sync(of_a, a, K)", "load_matrix_sync(of_a, a, K + 8)"), FindingKind::out_of_bounds);
  EXPECT_EQ(with("load_matrix_sync(of_a, a, K)", "load_matrix_sync(of_a, a + 8, K)"), FindingKind::misaligned);
  EXPECT_EQ(with("wmma::store_matrix_sync(d", "if (threadIdx.x < 16) wmma::store_matrix_sync(d"), FindingKind::hang);
  EXPECT_EQ(with("load_matrix_sync(of_a, a, K)", "load_matrix_sync(of_a, a, K + threadIdx.x % 2)"),
            FindingKind::bad_warp_mask);
  EXPECT_EQ(with("__syncthreads();", ""), FindingKind::race) << "a load orders nothing";
}

TEST(InlinePtx, of_approximations_flushes_subnormal_numbers_and_has_few_bits_of_a_double) {
  Experiment experiment{.text = R"(
__global__ void kernel(const float* in, float* out, double* wide) {
  const float x = in[threadIdx.x];
  float root, inverse, kept;
  asm("rsqrt.approx.ftz.f32 %0, %1;" : "=f"(root) : "f"(x));
  asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(inverse) : "f"(x));
  asm("rcp.approx.f32 %0, %1;" : "=f"(kept) : "f"(x));
  out[3 * threadIdx.x] = root, out[3 * threadIdx.x + 1] = inverse, out[3 * threadIdx.x + 2] = kept;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(wide[threadIdx.x]) : "d"(3.0 * x));
})",
                        .entry = "kernel"};
  experiment.block = {.x = 3};
  experiment.with("in", Role::in, ElementType::f32, std::vector<float>{4, 0x1p-127F, 0x1p+127F});
  experiment.with("out", Role::out, ElementType::f32, std::vector<float>(9));
  experiment.with("wide", Role::out, ElementType::f64, std::vector<double>(3));
  ASSERT_EQ(summary_of(experiment.run(0)), "");
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_THAT(values_of<float>(experiment.contents[1]),
              testing::ElementsAre(0.5F, 0.25F, 0.25F, infinity, infinity, 0x1p+127F, 0x1.6a09e6p-64F, 0, 0x1p-127F));
  const double third = values_of<double>(experiment.contents[2])[0];
  EXPECT_NEAR(third, 1.0 / 12, 0x1p-23);
  EXPECT_NE(third, 1.0 / 12) << "the lower half of its bits is zero";
}

TEST(InlinePtx, of_bits_and_ballots_gives_the_lanes_that_agree) {
  Experiment experiment{.text = R"(
__global__ void kernel(const unsigned* in, unsigned* out) {
  unsigned lanes, mixed;
  asm volatile(
      "{ .reg .pred is_set; .reg .b32 own; and.b32 own, %1, %2; setp.ne.u32 is_set, own, 0;"
      " vote.sync.ballot.b32 %0, is_set, 0xffffffff; @!is_set not.b32 %0, %0; }"
      : "=r"(lanes)
      : "r"(in[threadIdx.x]), "r"(2));
  asm("{ .reg .b32 both; or.b32 both, %1, 8; xor.b32 %0, both, 1; }" : "=r"(mixed) : "r"(in[threadIdx.x]));
  out[threadIdx.x] = lanes, out[32 + threadIdx.x] = mixed;
})",
                        .entry = "kernel"};
  experiment.block = {.x = 32};
  std::vector<unsigned> in(32);
  for (unsigned i = 0; i < 32; ++i) in[i] = i;
  experiment.with("in", Role::in, ElementType::u32, in);
  experiment.with("out", Role::out, ElementType::u32, std::vector<unsigned>(64));
  ASSERT_EQ(summary_of(experiment.run(0)), "");
  const auto out = values_of<unsigned>(experiment.contents[1]);
  for (unsigned i = 0; i < 32; ++i) {
    EXPECT_EQ(out[i], i % 4 >= 2 ? 0xccccccccU : 0x33333333U) << i;
    EXPECT_EQ(out[32 + i], (i | 8) ^ 1) << i;
  }
}

}  // namespace
}  // namespace warpwright::simulator
