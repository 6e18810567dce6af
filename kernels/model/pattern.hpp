// A pattern: a problem that kernels solve, with its data, oracle, bounds, laws and work. Each is a folder below
// kernels/.
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

/// A named number of a problem and its range: low, low + step, ... up to high. With step 0: any real number in between.
struct Number {
  std::string name;
  double low = 0;
  double high = 0;
  double step = 1;
  double preferred = 0;            ///< the default
  std::vector<double> edges = {};  ///< values that are drawn more often; the simplest first
  /// Problems hold it only if it is not the preferred value. So a pattern can get a number that it did not have, and
  /// stored problems keep their texts.
  bool is_implied = false;

  bool allows(double value) const;
};

/// Sets a number of a problem.
void set_number(Problem& problem, const Number& number, double value);

/// A kind of contents of a problem's in buffers.
struct InputKind {
  std::string name;
  bool exact = false;  ///< every partial result is representable: nothing is rounded, so all bounds are 0
  /// All terms have the same sign, so rounding errors go one way. One of the first cases is of this kind, and large.
  bool same_sign = false;
  bool operator==(const InputKind&) const = default;
};

/// How an output is compared with the expected one.
enum class Comparison {
  bits,    ///< the same bits (data movement: NaN payloads and signed zeros count)
  equal,   ///< the same values: signed zeros compare equal, NaN equals NaN
  bounded  ///< |output - expected| <= relative * magnitude + absolute, element by element
};

/// The largest error that a right result may have.
struct Bound {
  Comparison comparison = Comparison::equal;
  double relative = 0;  ///< times the element's magnitude, e.g. depth * u
  double absolute = 0;  ///< for underflow
  std::string formula;  ///< as text for people
};

/// Bounds for patterns that only move or count values. The first: all bits must be the same. The second: values must be
/// equal, so zeros may differ in sign, and NaNs in their bits.
inline Bound same_bits(const Problem&, const std::string&, const InputKind&, double) {
  return {.comparison = Comparison::bits, .formula = "the same bits"};
}
inline Bound same_values(const Problem&, const std::string&, const InputKind&, double) {
  return {.comparison = Comparison::equal, .formula = "the same values"};
}

/// The expected contents of one observed output. For `bounded` comparisons the values are doubles, and every element
/// has a magnitude (for a sum: the sum of the absolute terms). Otherwise the values have the buffer's type.
struct ExpectedOutput {
  std::string buffer;
  Bytes values = {};
  std::vector<double> magnitude = {};  ///< of an element that may have any value: compare::kNotCompared
};

using Expectation = std::vector<ExpectedOutput>;

/// Turns inputs and outputs into what is compared, if outputs cannot be compared directly: only a part of them is
/// defined, say, or rows may be in any order. It runs on the kernel's target. It is not counted, timed or mutated. A
/// finding in it is an error of the pattern.
struct Observation {
  std::string source;  ///< the .cuh that holds its entries
  /// Its `in` buffers have the names of the problem's buffers (out and inout: as the kernel wrote them), and
  /// kPoisonBuffer. Its out buffers are compared, in order.
  Plan plan;
};

/// One element of type u8: the byte that filled all outputs before the run.
inline constexpr const char* kPoisonBuffer = "poison";

struct NamedObservation {
  std::string name;
  std::function<Observation(const Problem&, const Device&)> of;
};

/// The oracle as a plan for a GPU, for problems too large for the CPU: a plain kernel with wider arithmetic. For every
/// observed output X the plan has an out buffer "X.expected" and, for bounded comparisons, "X.magnitude" (double).
struct Reference {
  std::string source;  ///< the .cuh that holds its entries
  Plan plan;
  double depth = 0;  ///< roundings of 2^-53 on the longest path from an input to an output
};

/// Runs the kernel under test on a problem with these in buffers, and returns its observed outputs, in order. Throws
/// std::runtime_error if the run fails.
using Runner = std::function<std::vector<Bytes>(const Problem& problem, const std::vector<Bytes>& inputs)>;

/// A relation between outputs that can be checked without an oracle.
struct Law {
  std::string name;
  /// Empty if the law holds, or else what is wrong. `inputs` are the in and inout buffers of `problem`.
  std::function<std::string(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run)> broken;
  std::string input = {};  ///< the kind of its inputs; empty: the pattern's first kind
  /// If the law holds: a sentence about this case, shown if it is run alone. `runs` are the results of `run`, in order.
  /// Empty: no sentence.
  std::function<std::string(const Problem& problem, const std::vector<Bytes>& inputs,
                            const std::vector<std::vector<Bytes>>& runs)>
      in_words = {};
};

struct Pattern {
  std::string name;
  std::string summary;  ///< one line for people
  /// Other names that users look for, each for problems with these settings: {"softmax", {{"op", "softmax"}}}.
  std::map<std::string, Settings> aliases = {};
  std::vector<std::string> extents;  ///< names of the dimensions, slowest first
  /// The values of each variant, the default first. They begin with a letter. "data" cannot be a variant.
  std::map<std::string, std::vector<std::string>> variants = {};
  std::vector<Number> numbers = {};
  std::vector<std::vector<ElementType>> types;           ///< lists of types, the default first
  std::vector<InputKind> data = {{.name = "uniform"}};   ///< data sets that problems are timed on, the default first
  std::vector<std::vector<ElementType>> tuning_types;    ///< the types that `tune` uses without --type
  std::vector<std::vector<std::int64_t>> tuning_shapes;  ///< the shapes that `tune` uses without --size
  std::vector<Settings> tuning_settings = {{}};          ///< likewise, the settings without --with
  std::vector<std::int64_t> trace_shape;                 ///< small, without partial tiles; for counting accesses

  /// The in, inout and out buffers that every kernel and callable of the pattern works on.
  std::function<std::vector<Buffer>(const Problem&)> buffers;
  /// Kinds of input for checks, besides the data sets. The first must be exact.
  std::function<std::vector<InputKind>(const Problem&)> inputs;
  /// One fill for each in and inout buffer, in order. `kind` is one of `inputs` or `data`.
  std::function<std::vector<Fill>(const Problem&, const std::string& kind)> fills;
  /// Empty: out and inout buffers are compared directly. Kernels are checked by the first observation.
  std::vector<NamedObservation> observations = {};
  /// The expected contents of every observed output, computed on the CPU. `inputs` are the in and inout buffers in
  /// order. If empty, `reference` in the simulator is the oracle.
  std::function<Expectation(const Problem&, const std::vector<Bytes>& inputs)> oracle;
  std::function<Reference(const Problem&, const Device&)> reference;
  /// The bound of an observed output. `depth` is the kernel's number of roundings on the longest path.
  std::function<Bound(const Problem&, const std::string& output, const InputKind& input, double depth)> bound;
  std::function<Work(const Problem&)> work;
  /// Empty: its times are not shown as rates, except of memory.
  std::function<Amount(const Problem&)> amount = {};
  std::vector<Law> laws = {};
  /// An element of an observed output in messages: "out[1, 63] of 3 x 65". Empty: "out[128]".
  std::function<std::string(const Problem&, const std::string& output, std::int64_t index)> element_name = {};
  /// Limits of every verdict on its kernels, as text: "the bound is guessed: 1e-05 of the result and 0".
  std::vector<std::string> caveats = {};
};

/// For patterns whose rates count the elements of a problem, under this name: "keys".
std::function<Amount(const Problem&)> elements_as(std::string unit);

/// A problem of the pattern with these types, settings and shape, and the pattern's defaults for missing settings.
/// Throws std::invalid_argument for unknown types or settings, or the wrong number of dimensions.
Problem make_problem(const Pattern& pattern, const std::vector<ElementType>& types, const Settings& settings,
                     const std::vector<std::int64_t>& shape);

/// Checks a problem from parse_problem against its pattern, and adds defaults. Throws like make_problem.
Problem checked_problem(const Pattern& pattern, const Problem& given);

/// The input kind of that name. Throws std::invalid_argument with the known kinds.
InputKind input_kind(const Pattern& pattern, const Problem& problem, const std::string& kind);

/// The observation of that name, or the first for an empty name; null if the pattern has none. Throws
/// std::invalid_argument for an unknown name.
const NamedObservation* find_observation(const Pattern& pattern, const std::string& name);

/// The buffers that are compared: the out buffers of the observation, or the problem's out and inout buffers.
std::vector<Buffer> observed_buffers(const Pattern& pattern, const Problem& problem, const Device& device,
                                     const std::string& observation = {});

}  // namespace warpwright
