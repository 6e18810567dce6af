// Tests that texture objects on a GPU return the elements of their buffers. Skipped without a GPU.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "kernels/runtime/built_in_tests/trial.hpp"
#include "kernels/runtime/cuda/nvrtc.hpp"
#include "kernels/runtime/cuda/on_a_gpu.hpp"
#include "kernels/runtime/cuda/plan_runner.hpp"

namespace warpwright::gpu {
namespace {

constexpr std::int64_t kOut = 512;  ///< floats

/// fetched(texture, out, width, height) stores out[k] for k < kOut, one thread each.
std::string kernel_with(const std::string& fetch) {
  return "#include \"kernels/runtime/device.cuh\"\n__global__ void fetched(cudaTextureObject_t image, float* out, int "
         "width, int height) {\n  const int k = threadIdx.x, x = k % width, y = k / width % height, z = k / (width * "
         "height);\n  " +
         fetch + "\n}\n";
}

template <class T>
Bytes bytes_of(const std::vector<T>& values) {
  Bytes bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

class TexturesOnAGpu : public OnAGpu {
 protected:
  /// The values that the kernel stores for each of these contents of the texture's buffer, one run after the other.
  std::vector<std::vector<float>> run(const std::string& fetch, Texture texture, const std::vector<Bytes>& contents) {
    SourceTree sources = built_ins::headers_of_the_tree();
    sources["fetch.cuh"] = kernel_with(fetch);
    const Cubin cubin =
        Nvrtc().compile(sources, {{.source = "fetch.cuh", .entries = {"fetched"}}}, gpu_->info().device.arch());
    if (!cubin.ok) throw std::runtime_error(cubin.log);
    std::ofstream(folder_ / "fetch.cubin", std::ios::binary) << cubin.image;
    texture.buffer = "in";
    const auto elements = static_cast<std::int64_t>(contents.front().size() / size_of(texture.type));
    Plan plan{.buffers = {{.name = "in", .type = texture.type, .count = elements},
                          {.name = "out", .role = Role::out, .count = kOut}},
              .steps = {}};
    if (texture.is_array) plan.steps.push_back({.what = TextureUpload{texture}, .timed = false});
    plan.steps.push_back(
        {.what = Launch{
             .entry = "fetched",
             .grid = {},
             .block = {.x = static_cast<std::uint32_t>(kOut)},
             .arguments = {TextureArgument{texture}, pointer_to("out"), value(static_cast<int>(texture.extent[0])),
                           value(static_cast<int>(std::max<std::int64_t>(texture.extent[1], 1)))}}});
    const CompiledProgram built{
        .ok = true, .module = (folder_ / "fetch.cubin").string(), .instances = cubin.instances.at(0), .log = {}};
    EXPECT_EQ(argument_mismatch(plan, built), "");
    const Memory in(static_cast<std::int64_t>(contents.front().size())), out(kOut * 4);
    ModuleCache modules;
    PlanRunner runner(*gpu_, modules, plan, built, {{"in", in.address()}, {"out", out.address()}});
    std::vector<std::vector<float>> stored;
    for (const Bytes& one : contents) {
      in.upload(gpu_->stream(), one);
      runner.run();
      std::vector<float>& values = stored.emplace_back(kOut);
      std::memcpy(values.data(), out.download(gpu_->stream()).data(), values.size() * sizeof(float));
      EXPECT_TRUE(in.guards_intact(gpu_->stream()));
    }
    return stored;
  }
};

/// `count` consecutive numbers from `first` on.
template <class T>
std::vector<T> counting(std::size_t count, int first = 0) {
  std::vector<T> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<T>(first + static_cast<int>(i));
  return values;
}

TEST_F(TexturesOnAGpu, ReturnEveryTexelOfAnyWidthAndAreFilledAgainByEveryRun) {
  for (const std::int64_t width : {1, 7, 32, 33}) {
    const std::size_t texels = static_cast<std::size_t>(width) * 11;
    const auto stored = run("if (k < width * height) out[k] = tex2D<float>(image, x + 0.5f, y + 0.5f);",
                            {.buffer = {}, .extent = {width, 11, 0}},
                            {bytes_of(counting<float>(texels)), bytes_of(counting<float>(texels, 1000))});
    for (std::size_t i = 0; i < texels; ++i) {
      ASSERT_EQ(stored[0][i], static_cast<float>(i)) << width;
      ASSERT_EQ(stored[1][i], static_cast<float>(1000 + i)) << width;
    }
  }
}

TEST_F(TexturesOnAGpu, InLinearMemoryReadTheBufferItselfAndZeroAfterIt) {
  const auto stored = run("out[k] = tex1Dfetch<int>(image, k);",
                          {.buffer = {}, .type = ElementType::i32, .extent = {300, 0, 0}, .is_array = false},
                          {bytes_of(counting<int>(300, -5)), bytes_of(counting<int>(300, 9))});
  for (std::size_t i = 0; i < 300; ++i) {
    ASSERT_EQ(stored[0][i], static_cast<float>(static_cast<int>(i) - 5));
    ASSERT_EQ(stored[1][i], static_cast<float>(i + 9));
  }
  EXPECT_EQ(stored[0][300], 0);
}

TEST_F(TexturesOnAGpu, InThreeDimensionsHaveSlices) {
  const auto stored = run("if (z < 5) out[k] = tex3D<short2>(image, x + 0.5f, y + 0.5f, z + 0.5f).y;",
                          {.buffer = {}, .type = ElementType::i16, .channels = 2, .extent = {9, 7, 5}},
                          {bytes_of(counting<std::int16_t>(2 * 9 * 7 * 5, -300))});
  for (std::size_t i = 0; i < 9 * 7 * 5; ++i)
    ASSERT_EQ(stored[0][i], static_cast<float>(static_cast<int>(2 * i) + 1 - 300));
}

TEST_F(TexturesOnAGpu, ReadIntegersAsFractions) {
  const auto stored =
      run("if (k < 60) { const float4 v = tex2D<float4>(image, x + 0.5f, y + 0.5f); out[k] = v.z; }",
          {.buffer = {}, .type = ElementType::u8, .channels = 4, .extent = {12, 5, 0}, .normalized_values = true},
          {bytes_of(counting<std::uint8_t>(240))});
  for (std::size_t i = 0; i < 60; ++i) ASSERT_NEAR(stored[0][i], static_cast<float>(4 * i + 2) / 255.0F, 1e-6);
}

TEST_F(TexturesOnAGpu, FilterBetweenTexels) {
  // Halfway between four texels the value is their mean; at a texel's centre it is that texel.
  const auto stored =
      run("if (k < 35) { out[k] = tex2D<float>(image, x + 1.0f, y + 1.0f); out[k + 35] = "
          "tex2D<float>(image, x + 0.5f, y + 0.5f); }",
          {.buffer = {}, .extent = {7, 5, 0}, .filter = Texture::Filter::linear}, {bytes_of(counting<float>(35))});
  for (std::size_t y = 0; y < 5; ++y)
    for (std::size_t x = 0; x < 7; ++x) {
      const auto at = [](std::size_t column, std::size_t row) {
        return static_cast<float>(std::min<std::size_t>(row, 4) * 7 + std::min<std::size_t>(column, 6));
      };
      const float mean = (at(x, y) + at(x + 1, y) + at(x, y + 1) + at(x + 1, y + 1)) / 4;
      ASSERT_NEAR(stored[0][7 * y + x], mean, 1e-3);
      ASSERT_NEAR(stored[0][7 * y + x + 35], at(x, y), 1e-3);
    }
}

TEST_F(TexturesOnAGpu, AreReadOutsideTheirEdgesAsDeclared) {
  const std::string fetch = "out[k] = tex1D<float>(image, (k - 8 + 0.5f) / width);";
  const auto beside = [&](Texture::Address address) {
    return run(fetch, {.buffer = {}, .extent = {8, 0, 0}, .address = address, .normalized_coordinates = true},
               {bytes_of(counting<float>(8, 1))})[0];
  };
  const auto clamped = beside(Texture::Address::clamp), wrapped = beside(Texture::Address::wrap),
             mirrored = beside(Texture::Address::mirror), framed = beside(Texture::Address::border);
  for (std::size_t k = 0; k < 24; ++k) {
    const bool inside = 8 <= k && k < 16;
    ASSERT_EQ(clamped[k], k < 8 ? 1 : k < 16 ? static_cast<float>(k - 7) : 8) << k;
    ASSERT_EQ(wrapped[k], static_cast<float>(k % 8 + 1)) << k;
    ASSERT_EQ(mirrored[k], static_cast<float>(inside ? k - 7 : 8 - k % 8)) << k;
    ASSERT_EQ(framed[k], inside ? static_cast<float>(k - 7) : 0) << k;
  }
}

}  // namespace
}  // namespace warpwright::gpu
