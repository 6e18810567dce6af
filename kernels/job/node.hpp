// The text of a job file as a tree of values that know their line numbers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpwright::job {

/// An error in a job file: "convolution.json:12: WHAT IS WRONG: WHAT TO DO".
class JobError : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

/// A JSON value. Members keep their order.
struct Node {
  enum class Kind { null, boolean, number, text, list, object } kind = Kind::null;
  bool boolean = false;
  double number = 0;
  std::string text = {};  ///< a string's contents, or a number as it is written
  std::vector<Node> items = {};
  std::vector<std::pair<std::string, Node>> members = {};
  std::string file = {};
  int line = 0;

  bool is(Kind wanted) const { return kind == wanted; }
  /// The member of that name; null if there is none.
  const Node* find(std::string_view name) const;
  /// Throws JobError with the position of this value.
  [[noreturn]] void fail(const std::string& what) const;
};

/// Parses JSON with comments and trailing commas. Throws JobError with the line of a syntax error, or of a member that
/// an object has twice.
Node parse_node(const std::string& text, const std::string& file);

}  // namespace warpwright::job
