// Compactions of the toolkit's libraries: CUB's device-wide selection by a predicate.
#include <cub/device/device_select.cuh>
#include <cub/version.cuh>
#include <string>

#include "kernels/compact/predicates.cuh"
#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/cuda_check.hpp"

namespace warpwright::compact {
namespace {

/// A predicate as CUB calls it.
template <class Predicate>
struct selects {
  template <class T>
  __host__ __device__ bool operator()(const T& x) const {
    return Predicate::keeps(x);
  }
};

/// Calls f(T()) with the problem's element type.
template <class F>
auto with_type(const Problem& problem, F f) {
  switch (problem.type()) {
    case ElementType::f32:
      return f(float());
    case ElementType::f64:
      return f(double());
    case ElementType::i64:
      return f(std::int64_t());
    case ElementType::u32:
      return f(unsigned());
    default:
      return f(int());
  }
}

bool supports(const Problem& problem) {
  switch (problem.type()) {
    case ElementType::f32:
    case ElementType::f64:
    case ElementType::i32:
    case ElementType::i64:
    case ElementType::u32:
      return true;
    default:
      return false;
  }
}

template <class T>
cudaError_t device_select(bool of_any_sign, void* scratch, std::size_t& bytes, const T* in, T* out, std::int64_t* kept,
                          std::int64_t count, cudaStream_t stream) {
  if (of_any_sign) return cub::DeviceSelect::If(scratch, bytes, in, out, kept, count, selects<non_zero>(), stream);
  return cub::DeviceSelect::If(scratch, bytes, in, out, kept, count, selects<positive>(), stream);
}

std::unique_ptr<PreparedCallable> prepare(const CallableRequest& request) {
  return with_type(request.problem, [&]<class T>(T) {
    const bool of_any_sign = request.problem.option("predicate") == "non_zero";
    const std::int64_t count = request.problem.elements();
    std::size_t needed = 0;
    baselines::check(device_select<T>(of_any_sign, nullptr, needed, nullptr, nullptr, nullptr, count, request.stream),
                     "cub::DeviceSelect");
    return make_prepared(
        [of_any_sign, count, needed](Stream stream, const CallableBuffers& buffers) {
          std::size_t bytes = needed;
          baselines::check(device_select(of_any_sign, buffers.at("scratch"), bytes,
                                         static_cast<const T*>(buffers.at("in")), static_cast<T*>(buffers.at("out")),
                                         static_cast<std::int64_t*>(buffers.at("count")), count, stream),
                           "cub::DeviceSelect");
        },
        static_cast<std::int64_t>(std::max<std::size_t>(needed, 1)));
  });
}

std::string version(int number) {
  return std::to_string(number / 100000) + "." + std::to_string(number / 100 % 1000) + "." +
         std::to_string(number % 100);
}

}  // namespace

std::vector<Callable> compact_vendor() {
  return {{.pattern = "compact",
           .implementation = "cub",
           .idiom = "device_select",
           .version = version(CUB_VERSION),
           .laws = {"concatenation", "idempotence"},
           .supports = supports,
           .depth = [](const Problem&, const Point&, const Device&) { return 0.0; },
           .prepare = prepare}};
}

}  // namespace warpwright::compact
