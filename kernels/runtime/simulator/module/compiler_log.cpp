// Reads what the host compiler says about a module.
#include "kernels/runtime/simulator/module/compiler_log.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <sstream>
#include <string_view>
#include <utility>

namespace warpwright::simulator {

std::vector<std::string> uninitialised_locals(const std::string& log) {
  constexpr std::string_view mark = " warning: ";
  std::vector<std::string> lines;
  std::istringstream text(log);
  for (std::string line; std::getline(text, line);) {
    const auto warning = line.find(mark);
    if (warning == std::string::npos || line.find("uninitialized [") == std::string::npos) continue;
    line.replace(warning, mark.size(), " ");
    line.erase(line.rfind(" ["));
    for (const std::string_view quote : {"\u2018", "\u2019"}) {
      for (auto at = line.find(quote); at != std::string::npos; at = line.find(quote)) {
        line.replace(at, quote.size(), "'");
      }
    }
    if (std::find(lines.begin(), lines.end(), line) == lines.end()) lines.push_back(std::move(line));
  }
  return lines;
}

std::string refused_by_system(const std::string& log) {
  std::istringstream lines(log);
  for (std::string line; std::getline(lines, line);) {
    // Quoted source lines begin with "  12 | "; messages that a source makes the compiler print have a mark before
    // them.
    const auto says = [&](std::string_view words) { return line.find(words) != std::string::npos; };
    if (line.find_first_not_of(" 0123456789") == line.find('|')) continue;
    if (says(": error: ") || says(": warning: ") || says(": note: ")) continue;
    for (const int error : {ENOSPC, EDQUOT, EROFS, ENOMEM, EMFILE, ENFILE, EAGAIN, EIO, EFBIG})
      if (says(std::strerror(error))) return line;
    // The last ones are about programs that the compiler started, and that a signal ended.
    for (const char* const words : {"out of memory", "memory exhausted", "annot fork", "error writing to",
                                    "error closing", "Killed", "Terminated", "limit exceeded"})
      if (says(words)) return line;
  }
  return {};
}

bool is_about_source(const std::string& log) {
  if (log.find("undefined reference to ") != std::string::npos) return true;
  for (const std::string_view mark : {": error: ", ": fatal error: "})
    for (auto at = log.find(mark); at != std::string::npos; at = log.find(mark, at + 1))
      if (at > 0 && log[at - 1] >= '0' && log[at - 1] <= '9') return true;
  return false;
}

}  // namespace warpwright::simulator
