// Makes a failing case smaller.
#pragma once

#include <cstddef>

#include "conformance/properties/property.hpp"

namespace warpwright::conformance {

/// Measures of the passing cases, from which the limits for a hanging case are derived.
struct Passing {
  double of_limit = 0;    ///< greatest share of the case's step limit
  double seconds = 0;     ///< longest time of a case
  double work = 0;        ///< work of the largest case
  double of_largest = 0;  ///< seconds of that case
  double checking = 0;    ///< likewise, with the oracle and all comparisons

  /// The seconds that a case of this work would take if that one took so many; infinity if no case has passed.
  double seconds_for(double more_work, double seconds_of_largest) const;
};

/// Replaces the report's counterexample, the case drawn as number `failed`, by the simplest failing case that is found
/// in kShrinkingSeconds, or kHangShrinkingSeconds if it hangs.
void shrink(const Catalogue& catalogue, Checker& checker, const Kernel& kernel, const PropertyOptions& options,
            const Passing& passing, std::size_t failed, PropertyReport& report);

}  // namespace warpwright::conformance
