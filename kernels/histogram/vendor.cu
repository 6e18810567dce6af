// Histograms of the toolkit's libraries: CUB's device-wide histogram over even ranges.
#include <cub/device/device_histogram.cuh>
#include <cub/version.cuh>
#include <string>

#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/cuda_check.hpp"

namespace warpwright::histogram {
namespace {

/// Calls f(Key(), Level()) with the problem's type of keys and that of the ends of ranges.
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

/// Ranges of width 1 from 0 for whole numbers, so many of [0, 1) for floats. The scale that CUB multiplies floats with
/// is then the number of bins itself, as in our definition.
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
    std::size_t needed = 0;
    baselines::check(device_histogram<Key, Level>(nullptr, needed, nullptr, nullptr, bins, count, request.stream),
                     "cub::DeviceHistogram");
    return make_prepared(
        [count, bins, needed](Stream stream, const CallableBuffers& buffers) {
          std::size_t bytes = needed;
          baselines::check(
              device_histogram<Key, Level>(buffers.at("scratch"), bytes, static_cast<const Key*>(buffers.at("in")),
                                           static_cast<unsigned*>(buffers.at("out")), bins, count, stream),
              "cub::DeviceHistogram");
        },
        static_cast<std::int64_t>(std::max<std::size_t>(needed, 1)));
  });
}

/// An empty grid is none that can be launched.
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

std::string version(int number) {
  return std::to_string(number / 100000) + "." + std::to_string(number / 100 % 1000) + "." +
         std::to_string(number % 100);
}

}  // namespace

std::vector<Callable> histogram_vendor() {
  return {{.pattern = "histogram",
           .implementation = "cub",
           .idiom = "device_histogram",
           .version = version(CUB_VERSION),
           .laws = {"sum", "permutation", "equal keys", "concatenation"},
           .supports = supports,
           .depth = [](const Problem&, const Point&, const Device&) { return 0.0; },
           .prepare = prepare}};
}

}  // namespace warpwright::histogram
