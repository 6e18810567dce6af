// Compactions of the toolkit's libraries: CUB's device-wide selection and partition. They have no split.
#include <cub/device/device_partition.cuh>
#include <cub/device/device_select.cuh>
#include <cub/version.cuh>
#include <string>

#include "kernels/compact/predicates.cuh"
#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/cub_call.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::compact {
namespace {

/// A predicate in the form that CUB calls.
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
  return with_type_of<float, double, int, std::int64_t, unsigned>(problem.type(), f);
}

bool has_type(const Problem& problem) {
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

struct device_select {
  static constexpr const char* op = "select";
  template <class... Arguments>
  static cudaError_t run(Arguments... arguments) {
    return cub::DeviceSelect::If(arguments...);
  }
};

struct device_partition {
  static constexpr const char* op = "partition";
  template <class... Arguments>
  static cudaError_t run(Arguments... arguments) {
    return cub::DevicePartition::If(arguments...);
  }
};

template <class Function>
std::unique_ptr<PreparedCallable> prepare(const CallableRequest& request) {
  return with_type(request.problem, [&]<class T>(T) {
    const bool of_any_sign = request.problem.option("predicate") == "non_zero";
    const std::int64_t count = request.problem.elements();
    return baselines::prepared_cub(
        request, Function::op,
        [of_any_sign, count](void* scratch, std::size_t& bytes, const baselines::CubBuffers& buffers, Stream stream) {
          const auto call = [&](auto predicate) {
            return Function::template run<void*, std::size_t&, const T*, T*, std::int64_t*, std::int64_t>(
                scratch, bytes, buffers.get<const T>("in"), buffers.get<T>("out"), buffers.get<std::int64_t>("count"),
                count, predicate, stream);
          };
          return of_any_sign ? call(selects<non_zero>()) : call(selects<positive>());
        });
  });
}

template <class Function>
bool supports(const Problem& problem) {
  return problem.option("op") == Function::op && has_type(problem);
}

}  // namespace

std::vector<Callable> compact_vendor() {
  const auto callable = []<class Function>(Function, std::string idiom, std::string observation) {
    return Callable{.pattern = "compact",
                    .implementation = "cub",
                    .idiom = std::move(idiom),
                    .version = baselines::cccl_version(CUB_VERSION),
                    .observation = std::move(observation),
                    .laws = {"count", "concatenation", "idempotence", "pack then split"},
                    .supports = supports<Function>,
                    .prepare = prepare<Function>};
  };
  // DevicePartition puts the rejected elements after the kept ones, in reverse.
  return {callable(device_select(), "device_select", ""),
          callable(device_partition(), "device_partition", "rest reversed")};
}

}  // namespace warpwright::compact
