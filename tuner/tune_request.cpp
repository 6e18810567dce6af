// From a request to problems and kernels.
#include "tuner/tune_request.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

namespace warpwright::tuner {
namespace {

std::vector<ElementType> types_for(const Pattern& pattern, const std::vector<std::string>& names) {
  if (names.empty()) return pattern.tuning_types;
  if (std::ranges::find(names, "all") != names.end()) return pattern.types;
  std::vector<ElementType> types;
  for (const std::string& name : names) {
    const auto type = element_type_named(name);
    if (!type) throw std::invalid_argument(fmt::format("unknown type '{}'; try float, double or int", name));
    if (std::ranges::find(pattern.types, *type) != pattern.types.end()) types.push_back(*type);
  }
  return types;
}

std::vector<std::map<std::string, std::string>> variants_for(const Pattern& pattern,
                                                             const std::vector<std::string>& ops) {
  const auto axis = pattern.variants.find("op");
  if (ops.empty() || axis == pattern.variants.end()) return pattern.tuning_variants;
  const bool all = std::ranges::find(ops, "all") != ops.end();
  std::vector<std::map<std::string, std::string>> variants;
  for (const std::string& option : axis->second)
    if (all || std::ranges::find(ops, option) != ops.end()) variants.push_back({{"op", option}});
  return variants;
}

std::vector<std::vector<std::int64_t>> shapes_for(const Pattern& pattern, const std::vector<std::string>& sizes) {
  if (sizes.empty()) return pattern.tuning_shapes;
  std::vector<std::vector<std::int64_t>> shapes;
  for (const std::string& size : sizes) {
    const auto shape = parse_shape(size);
    if (shape.size() == pattern.extents.size()) shapes.push_back(shape);
  }
  return shapes;
}

}  // namespace

std::string TuneRequest::strategy_name() const {
  if (!strategy.empty()) return strategy;
  return budget_seconds > 0 || budget_evaluations > 0 ? "smac" : "exhaustive";
}

std::vector<TuneItem> tune_items(const Catalogue& catalogue, const TuneRequest& request) {
  const auto kernels = catalogue.matching(request.glob);
  std::vector<TuneItem> items;
  for (const Pattern& pattern : catalogue.patterns())
    for (const ElementType type : types_for(pattern, request.types))
      for (const auto& variant : variants_for(pattern, request.ops))
        for (const auto& shape : shapes_for(pattern, request.sizes)) {
          TuneItem item{.problem = make_problem(pattern, type, variant, shape), .kernels = {}};
          for (const Kernel* kernel : kernels)
            if (kernel->pattern == pattern.name && kernel->supports(item.problem)) item.kernels.push_back(kernel);
          if (!item.kernels.empty() && item.problem.elements() > 0) items.push_back(std::move(item));
        }
  if (items.empty())
    throw std::invalid_argument(fmt::format(
        "no pattern of '{}' has this size, type and op together: see tune --list for what there is", request.glob));
  return items;
}

double parse_duration(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string unit(end, text.data() + text.size());
  const double scale = unit.empty() || unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
  if (error != std::errc{} || scale == 0 || !(number > 0))
    throw std::invalid_argument(fmt::format("'{}' is no duration: write 90s, 10m or 1h", text));
  return number * scale;
}

}  // namespace warpwright::tuner
