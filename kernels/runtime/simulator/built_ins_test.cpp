// Tests of CUDA's built-ins in the simulator: warp operations, atomics, bits, barriers that count, types and
// mathematics.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cfloat>
#include <cmath>
#include <numbers>
#include <numeric>
#include <set>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

/// The values of `out`, an array of 64 values that starts at 0, after a kernel with that body, under several schedules.
template <class T>
std::vector<T> results_of(const std::string& type, ElementType element, const std::string& body,
                          std::uint32_t threads = 32, std::vector<T> start = std::vector<T>(64, T{})) {
  std::vector<T> first;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    Experiment experiment{
        .text = "__global__ void kernel(" + type + "* out) {\n  const int t = threadIdx.x;\n" + body + "\n}\n",
        .entry = "kernel",
        .block = {threads}};
    experiment.with("out", Role::inout, element, start);
    const Execution execution = experiment.run(seed);
    EXPECT_EQ(summary_of(execution), "") << body << '\n' << describe(execution.findings.at(0));
    const auto values = values_of<T>(experiment.contents[0]);
    if (seed == 0) first = values;
    EXPECT_EQ(values, first) << body;
  }
  return first;
}

std::vector<int> ints_of(const std::string& body, std::uint32_t threads = 32) {
  return results_of<int>("int", ElementType::i32, body, threads);
}

/// A vector of 64 values: f(0), ..., f(31), then zeros.
template <class F>
std::vector<int> for_lanes(F f) {
  std::vector<int> values(64, 0);
  for (int lane = 0; lane < 32; ++lane) values[static_cast<std::size_t>(lane)] = f(lane);
  return values;
}

/// The results of 16 threads that have their own mask and shuffle within eight lanes.
TEST(BuiltIns, of_a_warp_of_16_threads_give_what_is_known) {
  const auto of_16 = [](const std::string& expression) {
    std::vector<int> values = ints_of("const unsigned mask = 0xffff; out[t] = " + expression + ";", 16);
    values.resize(16);
    return values;
  };
  const auto everywhere = [](int value) { return std::vector<int>(16, value); };
  EXPECT_EQ(of_16("__ballot_sync(mask, t > 0)"), everywhere(0xfffe));
  EXPECT_EQ(of_16("__ballot_sync(mask, t == 0)"), everywhere(1));
  EXPECT_EQ(of_16("__all_sync(mask, t) + 2 * __all_sync(mask, 1)"), everywhere(2));
  EXPECT_EQ(of_16("__any_sync(mask, t) + 2 * __any_sync(mask, 0)"), everywhere(1));
  EXPECT_EQ(of_16("__shfl_up_sync(mask, t, 1, 8)"),
            (std::vector<int>{0, 0, 1, 2, 3, 4, 5, 6, 8, 8, 9, 10, 11, 12, 13, 14}));
  EXPECT_EQ(of_16("__shfl_down_sync(mask, t, 1, 8)"),
            (std::vector<int>{1, 2, 3, 4, 5, 6, 7, 7, 9, 10, 11, 12, 13, 14, 15, 15}));
  Experiment whole{.text = "__global__ void kernel(int* out) { out[threadIdx.x] = __any_sync(0xffffffffu, 1); }",
                   .entry = "kernel",
                   .block = {16}};
  whole.with("out", Role::inout, ElementType::i32, std::vector<int>(16));
  EXPECT_NE(summary_of(whole.run(0)), "") << "the mask has lanes that are not there";
}

TEST(BuiltIns, shuffles_read_the_lane_that_cuda_reads) {
  EXPECT_EQ(ints_of("out[t] = __shfl_sync(~0u, 10 * t, 5);"), for_lanes([](int) { return 50; }));
  EXPECT_EQ(ints_of("out[t] = __shfl_sync(~0u, 10 * t, 37);"), for_lanes([](int) { return 50; }));
  EXPECT_EQ(ints_of("out[t] = __shfl_sync(~0u, 10 * t, 9, 8);"), for_lanes([](int t) { return 10 * (t / 8 * 8 + 1); }));
  EXPECT_EQ(ints_of("out[t] = __shfl_up_sync(~0u, t, 3);"), for_lanes([](int t) { return t < 3 ? t : t - 3; }));
  EXPECT_EQ(ints_of("out[t] = __shfl_up_sync(~0u, t, 3, 16);"),
            for_lanes([](int t) { return t % 16 < 3 ? t : t - 3; }));
  EXPECT_EQ(ints_of("out[t] = __shfl_down_sync(~0u, t, 4);"), for_lanes([](int t) { return t + 4 > 31 ? t : t + 4; }));
  EXPECT_EQ(ints_of("out[t] = __shfl_down_sync(~0u, t, 4, 8);"),
            for_lanes([](int t) { return t % 8 + 4 > 7 ? t : t + 4; }));
  EXPECT_EQ(ints_of("out[t] = __shfl_xor_sync(~0u, t, 9);"), for_lanes([](int t) { return t ^ 9; }));
  EXPECT_EQ(ints_of("out[t] = __shfl_xor_sync(~0u, t, 8, 8);"),
            for_lanes([](int t) { return (t ^ 8) < t / 8 * 8 + 8 ? t ^ 8 : t; }));
}

TEST(BuiltIns, shuffles_move_every_type_whole) {
  EXPECT_EQ(ints_of("out[t] = __shfl_xor_sync(~0u, 1LL << (t + 30), 1) == 1LL << ((t ^ 1) + 30);"),
            for_lanes([](int) { return 1; }));
  EXPECT_EQ(ints_of("out[t] = __shfl_xor_sync(~0u, 1ULL << (t + 30), 1) == 1ULL << ((t ^ 1) + 30);"),
            for_lanes([](int) { return 1; }));
  EXPECT_EQ(ints_of("out[t] = __shfl_xor_sync(~0u, t + 0.25, 1) == (t ^ 1) + 0.25;"), for_lanes([](int) { return 1; }));
  EXPECT_EQ(ints_of("out[t] = __shfl_xor_sync(~0u, -t - 0.25f, 1) == -(t ^ 1) - 0.25f;"),
            for_lanes([](int) { return 1; }));
  EXPECT_EQ(ints_of("out[t] = __shfl_xor_sync(~0u, 0xf0000000u + t, 1) == 0xf0000000u + (t ^ 1);"),
            for_lanes([](int) { return 1; }));
}

TEST(BuiltIns, votes_and_matches_use_the_lanes_of_their_mask) {
  EXPECT_EQ(ints_of("out[t] = __ballot_sync(~0u, t % 3 == 0) == 0x49249249u;"), for_lanes([](int) { return 1; }));
  EXPECT_EQ(ints_of("if (t < 4) out[t] = __ballot_sync(0xfu, t != 2);"),
            for_lanes([](int t) { return t < 4 ? 0xb : 0; }));
  EXPECT_EQ(ints_of("out[t] = __any_sync(~0u, t == 7) * 2 + __any_sync(~0u, t == 70);"),
            for_lanes([](int) { return 2; }));
  EXPECT_EQ(ints_of("out[t] = __all_sync(~0u, t < 32) * 2 + __all_sync(~0u, t < 31);"),
            for_lanes([](int) { return 2; }));
  EXPECT_EQ(
      ints_of("out[t] = __popc(__match_any_sync(~0u, t / 5)) + ((__match_any_sync(~0u, t / 5) >> t & 1u) ? 100 : 0);"),
      for_lanes([](int t) { return t < 30 ? 105 : 102; }));
  EXPECT_EQ(ints_of("out[t] = (__activemask() >> t) & 1u;"), for_lanes([](int) { return 1; }));
}

TEST(BuiltIns, two_parts_of_a_warp_work_separately) {
  EXPECT_EQ(ints_of("int sum = t;\n"
                    "const unsigned mask = t < 16 ? 0xffffu : 0xffff0000u;\n"
                    "for (int d = 8; d > 0; d /= 2) sum += __shfl_xor_sync(mask, sum, d, 16);\n"
                    "out[t] = sum;"),
            for_lanes([](int t) { return t < 16 ? 120 : 376; }));
}

TEST(BuiltIns, barriers_count_and_vote) {
  const auto values = ints_of(
      "const int a = __syncthreads_count(t % 2);\nconst int b = __syncthreads_or(t == 50);\n"
      "const int c = __syncthreads_and(t != 50);\nconst int d = __syncthreads_and(1);\n"
      "out[t] = a * 1000 + b * 100 + c * 10 + d;",
      64);
  EXPECT_EQ(values, std::vector<int>(64, 32101));
}

TEST(BuiltIns, bits_are_counted_as_on_a_device) {
  const auto values = ints_of(
      "if (t == 0) { out[0] = __clz(0); out[1] = __clz(1); out[2] = __ffs(0); out[3] = __ffs(8);\n"
      "out[4] = __popc(0xff00ffu); out[5] = __brev(1u) == 0x80000000u; out[6] = __clzll(1);\n"
      "out[7] = __ffsll(1LL << 40); out[8] = __popcll(~0ULL); out[9] = __brevll(2) == 1ULL << 62; }");
  const std::vector<int> expected = {32, 31, 0, 4, 16, 1, 63, 41, 64, 1};
  EXPECT_EQ(std::vector<int>(values.begin(), values.begin() + 10), expected);
}

TEST(BuiltIns, atomics_of_integers_wrap_around) {
  const auto values = ints_of(
      "if (t == 0) { out[0] = 2147483647; out[1] = -2147483647;\n"
      "atomicAdd(out + 0, 2); atomicSub(out + 1, 3); }");
  EXPECT_EQ(values.at(0), -2147483647);
  EXPECT_EQ(values.at(1), 2147483646);
}

TEST(BuiltIns, atomics_do_what_their_names_say) {
  const std::vector<unsigned> start = {0, 1000, 5, 5, 0xffu, 0, 0xfu, 7, 3, 0, 10};
  std::vector<unsigned> padded = start;
  padded.resize(64, 0);
  const auto values = results_of<unsigned>("unsigned", ElementType::u32,
                                           "atomicAdd(out + 0, t); atomicSub(out + 1, t); atomicMin(out + 2, t + 2);\n"
                                           "atomicMax(out + 3, t); atomicAnd(out + 4, ~(1u << (t % 4)));\n"
                                           "atomicOr(out + 5, 1u << t); atomicXor(out + 6, 1u << (t % 4));\n"
                                           "atomicExch(out + 7, 9u); if (t == 5) atomicCAS(out + 8, 3u, 8u);\n"
                                           "atomicInc(out + 9, 4u); atomicDec(out + 10, 20u);",
                                           32, padded);
  unsigned incremented = 0, decremented = 10;
  for (int i = 0; i < 32; ++i) {
    incremented = incremented >= 4 ? 0 : incremented + 1;
    decremented = decremented == 0 ? 20 : decremented - 1;
  }
  const std::vector<unsigned> expected = {496, 504, 2, 31, 0xf0u, 0xffffffffu, 0xfu, 9, 8, incremented, decremented};
  EXPECT_EQ(std::vector<unsigned>(values.begin(), values.begin() + 11), expected);
}

TEST(BuiltIns, atomics_return_the_old_value) {
  const auto values = ints_of(
      "__shared__ int next[1];\nif (t == 0) next[0] = 0;\n"
      "__syncthreads();\nout[atomicAdd(&next[0], 1)] = 1;",
      64);
  EXPECT_EQ(values, std::vector<int>(64, 1));
}

TEST(BuiltIns, float_atomics_flush_subnormals_in_global_memory_only) {
  const float tiny = 1e-40f;
  std::vector<float> start(64, 0.0f);
  start[0] = tiny;
  const auto values = results_of<float>("float", ElementType::f32,
                                        "__shared__ float x[1];\nx[0] = 0.0f;\natomicAdd(&x[0], 1e-40f);\n"
                                        "out[1] = x[0];\natomicAdd(out, 1e-40f);\natomicAdd(out + 2, 1.5f);",
                                        1, start);
  EXPECT_EQ(values[0], 0.0f);
  EXPECT_EQ(values[1], tiny);
  EXPECT_EQ(values[2], 1.5f);
}

TEST(BuiltIns, indices_count_as_on_a_device) {
  Experiment experiment{.text =
                            "__global__ void kernel(int* out) {\n"
                            "  const int b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);\n"
                            "  const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);\n"
                            "  out[b * 24 + t] = (b * 24 + t) * (warpSize / 32);\n}\n",
                        .entry = "kernel",
                        .grid = {2, 3, 2},
                        .block = {4, 3, 2}};
  experiment.with("out", Role::out, ElementType::i32, std::vector<int>(288, -1));
  EXPECT_EQ(summary_of(experiment.run(3)), "");
  std::vector<int> expected(288);
  std::iota(expected.begin(), expected.end(), 0);
  EXPECT_EQ(values_of<int>(experiment.contents[0]), expected);
}

TEST(BuiltIns, vector_types_have_cudas_size_and_alignment) {
  EXPECT_EQ(
      ints_of("static_assert(sizeof(float2) == 8 && alignof(float2) == 8);\n"
              "static_assert(sizeof(float3) == 12 && alignof(float3) == 4);\n"
              "static_assert(sizeof(float4) == 16 && alignof(float4) == 16);\n"
              "static_assert(sizeof(double2) == 16 && alignof(double2) == 16);\n"
              "static_assert(sizeof(uchar4) == 4 && alignof(uchar4) == 4);\n"
              "static_assert(sizeof(longlong2) == 16 && alignof(longlong2) == 16);\n"
              "static_assert(sizeof(warpwright::vec<float, 3>) == 12 && alignof(warpwright::vec<float, 4>) == 16);\n"
              "static_assert(alignof(warpwright::vec<double, 4>) == 16);\n"
              "const float4 v = make_float4(1, 2, 3, 4);\nif (t == 0) out[0] = v.x + v.y + v.z + v.w;")[0],
      10);
}

TEST(BuiltIns, mathematics_uses_the_precision_of_the_type) {
  const auto values = ints_of(
      "static_assert(sizeof(sqrt(1.0f)) == 4 && sizeof(sqrt(1.0)) == 8 && sizeof(fmax(1.0f, 2.0f)) == 4);\n"
      "const float nan = __int_as_float(0x7fc00000);\n"
      "if (t == 0) { out[0] = min(3u, 4) + max(-1, 2); out[1] = fminf(nan, 2.0f); out[2] = rsqrtf(0.25f);\n"
      "out[3] = fmaf(2.0f, 3.0f, 4.0f); out[4] = abs(-3) + fabs(-4.0); out[5] = __float_as_int(1.0f) == 0x3f800000;\n"
      "out[6] = isnan(nan); out[7] = min(2.5, 3.5f) * 2; }");
  EXPECT_EQ(std::vector<int>(values.begin(), values.begin() + 8), (std::vector<int>{5, 2, 2, 10, 7, 1, 1, 5}));
}

TEST(BuiltIns, warps_reduce_and_match) {
  EXPECT_EQ(ints_of("out[t] = __reduce_add_sync(~0u, t - 20) * 100 + __reduce_max_sync(~0u, t - 40);"),
            for_lanes([](int) { return -144 * 100 - 9; }));
  EXPECT_EQ(
      ints_of(
          "out[t] = __reduce_min_sync(~0u, t - 5) + (__reduce_min_sync(~0u, t - 5u) == 0) +\n"
          "__reduce_and_sync(~0u, t | 64u) + __reduce_or_sync(~0u, 256u) + __reduce_xor_sync(~0u, t == 3 ? 2u : 0u);"),
      for_lanes([](int) { return -5 + 1 + 64 + 256 + 2; }));
  EXPECT_EQ(ints_of("int all = 7, none = 7;\nconst unsigned a = __match_all_sync(~0u, 2.5, &all);\n"
                    "const unsigned b = __match_all_sync(~0u, t, &none);\nout[t] = all * 10 + none + (a == ~0u) + b;"),
            for_lanes([](int) { return 11; }));
  EXPECT_EQ(ints_of("static_assert(sizeof(__shfl_sync(~0u, short(1), 0)) == 4);\n"
                    "out[t] = __shfl_xor_sync(~0u, static_cast<signed char>(-t), 1);"),
            for_lanes([](int t) { return -(t ^ 1); }));
}

TEST(BuiltIns, packed_integers_stay_in_their_lanes) {
  EXPECT_EQ(
      ints_of("if (t == 0) { out[0] = __vadd4(0x01ff7f80, 0x01010101) == 0x02008081;\n"
              "out[1] = __vaddss4(0x01ff7f80, 0x010101ff) == 0x02007f80; out[2] = __vaddus2(0xfffe0001, 0x00030001) == "
              "0xffff0002;\n"
              "out[3] = __vcmpgts2(0x8000ffff, 0x00000000) == 0; out[4] = __vcmpgtu2(0x8000ffff, 0x00000000) == ~0u;\n"
              "out[5] = __vsadu4(0x01020304, 0x04030201) == 8; out[6] = __vavgs4(0xfdfdfdfd, 0) == 0xfefefefe;\n"
              "out[7] = __viaddmax_s16x2_relu(0xfffb0003, 0x00010001, 0xfffffff0) == 4; out[8] = __vabs2(0x8000ffff) "
              "== 0x80000001;\n"
              "out[9] = __dp4a(0x01ff0203, 0x02020202, 5) == 15; out[10] = __byte_perm(0x33221100, 0x77665544, 0x7531) "
              "== 0x77553311;\n"
              "out[11] = __funnelshift_lc(1, 2, 40) == 1 && __funnelshift_l(0x80000000, 2, 33) == 5 && "
              "__funnelshift_rc(1, 2, 32) == 2;\n"
              "out[12] = __mulhi(-1, 1) == -1 && __umulhi(~0u, ~0u) == ~0u - 1 && __mul24(0xffffff, 2) == -2;\n"
              "out[13] = __sad(-3, 4, 1u) == 8 && __hadd(-3, 0) == -2 && __rhadd(-3, 0) == -1 && __dp2a_hi(0x00020003, "
              "0x05040302, 1) == 23; }"),
      [] {
        std::vector<int> values(64, 0);
        std::fill(values.begin(), values.begin() + 14, 1);
        return values;
      }());
}

TEST(BuiltIns, numbers_are_rounded_as_requested) {
  const auto values = ints_of(
      "if (t == 0) { out[0] = __fadd_ru(1.0f, 1e-20f) > 1.0f && __fadd_rd(1.0f, 1e-20f) == 1.0f && __fadd_rz(-1.0f, "
      "1e-20f) > -1.0f;\n"
      "out[1] = __fdiv_ru(1.0f, 3.0f) > __fdiv_rd(1.0f, 3.0f) && __dsqrt_ru(2.0) > __dsqrt_rd(2.0);\n"
      "out[2] = __float2int_rn(2.5f) * 1000 + __float2int_ru(2.5f) * 100 + __float2int_rd(-2.5f) * 10 + "
      "__float2int_rz(-2.5f);\n"
      "out[3] = __float2int_rn(1e20f) == 0x7fffffff && __float2uint_rn(-5.0f) == 0 && __float2int_rn(nanf(\"\")) == 0 "
      "&&\n"
      "__double2int_rn(nan(\"\")) == -0x7fffffff - 1;\nout[4] = __int2float_ru(16777217) == 16777218.0f && "
      "__int2float_rd(16777217) == 16777216.0f;\n"
      "out[5] = fmaf(1.0f + 0x1p-23f, 1.0f + 0x1p-23f, -1.0f) == 0x1p-22f + 0x1p-46f;\n"
      "out[6] = signbit(fminf(0.0f, -0.0f)) && !signbit(fmaxf(-0.0f, 0.0f)); }");
  EXPECT_EQ(std::vector<int>(values.begin(), values.begin() + 7), (std::vector<int>{1, 1, 2268, 1, 1, 1, 1}));
}

TEST(BuiltIns, print_the_output_of_device_code) {
  Experiment experiment{
      .text = "__global__ void kernel(int* out) {\n  out[0] = printf(\"%d and %s %.1f\\n\", 7, \"words\", 2.5f);\n}\n",
      .entry = "kernel",
      .block = {1}};
  experiment.with("out", Role::out, ElementType::i32, std::vector<int>(1));
  testing::internal::CaptureStderr();
  EXPECT_EQ(summary_of(experiment.run()), "");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "7 and words 2.5\n");
  EXPECT_EQ(values_of<int>(experiment.contents[0])[0], 3);
}

TEST(BuiltIns, a_failed_assert_is_a_finding_with_its_line) {
  const Experiment experiment = over_buffers(
      "  assert(threadIdx.x < 64);\n"
      "  assert(threadIdx.x != 5);  // HERE\n"
      "  b[threadIdx.x] = 1;\n",
      {1}, {32});
  EXPECT_THAT(expect_finding(experiment, FindingKind::trap).message,
              testing::HasSubstr("assert(threadIdx.x != 5) failed"));
}

TEST(BuiltIns, clocks_rise_and_waiting_for_one_ends) {
  EXPECT_EQ(
      ints_of("const long long start = clock64();\nwhile (clock64() - start < 5000) {}\nout[t] = clock() > start;"),
      for_lanes([](int) { return 1; }));
}

TEST(BuiltIns, clocks_rise_by_other_steps_in_each_schedule) {
  std::set<std::vector<int>> steps;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    Experiment experiment = over_buffers(
        "long long before = clock64();\nfor (int i = 0; i < 4; ++i) {\n  const long long now = clock64();\n"
        "  b[i] = now - before;\n  before = now;\n}",
        {1}, {1}, 4);
    EXPECT_EQ(summary_of(experiment.run(seed)), "");
    const std::vector<int> values = values_of<int>(experiment.contents[1]);
    EXPECT_THAT(values, testing::Each(testing::Gt(0)));
    steps.insert(values);
  }
  EXPECT_EQ(steps.size(), 10u);
  EXPECT_TRUE(steps.contains(std::vector<int>(4, 64))) << "the simplest schedule";
}

TEST(BuiltIns, name_the_constants_of_cudas_header) {
  Experiment experiment = two_buffers(R"(
#include <math_constants.h>
__global__ void kernel(float* first, float* second) {
  const float all[] = {CUDART_INF_F, CUDART_PI_F, CUDART_LN2_F, CUDART_SQRT_TWO_F, CUDART_MAX_NORMAL_F, CUDART_MIN_DENORM_F,
                       CUDART_PI - CUDART_PI_F, CUDART_TWO_TO_M54};
  first[threadIdx.x] = all[threadIdx.x];
}
)",
                                      8, 8);
  EXPECT_EQ(summary_of(experiment.run(0)), "");
  constexpr auto pi = std::numbers::pi_v<float>;
  EXPECT_THAT(
      values_of<float>(experiment.contents[0]),
      testing::ElementsAre(INFINITY, pi, std::numbers::ln2_v<float>, std::numbers::sqrt2_v<float>, FLT_MAX, 0x1p-149f,
                           static_cast<float>(std::numbers::pi - static_cast<double>(pi)), 0x1p-54f));
}

}  // namespace
}  // namespace warpwright::simulator
