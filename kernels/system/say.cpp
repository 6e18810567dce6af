// Prints whole lines, one writer at a time.
#include "kernels/system/say.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <iostream>
#include <mutex>
#include <string>

#include "kernels/core/text.hpp"
#include "kernels/system/screen.hpp"

namespace warpwright::program {
namespace {

constexpr std::string_view erase_line = "\r\x1b[K";

std::mutex& writing() {
  static std::mutex mutex;
  return mutex;
}

std::string& status() {
  static std::string line;
  return line;
}

void write(std::string_view text, std::FILE* to) {
  std::fwrite(text.data(), 1, text.size(), to);
  std::fflush(to);
}

// On a terminal, lines end between words. Elsewhere they stay whole: programs search them.
std::string laid_out(std::string_view text, const Screen& screen) {
  if (!screen.terminal) return std::string(text) + (text.ends_with('\n') ? "" : "\n");
  std::string lines;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::size_t indent = std::min(line.find_first_not_of(' '), line.size());
    lines += wrapped(line, screen.width, indent + 2);
  }
  return lines;
}

// Flushes standard output: that of iostreams and that of stdio.
void finish_output() {
  std::cout.flush();
  std::fflush(stdout);
}

}  // namespace

void print(std::string_view text) {
  const std::scoped_lock lock(writing());
  if (!status().empty()) write(erase_line, stderr);
  std::cout.flush();
  write(text, stdout);
  if (!status().empty()) write(status(), stderr);
}

void say(std::string_view line) {
  const std::scoped_lock lock(writing());
  finish_output();
  std::string text(status().empty() ? "" : erase_line);
  text += laid_out(line, screen_of(STDERR_FILENO));
  write(text + status(), stderr);
}

void show_status(std::string_view line) {
  const std::scoped_lock lock(writing());
  if (line == status()) return;
  status() = line;
  write(std::string(erase_line) + status(), stderr);
}

std::string about(double seconds) {
  if (seconds < 10) return "a few seconds";
  if (seconds < 100) return fmt::format("{:.0f} s", 5 * std::round(seconds / 5));
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace warpwright::program
