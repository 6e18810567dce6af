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
/// The share of cases that a kernel that computes nothing may pass, of those that could have another answer, and of
/// all.
constexpr double kMostPassed = 0.05, kMostOfAll = 0.5;
/// So many may be right for it by chance: a sum of few terms is zero.
constexpr int kByChance = 3;
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

/// The case, and the same one with other data of the same kind, if a null kernel is exactly right for it.
class AuditedCase {
 public:
  AuditedCase(Audit& audit, const Answered& of, worker::Process& process, worker::Compiler& compiler)
      : audit_(audit), of_(of), process_(process), compiler_(compiler) {}

  /// Counts a kernel that leaves `left_in(buffer, inputs)` in each output; nothing if it has none for one of them. If
  /// it is right, that counts only if it `may_be_right`.
  template <class LeftIn>
  void try_null(const std::string& name, LeftIn left_in, bool may_be_right = true) {
    const std::optional<ComparisonResult> compared = compared_with(of_.answer, left_in);
    if (!compared || compared->failed() || (compared->error_ratio == 0 && !may_be_right)) return;
    Audit::Null& null = audit_.nulls[name];
    ++(compared->error_ratio == 0 ? null.equal : null.within);
    if (compared->error_ratio > 0) return;
    // If it is right for other data too, no other answer is possible for a problem of that size, or with such data.
    const auto again = other_answer() == nullptr ? std::nullopt : compared_with(*other_answer(), left_in);
    if (again && !again->failed() && again->error_ratio == 0) ++null.fixed;
  }

 private:
  template <class LeftIn>
  std::optional<ComparisonResult> compared_with(const OracleAnswer& answer, LeftIn left_in) const {
    std::vector<Bytes> outputs;
    for (const Buffer& buffer : of_.observed) {
      std::optional<Bytes> left = left_in(buffer, answer.inputs);
      if (!left) return std::nullopt;
      outputs.push_back(*std::move(left));
    }
    return compare_outputs(of_.observed, answer.expected, outputs, of_.bounds, kPoison);
  }

  /// Null if there is none.
  const OracleAnswer* other_answer() {
    if (!has_asked_ && audit_.changes_inputs) {
      has_asked_ = true;
      try {
        other_ = oracle_answer(of_.pattern, of_.problem, {.kind = of_.input.kind, .seed = of_.input.seed + 1}, process_,
                               compiler_);
      } catch (const OracleFault&) {
        // It does not say what is possible.
      }
    }
    return other_ && other_->unknown.empty() ? &*other_ : nullptr;
  }

  Audit& audit_;
  const Answered& of_;
  worker::Process& process_;
  worker::Compiler& compiler_;
  bool has_asked_ = false;
  std::optional<OracleAnswer> other_;
};

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
      input_bytes(of.pattern, of.problem, {.kind = of.input.kind, .seed = of.input.seed + 1}, process, compiler);
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
  changes_inputs = changes_inputs && more.changes_inputs;
  for (const auto& [name, null] : more.nulls) {
    nulls[name].equal += null.equal;
    nulls[name].within += null.within;
    nulls[name].fixed += null.fixed;
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
    // Without other data it is not known whether an exact answer is the only possible one.
    const int open = changes_inputs ? passed - null.fixed : null.within;
    const bool says_little = open > kByChance && open > kMostPassed * (cases - null.fixed);
    if (cases >= kLeastCases && (says_little || passed > kMostOfAll * cases))
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
  using Inputs = const std::vector<Bytes>&;
  AuditedCase audited(audit, of, process, compiler);
  for (const auto& constant : {std::pair("zeros", 0.0), std::pair("ones", 1.0)})
    audited.try_null(constant.first,
                     [&](const Buffer& buffer, Inputs) { return std::optional(full_of(buffer, constant.second)); });
  audited.try_null(kAllNan, [&](const Buffer& buffer, Inputs) {
    return is_floating(buffer.type) ? std::optional(full_of(buffer, std::numeric_limits<double>::quiet_NaN()))
                                    : std::nullopt;
  });
  std::size_t number = 0;
  for (const Buffer& from : of.pattern.buffers(of.problem)) {
    if (!from.is_input()) continue;
    const std::size_t input = number++;
    const auto left_in = [&](const Buffer& to, Inputs inputs) {
      return from.type == to.type && from.count == to.count ? std::optional(inputs.at(input)) : std::nullopt;
    };
    audited.try_null("copies of " + from.name, left_in, is_sorted(from, of.answer.inputs.at(input)));
  }
  if (audit.changes_inputs) change_inputs(audit, of, process, compiler);
}

}  // namespace warpwright::conformance
