// Tests of asynchronous copies on a GPU: kernels of the simulator's tests give the same results there. Skipped without
// a GPU, or if it is too old.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <numeric>

#include "kernels/runtime/built_in_tests/trial.hpp"
#include "kernels/runtime/cuda/nvrtc.hpp"
#include "kernels/runtime/cuda/on_a_gpu.hpp"
#include "kernels/runtime/cuda/plan_runner.hpp"
#include "kernels/runtime/simulator/ring_kernel.hpp"

namespace warpwright::gpu {
namespace {

constexpr int kTile = 128;

class AsyncCopiesOnAGpu : public OnAGpu {
 protected:
  int capability() const { return gpu_->info().device.compute_capability; }

  /// The output of the entry of that text, called with (in, out, tiles), for the input 0, 1, 2, ...
  std::vector<float> run(const std::string& text, const std::string& entry, Dim3 grid, Dim3 block, int tiles) {
    SourceTree sources = built_ins::headers_of_the_tree();
    sources["copies.cuh"] = "#include \"kernels/runtime/device.cuh\"\n" + text;
    const Cubin cubin =
        Nvrtc().compile(sources, {{.source = "copies.cuh", .entries = {entry}}}, gpu_->info().device.arch());
    if (!cubin.ok) throw std::runtime_error(cubin.log);
    std::ofstream(folder_ / "copies.cubin", std::ios::binary) << cubin.image;

    std::vector<float> values(static_cast<std::size_t>(tiles) * kTile);
    std::iota(values.begin(), values.end(), 0.0f);
    Bytes bytes(values.size() * sizeof(float));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    const Memory in(static_cast<std::int64_t>(bytes.size())), out(static_cast<std::int64_t>(bytes.size()));
    in.upload(gpu_->stream(), bytes);
    const auto count = static_cast<std::int64_t>(values.size());
    const Plan plan{.buffers = {{.name = "in", .count = count}, {.name = "out", .role = Role::out, .count = count}},
                    .steps = {{.what = Launch{.entry = entry,
                                              .grid = grid,
                                              .block = block,
                                              .arguments = {pointer_to("in"), pointer_to("out"), value(tiles)}}}}};
    ModuleCache modules;
    PlanRunner(*gpu_, modules, plan,
               {.ok = true, .module = (folder_ / "copies.cubin").string(), .instances = cubin.instances.at(0)},
               {{"in", in.address()}, {"out", out.address()}})
        .run();
    std::memcpy(values.data(), out.download(gpu_->stream()).data(), bytes.size());
    return values;
  }
};

TEST_F(AsyncCopiesOnAGpu, InGroupsAreCompleteAfterTheirWait) {
  // For every architecture; before sm_80 a copy is synchronous.
  const std::string text = R"(
__global__ void reverse(const float* in, float* out, int tiles) {
  alignas(16) __shared__ float tile[2][128];
  const int t = threadIdx.x;
  warpwright::async_copy<16>(tile[0] + 4 * t, in + blockIdx.x * 128 + 4 * t);
  warpwright::async_commit();
  int stage = 0;
  for (int i = blockIdx.x; i < tiles; i += gridDim.x, stage ^= 1) {
    if (i + gridDim.x < tiles) warpwright::async_copy<16>(tile[stage ^ 1] + 4 * t, in + (i + gridDim.x) * 128 + 4 * t);
    warpwright::async_commit();
    warpwright::async_wait<1>();
    __syncthreads();
    for (int k = t; k < 128; k += 32) out[i * 128 + k] = tile[stage][127 - k];
    __syncthreads();
  }
}
)";
  constexpr int tiles = 5000;
  const auto out = run(text, "reverse", {40}, {32}, tiles);
  for (std::size_t i = 0; i < out.size(); ++i) ASSERT_EQ(out[i], static_cast<float>(i / 128 * 128 + 127 - i % 128));
}

TEST_F(AsyncCopiesOnAGpu, InBulkFillARingOfStages) {
  if (capability() < 90) GTEST_SKIP() << "bulk copies need sm_90";
  constexpr int tiles = 5000;
  for (const std::string stages : {"1", "2", "3", "8"}) {
    const auto out = run(simulator::ring_kernel, "ring<" + stages + ">", {40}, {96}, tiles);
    for (std::size_t i = 0; i < out.size(); ++i)
      ASSERT_EQ(out[i], 2 * static_cast<float>(i / 128 * 128 + 127 - i % 128)) << stages << " stages, element " << i;
  }
}

}  // namespace
}  // namespace warpwright::gpu
