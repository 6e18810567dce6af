// For tests in the simulator and on a GPU: kernels that combine results of blocks by bulk copies that reduce.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace warpwright::simulator {

/// combined(out): block b combines element i of out, of 64, with 7 i + 5 b + 3.
inline std::string bulk_reduction_kernel(const std::string& type, const std::string& operation) {
  return R"(
using namespace warpwright;
__global__ void combined()" +
         type + R"(* out) {
  alignas(16) __shared__ )" +
         type + R"( part[64];
  for (int i = threadIdx.x; i < 64; i += 32) part[i] = static_cast<)" +
         type + R"(>(i * 7 + blockIdx.x * 5 + 3);
  fence_async();  // FENCE
  __syncthreads();
  if (threadIdx.x == 0) {
    bulk_reduce<reduction::)" +
         operation + R"(>(out, part, sizeof part);  // REDUCE
    bulk_commit();
    bulk_wait<0>();
  }
}
)";
}

inline constexpr int reduced_elements = 64, reducing_blocks = 6;

/// The elements of `out` after that, if they began with 9, 10, 11, ...
template <class T>
std::vector<T> expected_reduction(const std::function<T(T, T)>& both) {
  std::vector<T> out(reduced_elements);
  for (int i = 0; i < reduced_elements; ++i) {
    T& element = out[static_cast<std::size_t>(i)];
    element = static_cast<T>(9 + i);
    for (int block = 0; block < reducing_blocks; ++block)
      element = both(element, static_cast<T>(i * 7 + block * 5 + 3));
  }
  return out;
}

/// Operations whose results do not depend on the order of the blocks, by name.
template <class T>
std::vector<std::pair<std::string, std::function<T(T, T)>>> ordered_reductions() {
  std::vector<std::pair<std::string, std::function<T(T, T)>>> all;
  if constexpr (!std::is_same_v<T, long long>) all.emplace_back("add", [](T a, T b) { return static_cast<T>(a + b); });
  if constexpr (!std::is_floating_point_v<T>) {
    all.emplace_back("min", [](T a, T b) { return std::min(a, b); });
    all.emplace_back("max", [](T a, T b) { return std::max(a, b); });
    all.emplace_back("bit_and", [](T a, T b) { return static_cast<T>(a & b); });
    all.emplace_back("bit_or", [](T a, T b) { return static_cast<T>(a | b); });
    all.emplace_back("bit_xor", [](T a, T b) { return static_cast<T>(a ^ b); });
  }
  return all;
}

}  // namespace warpwright::simulator
