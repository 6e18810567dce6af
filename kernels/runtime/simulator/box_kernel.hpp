// For tests in the simulator and on a GPU: kernels that copy a box of a matrix or of a tensor, and what they copy.
#pragma once

#include <algorithm>
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

/// Whether a box may be stored there: it must not begin at a negative place.
constexpr bool can_store(const std::pair<int, int>& place) {
  return place.first >= 0 && place.second >= 0;
}

/// The swizzle of a tensor map.
inline warpwright::swizzle mode_of(int swizzle_bytes) {
  return swizzle_bytes == 32    ? warpwright::swizzle::bytes_32
         : swizzle_bytes == 64  ? warpwright::swizzle::bytes_64
         : swizzle_bytes == 128 ? warpwright::swizzle::bytes_128
                                : warpwright::swizzle::none;
}

/// The box in shared memory, if rows are swizzled by so many bytes.
inline std::vector<std::uint16_t> expected_box(int bytes, int column, int row) {
  const TensorMap map = box_map_of(bytes);
  std::vector<std::uint16_t> box(box_elements);
  for (int r = 0; r < map.box_rows; ++r)
    for (int c = 0; c < map.box_columns; ++c) {
      const int from_row = row + r, from_column = column + c;
      const bool inside = from_row >= 0 && from_row < matrix_rows && from_column >= 0 && from_column < matrix_columns;
      const auto at = static_cast<std::size_t>(swizzled(mode_of(bytes), (r * map.box_columns + c) * 2) / 2);
      box[at] = inside ? box_element(from_row, from_column) : std::uint16_t{0};
    }
  return box;
}

/// Stores 1, 2, 3, ... to a box.
inline const std::string store_kernel = R"(
using namespace warpwright;
__global__ void store(const __grid_constant__ tensor_map map, int column, int row) {
  alignas(1024) __shared__ unsigned short box[256];
  for (int i = threadIdx.x; i < 256; i += 32) box[i] = i + 1;
  fence_async();  // FENCE
  __syncthreads();
  if (threadIdx.x == 0) {
    bulk_store_box(map, column, row, box);  // STORE
    bulk_commit();
    bulk_wait_reads<0>();  // WAIT
  }
}
)";

inline Plan store_plan(const TensorMap& map, int column, int row) {
  return {.buffers = {{.name = "out",
                       .role = Role::inout,
                       .type = ElementType::u16,
                       .count = std::int64_t{matrix_rows} * row_pitch}},
          .steps = {{.what = Launch{.entry = "store",
                                    .grid = {},
                                    .block = {.x = 32},
                                    .arguments = {TensorMapArgument{.matrix = {.buffer = "out"}, .map = map},
                                                  value(column), value(row)}}}}};
}

/// The matrix of box_input after that store.
inline std::vector<std::uint16_t> expected_matrix(int bytes, int column, int row) {
  const TensorMap map = box_map_of(bytes);
  std::vector<std::uint16_t> out = box_input();
  for (int r = 0; r < map.box_rows; ++r)
    for (int c = 0; c < map.box_columns; ++c) {
      const int to_row = row + r, to_column = column + c;
      if (to_row < 0 || to_row >= matrix_rows || to_column < 0 || to_column >= matrix_columns) continue;
      out[static_cast<std::size_t>(to_row * row_pitch + to_column)] =
          static_cast<std::uint16_t>(swizzled(mode_of(bytes), (r * map.box_columns + c) * 2) / 2 + 1);
    }
  return out;
}

/// The matrix as a tensor of more dimensions: its rows are those of layers.
struct TensorCase {
  const char* name;
  TensorMap map;           ///< of boxes of 512 bytes
  std::vector<int> first;  ///< of the box
};

inline std::vector<TensorCase> tensor_cases() {
  const auto layers = [](std::int64_t count, std::int64_t rows, int box) {
    return TensorLayers{.count = count, .pitch = rows * row_pitch, .box = box};
  };
  TensorMap three = box_map, four = box_map, five = box_map;
  const TensorMap one{.element_bytes = 2, .columns = matrix_rows * row_pitch - 8, .box_columns = box_elements};
  three.rows = 5;
  three.box_rows = 2;
  three.outer = {layers(4, 5, 4)};
  four.rows = 3;
  four.box_rows = 2;
  four.outer = {layers(2, 3, 2), layers(3, 6, 2)};
  five.rows = 2;
  five.box_rows = 1;
  five.outer = {layers(2, 2, 2), layers(2, 4, 2), layers(2, 8, 2)};
  return {{"One", one, {16}},
          {"OneAtTheEdge", one, {840}},
          {"OneBefore", one, {-32}},
          {"Three", three, {8, 1, 0}},
          {"ThreeAtTheEdge", three, {-8, 4, 2}},
          {"Four", four, {0, 1, 0, 1}},
          {"FourAtTheEdge", four, {16, 2, 1, -1}},
          {"Five", five, {0, 1, 0, 0, 0}},
          {"FiveAtTheEdge", five, {24, 0, 1, -1, 1}}};
}

/// Copies a box to shared memory, and from there to the output at the same place, or if that is negative, at 0.
inline std::string tensor_kernel(std::size_t dimensions) {
  std::string parameters, first, to;
  for (std::size_t i = 0; i < dimensions; ++i) {
    const std::string name = "at" + std::to_string(i);
    parameters += ", int " + name;
    first += (i == 0 ? "" : ", ") + name;
    to += (i == 0 ? "max(" : ", max(") + name + ", 0)";
  }
  return R"(
using namespace warpwright;
__global__ void moved(const __grid_constant__ tensor_map from, const __grid_constant__ tensor_map to)" +
         parameters + R"() {
  alignas(1024) __shared__ unsigned short box[256];
  __shared__ phase_barrier barrier;
  if (threadIdx.x != 0) return;
  phase_init(&barrier, 1);
  fence_async();
  phase_arrive_expect(&barrier, 512);
  bulk_copy_box(box, from, {)" +
         first + R"(}, &barrier);
  phase_wait(&barrier, 0);
  bulk_store_box(to, {)" +
         to + R"(}, box);
  bulk_commit();
  bulk_wait<0>();
}
)";
}

inline Plan tensor_plan(const TensorCase& one) {
  const std::int64_t count = std::int64_t{matrix_rows} * row_pitch;
  Launch launch{.entry = "moved",
                .grid = {},
                .block = {.x = 32},
                .arguments = {TensorMapArgument{.matrix = {.buffer = "in"}, .map = one.map},
                              TensorMapArgument{.matrix = {.buffer = "out"}, .map = one.map}}};
  for (const int at : one.first) launch.arguments.push_back(value(at));
  return {.buffers = {{.name = "in", .type = ElementType::u16, .count = count},
                      {.name = "out", .role = Role::inout, .type = ElementType::u16, .count = count}},
          .steps = {{.what = launch}}};
}

/// The output of zeros after that: the elements of the box that are in the tensor.
inline std::vector<std::uint16_t> expected_tensor(const TensorCase& one) {
  const std::vector<std::uint16_t> in = box_input();
  std::vector<std::uint16_t> out(in.size());
  std::vector<std::int64_t> extents{one.map.columns}, pitches{1};
  std::vector<int> sizes{one.map.box_columns};
  if (one.map.dimensions() > 1) {
    extents.push_back(one.map.rows);
    pitches.push_back(one.map.pitch);
    sizes.push_back(one.map.box_rows);
  }
  for (const TensorLayers& layers : one.map.outer) {
    extents.push_back(layers.count);
    pitches.push_back(layers.pitch);
    sizes.push_back(layers.box);
  }
  for (int i = 0; i < box_elements; ++i) {
    int rest = i;
    std::int64_t from = 0, to = 0;
    bool is_read = true, is_stored = true;
    for (std::size_t d = 0; d < extents.size(); ++d) {
      const int of_box = rest % sizes[d];
      rest /= sizes[d];
      const std::int64_t source = one.first[d] + of_box, target = std::max(one.first[d], 0) + of_box;
      is_read = is_read && source >= 0 && source < extents[d];
      is_stored = is_stored && target < extents[d];
      from += source * pitches[d];
      to += target * pitches[d];
    }
    if (is_stored) out[static_cast<std::size_t>(to)] = is_read ? in[static_cast<std::size_t>(from)] : std::uint16_t{0};
  }
  return out;
}

}  // namespace warpwright::simulator
