// Shared by plans that sort bodies into cells: the launches of cells.cuh and their scratch buffers.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/block/cells.cuh"
#include "kernels/model/kernel.hpp"

namespace warpwright::block {

/// A sort of at least one body into cells.
struct CellSort {
  ElementType type = ElementType::f32;  ///< of positions
  int dim = 3;
  int block_size = 128;
  bool sorted = true;     ///< also copy the positions in the order of the cells
  std::string positions;  ///< name of the buffer with all x, all y, all z, none below 0
  std::int64_t bodies = 0;
  cell_grid grid = {};

  /// Number of cell starts, including one after the last cell.
  std::int64_t starts() const {
    std::int64_t cells = 1;
    for (int axis = 0; axis < dim; ++axis) cells *= grid.cells;
    return cells + 1;
  }
};

/// Sums of blocks that a thread adds up itself; if there are more, a launch scans them before.
inline constexpr std::int64_t kFewSums = 8;

/// The grid as an argument.
inline ValueArgument grid_argument(const cell_grid& grid) {
  return value_of("warpwright::block::cell_grid", grid);
}

/// The scratch buffers that cell_sort_steps fills: starts, sums, rank, order and sorted.
inline std::vector<Buffer> cell_sort_buffers(const CellSort& sort) {
  const auto scratch = [](const char* name, ElementType type, std::int64_t count) {
    return Buffer{.name = name, .role = Role::scratch, .type = type, .count = count};
  };
  return {scratch("starts", ElementType::i32, sort.starts()),
          scratch("sums", ElementType::i32, divide_up(sort.starts(), sort.block_size)),
          scratch("rank", ElementType::i32, sort.bodies), scratch("order", ElementType::i32, sort.bodies),
          scratch("sorted", sort.type, sort.sorted ? sort.bodies * sort.dim : 0)};
}

/// The steps that sort the bodies into cells.
inline std::vector<Step> cell_sort_steps(const CellSort& sort) {
  const std::string block = std::to_string(sort.block_size);
  const std::string of_bodies = std::string(name_of(sort.type)) + ", " + std::to_string(sort.dim) + ", " + block;
  const auto launch = [&](const std::string& entry, std::int64_t threads, std::vector<Argument> arguments) {
    return Step{.what = Launch{.entry = "warpwright::block::" + entry,
                               .grid = {.x = static_cast<std::uint32_t>(divide_up(threads, sort.block_size))},
                               .block = {.x = static_cast<std::uint32_t>(sort.block_size)},
                               .arguments = std::move(arguments)}};
  };
  const auto over_cells = [&](const std::string& entry) {
    return launch(entry, sort.starts(),
                  {pointer_to("starts"), pointer_to("sums"), value(static_cast<int>(sort.starts()))});
  };
  const std::int64_t sums = divide_up(sort.starts(), sort.block_size);
  const bool is_scanned = sums > kFewSums * sort.block_size;
  std::vector<Step> steps{{.what = Memset{.buffer = "starts", .count = sort.starts(), .value = value(0)}},
                          launch("count_cells<" + of_bodies + ">", sort.bodies,
                                 {pointer_to(sort.positions), pointer_to("starts"), pointer_to("rank"),
                                  grid_argument(sort.grid), value(sort.bodies)}),
                          over_cells("sum_counts<" + block + ">")};
  if (is_scanned)
    steps.push_back(launch("scan_sums<" + block + ">", 1, {pointer_to("sums"), value(static_cast<int>(sums))}));
  steps.push_back(over_cells("start_cells<" + block + (is_scanned ? ", true>" : ", false>")));
  steps.push_back(launch("fill_cells<" + of_bodies + ", " + (sort.sorted ? "true" : "false") + ">", sort.bodies,
                         {pointer_to(sort.positions), pointer_to("starts"), pointer_to("rank"), pointer_to("order"),
                          pointer_to("sorted"), grid_argument(sort.grid), value(sort.bodies)}));
  return steps;
}

}  // namespace warpwright::block
