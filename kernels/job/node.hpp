// The text of a job file as a tree of values, each of which knows its line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpwright::job {

/// What is wrong with a job file: "convolution.json:12: WHAT: WHAT TO DO".
class JobError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A value of a JSON text. Members keep their order.
struct Node {
  enum class Kind { null, boolean, number, text, list, object } kind = Kind::null;
  bool boolean = false;
  double number = 0;
  std::string text = {};  ///< of a text, and the spelling of a number
  std::vector<Node> items = {};
  std::vector<std::pair<std::string, Node>> members = {};
  std::string file = {};
  int line = 0;

  bool is(Kind wanted) const { return kind == wanted; }
  /// The member of that name; null for none.
  const Node* find(std::string_view name) const;
  /// Throws JobError with the place of this value.
  [[noreturn]] void fail(const std::string& what) const;
};

/// Reads JSON with comments. Throws JobError with the line of what is no JSON, or stands twice in one object.
Node parse_node(const std::string& text, const std::string& file);

}  // namespace warpwright::job
