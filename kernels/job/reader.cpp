// Reads values from a job's tree.
#include "kernels/job/reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace warpwright::job {
namespace {

void require(const Node& node, Node::Kind kind, const std::string& what, std::string_view words) {
  if (!node.is(kind)) node.fail(fmt::format("{} is no {}: write {}", what, words, words));
}

}  // namespace

void only(const Node& object, const std::string& what, const std::vector<std::string>& known) {
  for (const auto& [name, value] : as_object(object, what).members)
    if (std::ranges::find(known, name) == known.end() && name != "$schema")
      value.fail(fmt::format("{} has no \"{}\"; known are: {}", what, name, fmt::join(known, ", ")));
}

const Node& needed(const Node& object, const std::string& name, const std::string& what) {
  const Node* const found = object.find(name);
  if (found == nullptr) object.fail(fmt::format("\"{}\" is missing: {}", name, what));
  return *found;
}

const Node& as_object(const Node& node, const std::string& what) {
  require(node, Node::Kind::object, what, "object {...}");
  return node;
}

const std::vector<Node>& as_list(const Node& node, const std::string& what) {
  require(node, Node::Kind::list, what, "list [...]");
  return node.items;
}

const std::string& as_text(const Node& node, const std::string& what) {
  require(node, Node::Kind::text, what, "text \"...\"");
  return node.text;
}

bool as_bool(const Node& node, const std::string& what) {
  require(node, Node::Kind::boolean, what, "true or false");
  return node.boolean;
}

double as_number(const Node& node, const std::string& what) {
  require(node, Node::Kind::number, what, "number");
  return node.number;
}

std::int64_t as_whole(const Node& node, const std::string& what) {
  const double number = as_number(node, what);
  if (std::floor(number) != number || std::abs(number) > 9e15)
    node.fail(fmt::format("{} is no whole number: {}", what, node.text));
  return static_cast<std::int64_t>(number);
}

Expression as_expression(const Node& node, const std::string& what, Division division) {
  if (node.is(Node::Kind::number)) return Expression::number(static_cast<Value>(node.number));
  if (node.is(Node::Kind::boolean)) return Expression::number(node.boolean ? 1 : 0);
  if (!node.is(Node::Kind::text)) node.fail(what + " is no number and no expression in quotes: write 64 or \"n / 4\"");
  try {
    return Expression::parse(node.text, division);
  } catch (const ExpressionError& error) {
    node.fail(
        fmt::format("{} \"{}\" cannot be read: {} (character {})", what, node.text, error.what(), error.offset + 1));
  }
}

std::vector<std::int64_t> as_whole_list(const Node& node, const std::string& what) {
  std::vector<std::int64_t> values;
  if (node.is(Node::Kind::text)) {
    try {
      for (const Value value : list_of(node.text)) {
        if (!is_whole(value)) node.fail(fmt::format("{} holds {}, no whole number", what, static_cast<double>(value)));
        values.push_back(static_cast<std::int64_t>(value));
      }
    } catch (const ExpressionError& error) {
      node.fail(
          fmt::format("{} \"{}\" cannot be read: {} (character {})", what, node.text, error.what(), error.offset + 1));
    }
    return values;
  }
  for (const Node& item : as_list(node, what)) values.push_back(as_whole(item, what));
  return values;
}

}  // namespace warpwright::job
