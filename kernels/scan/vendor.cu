// Scans of the toolkit's libraries: CUB's device-wide scan and Thrust's.
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/scan.h>
#include <thrust/version.h>
#include <cub/device/device_scan.cuh>
#include <cub/version.cuh>
#include <cuda/std/functional>
#include <limits>
#include <string>

#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/cub_call.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::scan {
namespace {

/// Minimum and maximum as function objects of the libraries' form, for numbers without NaN.
struct smaller {
  template <class T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};
struct larger {
  template <class T>
  __host__ __device__ T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};

/// Calls f(T()) with the problem's element type.
template <class F>
auto with_type(const Problem& problem, F f) {
  return with_type_of<float, double, int, std::int64_t>(problem.type(), f);
}

/// Calls f(op, its result for an empty input).
template <class T, class F>
auto with_operator(const std::string& op, F f) {
  using Limits = std::numeric_limits<T>;
  if (op == "sum") return f(cuda::std::plus<T>(), T(0));
  if (op == "product") return f(cuda::std::multiplies<T>(), T(1));
  if (op == "min") return f(smaller(), Limits::has_infinity ? Limits::infinity() : Limits::max());
  return f(larger(), Limits::has_infinity ? -Limits::infinity() : Limits::lowest());
}

bool supports(const Problem& problem) {
  const ElementType type = problem.type();
  return type == ElementType::f32 || type == ElementType::f64 || type == ElementType::i32 || type == ElementType::i64;
}

/// Both libraries pass prefixes along tiles, one combination each; a tile has at least 32 threads' elements. Within a
/// tile of at most 8,192 elements, threads have at most 64 each.
double depth(const Problem& problem, const Point&, const Device&) {
  constexpr double kLeastTile = 128;
  constexpr double kWithinTile = 64 + 64;
  return static_cast<double>(problem.elements()) / kLeastTile + kWithinTile;
}

template <class T>
cudaError_t device_scan(const Problem& problem, void* scratch, std::size_t& bytes, const T* in, T* out,
                        cudaStream_t stream) {
  const std::int64_t count = problem.elements();
  const bool is_inclusive = problem.option("kind") == "inclusive";
  return with_operator<T>(problem.option("op"), [&](auto op, T nothing) {
    return is_inclusive ? cub::DeviceScan::InclusiveScan(scratch, bytes, in, out, op, count, stream)
                        : cub::DeviceScan::ExclusiveScan(scratch, bytes, in, out, op, nothing, count, stream);
  });
}

std::unique_ptr<PreparedCallable> prepare_cub(const CallableRequest& request) {
  return with_type(request.problem, [&]<class T>(T) {
    return baselines::prepared_cub(request, "cub::DeviceScan",
                                   [problem = request.problem](void* scratch, std::size_t& bytes,
                                                               const baselines::CubBuffers& buffers, Stream stream) {
                                     return device_scan(problem, scratch, bytes, buffers.get<const T>("in"),
                                                        buffers.get<T>("out"), stream);
                                   });
  });
}

/// Thrust allocates scratch memory in the stream, and waits.
std::unique_ptr<PreparedCallable> prepare_thrust(const CallableRequest& request) {
  return with_type(request.problem, [&]<class T>(T) {
    return make_prepared([problem = request.problem](Stream stream, const CallableBuffers& buffers) {
      const auto policy = thrust::cuda::par.on(stream);
      const auto* const in = static_cast<const T*>(buffers.at("in"));
      auto* const out = static_cast<T*>(buffers.at("out"));
      const std::int64_t count = problem.elements();
      with_operator<T>(problem.option("op"), [&](auto op, T nothing) {
        if (problem.option("kind") == "inclusive")
          thrust::inclusive_scan(policy, in, in + count, out, op);
        else
          thrust::exclusive_scan(policy, in, in + count, out, nothing, op);
      });
    });
  });
}

}  // namespace

std::vector<Callable> scan_vendor() {
  return {{.pattern = "scan",
           .implementation = "cub",
           .idiom = "device_scan",
           .version = baselines::cccl_version(CUB_VERSION),
           .laws = {"last is the reduction", "difference is the input", "exclusive is inclusive shifted"},
           .supports = supports,
           .depth = depth,
           .prepare = prepare_cub},
          {.pattern = "scan",
           .implementation = "thrust",
           .idiom = "scan",
           .version = baselines::cccl_version(THRUST_VERSION),
           .synchronises = true,
           .laws = {"last is the reduction", "difference is the input", "exclusive is inclusive shifted"},
           .supports = supports,
           .depth = depth,
           .prepare = prepare_thrust}};
}

}  // namespace warpwright::scan
