// A pattern: a problem that kernels solve, with its oracle, bound, laws and cost. One folder under kernels/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/model/device.hpp"
#include "kernels/model/plan.hpp"
#include "kernels/model/problem.hpp"

namespace warpwright {

/// The contents of a buffer.
using Bytes = std::vector<std::byte>;

/// How an output is compared with what was expected.
enum class Comparison {
  bits,    ///< the same bits (data movement: NaN payloads and signed zeros count)
  equal,   ///< the same values: signed zeros compare equal, NaN equals NaN
  bounded  ///< |output - expected| <= relative * magnitude + absolute, element by element
};

/// The largest error that a right answer may have.
struct Bound {
  Comparison comparison = Comparison::equal;
  double relative = 0;  ///< times the element's magnitude, e.g. depth * u
  double absolute = 0;  ///< underflow term
  std::string formula;  ///< in words, for people
};

/// What one out or inout buffer should hold. For `bounded` comparisons the values are doubles and every element has a
/// magnitude (for a sum: the sum of the absolute terms); otherwise the values have the buffer's own type.
struct ExpectedOutput {
  std::string buffer;
  Bytes values;
  std::vector<double> magnitude;
};

using Expectation = std::vector<ExpectedOutput>;

/// The oracle as a plan for a GPU, for problems too large for the CPU's: a plain kernel in wider arithmetic.
/// For every out buffer X the plan has an out buffer "X.expected" and, for bounded comparisons, "X.magnitude" (double).
struct Reference {
  std::string source;  ///< the .cuh that holds its entries
  Plan plan;
  double depth = 0;  ///< roundings of 2^-53 on the longest path from an input to an output
};

/// Bytes that must move between memory and the chip, and operations that must be done, whatever the kernel.
struct Cost {
  double bytes_read = 0;
  double bytes_written = 0;
  double flops = 0;
};

/// Runs the kernel under test on a problem with the given in buffers; gives its out buffers, in order.
/// Throws std::runtime_error when the run itself fails.
using Runner = std::function<std::vector<Bytes>(const Problem& problem, const std::vector<Bytes>& inputs)>;

/// A relation that outputs must satisfy without an oracle.
struct Law {
  std::string name;
  /// Empty when the law holds, else what broke. `inputs` are the in buffers of `problem`, drawn exactly representable.
  std::function<std::string(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run)> broken;
};

struct Pattern {
  std::string name;
  std::string summary;                                       ///< one line for people
  std::vector<std::string> extents;                          ///< names of the dimensions, slowest first
  std::map<std::string, std::vector<std::string>> variants;  ///< options per variant axis, the default first
  std::vector<ElementType> types;                            ///< the default first
  std::vector<ElementType> tuning_types;                     ///< what `tune` takes when no --type is given
  std::vector<std::vector<std::int64_t>> tuning_shapes;      ///< what `tune` takes when no --size is given
  /// Likewise without --op.
  std::vector<std::map<std::string, std::string>> tuning_variants;
  std::vector<std::int64_t> trace_shape;  ///< small and without ragged edges, to count accesses on

  /// The in, inout and out buffers that every kernel and callable of the pattern works on.
  std::function<std::vector<Buffer>(const Problem&)> buffers;
  /// Distributions that the pattern defines a result for; `exact` is always the first.
  std::function<std::vector<Distribution>(const Problem&)> distributions;
  /// CPU reference. `inputs` are the in and inout buffers in order.
  std::function<Expectation(const Problem&, const std::vector<Bytes>& inputs)> oracle;
  std::function<Reference(const Problem&, const Device&)> reference;
  /// `depth` is the kernel's: roundings on the longest path from an input to an output.
  std::function<Bound(const Problem&, Distribution, double depth)> bound;
  std::function<Cost(const Problem&)> cost;
  std::vector<Law> laws;
};

/// The default problem of a pattern with another type, variant and shape; throws std::invalid_argument for a type,
/// option or number of dimensions that the pattern has not.
Problem make_problem(const Pattern& pattern, ElementType type, const std::map<std::string, std::string>& variant,
                     const std::vector<std::int64_t>& shape);

}  // namespace warpwright
