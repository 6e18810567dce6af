// Laws of neighbour lists: symmetry, and independence of numbering and of a periodic box's origin.
#include "kernels/neighbor/laws.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "kernels/neighbor/bodies.hpp"
#include "kernels/neighbor/reference.cuh"

namespace warpwright::neighbor {
namespace {

std::vector<int> ints_of(const Bytes& bytes) {
  std::vector<int> values(bytes.size() / sizeof(int));
  if (!bytes.empty()) std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

/// The observed rows, each up to its defined length; an overflowed row is {row_overflows}.
std::vector<std::vector<int>> rows_of(const Problem& problem, const std::vector<Bytes>& observed) {
  const std::vector<int> slots = ints_of(observed[0]);
  const auto capacity = static_cast<std::ptrdiff_t>(problem.integer("capacity"));
  std::vector<std::vector<int>> rows;
  for (auto row = slots.begin(); row != slots.end(); row += capacity) {
    const auto end = *row == row_overflows ? row + 1 : std::find(row, row + capacity, no_neighbor);
    rows.emplace_back(row, end);
  }
  return rows;
}

bool overflows(const std::vector<int>& row) {
  return !row.empty() && row[0] == row_overflows;
}

bool is_body(int number, std::size_t bodies) {
  return number >= 0 && static_cast<std::size_t>(number) < bodies;
}

std::string symmetric(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const auto rows = rows_of(problem, run(problem, inputs));
  for (std::size_t body = 0; body < rows.size(); ++body)
    for (const int other : rows[body]) {
      if (other == row_overflows) continue;
      if (!is_body(other, rows.size()))
        return "body " + std::to_string(body) + " has a neighbour " + std::to_string(other) + ", which is no body";
      const auto& back = rows[static_cast<std::size_t>(other)];
      if (!overflows(back) && !std::ranges::binary_search(back, static_cast<int>(body)))
        return "body " + std::to_string(other) + " is near " + std::to_string(body) + ", but not the other way round";
    }
  return "";
}

std::string even_total(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const std::vector<int> length = ints_of(run(problem, inputs)[1]);
  const auto total = std::accumulate(length.begin(), length.end(), std::int64_t{0});
  return total % 2 == 0 ? "" : "the lengths of all rows add up to " + std::to_string(total) + ", which is odd";
}

/// Renumbers bodies: body k of the second run is body from[k] of the first.
std::string permutation(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const Bodies bodies = bodies_of(problem, inputs[0]);
  std::vector<int> from(bodies.at.size());
  std::iota(from.begin(), from.end(), 0);
  std::shuffle(from.begin(), from.end(), std::mt19937_64(from.size()));
  Bodies moved = bodies;
  for (std::size_t k = 0; k < from.size(); ++k) moved.at[k] = bodies.at[static_cast<std::size_t>(from[k])];

  const auto before = rows_of(problem, run(problem, inputs));
  auto after = rows_of(problem, run(problem, {positions_of_bodies(problem, moved)}));
  for (std::size_t k = 0; k < from.size(); ++k) {
    if (!overflows(after[k])) {
      for (int& other : after[k])
        if (is_body(other, from.size())) other = from[static_cast<std::size_t>(other)];
      std::ranges::sort(after[k]);
    }
    if (after[k] != before[static_cast<std::size_t>(from[k])])
      return "body " + std::to_string(from[k]) + " has other neighbours when bodies change their numbers";
  }
  return "";
}

std::string shift(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  Bodies bodies = bodies_of(problem, inputs[0]);
  if (!bodies.periodic) return "";
  for (auto& at : bodies.at)
    for (std::size_t axis = 0; axis < 3; ++axis)
      at[axis] = (at[axis] + bodies.side / static_cast<std::int64_t>(axis + 2)) % bodies.side;
  return run(problem, {positions_of_bodies(problem, bodies)}) == run(problem, inputs)
             ? ""
             : "moving the bodies of a periodic box by the same way changed a list";
}

}  // namespace

std::vector<Law> laws() {
  return {{.name = "symmetric", .broken = symmetric},
          {.name = "even total", .broken = even_total},
          {.name = "permutation", .broken = permutation},
          {.name = "shift", .broken = shift, .input = "touching"}};
}

}  // namespace warpwright::neighbor
