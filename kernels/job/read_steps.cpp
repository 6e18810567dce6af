// Reads the buffers and steps of a job.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "kernels/job/compared.hpp"
#include "kernels/job/read_parts.hpp"
#include "kernels/job/reader.hpp"
#include "kernels/job/tensor_maps.hpp"
#include "kernels/job/textures.hpp"
#include "kernels/runtime/input.hpp"

namespace warpwright::job {
namespace {

Data data_of(const Node& node, const Job& job) {
  if (node.is(Node::Kind::text)) {
    if (std::ranges::find(generic_kinds(), node.text) == generic_kinds().end())
      node.fail(
          fmt::format("no data \"{}\"; generic data are {}; or write an object: {{\"below\": \"n\"}}, "
                      "{{\"rows\": \"entries\"}}, {{\"range\": [low, high]}}, {{\"from\": 0, \"step\": 1}}, "
                      "{{\"file\": \"path\"}}, {{\"function\": \"fill\", \"arguments\": [...]}}",
                      node.text, [] {
                        std::string all;
                        for (const auto kind : generic_kinds()) all += (all.empty() ? "" : ", ") + std::string(kind);
                        return all;
                      }()));
    return {.word = node.text, .always = node.text == "permutation"};
  }
  Data data{.always = true};
  if (node.find("function") != nullptr) {
    data.kind = Data::Kind::function;
    data.function = host_function_of(node, job);
    return data;
  }
  only(node, "\"data\"", {"always", "below", "rows", "range", "from", "step", "file"});
  if (const Node* always = node.find("always")) {
    data.word = data_of(*always, job).word;
  } else if (const Node* below = node.find("below")) {
    data.kind = Data::Kind::index_below;
    data.first = as_expression(*below, "\"below\"");
  } else if (const Node* rows = node.find("rows")) {
    data.kind = Data::Kind::row_offsets;
    data.first = as_expression(*rows, "\"rows\"");
  } else if (const Node* range = node.find("range")) {
    const auto& ends = as_list(*range, "\"range\"");
    if (ends.size() != 2) range->fail("a range has two ends: [low, high]");
    data.kind = Data::Kind::between;
    data.first = as_expression(ends[0], "\"range\"");
    data.second = as_expression(ends[1], "\"range\"");
  } else if (const Node* from = node.find("from")) {
    data.kind = Data::Kind::steps;
    data.first = as_expression(*from, "\"from\"");
    const Node* const step = node.find("step");
    data.second = step == nullptr ? Expression::number(0) : as_expression(*step, "\"step\"");
  } else if (const Node* file = node.find("file")) {
    data.kind = Data::Kind::file;
    data.word = as_text(*file, "\"file\"");
  } else {
    node.fail("\"data\" says nothing: name generic data, or one of always, below, rows, range, from, file, function");
  }
  return data;
}

Role role_of(const Node& node) {
  const std::string& word = as_text(node, "\"role\"");
  if (word == "in" || word == "constant") return Role::in;
  if (word == "out") return Role::out;
  if (word == "inout") return Role::inout;
  if (word == "scratch") return Role::scratch;
  node.fail(fmt::format("no role \"{}\": a buffer is in, out, inout, scratch, or constant", word));
}

JobArgument argument_of(const Node& node) {
  JobArgument argument{.place = node};
  // A string may name a buffer, which is decided later, when all buffers are known.
  argument.is_null = node.is(Node::Kind::null);
  if (argument.is_null) return argument;
  if (!node.is(Node::Kind::object)) {
    argument.value = as_expression(node, "an argument");
    return argument;
  }
  if (node.find("texture") != nullptr) {
    argument.texture = job_texture_of(node);
    return argument;
  }
  if (node.find("tensor_map") != nullptr) {
    argument.tensor_map = job_tensor_map_of(node);
    return argument;
  }
  only(node, "an argument", {"buffer", "offset", "type", "value", "values", "members", "texture", "tensor_map"});
  if (const Node* type = node.find("type")) argument.type = as_text(*type, "\"type\"");
  if (const Node* buffer = node.find("buffer")) {
    argument.buffer = as_text(*buffer, "\"buffer\"");
    if (const Node* offset = node.find("offset")) argument.offset = as_expression(*offset, "\"offset\"");
  } else if (const Node* members = node.find("members")) {
    for (const Node& member : as_list(*members, "\"members\"")) {
      argument.members.push_back(argument_of(member));
      const JobArgument& made = argument.members.back();
      if (made.texture || made.tensor_map)
        member.fail(fmt::format("a {} in a struct cannot be passed: pass it as an argument of its own",
                                made.texture ? "texture" : "tensor map"));
      if (made.type.empty() && made.members.empty() && made.buffer.empty() && !made.is_null)
        member.fail(
            fmt::format("a member of a struct says its type, or is a buffer: write {{\"type\": \"int\", "
                        "\"value\": \"{0}\"}} or {{\"buffer\": \"{0}\"}}",
                        made.value ? made.value->text() : "n"));
    }
  } else if (const Node* values = node.find("values")) {
    for (const Node& value : as_list(*values, "\"values\"")) argument.values.push_back(as_expression(value, "a value"));
    if (argument.values.empty()) values->fail("an array has at least one value");
  } else {
    argument.value = as_expression(needed(node, "value", "what is passed"), "\"value\"");
  }
  return argument;
}

std::array<Expression, 3> extent_of(const Node& node, const std::string& what) {
  std::array<Expression, 3> extent{Expression::number(1), Expression::number(1), Expression::number(1)};
  if (!node.is(Node::Kind::list)) {
    extent[0] = as_expression(node, what);
    return extent;
  }
  if (node.items.empty() || node.items.size() > 3) node.fail(what + " has one to three numbers: [x, y, z]");
  for (std::size_t i = 0; i < node.items.size(); ++i) extent[i] = as_expression(node.items[i], what);
  return extent;
}

JobStep step_of(const Node& node) {
  JobStep step{.place = node};
  as_object(node, "a step");
  if (const Node* zero = node.find("zero")) {
    only(node, "a step that sets zeros", {"zero", "label"});
    step.zero = as_text(*zero, "\"zero\"");
    if (const Node* label = node.find("label")) step.label = as_text(*label, "\"label\"");
    return step;
  }
  if (const Node* repeat = node.find("repeat")) {
    only(node, "a step that repeats others", {"repeat", "index", "steps", "swap"});
    step.repeat = as_expression(*repeat, "\"repeat\"");
    if (const Node* index = node.find("index")) step.index = as_text(*index, "\"index\"");
    if (!step.index.empty() && node.find("swap") != nullptr)
      node.fail("a repeat with an \"index\" cannot swap buffers: use the index in \"offset\", or leave it out");
    step.steps = steps_of(needed(node, "steps", "what is repeated"));
    if (const Node* swaps = node.find("swap"))
      for (const Node& pair : as_list(*swaps, "\"swap\"")) {
        const auto& two = as_list(pair, "what is swapped");
        if (two.size() != 2) pair.fail("two buffers are swapped: [\"a\", \"b\"]");
        step.swaps.emplace_back(as_text(two[0], "a buffer"), as_text(two[1], "a buffer"));
      }
    return step;
  }
  only(node, "a launch",
       {"kernel", "template", "arguments", "grid", "block", "cluster", "shared", "cooperative", "programmatic",
        "stream", "label", "after"});
  step.kernel = as_text(needed(node, "kernel", "which __global__ function is launched"), "\"kernel\"");
  if (const Node* arguments = node.find("template")) {
    step.template_arguments.emplace();
    for (const Node& item : as_list(*arguments, "\"template\"")) {
      const bool is_truth = item.is(Node::Kind::boolean);
      if (!is_truth && !item.is(Node::Kind::text) && !item.is(Node::Kind::number))
        item.fail("a template argument is a text, a number, true or false");
      step.template_arguments->push_back(!is_truth ? item.text : item.boolean ? "true" : "false");
    }
  }
  if (const Node* arguments = node.find("arguments")) step.arguments = arguments_of(*arguments);
  step.grid = extent_of(needed(node, "grid", "how many blocks, e.g. \"ceil_div(n, 256)\""), "\"grid\"");
  step.block = extent_of(needed(node, "block", "how many threads a block has, e.g. 256"), "\"block\"");
  if (const Node* cluster = node.find("cluster")) step.cluster = extent_of(*cluster, "\"cluster\"");
  if (const Node* shared = node.find("shared")) step.shared = as_expression(*shared, "\"shared\"");
  if (const Node* cooperative = node.find("cooperative")) step.cooperative = as_bool(*cooperative, "\"cooperative\"");
  if (const Node* early = node.find("programmatic")) step.programmatic = as_bool(*early, "\"programmatic\"");
  if (const Node* stream = node.find("stream")) {
    const double number = as_number(*stream, "\"stream\"");
    if (number < 0 || number >= kMostStreams || number != static_cast<int>(number))
      stream->fail(fmt::format("streams have the numbers 0 to {}", kMostStreams - 1));
    step.stream = static_cast<int>(number);
  }
  if (const Node* label = node.find("label")) step.label = as_text(*label, "\"label\"");
  if (const Node* after = node.find("after")) {
    if (after->is(Node::Kind::text))
      step.after = {after->text};
    else
      for (const Node& one : as_list(*after, "\"after\"")) step.after.push_back(as_text(one, "a label"));
  }
  return step;
}

/// Throws JobError for a launch that waits for none before it.
void check_labels(const std::vector<JobStep>& steps) {
  std::set<std::string> labels;
  for (const JobStep& step : steps) {
    for (const std::string& one : step.after)
      if (!labels.contains(one))
        step.place.fail(fmt::format("\"after\" names \"{}\", which is no \"label\" of an earlier step", one));
    if (!step.label.empty() && !labels.insert(step.label).second)
      step.place.fail(fmt::format("two steps have the label \"{}\"", step.label));
    for (const JobStep& inner : step.steps)
      if (!inner.label.empty() || !inner.after.empty())
        inner.place.fail("within a repeat no step has a \"label\" or \"after\": launches of one stream are in order");
  }
}

}  // namespace

std::vector<JobArgument> arguments_of(const Node& node) {
  std::vector<JobArgument> arguments;
  for (const Node& item : as_list(node, "\"arguments\"")) {
    arguments.push_back(argument_of(item));
    const auto type = type_word(arguments.back().type);
    if (!arguments.back().values.empty() && (!type || type->lanes == 1))
      item.fail("\"values\" are for a vector such as float3, or for an array in a struct");
  }
  return arguments;
}

HostFunction host_function_of(const Node& node, const Job& job) {
  only(node, "a function", {"function", "file", "arguments"});
  const Node* const file = node.find("file");
  HostFunction function{
      .call = {.function = as_text(needed(node, "function", "its name"), "\"function\""), .place = node},
      .source = file == nullptr ? job.source : job.file.parent_path() / as_text(*file, "\"file\"")};
  if (!std::filesystem::is_regular_file(function.source))
    node.fail(fmt::format("there is no file {}: paths are those beside the job", function.source.string()));
  function.call.arguments = arguments_of(needed(node, "arguments", "what the function is called with, in order"));
  return function;
}

std::vector<JobBuffer> buffers_of(const Node& node, const Job& job) {
  std::vector<JobBuffer> buffers;
  for (const auto& [name, value] : as_object(node, "\"buffers\"").members) {
    only(value, "a buffer", {"role", "type", "count", "symbol", "data", "compare"});
    JobBuffer buffer{.name = name, .place = value};
    const Node& role = needed(value, "role", "in, out, inout, scratch or constant");
    buffer.role = role_of(role);
    const Node& type = needed(value, "type", "of its elements, e.g. float");
    const auto word = type_word(as_text(type, "\"type\""));
    if (!word)
      type.fail(
          fmt::format("no type \"{}\": give one of C++'s numbers, a half, or a vector as float4; a struct is given "
                      "as so many of its members",
                      type.text));
    buffer.element = word->element;
    buffer.lanes = word->lanes;
    buffer.spelling = word->spelling;
    buffer.count = as_expression(needed(value, "count", "of its elements, e.g. \"rows * columns\""), "\"count\"");
    if (const Node* symbol = value.find("symbol")) buffer.symbol = as_text(*symbol, "\"symbol\"");
    if (role.text == "constant" && buffer.symbol.empty()) buffer.symbol = name;
    if (!buffer.symbol.empty() && buffer.role != Role::in) value.fail("only a buffer that is in has a \"symbol\"");
    if (const Node* data = value.find("data")) {
      if (!buffer.is_input()) data->fail("only what is in or inout has data");
      buffer.data = data_of(*data, job);
    }
    if (const Node* compare = value.find("compare")) buffer.compared = compared_of(*compare, buffer);
    buffers.push_back(std::move(buffer));
  }
  if (std::ranges::none_of(buffers, &JobBuffer::is_output))
    node.fail("no buffer is out or inout: there would be nothing to check");
  return buffers;
}

std::vector<JobStep> steps_of(const Node& node) {
  std::vector<JobStep> steps;
  if (node.is(Node::Kind::object)) return {step_of(node)};
  for (const Node& item : as_list(node, "\"steps\"")) steps.push_back(step_of(item));
  if (steps.empty()) node.fail("there is no step: launch one kernel at least");
  check_labels(steps);
  return steps;
}

}  // namespace warpwright::job
