// Tensor maps: how a launch describes a matrix, or a tensor of up to five dimensions, in global memory, whose boxes
// bulk copies move. From sm_90.
#pragma once

namespace warpwright {

/// Describes a tensor in global memory and the size of its boxes. The parameter of a kernel is `const __grid_constant__
/// tensor_map`; a plan passes a TensorMapArgument (kernels/model/plan.hpp). On a GPU it has the driver's contents, in
/// the simulator those of detail::simulated_tensor_map.
struct alignas(64) tensor_map {
  unsigned long long contents[16];
};

namespace detail {

inline constexpr int kMostDimensions = 5;

/// Dimensions are those of columns, rows, and so on: neighbours in memory are columns of a row.
struct simulated_tensor_map {
  unsigned long long mark;                 ///< kTensorMapMark; anything else is no tensor map
  const char* first;                       ///< the first element
  long long extents[kMostDimensions];      ///< in elements
  long long pitches[kMostDimensions - 1];  ///< bytes from a row to the next, and so on
  int box[kMostDimensions];                ///< in elements
  int dimensions;
  int element_bytes;  ///< 1, 2, 4 or 8
  int swizzle;        ///< bytes of rows of boxes: 32, 64 or 128; 0 for none
};
inline constexpr unsigned long long kTensorMapMark = 0x70616d5f726f736eULL;
static_assert(sizeof(simulated_tensor_map) <= sizeof(tensor_map), "it replaces the driver's contents");

}  // namespace detail

}  // namespace warpwright
