// For tests in the simulator and on a GPU: kernels that combine results of blocks by bulk copies that reduce.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/model/plan.hpp"

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

inline Plan bulk_reduction_plan(ElementType type, Role role = Role::inout) {
  return {.buffers = {{.name = "out", .role = role, .type = type, .count = reduced_elements}},
          .steps = {{.what = Launch{.entry = "combined",
                                    .grid = {.x = reducing_blocks},
                                    .block = {.x = 32},
                                    .arguments = {pointer_to("out")}}}}};
}

/// The elements of `out` before that: 9, 10, 11, ...
template <class T>
std::vector<T> reduction_input() {
  std::vector<T> out(reduced_elements);
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<T>(9 + i);
  return out;
}

/// The elements of `out` after it.
template <class T>
std::vector<T> expected_reduction(const std::function<T(T, T)>& both) {
  std::vector<T> out = reduction_input<T>();
  for (int i = 0; i < reduced_elements; ++i) {
    T& element = out[static_cast<std::size_t>(i)];
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
