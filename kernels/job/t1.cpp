// Reads T1 descriptions and writes job files.
#include "kernels/job/t1.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <stdexcept>

#include "kernels/job/draft_words.hpp"
#include "kernels/job/job.hpp"
#include "kernels/job/reader.hpp"
#include "kernels/job/text/device_text.hpp"

namespace warpwright::job {
namespace {

std::string text_of(const Node& node) {
  return node.is(Node::Kind::text) || node.is(Node::Kind::number) ? node.text : "";
}

void replace_all(std::string& text, const std::string& what, const std::string& by) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

class T1 {
 public:
  /// `named`: the path of the source in the job.
  T1(const Node& root, const PlainFile& file, std::string named)
      : kernel_(needed(root, "KernelSpecification", "how the kernel is launched")),
        space_(needed(root, "ConfigurationSpace", "what is tuned")),
        source_(std::move(named)),
        text_(file.text({as_text(needed(kernel_, "KernelName", "which function is launched"), "\"KernelName\"")})) {
    const Node& size = needed(kernel_, "ProblemSize", "the extents, x first");
    const std::vector<Node> one{size};
    for (const Node& extent : size.is(Node::Kind::list) ? size.items : one) {
      if (!extent.is(Node::Kind::number)) extent.fail("a problem's size is a number");
      sizes_.push_back(extent.text);
    }
    if (sizes_.empty() || sizes_.size() > 3) size.fail("a problem has one to three dimensions");
  }

  std::string job() const {
    std::string text = fmt::format(
        "{{\n  // Imported by `tune import-t1`. Each ??? is a question: correct the line below it\n"
        "  \"version\": {},\n  \"file\": {},\n",
        kJobVersion, in_quotes(source_));
    text += extents();
    text += fmt::format("  \"params\": {{\n{}  }},\n", params());
    text += fmt::format("  \"constraints\": [\n{}  ],\n", constraints());
    text += fmt::format("  \"buffers\": {{\n{}  }},\n", buffers());
    text += fmt::format("  \"steps\": [{}],\n", step());
    std::vector<std::string> shape(sizes_.rbegin(), sizes_.rend());
    text += "  // ??? At which small shapes may the kernel break? T1 has one size: name others as \"check_shapes\"\n";
    text += fmt::format("  \"shapes\": [[{}]],\n", fmt::join(shape, ", "));
    return text + no_oracle() + guessed_bound() + "}\n";
  }

 private:
  std::string dimension(std::size_t i) const { return std::string("size_") + "xyz"[i]; }

  /// Slowest first.
  std::vector<std::string> dimensions() const {
    std::vector<std::string> names;
    for (std::size_t i = sizes_.size(); i-- > 0;) names.push_back(dimension(i));
    return names;
  }

  /// Extents that are macros in the source are compiled in.
  std::string extents() const {
    std::vector<std::string> macros(sizes_.size());
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      std::vector<std::string> alike;
      for (const auto& [macro, value] : text_.macros)
        if (value == sizes_[i] && std::ranges::none_of(tuned(), [&, &name = macro](const Node& param) {
              return needed(param, "Name", "of the param").text == name;
            }))
          alike.push_back(macro);
      macros[i] = sizes_.size() == 1 && alike.size() == 1 ? alike.front() : size_in_dimension(alike, i);
    }
    if (std::ranges::all_of(macros, &std::string::empty))
      return fmt::format("  \"extents\": [{}],\n", listed(dimensions()));
    std::vector<std::string> members;
    for (std::size_t i = sizes_.size(); i-- > 0;)
      members.push_back(in_quotes(dimension(i)) +
                        (macros[i].empty() ? ": {}" : fmt::format(": {{\"macro\": {}}}", in_quotes(macros[i]))));
    return fmt::format("  \"extents\": {{{}}},\n", fmt::join(members, ", "));
  }

  const std::vector<Node>& tuned() const {
    return as_list(needed(space_, "TuningParameters", "the params"), "\"TuningParameters\"");
  }

  std::string params() const {
    std::string text;
    for (const Node& param : tuned()) {
      const Node& values = needed(param, "Values", "what the param may be");
      std::string list = values.is(Node::Kind::text) ? in_quotes(values.text) : "";
      if (list.empty()) list = fmt::format("[{}]", fmt::join(as_whole_list(values, "\"Values\""), ", "));
      const Node* const preferred = param.find("Default");
      text += fmt::format("    {}: {{\"values\": {}{}}}{}\n",
                          in_quotes(as_text(needed(param, "Name", "of the param"), "\"Name\"")), list,
                          preferred == nullptr ? "" : ", \"default\": " + text_of(*preferred),
                          &param == &tuned().back() ? "" : ",");
    }
    return text;
  }

  std::string constraints() const {
    const Node* const conditions = space_.find("Conditions");
    if (conditions == nullptr) return {};
    std::string text;
    for (const Node& condition : as_list(*conditions, "\"Conditions\""))
      text += fmt::format("    {{\"holds\": {}, \"python\": true}}{}\n",
                          in_quotes(as_text(needed(condition, "Expression", "the condition"), "\"Expression\"")),
                          &condition == &conditions->items.back() ? "" : ",");
    return text;
  }

  /// A size in terms of the job: ProblemSize[0] is the extent x, max(param) the largest value of a param.
  std::string sized(std::string text) const {
    for (std::size_t i = 0; i < sizes_.size(); ++i) replace_all(text, fmt::format("ProblemSize[{}]", i), dimension(i));
    for (const Node& param : tuned()) {
      const std::string& name = needed(param, "Name", "of the param").text;
      const auto values = as_whole_list(needed(param, "Values", "what the param may be"), "\"Values\"");
      if (values.empty()) param.fail("a param has one value at least");
      const auto [least, greatest] = std::ranges::minmax(values);
      replace_all(text, fmt::format("max({})", name), std::to_string(greatest));
      replace_all(text, fmt::format("min({})", name), std::to_string(least));
    }
    return text;
  }

  const std::vector<Node>& arguments() const {
    return as_list(needed(kernel_, "Arguments", "what the kernel takes"), "\"Arguments\"");
  }

  static bool is_vector(const Node& argument) {
    const Node* const memory = argument.find("MemoryType");
    return memory == nullptr || memory->text == "Vector";
  }
  static bool is_constant(const Node& argument) {
    const Node* const memory = argument.find("MemType");
    return memory != nullptr && memory->text == "Constant";
  }

  std::string buffers() const {
    std::string text;
    for (const Node& argument : arguments()) {
      if (!is_vector(argument)) continue;
      const std::string& access = as_text(needed(argument, "AccessType", "how it is used"), "\"AccessType\"");
      const std::string role = is_constant(argument)   ? "constant"
                               : access == "WriteOnly" ? "out"
                               : access == "ReadOnly"  ? "in"
                                                       : "inout";
      const Node* const fill = argument.find("FillType");
      const Node* const value = argument.find("FillValue");
      std::string data;
      if (role != "out" && fill != nullptr && fill->text == "Constant" && value != nullptr)
        data = fmt::format(", \"data\": {{\"from\": {}}}", text_of(*value));
      const Node& size = needed(argument, "Size", "its elements");
      const std::string& type = as_text(needed(argument, "Type", "of its elements"), "\"Type\"");
      text += fmt::format("{}{}    {}: {{\"role\": \"{}\", \"type\": {}, \"count\": {}{}}}", text.empty() ? "" : ",\n",
                          role == "in" && data.empty() && is_index_type(type) ? asks_for_indices() : "",
                          in_quotes(as_text(needed(argument, "Name", "of the argument"), "\"Name\"")), role,
                          in_quotes(type), in_quotes(sized(text_of(size))), data);
    }
    if (text.empty()) return "    // ??? Which buffers does the kernel read and write? T1 names none\n";
    return text + "\n";
  }

  std::string step() const {
    std::vector<std::string> passed;
    // __constant__ variables are not parameters, unless T1 lists as many arguments as the kernel has parameters.
    const bool passes_all = arguments().size() == text_.kernels.front().parameters.size();
    for (const Node& argument : arguments()) {
      if (is_constant(argument) && !passes_all) continue;
      const std::string& name = needed(argument, "Name", "of the argument").text;
      if (is_vector(argument)) {
        passed.push_back(in_quotes(name));
        continue;
      }
      const Node* const value = argument.find("FillValue");
      if (value == nullptr) argument.fail("a scalar argument has a FillValue");
      passed.push_back(in_quotes(sized(text_of(*value))));
    }
    std::vector<std::string> grid;
    std::vector<std::string> block;
    const Node* const local = kernel_.find("LocalSize");
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string axis(1, "XYZ"[i]);
      const Node* const extent = local == nullptr ? nullptr : local->find(axis);
      block.push_back(in_quotes(extent == nullptr ? "1" : text_of(*extent)));
      grid.push_back(in_quotes(blocks(i, axis)));
    }
    const Node* const shared = kernel_.find("SharedMemory");
    // Without "arguments", each parameter gets the buffer or value with its name.
    const std::string given = passed.empty() ? "" : fmt::format("    \"arguments\": [{}],\n", fmt::join(passed, ", "));
    return fmt::format(
        "{{\n    \"kernel\": {},\n{}    \"grid\": [{}],\n    \"block\": [{}]{}\n  }}",
        in_quotes(text_.kernels.front().name), given, fmt::join(grid, ", "), fmt::join(block, ", "),
        shared == nullptr || text_of(*shared) == "0" ? "" : ",\n    \"shared\": " + in_quotes(sized(text_of(*shared))));
  }

  /// The extent divided by all divisors, rounded up; without divisors, GlobalSize.
  std::string blocks(std::size_t i, const std::string& axis) const {
    if (const Node* const divisors = kernel_.find("GridDiv" + axis); divisors != nullptr && i < sizes_.size()) {
      std::vector<std::string> factors;
      for (const Node& divisor : as_list(*divisors, "a list of divisors")) factors.push_back(text_of(divisor));
      if (factors.empty()) return dimension(i);
      return fmt::format("ceil_div({}, {})", dimension(i), fmt::join(factors, " * "));
    }
    const Node* const global = kernel_.find("GlobalSize");
    const Node* const extent = global == nullptr ? nullptr : global->find(axis);
    return extent == nullptr ? (i < sizes_.size() ? dimension(i) : "1") : sized(text_of(*extent));
  }

  const Node& kernel_;
  const Node& space_;
  std::string source_;
  DeviceText text_;
  std::vector<std::string> sizes_;  ///< x first
};

}  // namespace

std::string job_of_t1(const std::filesystem::path& problem, const std::filesystem::path& source,
                      const std::filesystem::path& output) {
  std::ifstream in(problem, std::ios::binary);
  if (!in) throw JobError(fmt::format("{} cannot be read: is the path right?", problem.string()));
  const Node root = parse_node({std::istreambuf_iterator<char>(in), {}}, problem.string());
  try {
    return T1(root, PlainFile(source), beside(output, source)).job();
  } catch (const std::runtime_error& error) {
    throw JobError(error.what());
  }
}

}  // namespace warpwright::job
