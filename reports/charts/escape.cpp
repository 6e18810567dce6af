// Escapes and shortens text by its UTF-8 characters.
#include "reports/charts/escape.hpp"

#include <algorithm>

namespace warpwright::reports {
namespace {

constexpr const char* replacement = "\xEF\xBF\xBD";  // U+FFFD

// Length in bytes of the UTF-8 character at `at`; 0 if the bytes are not valid UTF-8.
std::size_t character_at(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
  const unsigned first = byte(at);
  const std::size_t length = first < 0x80                     ? 1
                             : first >= 0xC2 && first <= 0xDF ? 2
                             : (first & 0xF0U) == 0xE0        ? 3
                             : first >= 0xF0 && first <= 0xF4 ? 4
                                                              : 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0U) != 0x80) return 0;
  }
  const unsigned second = byte(at + 1);
  const bool overlong = (first == 0xE0 && second < 0xA0) || (first == 0xF0 && second < 0x90);
  const bool surrogate = first == 0xED && second >= 0xA0;
  const bool beyond = first == 0xF4 && second >= 0x90;
  return overlong || surrogate || beyond ? 0 : length;
}

void append_escaped(std::string& to, char c) {
  switch (c) {
    case '&':
      to += "&amp;";
      return;
    case '<':
      to += "&lt;";
      return;
    case '>':
      to += "&gt;";
      return;
    case '"':
      to += "&quot;";
      return;
    case '\'':
      to += "&#39;";
      return;
    default:
      break;
  }
  const bool control = (static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7F;
  control ? void(to += replacement) : to.push_back(c);
}

}  // namespace

std::string escape(std::string_view text) {
  std::string escaped;
  escaped.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = character_at(text, at);
    if (length == 1) {
      append_escaped(escaped, text[at]);
    } else if (length == 0) {
      escaped += replacement;
    } else {
      escaped += text.substr(at, length);
    }
    at += std::max<std::size_t>(length, 1);
  }
  return escaped;
}

std::string breakable(std::string_view name) {
  std::string made;
  for (const char c : escape(name)) made += c == '_' ? "_<wbr/>" : std::string(1, c);
  return made;
}

std::string shortened(std::string_view text, std::size_t length) {
  std::string made;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t size = std::max<std::size_t>(character_at(text, at), 1);
    if (made.size() + size > length) return made + " ...";
    made += text[at] == '\n' ? std::string(" ") : std::string(text.substr(at, size));
    at += size;
  }
  return made;
}

}  // namespace warpwright::reports
