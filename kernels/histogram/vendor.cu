// Histograms of the toolkit's libraries: CUB's device-wide histogram over even ranges.
#include <cub/device/device_histogram.cuh>
#include <cub/version.cuh>
#include <string>

#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/cub_call.hpp"

namespace warpwright::histogram {
namespace {

/// Calls f(Key(), Level()) with the type of keys and the type of range limits.
template <class F>
auto with_types(const Problem& problem, F f) {
  switch (problem.type()) {
    case ElementType::u16:
      return f(std::uint16_t(), int());
    case ElementType::u32:
      return f(std::uint32_t(), std::uint32_t());
    case ElementType::f32:
      return f(float(), float());
    default:
      return f(std::uint8_t(), int());
  }
}

/// Integers: ranges of width 1 from 0 on. Floats: `bins` ranges in [0, 1). CUB then multiplies floats by the number of
/// bins, as in our definition.
template <class Key, class Level>
cudaError_t device_histogram(void* scratch, std::size_t& bytes, const Key* in, unsigned* out, int bins,
                             std::int64_t count, cudaStream_t stream) {
  const Level end = std::is_same_v<Key, float> ? Level(1) : static_cast<Level>(bins);
  return cub::DeviceHistogram::HistogramEven(scratch, bytes, in, out, bins + 1, Level(0), end, count, stream);
}

std::unique_ptr<PreparedCallable> prepare(const CallableRequest& request) {
  return with_types(request.problem, [&]<class Key, class Level>(Key, Level) {
    const std::int64_t count = request.problem.elements();
    const auto bins = static_cast<int>(request.problem.integer("bins"));
    return baselines::prepared_cub(
        request, "cub::DeviceHistogram",
        [count, bins](void* scratch, std::size_t& bytes, const baselines::CubBuffers& buffers, Stream stream) {
          return device_histogram<Key, Level>(scratch, bytes, buffers.get<const Key>("in"),
                                              buffers.get<unsigned>("out"), bins, count, stream);
        });
  });
}

/// An empty grid cannot be launched.
bool supports(const Problem& problem) {
  switch (problem.type()) {
    case ElementType::u8:
    case ElementType::u16:
    case ElementType::u32:
    case ElementType::f32:
      return problem.elements() > 0;
    default:
      return false;
  }
}

}  // namespace

std::vector<Callable> histogram_vendor() {
  return {{.pattern = "histogram",
           .implementation = "cub",
           .idiom = "device_histogram",
           .version = baselines::cccl_version(CUB_VERSION),
           .laws = {"sum", "permutation", "equal keys", "concatenation"},
           .supports = supports,
           .prepare = prepare}};
}

}  // namespace warpwright::histogram
