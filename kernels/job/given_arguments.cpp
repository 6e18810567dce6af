// The arguments of a draft that are pointers, vectors, structs and variables of loops.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kernels/job/draft_reading.hpp"
#include "kernels/job/draft_words.hpp"
#include "kernels/job/job.hpp"
#include "kernels/job/text/tokens.hpp"

namespace warpwright::job {

std::string DraftReading::structure(const Parameter& parameter, const std::vector<Parameter>& members,
                                    const std::string& given) {
  std::vector<std::string> made;
  for (std::size_t k = 0; k < members.size(); ++k)
    made.push_back(member(members[k], given_member(given, members[k].name, k)));
  return fmt::format("{{\"type\": {}, \"members\": [{}]}}", in_quotes(parameter.type), fmt::join(made, ", "));
}

std::string DraftReading::member(const Parameter& member, const std::string& given) {
  if (member.is_pointer) {
    const std::string passed = pointer(member, given);
    return passed == "null" ? passed : fmt::format("{{\"buffer\": {}}}", passed);
  }
  const std::string type = in_quotes(member.type);
  if (!member.extent.empty()) {
    const Tokens list(given, "");
    std::vector<std::string> values;
    if (list.is(0, "{"))
      for (const auto& [first, last] : split_at_commas(list, 1, closing_bracket(list, 0), false))
        values.push_back(scalar({.type = member.type, .name = member.name}, list.spelling(first, last)));
    if (values.empty()) values.push_back(scalar({.type = member.type, .name = member.name}, "?"));
    const auto size = static_cast<std::size_t>(std::max<std::int64_t>(host_.number(member.extent).value_or(1), 1));
    values.resize(size, list.is(0, "{") ? "0" : values.front());
    return fmt::format("{{\"type\": {}, \"values\": [{}]}}", type, fmt::join(values, ", "));
  }
  if (const std::string made = vector(member, given); !made.empty()) return made;
  if (const auto inner = members_of(member); !inner.empty()) return structure(member, inner, given);
  return fmt::format("{{\"type\": {}, \"value\": {}}}", type, scalar(member, given));
}

namespace {

Parameter element_of(const TypeWord& vector, const Parameter& parameter) {
  return {.type = std::string(name_of(vector.element)), .name = parameter.name};
}

}  // namespace

/// `make_float3(x, y, z)` or `{x, y, z}`; empty for another type.
std::string DraftReading::vector(const Parameter& parameter, const std::string& given) {
  const auto type = type_word(meant(parameter.type));
  if (!type || type->lanes == 1) return {};
  if (type->spelling == "dim3") {
    std::vector<std::string> values;
    for (const std::string& part : host_.parts_of_extent(given).value_or(std::vector<std::string>{}))
      values.push_back(scalar(element_of(*type, parameter), part));
    if (values.empty()) values.push_back(scalar(element_of(*type, parameter), "?"));
    values.resize(static_cast<std::size_t>(type->lanes), "1");
    return fmt::format("{{\"type\": {}, \"values\": [{}]}}", in_quotes(parameter.type), fmt::join(values, ", "));
  }
  const Tokens list(given, "");
  const std::size_t open = list.size() > 1 && !opens_bracket(list.view(0)) ? 1 : 0;
  std::vector<std::string> values;
  const Parameter element = element_of(*type, parameter);
  if (open < list.size() && opens_bracket(list.view(open)))
    for (const auto& [first, last] : split_at_commas(list, open + 1, closing_bracket(list, open), false))
      values.push_back(scalar(element, list.spelling(first, last)));
  if (values.empty()) values.push_back(scalar(element, given.empty() ? "?" : given));
  values.resize(static_cast<std::size_t>(type->lanes), values.back());
  return fmt::format("{{\"type\": {}, \"values\": [{}]}}", in_quotes(parameter.type), fmt::join(values, ", "));
}

namespace {

bool is_null(const std::string& given) {
  return given == "nullptr" || given == "NULL" || given == "0";
}

}  // namespace

/// Whether the host code passes any memory. A launch with null pointers only is no example of how to call the kernel.
bool DraftReading::passes_memory() const {
  for (std::size_t i = 0; i < kernel_.parameters.size(); ++i) {
    const Parameter& parameter = kernel_.parameters[i];
    if (parameter.is_pointer ? !is_null(given(i)) : !members_of(parameter).empty()) return true;
  }
  return false;
}

/// A buffer with the name of the parameter, or null where the host code means that.
std::string DraftReading::pointer(const Parameter& parameter, const std::string& given) {
  if (is_null(given) && passes_memory()) return "null";
  if (std::string part = part_of_another(given); !part.empty()) return part;
  pointers_.push_back(parameter);
  return in_quotes(parameter.name);
}

/// For `d_a + 3 * n`, where an earlier parameter gets d_a: that buffer with an offset.
std::string DraftReading::part_of_another(const std::string& given) const {
  const Tokens tokens(given, "");
  const bool is_address = tokens.is(0, "&") && tokens.is(2, "[");
  if (!is_address && !tokens.is(1, "+")) return {};
  const auto base = std::ranges::find(launched_.arguments, std::string(tokens.view(is_address ? 1 : 0)));
  const auto number = static_cast<std::size_t>(base - launched_.arguments.begin());
  if (number >= kernel_.parameters.size() || !kernel_.parameters[number].is_pointer) return {};
  const std::string& name = kernel_.parameters[number].name;
  const auto offset =
      host_.expression(is_address ? tokens.spelling(3, tokens.size() - 1) : tokens.spelling(2, tokens.size()));
  const auto is_known = [&](const std::string& word) { return is_named(word); };
  if (!offset || !std::ranges::all_of(host_.unknown(*offset), is_known)) return {};
  return fmt::format("{{\"buffer\": {}, \"offset\": {}}}", in_quotes(name), in_quotes(*offset));
}

bool DraftReading::is_loop_variable(const std::string& name) const {
  return !name.empty() && name == launched_.loop_variable;
}

std::string DraftReading::loop_rounds() const {
  const auto rounds = host_.expression(launched_.loop_rounds);
  const bool is_known =
      rounds && std::ranges::all_of(host_.unknown(*rounds), [&](const std::string& name) { return is_extent(name); });
  return is_known ? *rounds : std::string();
}

std::string DraftReading::changed_in_a_loop() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < kernel_.parameters.size(); ++i)
    if (launched_.changed.contains(given(i))) names.push_back(kernel_.parameters[i].name);
  return fmt::format("{}", fmt::join(names, ", "));
}

}  // namespace warpwright::job
