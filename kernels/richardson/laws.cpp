// The laws of Richardson's iteration: fixed point, contraction, scaling.
#include "kernels/richardson/laws.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernels/richardson/linear_system.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::richardson {
namespace {

/// Calls law(problem, system, iterate) with the problem's inputs as numbers; iterate(problem, system) gives x.
template <class Law>
auto on_numbers(Law law) {
  return [law](const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
    return with_type_of<float, double>(problem.type(), [&]<class T>(T) -> std::string {
      const auto iterate = [&](const Problem& one, const LinearSystem<T>& system) {
        return elements_of<T>(run(one, system.inputs()).at(0));
      };
      return law(problem, LinearSystem<T>(problem, inputs), iterate);
    });
  };
}

/// Runs all sweeps, unless the residual is 0.
Problem without_tolerance(Problem problem) {
  problem.numbers["tolerance"] = 0;
  return problem;
}

template <class T>
std::string differs(const std::vector<T>& got, const std::vector<T>& wanted) {
  for (std::size_t i = 0; i < wanted.size(); ++i)
    if (!(got.at(i) == wanted[i])) return fmt::format("x[{}] is {} where {} was expected", i, got.at(i), wanted[i]);
  return {};
}

/// If A start = f, nothing changes.
constexpr auto fixed_point = [](const Problem& problem, auto system, auto iterate) -> std::string {
  for (std::int64_t row = 0; row < system.rows; ++row) {
    auto& sum = system.f.at(static_cast<std::size_t>(row));
    sum = 0;
    system.for_entries(row, [&](std::size_t column, auto value) { sum += value * system.start[column]; });
  }
  return differs(iterate(problem, system), system.start);
};

/// With every sweep, the distance of two starts shrinks by the norm of I + alpha A, except for roundings.
constexpr auto contraction = [](const Problem& problem, auto system, auto iterate) -> std::string {
  using T = typename decltype(system.a)::value_type;
  if (system.rows == 0) return {};
  const double alpha = problem.number("alpha");
  const double sweeps = problem.number("sweeps");
  double norm = 0;
  double growth = 0;
  double size = 1;
  for (std::int64_t row = 0; row < system.rows; ++row) {
    std::vector<double> of_row(static_cast<std::size_t>(system.rows));
    of_row.at(static_cast<std::size_t>(row)) = 1;
    double of_a = 0;
    system.for_entries(row, [&](std::size_t column, auto value) {
      of_row.at(column) += alpha * static_cast<double>(value);
      of_a += std::fabs(alpha * static_cast<double>(value));
    });
    double sum = 0;
    for (const double one : of_row) sum += std::fabs(one);
    norm = std::max(norm, sum);
    growth = std::max(growth, 1 + of_a);
    size = std::max({size, std::fabs(static_cast<double>(system.f.at(static_cast<std::size_t>(row)))),
                     std::fabs(static_cast<double>(system.start.at(static_cast<std::size_t>(row))))});
  }
  auto other = system;
  std::ranges::reverse(other.start);
  const auto distance = [](const std::vector<T>& one, const std::vector<T>& two) {
    double most = 0;
    for (std::size_t i = 0; i < one.size(); ++i)
      most = std::max(most, std::fabs(static_cast<double>(one[i]) - static_cast<double>(two[i])));
    return most;
  };
  const double got = distance(iterate(without_tolerance(problem), system), iterate(without_tolerance(problem), other));
  const double roundings = 2 * sweep_depth(problem, longest_row(problem)) * unit_roundoff(problem.type());
  const double most = std::pow(norm, sweeps) * distance(system.start, other.start) +
                      2 * roundings * std::pow(growth, sweeps) * size * (1 + std::fabs(alpha));
  return got <= most ? "" : fmt::format("starts are {} apart at the end, {} would be right", got, most);
};

/// Halving f and the start halves x exactly, because halving rounds nothing.
constexpr auto scaling = [](const Problem& problem, auto system, auto iterate) -> std::string {
  const auto whole = iterate(without_tolerance(problem), system);
  for (auto& one : system.f) one /= 2;
  for (auto& one : system.start) one /= 2;
  auto half = iterate(without_tolerance(problem), system);
  for (auto& one : half) one *= 2;
  return differs(half, whole);
};

}  // namespace

std::vector<Law> laws() {
  return {
      {.name = "a solution is a fixed point", .broken = on_numbers(fixed_point)},
      {.name = "sweeps contract by the norm of I + alpha A", .broken = on_numbers(contraction), .input = "contracting"},
      {.name = "half of a system has half of the solution", .broken = on_numbers(scaling)}};
}

}  // namespace warpwright::richardson
