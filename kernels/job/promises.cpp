// Compares a job's launches with what the kernels promise to the compiler: __launch_bounds__ and __restrict__.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "kernels/job/lowering.hpp"
#include "kernels/job/text/signatures.hpp"

namespace warpwright::job {
namespace {

/// The values of names in a source: those of the job, then macros and constants.
class SourceValues {
 public:
  SourceValues(const Lowering& lowering, Names names) : lowering_(lowering), names_(std::move(names)) {
    for (const auto& [macro, value] : lowering.job.defines) names_[macro] = value.value(names_);
  }

  void add(const std::string& name, const std::string& text) {
    if (const auto known = value(text)) names_[name] = *known;
  }

  /// Nothing if the text is no expression of known numbers.
  std::optional<Value> value(const std::string& text, int depth = 0) const {
    constexpr int kDeepest = 8;
    try {
      const Expression expression = Expression::parse(text);
      Names names = names_;
      for (const std::string& name : expression.names()) {
        if (names.contains(name)) continue;
        const std::string* const body = body_of(name);
        const auto inner = body == nullptr || depth == kDeepest ? std::nullopt : value(*body, depth + 1);
        if (!inner) return std::nullopt;
        names[name] = *inner;
      }
      return expression.value(names);
    } catch (const ExpressionError&) {
      return std::nullopt;
    }
  }

 private:
  const std::string* body_of(const std::string& name) const {
    for (const auto* const known : {&lowering_.text.macros, &lowering_.text.constants})
      if (const auto found = known->find(name); found != known->end()) return &found->second;
    return nullptr;
  }

  const Lowering& lowering_;
  Names names_;
};

/// The buffer that the argument points to, with its offset; empty for a value.
std::string target_of(const Job& job, const JobArgument& argument) {
  const std::string name = !argument.buffer.empty() ? argument.buffer : argument.value ? argument.value->text() : "";
  return find_buffer(job, name) == nullptr ? "" : name + " from " + argument.offset.text();
}

void add_overlaps(const Lowering& lowering, const std::vector<JobStep>& steps, std::vector<std::string>& overlaps) {
  for (const JobStep& step : steps) {
    add_overlaps(lowering, step.steps, overlaps);
    if (step.kernel.empty()) continue;
    const std::vector<Parameter>& parameters = function_of(lowering.job, lowering.text.kernels, step).parameters;
    const std::vector<JobArgument>& arguments = *step.arguments;
    for (std::size_t i = 0; i < std::min(parameters.size(), arguments.size()); ++i)
      for (std::size_t k = 0; k < i; ++k) {
        const std::string target = target_of(lowering.job, arguments[i]);
        if (target.empty() || target != target_of(lowering.job, arguments[k])) continue;
        if (!(parameters[i].is_restrict || parameters[k].is_restrict)) continue;
        if (parameters[i].is_const && parameters[k].is_const) continue;
        overlaps.push_back(fmt::format(
            "{} and {} of {} are the same memory, although one is __restrict__: a GPU's compiler may read old values",
            parameters[k].name, parameters[i].name, step.kernel));
      }
  }
}

}  // namespace

std::vector<std::string> restrict_overlaps(const Lowering& lowering) {
  std::vector<std::string> overlaps;
  add_overlaps(lowering, lowering.job.steps, overlaps);
  return overlaps;
}

std::string bounds_fault(const Lowering& lowering, const JobStep& step, const Names& names) {
  if (step.kernel.empty()) return {};
  const GlobalFunction& function = function_of(lowering.job, lowering.text.kernels, step);
  if (function.launch_bounds.empty()) return {};
  SourceValues values(lowering, names);
  if (step.template_arguments) {
    const std::vector<std::string> parameters = template_names(function);
    for (std::size_t i = 0; i < std::min(parameters.size(), step.template_arguments->size()); ++i)
      values.add(parameters[i], (*step.template_arguments)[i]);
  }
  const auto most = values.value(function.launch_bounds);
  const Value threads = step.block[0].value(names) * step.block[1].value(names) * step.block[2].value(names);
  if (!most || threads <= *most) return {};
  return fmt::format("a block of {} has {} threads, and its __launch_bounds__({}) allow {}", step.kernel,
                     static_cast<double>(threads), function.launch_bounds, static_cast<double>(*most));
}

}  // namespace warpwright::job
