// A pattern: a problem that kernels solve, with its data, oracle, bounds, laws and work. One folder under kernels/.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/core/device.hpp"
#include "kernels/model/fill.hpp"
#include "kernels/model/plan.hpp"
#include "kernels/model/problem.hpp"
#include "kernels/model/work.hpp"

namespace warpwright {

/// A named number of a problem and what it may be: low, low + step, ... up to high; any real between them for step 0.
struct Number {
  std::string name;
  double low = 0;
  double high = 0;
  double step = 1;
  double preferred = 0;            ///< where nobody asks for another
  std::vector<double> edges = {};  ///< drawn more often than others, the simplest first

  bool allows(double value) const;
};

/// A way to fill the in buffers of a problem.
struct InputKind {
  std::string name;
  bool exact = false;  ///< every partial result is representable: nothing may be rounded, all bounds are 0
  /// All terms have one sign, and roundings drift one way: among the first cases where results are rounded, and long.
  bool same_sign = false;
  bool operator==(const InputKind&) const = default;
};

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

/// Of patterns whose outputs only move or count what there is: any bit may differ in nothing, or equal values in
/// nothing but the sign of zero and the bits of a NaN.
inline Bound same_bits(const Problem&, const std::string&, const InputKind&, double) {
  return {.comparison = Comparison::bits, .formula = "the same bits"};
}
inline Bound same_values(const Problem&, const std::string&, const InputKind&, double) {
  return {.comparison = Comparison::equal, .formula = "the same values"};
}

/// What one observed output should hold. For `bounded` comparisons the values are doubles and every element has a
/// magnitude (for a sum: the sum of the absolute terms); otherwise the values have the buffer's own type.
struct ExpectedOutput {
  std::string buffer;
  Bytes values = {};
  std::vector<double> magnitude = {};
};

using Expectation = std::vector<ExpectedOutput>;

/// Maps inputs and outputs to what is compared, where the outputs themselves are not: a defined head, rows as sets. It
/// runs on the target of the kernel, is neither counted, timed nor mutated, and a finding in it is the harness' fault.
struct Observation {
  std::string source;  ///< the .cuh that holds its entries
  /// Its `in` buffers are the problem's, by name (what a kernel wrote, for out and inout), and kPoisonBuffer; its out
  /// buffers are what is compared, in order.
  Plan plan;
};

/// One element of type u8: the byte that outputs were filled with before the run.
inline constexpr const char* kPoisonBuffer = "poison";

struct NamedObservation {
  std::string name;
  std::function<Observation(const Problem&, const Device&)> of;
};

/// The oracle as a plan for a GPU, for problems too large for the CPU's: a plain kernel in wider arithmetic.
/// For every observed output X the plan has an out buffer "X.expected" and, for bounded comparisons, "X.magnitude"
/// (double).
struct Reference {
  std::string source;  ///< the .cuh that holds its entries
  Plan plan;
  double depth = 0;  ///< roundings of 2^-53 on the longest path from an input to an output
};

/// Runs the kernel under test on a problem with the given in buffers; gives its observed outputs, in order.
/// Throws std::runtime_error when the run itself fails.
using Runner = std::function<std::vector<Bytes>(const Problem& problem, const std::vector<Bytes>& inputs)>;

/// A relation that observed outputs must satisfy without an oracle.
struct Law {
  std::string name;
  /// Empty when the law holds, else what broke. `inputs` are the in and inout buffers of `problem`.
  std::function<std::string(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run)> broken;
  std::string input = {};  ///< the kind that its inputs are drawn from; empty: the first of the pattern's
  /// A sentence on a case in which it holds, for who looks at that case alone: what `runs` gave, in their order. Empty:
  /// there is nothing to say.
  std::function<std::string(const Problem& problem, const std::vector<Bytes>& inputs,
                            const std::vector<std::vector<Bytes>>& runs)>
      in_words = {};
};

struct Pattern {
  std::string name;
  std::string summary;               ///< one line for people
  std::vector<std::string> extents;  ///< names of the dimensions, slowest first
  /// Options per variant axis, the default first. An option begins with a letter; "data" is no axis.
  std::map<std::string, std::vector<std::string>> variants = {};
  std::vector<Number> numbers = {};
  std::vector<std::vector<ElementType>> types;           ///< lists of types, the default first
  std::vector<InputKind> data = {{.name = "uniform"}};   ///< data sets that problems are timed on, the default first
  std::vector<std::vector<ElementType>> tuning_types;    ///< what `tune` takes when no --type is given
  std::vector<std::vector<std::int64_t>> tuning_shapes;  ///< what `tune` takes when no --size is given
  std::vector<Settings> tuning_settings = {{}};          ///< likewise without --with
  std::vector<std::int64_t> trace_shape;                 ///< small and without ragged edges, to count accesses on

  /// The in, inout and out buffers that every kernel and callable of the pattern works on.
  std::function<std::vector<Buffer>(const Problem&)> buffers;
  /// Kinds of input for checks beside the data sets; the first is exact.
  std::function<std::vector<InputKind>(const Problem&)> inputs;
  /// One for each in and inout buffer, in order; `kind` is one of `inputs` or `data`.
  std::function<std::vector<Fill>(const Problem&, const std::string& kind)> fills;
  /// Empty: the out and inout buffers are compared as they are. The first is what kernels are held to.
  std::vector<NamedObservation> observations = {};
  /// CPU reference: what every observed output should hold. `inputs` are the in and inout buffers in order. Empty: what
  /// `reference` gives on the host target.
  std::function<Expectation(const Problem&, const std::vector<Bytes>& inputs)> oracle;
  std::function<Reference(const Problem&, const Device&)> reference;
  /// Of an observed output. `depth` is the kernel's: roundings on the longest path from an input to an output.
  std::function<Bound(const Problem&, const std::string& output, const InputKind& input, double depth)> bound;
  std::function<Work(const Problem&)> work;
  std::vector<Law> laws = {};
  /// What limits every verdict on its kernels, for people: "no oracle: compared with the default configuration".
  std::vector<std::string> caveats = {};
};

/// The problem of a pattern with these types, settings and shape; what is not set has the pattern's default. Throws
/// std::invalid_argument for a type, setting or number of dimensions that the pattern has not.
Problem make_problem(const Pattern& pattern, const std::vector<ElementType>& types, const Settings& settings,
                     const std::vector<std::int64_t>& shape);

/// A problem as parse_problem read it, held against its pattern; throws as above.
Problem checked_problem(const Pattern& pattern, const Problem& given);

/// The kind of an input of the problem; throws std::invalid_argument with the known ones.
InputKind input_kind(const Pattern& pattern, const Problem& problem, const std::string& kind);

/// The observation of that name, the first for an empty one; nothing where the pattern has none. Throws
/// std::invalid_argument for an unknown name.
const NamedObservation* find_observation(const Pattern& pattern, const std::string& name);

/// What is compared: the out buffers of the observation, or the problem's out and inout buffers.
std::vector<Buffer> observed_buffers(const Pattern& pattern, const Problem& problem, const Device& device,
                                     const std::string& observation = {});

}  // namespace warpwright
