// Prints results to standard output and messages to standard error, so that lines never mix.
#pragma once

#include <string>
#include <string_view>

namespace warpwright::program {

// Prints results, one or more whole lines. They have been written when it returns.
void print(std::string_view text);

// Prints a message as a line on standard error, after everything that was printed before; on a terminal, as several
// lines if it is wider than that. Thread-safe.
void say(std::string_view line);

// Shows a status line on a terminal, in place of the one before. Other lines appear above it. Empty removes it.
void show_status(std::string_view line);

// An estimate for a status line, rounded to what it is worth: "a few seconds", "45 s", "7 min", "1.5 h"
std::string about(double seconds);

}  // namespace warpwright::program
