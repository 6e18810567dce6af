// Sorts of the toolkit's libraries: CUB's radix sort and its merge sort, and Thrust's stable sort.
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/sort.h>
#include <thrust/version.h>
#include <algorithm>
#include <cub/device/device_merge_sort.cuh>
#include <cub/device/device_radix_sort.cuh>
#include <cub/version.cuh>
#include <string>

#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/cub_call.hpp"
#include "kernels/runtime/storage.hpp"
#include "kernels/sort/keys.cuh"

namespace warpwright::sort {
namespace {

/// Calls f(T()) with the problem's type of keys.
template <class F>
auto with_type(const Problem& problem, F f) {
  return with_type_of<unsigned, int, unsigned long long, float, double>(problem.type(), f);
}

/// Which bits of keys of this type are compared.
bit_range range_of(const Problem& problem) {
  const auto width = static_cast<std::int64_t>(8 * size_of(problem.type()));
  return {problem.option("order") == "descending" ? ~0ULL : 0ULL, static_cast<int>(problem.integer("begin_bit")),
          static_cast<int>(std::min(problem.integer("end_bit"), width))};
}

/// If no bit is compared, neither library promises to copy.
bool supports(const Problem& problem) {
  switch (problem.type()) {
    case ElementType::u32:
    case ElementType::i32:
    case ElementType::f32:
    case ElementType::f64:
    case ElementType::u64: {
      const bit_range range = range_of(problem);
      return range.begin < range.end && problem.elements() > 0;
    }
    default:
      return false;
  }
}

/// The arrays that both sort, by address.
template <class T>
struct Arrays {
  const T* keys = nullptr;
  const unsigned* values = nullptr;
  T* out = nullptr;
  unsigned* values_out = nullptr;
};

/// The problem in the form that both libraries need.
struct Request {
  bool has_values;
  bit_range range;
  std::int64_t count;
};

struct RadixSort {
  template <class T>
  static cudaError_t run(void* scratch, std::size_t& bytes, const Arrays<T>& of, const Request& request,
                         cudaStream_t stream) {
    using cub::DeviceRadixSort;
    const auto [flip, begin, end] = request.range;
    if (request.has_values && flip != 0)
      return DeviceRadixSort::SortPairsDescending(scratch, bytes, of.keys, of.out, of.values, of.values_out,
                                                  request.count, begin, end, stream);
    if (request.has_values)
      return DeviceRadixSort::SortPairs(scratch, bytes, of.keys, of.out, of.values, of.values_out, request.count, begin,
                                        end, stream);
    if (flip != 0)
      return DeviceRadixSort::SortKeysDescending(scratch, bytes, of.keys, of.out, request.count, begin, end, stream);
    return DeviceRadixSort::SortKeys(scratch, bytes, of.keys, of.out, request.count, begin, end, stream);
  }
};

/// Whether a key goes before another.
template <class T>
struct goes_before {
  bit_range range;
  __device__ bool operator()(const T& a, const T& b) const {
    const compared_bits<T> compared(range);
    return compared.of(a) < compared.of(b);
  }
};

/// Pairs are sorted in place, because for pairs stability is promised only in place.
struct MergeSort {
  template <class T>
  static cudaError_t run(void* scratch, std::size_t& bytes, const Arrays<T>& of, const Request& request,
                         cudaStream_t stream) {
    using cub::DeviceMergeSort;
    const goes_before<T> before{request.range};
    if (!request.has_values)
      return DeviceMergeSort::StableSortKeysCopy(scratch, bytes, of.keys, of.out, request.count, before, stream);
    if (scratch != nullptr) {
      const auto count = static_cast<std::size_t>(request.count);
      baselines::check(cudaMemcpyAsync(of.out, of.keys, count * sizeof(T), cudaMemcpyDeviceToDevice, stream),
                       "cudaMemcpyAsync");
      baselines::check(
          cudaMemcpyAsync(of.values_out, of.values, count * sizeof(unsigned), cudaMemcpyDeviceToDevice, stream),
          "cudaMemcpyAsync");
    }
    return DeviceMergeSort::StableSortPairs(scratch, bytes, of.out, of.values_out, request.count, before, stream);
  }
};

template <class Sort>
std::unique_ptr<PreparedCallable> prepare(const CallableRequest& request) {
  return with_type(request.problem, [&]<class T>(T) {
    const Request asked{request.problem.option("items") == "pairs", range_of(request.problem),
                        request.problem.elements()};
    return baselines::prepared_cub(
        request, "cub's sort",
        [asked](void* scratch, std::size_t& bytes, const baselines::CubBuffers& buffers, Stream stream) {
          const Arrays<T> arrays{buffers.get<const T>("in"), buffers.get<const unsigned>("values"),
                                 buffers.get<T>("out"), buffers.get<unsigned>("values_out")};
          return Sort::run(scratch, bytes, arrays, asked, stream);
        });
  });
}

template <class Sort>
Callable callable(const std::string& idiom) {
  return {.pattern = "sort",
          .implementation = "cub",
          .idiom = idiom,
          .version = baselines::cccl_version(CUB_VERSION),
          .laws = {"sorted", "permutation", "idempotence"},
          .supports = supports,
          .prepare = prepare<Sort>};
}

/// Sorts copies of the arrays in place. Thrust allocates its scratch memory itself and waits for the device.
template <class T>
void thrust_sort(Stream stream, const CallableBuffers& buffers, const Request& asked) {
  const auto policy = thrust::cuda::par.on(stream);
  const auto copied = [&]<class Element>(Element*, const char* from, const char* to) {
    auto* out = static_cast<Element*>(buffers.at(to));
    baselines::check(cudaMemcpyAsync(out, buffers.at(from), static_cast<std::size_t>(asked.count) * sizeof(Element),
                                     cudaMemcpyDeviceToDevice, stream),
                     "cudaMemcpyAsync");
    return out;
  };
  T* const keys = copied(static_cast<T*>(nullptr), "in", "out");
  const auto sort_by = [&](auto before) {
    if (asked.has_values)
      thrust::stable_sort_by_key(policy, keys, keys + asked.count,
                                 copied(static_cast<unsigned*>(nullptr), "values", "values_out"), before);
    else
      thrust::stable_sort(policy, keys, keys + asked.count, before);
  };
  if (asked.range.flip != 0)
    sort_by(thrust::greater<T>());
  else
    sort_by(thrust::less<T>());
}

std::unique_ptr<PreparedCallable> prepare_thrust(const CallableRequest& request) {
  return with_type(request.problem, [&]<class T>(T) {
    const Request asked{request.problem.option("items") == "pairs", range_of(request.problem),
                        request.problem.elements()};
    return make_prepared(
        [asked](Stream stream, const CallableBuffers& buffers) { thrust_sort<T>(stream, buffers, asked); });
  });
}

/// By all bits of keys: Thrust's order is that of `<`.
bool supports_thrust(const Problem& problem) {
  if (!supports(problem)) return false;
  const bit_range range = range_of(problem);
  return range.begin == 0 && range.end == static_cast<int>(8 * size_of(problem.type()));
}

}  // namespace

std::vector<Callable> sort_vendor() {
  return {callable<RadixSort>("device_radix_sort"),
          callable<MergeSort>("device_merge_sort"),
          {.pattern = "sort",
           .implementation = "thrust",
           .idiom = "stable_sort",
           .version = baselines::cccl_version(THRUST_VERSION),
           .synchronises = true,
           .laws = {"sorted", "permutation", "idempotence"},
           .supports = supports_thrust,
           .prepare = prepare_thrust}};
}

}  // namespace warpwright::sort
