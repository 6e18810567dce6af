// The way out of a program's lines: results on standard output, all else on standard error, and neither amid the other.
#pragma once

#include <string_view>

namespace warpwright::program {

// Results, as many whole lines as there are: all of them have left when this returns.
void print(std::string_view text);

// A message: a line on standard error, behind all that was printed before. For any thread.
void say(std::string_view line);

// The line of a terminal that is drawn over again; the others make room for it. An empty one removes it.
void show_status(std::string_view line);

}  // namespace warpwright::program
