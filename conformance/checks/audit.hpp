// The audit of a comparison: where kernels that compute nothing pass too, comparing values proves nothing.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "conformance/checks/oracle_answer.hpp"
#include "kernels/model/pattern.hpp"

namespace warpwright::conformance {

/// The null kernel that shows where all answers are NaN.
inline constexpr const char* kAllNan = "NaN";

/// What is known of some cases' data and bounds, as counts.
struct Audit {
  /// A kernel that computes nothing.
  struct Null {
    int equal = 0;   ///< cases in which what it leaves is exactly right
    int within = 0;  ///< cases in which it is not, but within the bound
    int fixed = 0;   ///< of the first: no other answer is possible, whatever the data
  };
  /// An input whose data were changed.
  struct Changed {
    int cases = 0;
    bool is_used = false;  ///< an answer was another in one of them
  };

  bool changes_inputs = true;                  ///< the oracle answers changed inputs too, in all cases
  int cases = 0;                               ///< with results
  std::map<std::string, Null> nulls = {};      ///< by what they leave: "zeros"
  std::map<std::string, Changed> inputs = {};  ///< by name

  void add(const Audit& more);
  /// What the checks of values do not show, each in a sentence.
  std::vector<std::string> warnings() const;
};

/// A case and its right answer. The bounds are those of the observed buffers.
struct Answered {
  const Pattern& pattern;
  const Problem& problem;
  const Input& input;
  const OracleAnswer& answer;
  const std::vector<Buffer>& observed;
  const std::vector<Bound>& bounds;
};

/// Compares kernels that compute nothing with the answer, and has the oracle answer the case with other data in each
/// input that is not known to be used.
void audit_case(Audit& audit, const Answered& answered, worker::Process& process, worker::Compiler& compiler);

}  // namespace warpwright::conformance
