// Tests of half-precision numbers: conversions in software, and CUDA's half-precision types in the simulator.
#include "kernels/runtime/common/half.cuh"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "kernels/runtime/simulator/kernel_fixture.hpp"

namespace warpwright::simulator {
namespace {

template <class Half>
Half of_bits(unsigned bits) {
  Half half;
  half.bits = static_cast<unsigned short>(bits);
  return half;
}

/// The value of a number of 16 bits, from its parts.
double value_of_parts(unsigned bits, int exponent_bits, int mantissa_bits) {
  const int exponent = static_cast<int>(bits >> mantissa_bits & ((1U << exponent_bits) - 1));
  const double fraction = bits & ((1U << mantissa_bits) - 1);
  const int bias = (1 << (exponent_bits - 1)) - 1;
  const double sign = (bits >> 15) != 0 ? -1 : 1;
  if (exponent == 2 * bias + 1) return fraction != 0 ? std::nan("") : sign * HUGE_VAL;
  const double whole = exponent == 0 ? fraction : fraction + std::ldexp(1, mantissa_bits);
  return sign * std::ldexp(whole, std::max(exponent, 1) - bias - mantissa_bits);
}

template <class Half>
void check_every_number(int exponent_bits, int mantissa_bits) {
  for (unsigned bits = 0; bits < 0x10000; ++bits) {
    const double expected = value_of_parts(bits, exponent_bits, mantissa_bits);
    const auto wide = static_cast<float>(of_bits<Half>(bits));
    if (std::isnan(expected)) {
      ASSERT_TRUE(std::isnan(wide)) << bits;
      ASSERT_TRUE(std::isnan(static_cast<float>(Half(static_cast<double>(wide))))) << bits;
      continue;
    }
    ASSERT_EQ(static_cast<double>(wide), expected) << bits;
    ASSERT_EQ(std::signbit(wide), (bits >> 15) != 0) << bits;
    ASSERT_EQ(Half(expected).bits, bits);
  }
}

/// Between two neighbours, the nearer one is the result; halfway, the even one.
template <class Half>
void check_rounding(unsigned infinity) {
  for (unsigned bits = 0; bits + 1 < infinity; ++bits) {
    const auto low = static_cast<double>(of_bits<Half>(bits));
    const auto high = static_cast<double>(of_bits<Half>(bits + 1));
    const double middle = low + (high - low) / 2;
    const unsigned even = bits % 2 == 0 ? bits : bits + 1;
    ASSERT_EQ(Half(middle).bits, even);
    ASSERT_EQ(Half(std::nextafter(middle, low)).bits, bits);
    ASSERT_EQ(Half(std::nextafter(middle, high)).bits, bits + 1);
    ASSERT_EQ(Half(-middle).bits, even | 0x8000U);
  }
}

TEST(Half, every_number_is_the_float_of_its_value_and_back) {
  check_every_number<float16>(5, 10);
  check_every_number<bfloat16>(8, 7);
}

TEST(Half, is_rounded_to_the_nearest_and_to_even) {
  check_rounding<float16>(0x7c00);
  check_rounding<bfloat16>(0x7f80);
  EXPECT_EQ(float16(65519.99).bits, 0x7bff);
  EXPECT_EQ(float16(65520).bits, 0x7c00);
  EXPECT_EQ(float16(-1e300).bits, 0xfc00);
  EXPECT_EQ(float16(0x1p-25).bits, 0);
  EXPECT_EQ(float16(std::nextafter(0x1p-25, 1)).bits, 1);
  EXPECT_EQ(float16(5e-324).bits, 0);
  EXPECT_EQ(bfloat16(HUGE_VAL).bits, 0x7f80);
  static_assert(float16(1.5).bits == 0x3e00 && bfloat16(1.5).bits == 0x3fc0);
}

TEST(Half, cuda_types_compute_in_the_simulator_as_on_a_device) {
  Experiment experiment{.text = R"(
#include <cuda_fp16.h>
#include <cuda_bf16.h>
namespace shop {
template <class T>
__global__ void compute(const T* in, T* out, __half scale) {
  __shared__ T tile[4];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  T sum = tile[threadIdx.x];
  sum += in[0] * tile[threadIdx.x];
  if (sum > T(3.0f)) sum = T(3.0f) / T(4.0f) - sum;
  out[threadIdx.x] = sum + __float2half(__half2float(scale));
}
}
)",
                        .entry = "shop::compute<__half>",
                        .block = {4}};
  std::vector<unsigned short> in;
  for (const double number : {1.0, 0.5, 2.0, 1.0009765625}) in.push_back(float16(number).bits);
  experiment.with("in", Role::in, ElementType::f16, in);
  experiment.with("out", Role::out, ElementType::f16, std::vector<unsigned short>(4));
  experiment.values = {value_of("__half", float16(0.25))};
  const Execution execution = experiment.run();
  ASSERT_EQ(summary_of(execution), "") << describe(execution.findings.at(0));
  const std::vector<double> expected{2.25, 1.25, -3.0, 2.251953125};
  for (std::size_t i = 0; i < 4; ++i)
    EXPECT_EQ(values_of<unsigned short>(experiment.contents[1])[i], float16(expected[i]).bits) << i;

  experiment.buffers[0].type = ElementType::bf16;
  EXPECT_EQ(summary_of(experiment.run()), "wrong arguments at 0");
}

TEST(Half, cuda_types_of_8_bits_are_those_of_matrix_units) {
  Experiment experiment{.text = R"(
#include <cuda_fp8.h>
template <class One, class Two, class Four>
__global__ void narrow(const float* in, unsigned char* one, unsigned short* two, unsigned* four, float* back) {
  __shared__ One tile[256];
  const int i = threadIdx.x;
  tile[i] = One(in[i]);
  one[i] = tile[i].__x;
  two[i] = Two(float2{in[i], -in[i]}).__x;
  four[i] = Four(float4{in[i], 0, 1, 2}).__x;
  __syncthreads();
  back[i] = float(tile[255 - i]);
}
)",
                        .entry = "narrow",
                        .block = {256}};
  std::vector<float> in(256);
  for (std::size_t i = 0; i < in.size(); ++i)
    in[i] = std::ldexp(static_cast<float>(i % 37) * 1.07f - 18, static_cast<int>(i % 29) - 15);
  in[7] = HUGE_VALF;
  in[8] = -HUGE_VALF;
  in[9] = std::nanf("");
  experiment.with("in", Role::in, ElementType::f32, in);
  experiment.with("one", Role::out, ElementType::u8, std::vector<unsigned char>(256));
  experiment.with("two", Role::out, ElementType::u16, std::vector<unsigned short>(256));
  experiment.with("four", Role::out, ElementType::u32, std::vector<unsigned>(256));
  experiment.with("back", Role::out, ElementType::f32, std::vector<float>(256));
  const auto check = [&]<class Own>(Own, const std::string& name) {
    experiment.entry = "narrow<__nv_fp8_" + name + ", __nv_fp8x2_" + name + ", __nv_fp8x4_" + name + ">";
    const Execution execution = experiment.run();
    ASSERT_EQ(summary_of(execution), "") << describe(execution.findings.at(0));
    for (std::size_t i = 0; i < 256; ++i) {
      const Own expected(in[i]), negative(-in[i]);
      const bool is_number = !std::isnan(in[i]);
      EXPECT_EQ(values_of<unsigned char>(experiment.contents[1])[i], is_number ? expected.bits : 0x7f) << in[i];
      if (!is_number) continue;
      EXPECT_EQ(values_of<unsigned short>(experiment.contents[2])[i], expected.bits | negative.bits << 8) << in[i];
      EXPECT_EQ(values_of<unsigned>(experiment.contents[3])[i],
                expected.bits | static_cast<unsigned>(Own(1).bits) << 16 | static_cast<unsigned>(Own(2).bits) << 24);
      EXPECT_EQ(values_of<float>(experiment.contents[4])[255 - i], static_cast<float>(expected)) << in[i];
    }
  };
  check(float8_e4m3(1), "e4m3");
  check(float8_e5m2(1), "e5m2");
}

}  // namespace
}  // namespace warpwright::simulator
