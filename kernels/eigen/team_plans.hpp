// Shared by the plans of kernels in which several threads process one matrix.
#pragma once

#include <algorithm>

#include "kernels/eigen/plans.hpp"
#include "kernels/eigen/team_storage.cuh"
#include "kernels/model/refusals.hpp"

namespace warpwright::eigen {

/// The memories that an axis chooses from.
inline std::vector<where> memories() {
  return {where::shared, where::global};
}

/// Shared memory of a block with this many matrices.
inline std::int64_t team_bytes(const layout& of, int teams, const Problem& problem) {
  return shared_bytes(of, static_cast<int>(order_of(problem)), static_cast<int>(parts_of(problem)),
                      static_cast<int>(size_of(problem.type())), teams);
}

inline std::string team_refusal(const layout& of, int teams, const Problem& problem, const Device& device) {
  return too_much_shared(team_bytes(of, teams, problem), device);
}

/// Steps of all threads in a team of this size in one sweep. The number is larger if each pair has a stage of its own,
/// and it includes the two barriers of each stage.
inline double team_steps(sweep_order order, int threads, const Problem& problem) {
  const double rows = problem.number("order");
  const bool is_cyclic = order == sweep_order::row_cyclic;
  const double stages = is_cyclic ? rows * (rows - 1) / 2 : rows;
  return static_cast<double>(problem.shape[0]) *
         std::max((is_cyclic ? 4 : 2) * rows * rows * rows, 2 * stages * threads);
}

inline Plan team_plan(const PlanRequest& request, const std::string& function, const layout& of, int teams, int threads,
                      const std::vector<Argument>& further) {
  const Problem& problem = request.problem;
  const auto square = static_cast<std::int64_t>(
      square_numbers(of, static_cast<int>(order_of(problem)), static_cast<int>(parts_of(problem))));
  return one_launch(request, function,
                    {.matrices = teams, .threads = threads, .shared_bytes = team_bytes(of, teams, problem)},
                    global_squares(of) * square, further);
}

}  // namespace warpwright::eigen
