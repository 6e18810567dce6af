// Reductions of the toolkit's libraries: CUB's device-wide reduction and Thrust's reduce.
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/reduce.h>
#include <thrust/version.h>
#include <cub/device/device_reduce.cuh>
#include <cub/version.cuh>
#include <cuda/std/functional>
#include <limits>
#include <string>

#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/cub_call.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::reduce {
namespace {

/// Calls f(T()) with the problem's element type.
template <class F>
auto with_type(const Problem& problem, F f) {
  return with_type_of<float, double, int, std::int64_t>(problem.type(), f);
}

bool supports(const Problem& problem) {
  const ElementType type = problem.type();
  const bool known =
      type == ElementType::f32 || type == ElementType::f64 || type == ElementType::i32 || type == ElementType::i64;
  // For an empty input the libraries' minimum is the largest finite value, not infinity.
  const std::string& op = problem.option("op");
  return known && (op == "sum" || op == "product" || problem.elements() > 0);
}

/// Both libraries start at least one block of 256 threads on every SM before any thread takes a second tile. At the
/// end, one block adds at most a few thousand partial results in a tree.
double depth(const Problem& problem, const Point&, const Device& device) {
  constexpr double kTiles = 32 + 32 + 64;
  return static_cast<double>(problem.elements()) / (256.0 * device.sm_count) + kTiles;
}

template <class T>
cudaError_t device_reduce(const std::string& op, void* scratch, std::size_t& bytes, const T* in, T* out,
                          std::int64_t count, cudaStream_t stream) {
  if (op == "sum") return cub::DeviceReduce::Sum(scratch, bytes, in, out, count, stream);
  if (op == "product")
    return cub::DeviceReduce::Reduce(scratch, bytes, in, out, count, cuda::std::multiplies<T>(), T(1), stream);
  if (op == "min") return cub::DeviceReduce::Min(scratch, bytes, in, out, count, stream);
  return cub::DeviceReduce::Max(scratch, bytes, in, out, count, stream);
}

std::unique_ptr<PreparedCallable> prepare_cub(const CallableRequest& request) {
  return with_type(request.problem, [&]<class T>(T) {
    return baselines::prepared_cub(
        request, "cub::DeviceReduce",
        [op = request.problem.option("op"), count = request.problem.elements()](
            void* scratch, std::size_t& bytes, const baselines::CubBuffers& buffers, Stream stream) {
          return device_reduce(op, scratch, bytes, buffers.get<const T>("in"), buffers.get<T>("out"), count, stream);
        });
  });
}

template <class T>
T thrust_reduce(const std::string& op, Stream stream, const T* in, std::int64_t count) {
  const auto policy = thrust::cuda::par.on(stream);
  if (op == "sum") return thrust::reduce(policy, in, in + count, T(0), thrust::plus<T>());
  if (op == "product") return thrust::reduce(policy, in, in + count, T(1), thrust::multiplies<T>());
  // Empty inputs are refused for minima, so any initial value is right.
  constexpr bool wide = std::numeric_limits<T>::has_infinity;
  const T highest = wide ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
  const T lowest = wide ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
  if (op == "min") return thrust::reduce(policy, in, in + count, highest, thrust::minimum<T>());
  return thrust::reduce(policy, in, in + count, lowest, thrust::maximum<T>());
}

/// Thrust returns its result to the host, from where it is copied to the buffer.
std::unique_ptr<PreparedCallable> prepare_thrust(const CallableRequest& request) {
  return with_type(request.problem, [&]<class T>(T) {
    return make_prepared([op = request.problem.option("op"), count = request.problem.elements()](
                             Stream stream, const CallableBuffers& buffers) {
      const T result = thrust_reduce(op, stream, static_cast<const T*>(buffers.at("in")), count);
      baselines::check(cudaMemcpyAsync(buffers.at("out"), &result, sizeof result, cudaMemcpyHostToDevice, stream),
                       "cudaMemcpyAsync");
      baselines::check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
    });
  });
}

}  // namespace

std::vector<Callable> reduce_vendor() {
  return {{.pattern = "reduce",
           .implementation = "cub",
           .idiom = "device_reduce",
           .version = baselines::cccl_version(CUB_VERSION),
           .supports = supports,
           .depth = depth,
           .prepare = prepare_cub},
          {.pattern = "reduce",
           .implementation = "thrust",
           .idiom = "reduce",
           .version = baselines::cccl_version(THRUST_VERSION),
           .synchronises = true,
           .supports = supports,
           .depth = depth,
           .prepare = prepare_thrust}};
}

}  // namespace warpwright::reduce
