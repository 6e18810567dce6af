// Formats texts for people: safe to print, wrapped, and as words for a shell; numbers, times and durations.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpwright {

// The text with control characters (ASCII, and C1 in UTF-8) escaped as in C ("\n", "\x1b"), so that text from the
// database cannot control the terminal. Everything else is unchanged.
std::string printable(std::string_view text);

// C++ code without namespaces: "{.finish = a::b::atomics}" gives "{.finish = atomics}".
std::string unqualified(std::string_view cpp);

// The shell command that runs the case of a repro line again: "conform FILE --repro 'LINE'". `file` is the job file as
// the user named it. If the kernel is from a job file that is not known, the command says FILE.json. Other kernels need
// no file.
std::string repro_command(std::string_view file, std::string_view line);

// Breaks a command into lines of at most `width` characters, if its words allow it. A backslash ends each line but the
// last, so a shell still accepts the text. Lines after the first are indented. If a repro line is pasted with these
// breaks, `unfolded` gives the original line.
std::string folded_command(std::string_view command, std::size_t width, std::size_t indent);

// Undoes folded_command: replaces a backslash, the end of a line and the blanks around them by one blank.
std::string unfolded(std::string_view line);

// The text as one word for a shell: quoted if necessary.
std::string shell_word(std::string_view word);

// With A to Z as small letters, like SQLite's lower().
std::string lower_case(std::string_view text);

// "1 case", "2 cases".
std::string counted(std::int64_t count, std::string_view noun);

// "5,926"
std::string grouped(std::int64_t count);

// "0.8 s", "42 s", "2 min 19 s", "1 h 5 min"
std::string duration_text(double seconds);

// A time with three significant digits: "9.53 us", "381 us", "1.20 ms", "2.50 s"
std::string time_text(double microseconds);

// Breaks a text at blanks into lines of at most `width` characters, if its words allow it, and indents all lines but
// the first. Width 0: one line. Ends with a newline.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent = 0);

}  // namespace warpwright
