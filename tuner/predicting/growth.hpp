// How the memory accesses of a user's kernel grow with the problem, measured in the simulator.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "conformance/checks/case_result.hpp"
#include "tuner/tasks/simulator_checks.hpp"

namespace warpwright::tuner {

/// One of the counts of a run.
using Count = std::uint64_t simulator::AccessCounts::*;

/// `count` was counted at `extent`, and `other` at the extent `at`. Returns the factor by which the count is larger at
/// `full`: a constant and a whole power of the extent are fitted if the growth is near one, or else any power.
double grown(double count, double other, double extent, double at, double full);

/// By what factors the counts of a kernel are larger on the full problem than on the traced one.
class Growth {
 public:
  Growth() = default;
  /// Multiplies the factors by those of one dimension; see grown().
  void add(const simulator::AccessCounts& counts, const simulator::AccessCounts& other, double extent, double at,
           double full);

  /// A count that was zero grows like all accesses together.
  double of(Count count) const;

 private:
  std::vector<std::pair<Count, double>> factors_ = {};
  double all_ = 1;
};

/// Runs the kernel's default configuration on the traced problem and, for each extent in which the problem is larger,
/// on one that is smaller in this extent. Nothing if one of the runs is not possible.
std::optional<Growth> measured_growth(const TuningContext& context, worker::Process& process, const Kernel& kernel,
                                      const Problem& problem);

}  // namespace warpwright::tuner
