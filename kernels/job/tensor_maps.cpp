// Reads and checks the tensor maps of a job, and makes those of its plan.
#include "kernels/job/tensor_maps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "kernels/job/reader.hpp"

namespace warpwright::job {
namespace {

constexpr std::size_t kMost = 5;  ///< dimensions

/// The expressions of a member.
std::vector<Expression> sizes_of(const Node& node, const std::string& name, const std::string& meaning) {
  const Node& sizes = needed(node, name, meaning);
  std::vector<Expression> made;
  for (const Node& size : as_list(sizes, fmt::format("\"{}\"", name)))
    made.push_back(as_expression(size, fmt::format("\"{}\"", name)));
  if (made.empty() || made.size() > kMost)
    sizes.fail(fmt::format("\"{}\" has {} sizes: give {}, or one to {} sizes", name, made.size(), meaning, kMost));
  return made;
}

/// One of the sizes of a tensor map for these names. Its fault: no whole number, or too large for any tensor map.
struct Size {
  std::int64_t value = 0;
  std::string fault = {};
};

Size whole_size(const Expression& expression, const Names& names, const std::string& what) {
  const Value value = expression.value(names);
  if (!is_whole(value) || value < 0 || value > static_cast<Value>(std::numeric_limits<std::int32_t>::max()) * 65536)
    return {.fault = fmt::format("{} is {} (\"{}\")", what, static_cast<double>(value), expression.text())};
  return {.value = static_cast<std::int64_t>(value)};
}

/// The tensor map and the place of its first element, for these names.
struct Sized {
  TensorMap map;
  std::int64_t byte_offset = 0;
  std::string fault = {};
};

Sized sized(const JobTensorMap& given, const JobBuffer& buffer, const Names& names) {
  Sized made;
  const auto take = [&](const Expression& expression, const char* what) {
    const Size size = whole_size(expression, names, what);
    if (made.fault.empty()) made.fault = size.fault;
    return size.value;
  };
  const auto take_int = [&](const Expression& expression, const char* what) {
    return static_cast<int>(std::min<std::int64_t>(take(expression, what), std::numeric_limits<int>::max()));
  };
  TensorMap& map = made.map;
  map.element_bytes = static_cast<int>(size_of(buffer.element));
  map.columns = take(given.extents[0], "the first of \"extents\"");
  map.box_columns = take_int(given.box[0], "the first of \"box\"");
  map.swizzle = take_int(given.swizzle, "\"swizzle\"");
  const auto pitch = [&](std::size_t number, std::int64_t packed) {
    return number < given.pitches.size() ? take(given.pitches[number], "one of \"pitch\"") : packed;
  };
  if (given.extents.size() == 1) {
    made.byte_offset = take(given.offset, "\"offset\"") * map.element_bytes;
    return made;
  }
  map.rows = take(given.extents[1], "the second of \"extents\"");
  map.box_rows = take_int(given.box[1], "the second of \"box\"");
  map.pitch = pitch(0, map.columns);
  double next = static_cast<double>(map.pitch) * static_cast<double>(map.rows);
  for (std::size_t i = 2; i < given.extents.size(); ++i) {
    constexpr double kTooFar = 0x1p50;
    TensorLayers layers{.count = take(given.extents[i], "one of \"extents\""),
                        .pitch = pitch(i - 1, static_cast<std::int64_t>(std::min(next, kTooFar))),
                        .box = take_int(given.box[i], "one of \"box\"")};
    next = static_cast<double>(layers.pitch) * static_cast<double>(layers.count);
    map.outer.push_back(layers);
  }
  made.byte_offset = take(given.offset, "\"offset\"") * map.element_bytes;
  return made;
}

}  // namespace

bool is_tensor_map_type(const std::string& type) {
  return type == "CUtensorMap" || type == "tensor_map" || type == "warpwright::tensor_map";
}

std::string how_to_pass_a_tensor_map() {
  return "a tensor map: pass it as {\"tensor_map\": \"BUFFER\", \"extents\": [COLUMNS, ROWS], \"box\": [COLUMNS, "
         "ROWS], \"swizzle\": 128}";
}

JobTensorMap job_tensor_map_of(const Node& node) {
  only(node, "a tensor map", {"tensor_map", "offset", "extents", "pitch", "box", "swizzle"});
  JobTensorMap made{.buffer = as_text(*node.find("tensor_map"), "\"tensor_map\"")};
  if (const Node* offset = node.find("offset")) made.offset = as_expression(*offset, "\"offset\"");
  made.extents = sizes_of(node, "extents", "the elements of a row and the rows, e.g. [\"columns\", \"rows\"]");
  made.box = sizes_of(node, "box", "the elements of a row of a box and its rows, e.g. [64, 128]");
  if (made.box.size() != made.extents.size())
    node.find("box")->fail(
        fmt::format("\"box\" has {} sizes, and \"extents\" {}: give one for each dimension of the tensor",
                    made.box.size(), made.extents.size()));
  if (const Node* pitch = node.find("pitch")) {
    if (!pitch->is(Node::Kind::list))
      made.pitches.push_back(as_expression(*pitch, "\"pitch\""));
    else
      for (const Node& one : pitch->items) made.pitches.push_back(as_expression(one, "\"pitch\""));
    if (made.pitches.size() >= made.extents.size())
      pitch->fail(
          fmt::format("\"pitch\" has {} distances: a tensor of {} dimensions has {}, the first from a row to the "
                      "next",
                      made.pitches.size(), made.extents.size(), made.extents.size() - 1));
  }
  if (const Node* swizzle = node.find("swizzle")) made.swizzle = as_expression(*swizzle, "\"swizzle\"");
  return made;
}

void check_tensor_map(const JobBuffer& buffer, const Node& place) {
  if (!buffer.symbol.empty())
    place.fail(
        fmt::format("there is a tensor map of {}, which is in constant memory: bulk copies read and write "
                    "global memory only, so give it another role",
                    buffer.name));
  if (buffer.lanes != 1)
    place.fail(
        fmt::format("there is a tensor map of {}, whose elements are {}: give the buffer the type {}, and so "
                    "many times the \"count\"",
                    buffer.name, buffer.spelling, name_of(buffer.element)));
}

Argument planned_tensor_map(const JobArgument& given, const Parameter* parameter, const StepRequest& request,
                            const Names& names) {
  const std::string& name = given.tensor_map->buffer;
  if (parameter == nullptr)
    given.place.fail(fmt::format("a function of the host reads no tensor map: pass the buffer {} itself", name));
  const std::string what = fmt::format("there is a tensor map of {}, and the parameter {} is {}{}", name,
                                       parameter->name, parameter->type, parameter->is_pointer ? "*" : "");
  if (!is_tensor_map_type(parameter->type)) given.place.fail(what + ", not CUtensorMap");
  if (parameter->is_pointer || !parameter->is_grid_constant)
    given.place.fail(what +
                     ": declare it as `const __grid_constant__ CUtensorMap`, since a GPU reads a tensor map "
                     "only where the launch puts it");
  const JobBuffer& buffer = *find_buffer(request.lowering.job, name);
  const Sized made = sized(*given.tensor_map, buffer, names);
  const auto renamed = request.renamed.find(name);
  return TensorMapArgument{
      .matrix = {.buffer = renamed == request.renamed.end() ? name : renamed->second, .byte_offset = made.byte_offset},
      .map = made.map};
}

std::string tensor_map_fault(const Job& job, const JobStep& step, const Names& names) {
  if (!step.arguments) return {};
  for (const JobArgument& argument : *step.arguments) {
    if (!argument.tensor_map) continue;
    const JobBuffer& buffer = *find_buffer(job, argument.tensor_map->buffer);
    const Sized made = sized(*argument.tensor_map, buffer, names);
    std::string fault = made.fault.empty() ? fault_of(made.map) : made.fault;
    constexpr std::int64_t kUnit = 16;
    if (fault.empty() && made.byte_offset % kUnit != 0)
      fault = fmt::format(
          "it begins at byte {} of the buffer, and tensor maps begin at multiples of {}: make "
          "\"offset\" a multiple of {} elements",
          made.byte_offset, kUnit, kUnit / made.map.element_bytes);
    if (fault.empty()) {
      const Value end = static_cast<Value>(made.byte_offset) + static_cast<Value>(made.map.bytes());
      const Value held = buffer.count.value(names) * made.map.element_bytes;
      if (end > held)
        fault = fmt::format(
            "its last element ends at byte {}, and the buffer has {}: see \"extents\", \"pitch\", and the "
            "\"count\" of the buffer",
            static_cast<double>(end), static_cast<double>(held));
    }
    if (!fault.empty()) return fmt::format("the tensor map of {}: {}", buffer.name, fault);
  }
  return {};
}

}  // namespace warpwright::job
