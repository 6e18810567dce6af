// What a table or a line is printed for: how wide it may be, and whether it has colours.
#pragma once

#include <cstddef>
#include <optional>

namespace warpwright {

struct Screen {
  std::size_t width = 100;  // columns; 0: as wide as it needs to be
  bool colour = false;
  bool terminal = false;
};

// What a screen depends on; variables of the environment as getenv gives them.
struct Around {
  std::optional<std::size_t> terminal_width{};  // none: no terminal, but a pipe or a file
  const char* columns = nullptr;                // COLUMNS
  const char* no_color = nullptr;               // NO_COLOR
  const char* term = nullptr;                   // TERM
};

// COLUMNS where it is a number, else the terminal's width, else 100. Colours only on a terminal, where NO_COLOR is not
// set (or empty) and TERM is not "dumb".
Screen screen_in(const Around&);

// Of standard output or standard error of this process, by descriptor.
Screen screen_of(int descriptor);

}  // namespace warpwright
