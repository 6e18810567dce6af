// Formats texts for people and for shells.
#include "kernels/core/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace warpwright {
namespace {

bool in_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// Quoted for a shell.
std::string quoted_word(std::string_view word) {
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
  std::size_t name = 0;  // where in `text` the current name begins
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
  if (!given.empty()) given = shell_word(given) + " ";
  return fmt::format("conform {}--repro {}", given, quoted_word(line));
}

std::string folded_command(std::string_view command, std::size_t width, std::size_t indent) {
  // Only words of the line are joined: a blank in a file's name must not change.
  constexpr std::string_view mark = " --repro '";
  const std::size_t found = command.find(mark);
  if (found == std::string_view::npos) return std::string(command);
  std::string text(command.substr(0, found + mark.size()));
  std::string_view rest = command.substr(text.size());
  std::size_t used = text.size();
  bool is_first = true;
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    const std::size_t end = rest.empty() ? 0 : 2;
    if (used + 1 + word.size() + end > width) {
      text += (is_first ? "\\\n" : " \\\n") + std::string(indent, ' ');
      used = indent;
    } else if (!is_first) {
      text += ' ';
      ++used;
    }
    text += word;
    used += word.size();
    is_first = false;
  }
  return text;
}

std::string unfolded(std::string_view line) {
  std::string text;
  bool is_further = false;
  while (!line.empty()) {
    const std::size_t end = line.find('\n');
    std::string_view part = line.substr(0, end);
    line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
    if (end != std::string_view::npos && part.ends_with('\r')) part.remove_suffix(1);
    if (end != std::string_view::npos && part.ends_with('\\')) part.remove_suffix(1);
    if (is_further) part.remove_prefix(std::min(part.find_first_not_of(' '), part.size()));
    is_further = end != std::string_view::npos;
    if (end != std::string_view::npos)
      while (part.ends_with(' ')) part.remove_suffix(1);
    if (!text.empty() && !part.empty()) text += ' ';
    text += part;
  }
  return text;
}

std::string shell_word(std::string_view word) {
  const auto is_plain = [](char c) {
    return in_name(c) || std::string_view("./-+,@%=").find(c) != std::string_view::npos;
  };
  return !word.empty() && std::ranges::all_of(word, is_plain) ? std::string(word) : quoted_word(word);
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

std::string counted(std::int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

std::string grouped(std::int64_t count) {
  std::string digits = fmt::to_string(count);
  const auto first = static_cast<std::ptrdiff_t>(digits.starts_with('-') ? 1 : 0);
  for (auto at = static_cast<std::ptrdiff_t>(digits.size()) - 3; at > first; at -= 3)
    digits.insert(static_cast<std::size_t>(at), 1, ',');
  return digits;
}

std::string duration_text(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const auto all = std::llround(seconds);
  if (all < 60) return fmt::format("{} s", all);
  if (all < 3600) return fmt::format("{} min {} s", all / 60, all % 60);
  return fmt::format("{} h {} min", all / 3600, all % 3600 / 60);
}

std::string time_text(double microseconds) {
  const char* unit = "us";
  double value = microseconds;
  for (const char* const larger : {"ms", "s"}) {
    if (value < 999.5) break;
    value /= 1000;
    unit = larger;
  }
  const int digits = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
  return fmt::format("{:.{}f} {}", value, digits, unit);
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string lines(std::min(text.find_first_not_of(' '), text.size()), ' ');
  text.remove_prefix(lines.size());
  std::size_t used = 0;
  bool is_first = true;
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (used > 0 && width > 0 && used + 1 + word.size() > width) {
      lines += "\n" + std::string(indent, ' ');
      used = indent;
    } else if (!is_first) {
      lines += ' ';
      ++used;
    }
    used += word.size() + (is_first ? lines.size() : 0);
    lines += word;
    is_first = false;
  }
  return lines + "\n";
}

}  // namespace warpwright
