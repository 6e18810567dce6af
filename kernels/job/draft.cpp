// Drafting a job from the text of a .cu file.
#include "kernels/job/draft.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <vector>

#include "kernels/job/expression.hpp"
#include "kernels/job/job.hpp"
#include "kernels/job/lowering.hpp"

namespace warpwright::job {
namespace {

std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump();
}

/// The whole number that a macro stands for; nothing for another macro.
std::optional<std::int64_t> number_of(const std::string& text) {
  try {
    const Expression expression = Expression::parse(text);
    if (!expression.names().empty() || !is_whole(expression.value({}))) return std::nullopt;
    return static_cast<std::int64_t>(expression.value({}));
  } catch (const ExpressionError&) {
    return std::nullopt;
  }
}

/// Parts between commas that are in no brackets.
std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c == ',' && depth == 0)
      parts.emplace_back();
    else if (c != ' ' || !parts.back().empty())
      parts.back() += c;
  }
  return parts;
}

class Draft {
 public:
  Draft(const DeviceText& text, const GlobalFunction& kernel) : text_(text), kernel_(kernel) {
    for (const Parameter& parameter : kernel.parameters) {
      if (parameter.is_pointer) continue;
      const auto type = type_word(parameter.type);
      (type && type->lanes == 1 && !is_floating(type->element) ? extents_ : others_).push_back(parameter.name);
    }
    if (extents_.empty()) extents_ = {"n"};
  }

  std::string job(const std::string& source) const {
    std::string text = fmt::format("{{\n  // Drafted by `tune init`: see to what is marked with ???\n  \"file\": {},\n",
                                   quoted(source));
    text +=
        fmt::format("  // The dimensions of the problem, slowest first ???\n  \"extents\": [{}],\n", joined(extents_));
    text += fmt::format("  // What is tuned, and the values that are tried ???\n  \"params\": {{{}}},\n", params());
    text += "  // Conditions on the params, e.g. \"block_x * block_y <= 1024\"\n  \"constraints\": [],\n";
    text += fmt::format("  \"buffers\": {{{}}},\n", buffers());
    text += fmt::format("  \"steps\": [{}],\n", step());
    text += "  // What is tuned, and small shapes at which it may break ???\n";
    text += fmt::format("  \"shapes\": [[{}]],\n  \"judge\": [[{}], [{}]],\n", repeated("1024"), repeated("1"),
                        repeated("33"));
    text +=
        "  // A plain kernel of the same text, {\"kernel\": \"plain\", \"grid\": ..., \"block\": ...}, or a C++ "
        "function\n";
    text +=
        "  // {\"function\": \"f\", \"file\": \"f.cpp\", \"arguments\": [...]}; default: the first configuration ???\n";
    text += "  \"oracle\": \"default\",\n";
    text +=
        "  // {\"depth\": \"k\"} where k terms are added up, \"equal\" where nothing is rounded; this is a guess ???\n";
    return text + "  \"bound\": {\"relative\": 1e-4, \"absolute\": 1e-5}\n}\n";
  }

 private:
  std::string joined(const std::vector<std::string>& names) const {
    std::vector<std::string> all;
    for (const std::string& name : names) all.push_back(quoted(name));
    return fmt::format("{}", fmt::join(all, ", "));
  }

  std::string repeated(const std::string& number) const {
    return fmt::format("{}", fmt::join(std::vector<std::string>(extents_.size(), number), ", "));
  }

  /// A macro of a number is tried at half and at twice it too, if these are whole.
  std::string params() const {
    std::vector<std::string> lines;
    for (const auto& [macro, value] : text_.macros) {
      const auto number = number_of(value);
      if (!number) {
        if (value.empty()) lines.push_back(fmt::format("\n    {}: [1]", quoted(macro)));
        continue;
      }
      std::vector<std::int64_t> values{*number};
      if (*number >= 4 && *number % 2 == 0) values = {*number / 2, *number, *number * 2};
      lines.push_back(fmt::format("\n    {}: {{\"values\": [{}], \"default\": {}}}", quoted(macro),
                                  fmt::join(values, ", "), *number));
    }
    for (const std::string& name : template_names(kernel_)) {
      const bool is_type = std::ranges::any_of(kernel_.template_parameters, [&](const std::string& parameter) {
        return (parameter.starts_with("typename") || parameter.starts_with("class")) && parameter.ends_with(name);
      });
      if (!is_type)
        lines.push_back(fmt::format("\n    {}: {{\"values\": [1, 2, 4], \"as\": \"template\"}}", quoted(name)));
    }
    return lines.empty() ? "" : fmt::format("{}\n  ", fmt::join(lines, ","));
  }

  std::string buffers() const {
    std::vector<std::string> lines;
    const std::string count = fmt::format("{}", fmt::join(extents_, " * "));
    for (const Parameter& parameter : kernel_.parameters) {
      if (!parameter.is_pointer) continue;
      const std::string type = type_word(parameter.type) ? parameter.type : "float";
      lines.push_back(fmt::format(
          "\n    // {}\n    {}: {{\"role\": \"{}\", \"type\": {}, \"count\": {}}}",
          parameter.is_const ? "Its number of elements ???" : "out, inout or scratch, and its number of elements ???",
          quoted(parameter.name), parameter.is_const ? "in" : "out", quoted(type), quoted(count)));
    }
    for (const std::string& symbol : text_.symbols)
      lines.push_back(
          fmt::format("\n    // Its number of elements ???\n    {}: {{\"role\": \"constant\", \"type\": \"float\", "
                      "\"count\": 1, \"symbol\": {}}}",
                      quoted(symbol.substr(symbol.rfind(':') + 1)), quoted(symbol)));
    return fmt::format("{}\n  ", fmt::join(lines, ","));
  }

  /// A grid or block of the host code, where it uses nothing but macros and extents.
  std::optional<std::string> extent_in_job(std::string text) const {
    if (text.starts_with("dim3(") && text.ends_with(")")) text = text.substr(5, text.size() - 6);
    std::vector<std::string> parts;
    for (const std::string& part : parts_of(text)) {
      try {
        const Expression expression = Expression::parse(part);
        for (const std::string& name : expression.names())
          if (!text_.macros.contains(name) && std::ranges::find(extents_, name) == extents_.end()) return std::nullopt;
      } catch (const ExpressionError&) {
        return std::nullopt;
      }
      parts.push_back(quoted(part));
    }
    return fmt::format("[{}]", fmt::join(parts, ", "));
  }

  std::string step() const {
    std::vector<std::string> arguments;
    for (const Parameter& parameter : kernel_.parameters) {
      const bool is_number = std::ranges::find(others_, parameter.name) != others_.end();
      arguments.push_back(is_number ? "1" : quoted(parameter.name));
    }
    std::string note;
    std::string grid = quoted(fmt::format("ceil_div({}, 256)", fmt::join(extents_, " * ")));
    std::string block = "256";
    const auto launch = std::ranges::find(text_.launches, kernel_.name, &HostLaunch::kernel);
    if (launch != text_.launches.end()) {
      note = fmt::format("\n    // The host code launches <<<{}>>>({}) at line {}",
                         fmt::join(launch->configuration, ", "), fmt::join(launch->arguments, ", "), launch->line);
      if (launch->configuration.size() > 1) {
        if (const auto known = extent_in_job(launch->configuration[0])) grid = *known;
        if (const auto known = extent_in_job(launch->configuration[1])) block = *known;
      }
    }
    std::string of_template;
    if (!kernel_.template_parameters.empty())
      of_template = fmt::format("\n    \"template\": [{}],", joined(template_names(kernel_)));
    return fmt::format(
        "{{{}\n    \"kernel\": {},{}\n    \"arguments\": [{}],\n    // ???\n    \"grid\": {},\n    \"block\": {}\n  }}",
        note, quoted(kernel_.name), of_template, fmt::join(arguments, ", "), grid, block);
  }

  const DeviceText& text_;
  const GlobalFunction& kernel_;
  std::vector<std::string> extents_, others_;  ///< scalar parameters: whole numbers, and what is none
};

}  // namespace

std::string draft_of(const std::filesystem::path& source, const std::filesystem::path& output) {
  DeviceText text;
  try {
    text = device_text(source);
  } catch (const std::runtime_error& error) {
    throw JobError(error.what());
  }
  if (text.kernels.empty()) throw JobError(source.string() + " has no __global__ function: there is nothing to tune");
  auto kernel = text.kernels.begin();
  if (!text.launches.empty()) {
    const auto launched = std::ranges::find(text.kernels, text.launches.front().kernel, &GlobalFunction::name);
    if (launched != text.kernels.end()) kernel = launched;
  }
  const auto beside =
      std::filesystem::absolute(source).lexically_relative(std::filesystem::absolute(output).parent_path());
  return Draft(text, *kernel).job(beside.string());
}

}  // namespace warpwright::job
