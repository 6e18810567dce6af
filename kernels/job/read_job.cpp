// Reads a job file: its problem, space and data.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <fstream>
#include <iterator>
#include <set>

#include "kernels/job/job.hpp"
#include "kernels/job/questions.hpp"
#include "kernels/job/read_parts.hpp"
#include "kernels/job/reader.hpp"

namespace warpwright::job {
namespace {

bool is_name(std::string_view text) {
  if (text.empty() || (text.front() >= '0' && text.front() <= '9')) return false;
  return std::ranges::all_of(text, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_'; });
}

void require_name(const Node& node, const std::string& name, const std::string& what) {
  if (!is_name(name)) node.fail(fmt::format("{} \"{}\" is no name: letters, digits and _ only", what, name));
}

std::vector<Extent> extents_of(const Node& node) {
  std::vector<Extent> extents;
  if (node.is(Node::Kind::list)) {
    for (const Node& item : node.items) {
      require_name(item, as_text(item, "an extent"), "the extent");
      extents.push_back({.name = item.text});
    }
  } else {
    for (const auto& [name, value] : as_object(node, "\"extents\"").members) {
      require_name(value, name, "the extent");
      only(value, "an extent", {"macro"});
      const Node* const macro = value.find("macro");
      extents.push_back({.name = name, .macro = macro == nullptr ? "" : as_text(*macro, "\"macro\"")});
    }
  }
  if (extents.empty()) node.fail("a problem has one dimension at least: \"extents\": [\"n\"]");
  return extents;
}

std::vector<Number> numbers_of(const Node& node) {
  std::vector<Number> numbers;
  for (const auto& [name, value] : as_object(node, "\"numbers\"").members) {
    require_name(value, name, "the number");
    only(value, "a number", {"low", "high", "step", "preferred"});
    Number number{.name = name,
                  .low = as_number(needed(value, "low", "the least that it may be"), "\"low\""),
                  .high = as_number(needed(value, "high", "the most that it may be"), "\"high\"")};
    if (const Node* step = value.find("step")) number.step = as_number(*step, "\"step\"");
    const Node* const preferred = value.find("preferred");
    number.preferred = preferred == nullptr ? number.low : as_number(*preferred, "\"preferred\"");
    if (!number.allows(number.preferred)) value.fail(fmt::format("{} may not be {}", name, number.preferred));
    numbers.push_back(std::move(number));
  }
  return numbers;
}

/// Values in the order of the file. Strings and fractions become indices with spellings.
Axis axis_of(const std::string& name, const Node& values) {
  Axis axis{.name = name, .values = {}, .spellings = {}};
  const bool spelt =
      values.is(Node::Kind::list) && std::ranges::any_of(values.items, [](const Node& item) {
        return item.is(Node::Kind::text) || (item.is(Node::Kind::number) && std::floor(item.number) != item.number);
      });
  if (spelt) {
    for (const Node& item : values.items) {
      if (!item.is(Node::Kind::text) && !item.is(Node::Kind::number)) item.fail("a value is a number or a text");
      axis.values.push_back(static_cast<std::int64_t>(axis.values.size()));
      axis.spellings.push_back(item.text);
    }
  } else if (values.is(Node::Kind::list) && !values.items.empty() && values.items.front().is(Node::Kind::boolean)) {
    for (const Node& item : values.items) {
      axis.values.push_back(as_bool(item, "a value") ? 1 : 0);
      axis.spellings.push_back(item.boolean ? "true" : "false");
    }
  } else {
    axis.values = as_whole_list(values, "\"values\"");
    for (const std::int64_t value : axis.values) axis.spellings.push_back(std::to_string(value));
  }
  if (axis.values.empty()) values.fail(fmt::format("{} has no value: give one at least", name));
  if (std::set<std::string>(axis.spellings.begin(), axis.spellings.end()).size() != axis.spellings.size())
    values.fail(fmt::format("{} has a value twice: leave one", name));
  return axis;
}

Reach reach_of(const Node& node) {
  const std::string& word = as_text(node, "\"as\"");
  if (word == "macro") return Reach::macro;
  if (word == "template") return Reach::template_argument;
  if (word == "plan") return Reach::plan;
  node.fail(fmt::format("\"as\": \"{}\" is unknown; a param reaches the code as macro, template or plan", word));
}

Param param_of(const std::string& name, const Node& node) {
  require_name(node, name, "the param");
  const bool is_short = !node.is(Node::Kind::object);
  if (!is_short) only(node, "a param", {"values", "default", "as", "macro"});
  Param param{.name = name, .axis = {}, .place = node};
  param.axis = axis_of(name, is_short ? node : needed(node, "values", "what the param may be, e.g. [16, 32, 64]"));
  param.preferred = param.axis.values.front();
  param.macro = name;
  if (is_short) return param;
  if (const Node* preferred = node.find("default")) {
    const std::string spelling =
        preferred->is(Node::Kind::boolean) ? (preferred->boolean ? "true" : "false") : preferred->text;
    const auto found = std::ranges::find(param.axis.spellings, spelling);
    if (found == param.axis.spellings.end())
      preferred->fail(
          fmt::format("the default {} of {} is none of its values: add it, or name another", spelling, name));
    param.preferred = param.axis.values[static_cast<std::size_t>(found - param.axis.spellings.begin())];
  }
  if (const Node* as = node.find("as")) param.reach = reach_of(*as);
  if (const Node* macro = node.find("macro")) {
    param.macro = as_text(*macro, "\"macro\"");
    if (param.reach == Reach::unsaid) param.reach = Reach::macro;
    if (param.reach != Reach::macro) macro->fail("only what is \"as\": \"macro\" has a \"macro\"");
  }
  return param;
}

std::vector<Rule> rules_of(const Node& node, const std::string& what) {
  std::vector<Rule> rules;
  for (const Node& item : as_list(node, what)) {
    if (!item.is(Node::Kind::object)) {
      const Expression holds = as_expression(item, "a condition");
      rules.push_back({.name = holds.text(), .holds = holds});
      continue;
    }
    only(item, "a condition", {"name", "holds", "python"});
    const Node* const python = item.find("python");
    const bool is_exact = python != nullptr && as_bool(*python, "\"python\"");
    Rule rule{.name = {},
              .holds = as_expression(needed(item, "holds", "the condition"), "\"holds\"",
                                     is_exact ? Division::is_exact : Division::rounds_down)};
    const Node* const name = item.find("name");
    rule.name = name == nullptr ? rule.holds.text() : as_text(*name, "\"name\"");
    rules.push_back(std::move(rule));
  }
  return rules;
}

/// 1024, "1024" or "2^20".
std::int64_t extent_of(const Node& node) {
  if (!node.is(Node::Kind::text)) return as_whole(node, "an extent of a shape");
  try {
    if (const Shape shape = parse_shape(node.text); shape.size() == 1) return shape.front();
  } catch (const std::invalid_argument&) {
  }
  node.fail(fmt::format("an extent of a shape is a number or a power such as \"2^20\", not \"{}\"", node.text));
}

std::vector<std::vector<std::int64_t>> shapes_of(const Node& node, std::size_t dimensions) {
  std::vector<std::vector<std::int64_t>> shapes;
  for (const Node& item : as_list(node, "a list of shapes")) {
    std::vector<std::int64_t> shape;
    if (item.is(Node::Kind::text)) {
      try {
        shape = parse_shape(item.text);
      } catch (const std::invalid_argument& error) {
        item.fail(error.what());
      }
    } else if (item.is(Node::Kind::number)) {
      shape = {as_whole(item, "a shape")};
    } else {
      for (const Node& extent : as_list(item, "a shape")) shape.push_back(extent_of(extent));
    }
    if (shape.size() != dimensions)
      item.fail(fmt::format("the shape has {} numbers, and there are {} extents", shape.size(), dimensions));
    if (std::ranges::any_of(shape, [](std::int64_t extent) { return extent < 0; })) item.fail("an extent is negative");
    shapes.push_back(std::move(shape));
  }
  return shapes;
}

std::string read_file(const std::filesystem::path& file) {
  if (std::filesystem::is_directory(file))
    throw JobError(fmt::format("{} is a folder: name the job file in it", file.string()));
  std::ifstream in(file, std::ios::binary);
  if (!in) throw JobError(fmt::format("{} cannot be read: is the path right?", file.string()));
  return {std::istreambuf_iterator<char>(in), {}};
}

const std::vector<std::string> kMembers{"name",    "version",      "summary",     "file",    "include",    "extents",
                                        "numbers", "params",       "constraints", "defines", "buffers",    "steps",
                                        "shapes",  "check_shapes", "takes",       "inputs",  "oracle",     "bound",
                                        "laws",    "work",         "strict",      "reason",  "keeps_state"};

/// Rules and laws once had blanks and hyphens: "one-sided fence".
void respell(std::string& word) {
  std::ranges::replace_if(
      word, [](char c) { return c == ' ' || c == '-'; }, '_');
}

/// Renames members that have an older name. Throws JobError if the job has both names.
void rename_older(Node& root) {
  constexpr std::string_view older = "judge", today = "check_shapes";
  for (auto& [name, value] : root.members) {
    if (name == "strict")
      for (auto& [rule, reason] : value.members) respell(rule);
    if (name == "laws")
      for (Node& law : value.items)
        for (auto& [member, word] : law.members)
          if (member == "law") respell(word.text);
    if (name != older) continue;
    if (root.find(today) != nullptr)
      value.fail(fmt::format("\"{}\" is the older name of \"{}\": give one of them", older, today));
    name = today;
  }
}

/// Throws JobError if this program does not know the job's version. A job without a version has the first one.
void require_version(const Node& root) {
  const Node* const version = root.find("version");
  if (version == nullptr) return;
  const std::int64_t number = as_whole(*version, "\"version\"");
  if (number < 1 || number > kJobVersion)
    version->fail(fmt::format(
        "this is a job of version {}, and this warpwright reads {}: install a newer warpwright, or write the job in "
        "version {} (docs/stability.md)",
        number, kJobVersion == 1 ? "version 1" : fmt::format("versions 1 to {}", kJobVersion), kJobVersion));
}

/// Throws JobError at the first value that a draft leaves open, with the question about it.
void require_values(const Node& node, const std::string& text, const std::string& name = {}) {
  if (node.is(Node::Kind::text) && node.text == kOpenMark) {
    std::string asks;
    for (const OpenQuestion& question : questions_in(text))
      if (question.key_line == node.line) asks = ". " + question.asks;
    node.fail(fmt::format("{} is still open: write a value for {}{}", name.empty() ? "this" : "\"" + name + "\"",
                          kOpenMark, asks));
  }
  for (const Node& item : node.items) require_values(item, text, name);
  for (const auto& [member, value] : node.members) require_values(value, text, member);
}

}  // namespace

Job parse_job(const std::string& text, const std::filesystem::path& file) {
  Node root = parse_node(text, file.string());
  // Checked first, since a newer version may have members that are unknown here.
  if (root.is(Node::Kind::object)) require_version(root);
  require_values(root, text);
  rename_older(root);
  only(root, "a job", kMembers);
  Job job;
  job.root = root;
  job.file = file;
  const Node* const name = root.find("name");
  job.name = name == nullptr ? file.stem().string() : as_text(*name, "\"name\"");
  require_name(name == nullptr ? root : *name, job.name, "the job's name");
  const Node* const source = root.find("file");
  job.source = file.parent_path() / (source == nullptr ? file.stem().string() + ".cu" : as_text(*source, "\"file\""));
  if (const Node* include = root.find("include"))
    for (const Node& item : as_list(*include, "\"include\"")) {
      job.include.push_back(file.parent_path() / as_text(item, "a folder"));
      if (!std::filesystem::is_directory(job.include.back()))
        item.fail(fmt::format("there is no folder {}: paths are those beside the job", job.include.back().string()));
    }
  if (const Node* summary = root.find("summary")) job.summary = as_text(*summary, "\"summary\"");
  if (job.summary.empty()) job.summary = job.source.filename().string();
  job.extents = extents_of(needed(root, "extents", "the names of the problem's dimensions, slowest first"));
  if (const Node* numbers = root.find("numbers")) job.numbers = numbers_of(*numbers);
  if (const Node* params = root.find("params"))
    for (const auto& [param, value] : as_object(*params, "\"params\"").members)
      job.params.push_back(param_of(param, value));
  if (const Node* constraints = root.find("constraints")) job.constraints = rules_of(*constraints, "\"constraints\"");
  if (const Node* defines = root.find("defines"))
    for (const auto& [macro, value] : as_object(*defines, "\"defines\"").members)
      job.defines.emplace(macro, as_expression(value, "a macro"));
  job.buffers = buffers_of(needed(root, "buffers", "what the kernels read and write"), job);
  job.steps =
      steps_of(needed(root, "steps", "the launches, e.g. [{\"kernel\": \"f\", \"grid\": ..., \"block\": ...}]"));
  const Node& shapes = needed(root, "shapes", "what is tuned, e.g. [[4096, 4096]]");
  job.shapes = shapes_of(shapes, job.extents.size());
  if (job.shapes.empty()) shapes.fail("give one shape to tune at least");
  if (const Node* small = root.find("check_shapes")) job.check_shapes = shapes_of(*small, job.extents.size());
  if (const Node* takes = root.find("takes")) job.takes = rules_of(*takes, "\"takes\"");
  read_answers(root, job);
  check_names(job);
  return job;
}

Job read_job(const std::filesystem::path& file) {
  return parse_job(read_file(file), file);
}

}  // namespace warpwright::job
