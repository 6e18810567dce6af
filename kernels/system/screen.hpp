// How wide printed text may be, and whether it has colours.
#pragma once

#include <cstddef>
#include <optional>

namespace warpwright {

struct Screen {
  std::size_t width = 100;  // columns; 0: no limit
  bool colour = false;
  bool terminal = false;
};

// What decides on a screen. Environment variables are as getenv returns them.
struct Around {
  std::optional<std::size_t> terminal_width{};  // none: output is not a terminal but a pipe or a file
  const char* columns = nullptr;                // COLUMNS
  const char* no_color = nullptr;               // NO_COLOR
  const char* term = nullptr;                   // TERM
};

// The width is COLUMNS if that is a number, else the terminal's width, else 100. Colours are used only on a terminal,
// if NO_COLOR is not set (or empty) and TERM is not "dumb".
Screen screen_in(const Around&);

// The screen for standard output or standard error of this process, by descriptor.
Screen screen_of(int descriptor);

}  // namespace warpwright
