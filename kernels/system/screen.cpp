// Asks the terminal and the environment for width and colours.
#include "kernels/system/screen.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace warpwright {

Screen screen_in(const Around& around) {
  // A terminal is one that can erase a line; a dumb one is written to like a file.
  const bool dumb = around.term == nullptr || std::string_view(around.term) == "dumb";
  Screen screen{.terminal = around.terminal_width.has_value() && !dumb};
  // Some terminals do not know their width and report 0.
  if (around.terminal_width.value_or(0) > 0) screen.width = *around.terminal_width;
  if (around.columns != nullptr) {
    const std::string_view text = around.columns;
    std::size_t columns = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), columns);
    if (error == std::errc() && end == text.data() + text.size() && columns > 0) screen.width = columns;
  }
  const bool unwanted = around.no_color != nullptr && *around.no_color != '\0';
  screen.colour = screen.terminal && !unwanted;
  return screen;
}

Screen screen_of(int descriptor) {
  Around around{.columns = std::getenv("COLUMNS"), .no_color = std::getenv("NO_COLOR"), .term = std::getenv("TERM")};
  if (::isatty(descriptor) == 1) {
    winsize size{};
    around.terminal_width = ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0U;
  }
  return screen_in(around);
}

}  // namespace warpwright
