// Makes problems and inputs of a pattern, and checks them against its declarations.
#include "kernels/model/pattern.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <stdexcept>

namespace warpwright {
namespace {

std::string domain_text(const Number& number) {
  if (number.step == 0) return fmt::format("any number from {} to {}", number.low, number.high);
  if (number.step == 1) return fmt::format("{} to {}", number.low, number.high);
  return fmt::format("{}, {} and so on to {}", number.low, number.low + number.step, number.high);
}

double parse_number(const Pattern& pattern, const Number& number, const std::string& text) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !number.allows(value))
    throw std::invalid_argument(
        fmt::format("{} of {} cannot be '{}'; it is {}", number.name, pattern.name, text, domain_text(number)));
  return value;
}

std::vector<std::string> names_of(const std::vector<InputKind>& kinds) {
  std::vector<std::string> names;
  for (const InputKind& kind : kinds) names.push_back(kind.name);
  return names;
}

std::vector<std::string> setting_names(const Pattern& pattern) {
  std::vector<std::string> names;
  for (const auto& [axis, options] : pattern.variants) names.push_back(axis);
  for (const Number& number : pattern.numbers) names.push_back(number.name);
  names.emplace_back(kOwnData);
  return names;
}

}  // namespace

bool Number::allows(double value) const {
  if (!(value >= low && value <= high)) return false;
  return step == 0 || std::fmod(value - low, step) == 0;
}

std::function<Amount(const Problem&)> elements_as(std::string unit) {
  return [unit = std::move(unit)](const Problem& problem) {
    return Amount{.count = static_cast<double>(problem.elements()), .unit = unit};
  };
}

Problem make_problem(const Pattern& pattern, const std::vector<ElementType>& types, const Settings& settings,
                     const std::vector<std::int64_t>& shape) {
  if (std::ranges::find(pattern.types, types) == pattern.types.end()) {
    std::vector<std::string> names;
    for (const auto& known : pattern.types) names.push_back(types_text(known));
    throw std::invalid_argument(
        fmt::format("{} has no type {}; it has {}", pattern.name, types_text(types), fmt::join(names, ", ")));
  }
  if (shape.size() != pattern.extents.size())
    throw std::invalid_argument(fmt::format("{} takes a size of the form {}, got {}", pattern.name,
                                            fmt::join(pattern.extents, "x"), shape_text(shape)));
  const auto names = setting_names(pattern);
  for (const auto& [name, value] : settings)
    if (std::ranges::find(names, name) == names.end())
      throw std::invalid_argument(
          fmt::format("{} has no setting '{}'; it has {}", pattern.name, name, fmt::join(names, ", ")));
  const auto setting = [&](const std::string& name, const std::string& otherwise) {
    const auto given = settings.find(name);
    return given == settings.end() ? otherwise : given->second;
  };

  Problem problem{.pattern = pattern.name, .types = types, .shape = shape};
  for (const auto& [axis, options] : pattern.variants) {
    problem.variant[axis] = setting(axis, options.front());
    if (std::ranges::find(options, problem.variant[axis]) == options.end())
      throw std::invalid_argument(fmt::format("{} has no {} '{}'; it has {}", pattern.name, axis, problem.variant[axis],
                                              fmt::join(options, ", ")));
  }
  for (const Number& number : pattern.numbers)
    set_number(problem, number, parse_number(pattern, number, setting(number.name, number_text(number.preferred))));
  problem.data = setting(std::string(kOwnData), pattern.data.front().name);
  if (const auto known = names_of(pattern.data); std::ranges::find(known, problem.data) == known.end())
    throw std::invalid_argument(
        fmt::format("{} has no data '{}'; it has {}", pattern.name, problem.data, fmt::join(known, ", ")));
  return problem;
}

void set_number(Problem& problem, const Number& number, double value) {
  if (number.is_implied && value == number.preferred)
    problem.numbers.erase(number.name);
  else
    problem.numbers[number.name] = value;
}

Problem checked_problem(const Pattern& pattern, const Problem& given) {
  Settings settings = given.variant;
  for (const auto& [name, number] : given.numbers) settings[name] = number_text(number);
  settings[std::string(kOwnData)] = given.data;
  return make_problem(pattern, given.types, settings, given.shape);
}

InputKind input_kind(const Pattern& pattern, const Problem& problem, const std::string& kind) {
  std::vector<InputKind> kinds = pattern.inputs(problem);
  for (const InputKind& data : pattern.data)
    if (std::ranges::find(kinds, data.name, &InputKind::name) == kinds.end()) kinds.push_back(data);
  const auto found = std::ranges::find(kinds, kind == kOwnData ? problem.data : kind, &InputKind::name);
  if (found != kinds.end()) return *found;
  throw std::invalid_argument(fmt::format("{} has no input '{}'; it has {}, {}", problem_text(problem), kind, kOwnData,
                                          fmt::join(names_of(kinds), ", ")));
}

const NamedObservation* find_observation(const Pattern& pattern, const std::string& name) {
  if (name.empty()) return pattern.observations.empty() ? nullptr : &pattern.observations.front();
  const auto found = std::ranges::find(pattern.observations, name, &NamedObservation::name);
  if (found == pattern.observations.end())
    throw std::invalid_argument(fmt::format("{} has no observation '{}'", pattern.name, name));
  return &*found;
}

std::vector<Buffer> observed_buffers(const Pattern& pattern, const Problem& problem, const Device& device,
                                     const std::string& observation) {
  const NamedObservation* named = find_observation(pattern, observation);
  const std::vector<Buffer> all = named == nullptr ? pattern.buffers(problem) : named->of(problem, device).plan.buffers;
  std::vector<Buffer> observed;
  for (const Buffer& buffer : all)
    if (buffer.is_output()) observed.push_back(buffer);
  return observed;
}

}  // namespace warpwright
