// For tests in the simulator and on a GPU: a kernel that copies a box of a matrix, and what it copies.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "kernels/model/plan.hpp"
#include "kernels/runtime/common/shared_matrices.cuh"

namespace warpwright::simulator {

inline constexpr int matrix_columns = 40, matrix_rows = 20, row_pitch = 48, box_width = 32, box_height = 8,
                     box_elements = 256;

inline const std::string box_kernel = R"(
using namespace warpwright;
__global__ void copy(const __grid_constant__ tensor_map map, const unsigned short* in, unsigned short* out, int column,
                     int row) {
  alignas(1024) __shared__ unsigned short box[256];
  __shared__ phase_barrier barrier;
  if (threadIdx.x == 0) {
    phase_init(&barrier, 1);
    fence_async();
    phase_arrive_expect(&barrier, 512);
    bulk_copy_box(box, map, column, row, &barrier);  // COPY
  }
  __syncthreads();
  phase_wait(&barrier, 0);
  for (int i = threadIdx.x; i < 256; i += 32) out[i] = box[i];  // USE
}
)";

inline const TensorMap box_map{.element_bytes = 2,
                               .columns = matrix_columns,
                               .rows = matrix_rows,
                               .pitch = row_pitch,
                               .box_columns = box_width,
                               .box_rows = box_height,
                               .swizzle = 64};

inline Plan box_plan(const TensorMap& map, int column, int row) {
  return {.buffers = {{.name = "in", .type = ElementType::u16, .count = std::int64_t{matrix_rows} * row_pitch},
                      {.name = "out", .role = Role::out, .type = ElementType::u16, .count = box_elements}},
          .steps = {{.what = Launch{.entry = "copy",
                                    .grid = {},
                                    .block = {.x = 32},
                                    .arguments = {TensorMapArgument{.matrix = {.buffer = "in"}, .map = map},
                                                  pointer_to("in"), pointer_to("out"), value(column), value(row)}}}}};
}

inline std::uint16_t box_element(int row, int column) {
  return static_cast<std::uint16_t>(row * 100 + column + 1);
}

/// The matrix, with other values behind its rows.
inline std::vector<std::uint16_t> box_input() {
  std::vector<std::uint16_t> in(std::size_t{matrix_rows} * row_pitch, 0xdead);
  for (int r = 0; r < matrix_rows; ++r)
    for (int c = 0; c < matrix_columns; ++c) in[static_cast<std::size_t>(r * row_pitch + c)] = box_element(r, c);
  return in;
}

/// box_map with that swizzle: its rows have as many bytes, and a box 512.
inline TensorMap box_map_of(int swizzle_bytes) {
  TensorMap map = box_map;
  map.swizzle = swizzle_bytes;
  if (swizzle_bytes != 0) map.box_columns = swizzle_bytes / map.element_bytes;
  map.box_rows = box_elements / map.box_columns;
  return map;
}

/// First columns and rows of boxes that lie in the matrix, at its edges and outside.
inline constexpr std::pair<int, int> box_places[] = {{0, 0},   {8, 3},  {24, 15}, {-8, -2},
                                                     {32, 19}, {40, 0}, {0, 20},  {-40, 5}};

/// The box in shared memory, if rows are swizzled by so many bytes.
inline std::vector<std::uint16_t> expected_box(int bytes, int column, int row) {
  const warpwright::swizzle mode = bytes == 32    ? warpwright::swizzle::bytes_32
                                   : bytes == 64  ? warpwright::swizzle::bytes_64
                                   : bytes == 128 ? warpwright::swizzle::bytes_128
                                                  : warpwright::swizzle::none;
  const TensorMap map = box_map_of(bytes);
  std::vector<std::uint16_t> box(box_elements);
  for (int r = 0; r < map.box_rows; ++r)
    for (int c = 0; c < map.box_columns; ++c) {
      const int from_row = row + r, from_column = column + c;
      const bool inside = from_row >= 0 && from_row < matrix_rows && from_column >= 0 && from_column < matrix_columns;
      const auto at = static_cast<std::size_t>(swizzled(mode, (r * map.box_columns + c) * 2) / 2);
      box[at] = inside ? box_element(from_row, from_column) : std::uint16_t{0};
    }
  return box;
}

}  // namespace warpwright::simulator
