// Texts as people read them.
#include "db/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpwright::db {
namespace {

bool in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// As a shell takes it for one word.
std::string shell_word(std::string_view word) {
  std::string text = "'";
  for (const char c : word) text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

}  // namespace

std::string printable(std::string_view text) {
  std::string shown;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto byte = static_cast<unsigned char>(text[at]);
    const auto next = at + 1 < text.size() ? static_cast<unsigned char>(text[at + 1]) : 0U;
    if (byte == 0xC2 && next >= 0x80 && next < 0xA0) {  // C1 in UTF-8
      shown += fmt::format("\\x{:02x}", next);
      ++at;
    } else if (byte == '\n') {
      shown += "\\n";
    } else if (byte == '\t') {
      shown += "\\t";
    } else if (byte < 0x20 || byte == 0x7F) {
      shown += fmt::format("\\x{:02x}", byte);
    } else {
      shown += text[at];
    }
  }
  return shown;
}

std::string unqualified(std::string_view cpp) {
  std::string text;
  std::size_t name = 0;  // where the name that is being read begins in `text`
  for (std::size_t at = 0; at < cpp.size(); ++at) {
    if (cpp.substr(at).starts_with("::")) {
      text.resize(name);
      ++at;
      continue;
    }
    text += cpp[at];
    if (!in_name(cpp[at])) name = text.size();
  }
  return text;
}

std::string repro_command(std::string_view file, std::string_view line) {
  constexpr std::string_view of_a_job = "kernel=job:";
  std::string given(file);
  if (file.empty() && line.find(of_a_job) != std::string_view::npos) given = "FILE.json";
  const auto is_plain = [](char c) {
    return in_name(c) || std::string_view("./-+,@%=").find(c) != std::string_view::npos;
  };
  if (!std::all_of(given.begin(), given.end(), is_plain)) given = shell_word(given);
  return fmt::format("conform {}{}--repro {}", given, given.empty() ? "" : " ", shell_word(line));
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::string counted(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

}  // namespace warpwright::db
