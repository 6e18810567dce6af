// Compares kernels that compute nothing with the oracle's answers.
#include "conformance/checks/audit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>
#include <stdexcept>
#include <utility>

#include "kernels/core/text.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/compare.cuh"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::conformance {
namespace {

/// Cases with more results take too long.
constexpr std::int64_t kMost = 1 << 22;
/// The share of cases that a kernel that computes nothing may pass. Of the catalogue's kernels, some pass a quarter: a
/// short sum may be zero, bodies that are alone do not move, and no bound holds for an iteration that does not
/// converge.
constexpr double kMostPassed = 0.5;
/// A copy that is right says something about the data if so many elements are sorted. Else the kernel may be a copy.
constexpr std::size_t kLeastSorted = 16;
/// An input without an effect is changed in so many cases at most, and named after so many at least.
constexpr int kChanges = 12, kLeastChanges = 3;
/// Of fewer cases, most may be right for a null kernel by chance.
constexpr int kLeastCases = 10;

Bytes full_of(const Buffer& buffer, double value) {
  return with_storage_of(buffer.type, [&]<class T>(T) {
    return bytes_of(std::vector<T>(static_cast<std::size_t>(buffer.count), static_cast<T>(static_cast<float>(value))));
  });
}

/// The number of results that are compared.
std::int64_t results_of(const Answered& of) {
  std::int64_t count = 0;
  for (const Buffer& buffer : of.observed) {
    const auto& expected = *std::ranges::find(of.answer.expected, buffer.name, &ExpectedOutput::buffer);
    count += buffer.count - std::ranges::count(expected.magnitude, compare::kNotCompared);
  }
  return count;
}

bool is_sorted(const Buffer& buffer, const Bytes& contents) {
  return with_storage_of(buffer.type, [&]<class T>(T) {
    std::vector<float> values;
    for (const T value : elements_of<T>(contents)) values.push_back(static_cast<float>(value));
    return values.size() >= kLeastSorted &&
           (std::ranges::is_sorted(values) || std::ranges::is_sorted(values, {}, std::negate()));
  });
}

/// Counts a kernel that leaves these contents in each output; nothing if it has none for one of them. If it is right,
/// that counts only if it `may_be_right`.
template <class LeftIn>
void try_null(Audit& audit, const Answered& of, const std::string& name, LeftIn left_in, bool may_be_right = true) {
  std::vector<Bytes> outputs;
  for (const Buffer& buffer : of.observed) {
    std::optional<Bytes> left = left_in(buffer);
    if (!left) return;
    outputs.push_back(*std::move(left));
  }
  const ComparisonResult compared = compare_outputs(of.observed, of.answer.expected, outputs, of.bounds, kPoison);
  if (compared.failed() || (compared.error_ratio == 0 && !may_be_right)) return;
  Audit::Null& null = audit.nulls[name];
  ++(compared.error_ratio == 0 ? null.equal : null.within);
}

bool is_same(const Expectation& one, const Expectation& other) {
  return std::ranges::equal(one, other, {}, &ExpectedOutput::values, &ExpectedOutput::values);
}

void change_inputs(Audit& audit, const Answered& of, worker::Process& process, worker::Compiler& compiler) {
  const std::vector<Buffer> buffers = of.pattern.buffers(of.problem);
  const auto is_open = [&](const Buffer& buffer) {
    // What an inout buffer held may matter for other problems only: C of a product with beta 0.
    if (buffer.role != Role::in) return false;
    const Audit::Changed& changed = audit.inputs[buffer.name];
    return !changed.is_used && changed.cases < kChanges;
  };
  if (std::ranges::none_of(buffers, is_open)) return;
  const std::vector<Bytes> others =
      generate_inputs(of.pattern, of.problem, {.kind = of.input.kind, .seed = of.input.seed + 1});
  std::size_t next = 0;
  for (const Buffer& buffer : buffers) {
    if (!buffer.is_input()) continue;
    const std::size_t number = next++;
    if (!is_open(buffer) || of.answer.inputs.at(number) == others.at(number)) continue;
    std::vector<Bytes> inputs = of.answer.inputs;
    inputs.at(number) = others.at(number);
    Audit::Changed& changed = audit.inputs[buffer.name];
    ++changed.cases;
    try {
      const OracleAnswer answer = oracle_answer(of.pattern, of.problem, std::move(inputs), process, compiler);
      // Nothing can be said of data for which the oracle has no answer, nor of data that do not fit the other inputs.
      changed.is_used = !answer.unknown.empty() || !is_same(answer.expected, of.answer.expected);
    } catch (const OracleFault&) {
      changed.is_used = true;
    }
  }
}

}  // namespace

void Audit::add(const Audit& more) {
  cases += more.cases;
  for (const auto& [name, null] : more.nulls) {
    nulls[name].equal += null.equal;
    nulls[name].within += null.within;
  }
  for (const auto& [name, changed] : more.inputs) {
    inputs[name].cases += changed.cases;
    inputs[name].is_used = inputs[name].is_used || changed.is_used;
  }
}

std::vector<std::string> Audit::warnings() const {
  std::vector<std::string> all;
  for (const auto& [name, null] : nulls) {
    const int passed = null.equal + null.within;
    if (cases >= kLeastCases && passed > kMostPassed * cases)
      all.push_back(fmt::format("{} pass {} of {}: the {} nothing", name, passed, counted(cases, "case"),
                                null.within > null.equal ? "bound proves" : "data prove"));
  }
  for (const auto& [name, changed] : inputs)
    if (!changed.is_used && changed.cases >= kLeastChanges)
      all.push_back(fmt::format("no output depends on {}: other data changed no answer in {}", name,
                                counted(changed.cases, "case")));
  return all;
}

void audit_case(Audit& audit, const Answered& of, worker::Process& process, worker::Compiler& compiler) {
  const std::int64_t results = results_of(of);
  if (results == 0 || results > kMost) return;
  ++audit.cases;
  for (const auto& constant : {std::pair("zeros", 0.0), std::pair("ones", 1.0)})
    try_null(audit, of, constant.first,
             [&](const Buffer& buffer) { return std::optional(full_of(buffer, constant.second)); });
  try_null(audit, of, kAllNan, [&](const Buffer& buffer) {
    return is_floating(buffer.type) ? std::optional(full_of(buffer, std::numeric_limits<double>::quiet_NaN()))
                                    : std::nullopt;
  });
  std::size_t input = 0;
  for (const Buffer& from : of.pattern.buffers(of.problem)) {
    if (!from.is_input()) continue;
    const Bytes& contents = of.answer.inputs.at(input++);
    const auto left_in = [&](const Buffer& to) {
      return from.type == to.type && from.count == to.count ? std::optional(contents) : std::nullopt;
    };
    try_null(audit, of, "copies of " + from.name, left_in, is_sorted(from, contents));
  }
  if (audit.changes_inputs) change_inputs(audit, of, process, compiler);
}

}  // namespace warpwright::conformance
