// Parses JSON by events, and notes the line of each value.
#include "kernels/job/node.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <nlohmann/json.hpp>

namespace warpwright::job {
namespace {

/// An iterator over a text. It reports how far it has come.
class Walk {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  Walk(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}
  reference operator*() const { return *at_; }
  Walk& operator++() {
    *furthest_ = ++at_;
    return *this;
  }
  bool operator==(const Walk& other) const { return at_ == other.at_; }
  bool operator!=(const Walk& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** furthest_;
};

/// Builds the tree from the parser's events.
class Builder : public nlohmann::json_sax<nlohmann::json> {
 public:
  Builder(const std::string& text, std::string file, const char** furthest)
      : text_(text), file_(std::move(file)), furthest_(furthest) {}

  bool null() override { return add({.kind = Node::Kind::null}); }
  bool boolean(bool value) override { return add({.kind = Node::Kind::boolean, .boolean = value}); }
  bool number_integer(number_integer_t value) override {
    return add_number(static_cast<double>(value), fmt::format("{}", value));
  }
  bool number_unsigned(number_unsigned_t value) override {
    return add_number(static_cast<double>(value), fmt::format("{}", value));
  }
  bool number_float(number_float_t value, const string_t& spelling) override { return add_number(value, spelling); }
  bool string(string_t& value) override { return add({.kind = Node::Kind::text, .text = value}); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open({.kind = Node::Kind::object}); }
  bool end_object() override { return close(); }
  bool start_array(std::size_t) override { return open({.kind = Node::Kind::list}); }
  bool end_array() override { return close(); }
  bool key(string_t& value) override {
    if (open_.back().find(value) != nullptr)
      throw JobError(fmt::format("{}:{}: \"{}\" stands twice: leave one", file_, line(), value));
    open_.back().members.emplace_back(value, Node{});
    return true;
  }
  bool parse_error(std::size_t, const std::string& last, const nlohmann::json::exception& error) override {
    std::string what = error.what();
    if (const auto colon = what.rfind("; "); colon != std::string::npos) what = what.substr(colon + 2);
    throw JobError(fmt::format("{}:{}: no JSON at '{}': {}", file_, line(), last, what));
  }

  Node root;

 private:
  int line() const {
    // A number is complete only after the next character was read.
    const char* end = *furthest_;
    if (end > text_.data() && end[-1] == '\n') --end;
    return 1 + static_cast<int>(std::count(text_.data(), end, '\n'));
  }

  bool add_number(double value, const std::string& spelling) {
    return add({.kind = Node::Kind::number, .number = value, .text = spelling});
  }

  bool add(Node node) {
    node.file = file_;
    node.line = line();
    if (open_.empty())
      root = std::move(node);
    else if (open_.back().is(Node::Kind::list))
      open_.back().items.push_back(std::move(node));
    else
      open_.back().members.back().second = std::move(node);
    return true;
  }

  bool open(Node node) {
    node.file = file_;
    node.line = line();
    open_.push_back(std::move(node));
    return true;
  }

  bool close() {
    Node done = std::move(open_.back());
    open_.pop_back();
    const int began = done.line;
    add(std::move(done));
    Node& placed = open_.empty()                       ? root
                   : open_.back().is(Node::Kind::list) ? open_.back().items.back()
                                                       : open_.back().members.back().second;
    placed.line = began;
    return true;
  }

  const std::string& text_;
  std::string file_;
  const char** furthest_;
  std::vector<Node> open_;
};

/// The text with blanks for commas before a closing bracket, which JSON does not allow.
std::string without_trailing_commas(std::string text) {
  std::size_t comma = std::string::npos;  // the last token, if it is a comma behind a value
  char last = '\0';                       // the last token's first character
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char next = text[at];
    if (next == '/' && at + 1 < text.size() && (text[at + 1] == '/' || text[at + 1] == '*')) {
      const bool is_line = text[at + 1] == '/';
      const std::size_t end = text.find(is_line ? "\n" : "*/", at + 2);
      if (end == std::string::npos) break;
      at = end + (is_line ? 0 : 1);
      continue;
    }
    if (std::isspace(static_cast<unsigned char>(next)) != 0) continue;
    if ((next == ']' || next == '}') && comma != std::string::npos) text[comma] = ' ';
    comma = next == ',' && last != '[' && last != '{' && last != ',' ? at : std::string::npos;
    last = next;
    if (next == '"')
      for (++at; at < text.size() && text[at] != '"'; ++at)
        if (text[at] == '\\') ++at;
  }
  return text;
}

}  // namespace

const Node* Node::find(std::string_view name) const {
  const auto found =
      std::ranges::find(members, name, [](const auto& member) { return std::string_view(member.first); });
  return found == members.end() ? nullptr : &found->second;
}

void Node::fail(const std::string& what) const {
  throw JobError(fmt::format("{}:{}: {}", file, line, what));
}

Node parse_node(const std::string& given, const std::string& file) {
  const std::string text = without_trailing_commas(given);
  const char* furthest = text.data();
  Builder builder(text, file, &furthest);
  nlohmann::json::sax_parse(Walk(text.data(), &furthest), Walk(text.data() + text.size(), &furthest), &builder,
                            nlohmann::json::input_format_t::json, true, true);
  return std::move(builder.root);
}

}  // namespace warpwright::job
