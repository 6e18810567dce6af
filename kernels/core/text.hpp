// Texts of the database as people read them on a terminal or a page.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpwright {

// Control characters, of ASCII and of C1 in UTF-8, are spelt as in C ("\n", "\x1b"), so that no stored text moves a
// cursor. All else stays as it is.
std::string printable(std::string_view text);

// C++ without the namespaces before its names: "{.finish = a::b::atomics}" is "{.finish = atomics}".
std::string unqualified(std::string_view cpp);

// The command that runs the case of a repro line again: "conform FILE --repro 'LINE'", as a shell takes it. `file` is
// that of a job as it was given; a job of which none is known has FILE.json in its place, other kernels have none.
std::string repro_command(std::string_view file, std::string_view line);

// The command in lines of at most so many characters where its words allow that, each but the last with a backslash at
// its end: a shell takes it as it stands, and `unfolded` of the line that it gives is the line. Lines after the first
// are indented.
std::string folded_command(std::string_view command, std::size_t width, std::size_t indent);

// The line without what folded_command put in: a backslash, the end of a line, and the blanks around them are one
// blank.
std::string unfolded(std::string_view line);

// As a shell takes it for one word: as it is where that is safe, else quoted.
std::string shell_word(std::string_view word);

// With the capitals of ASCII as small letters, as SQLite's lower() has it.
std::string lower_case(std::string_view text);

// "1 case", "2 cases".
std::string counted(std::int64_t count, std::string_view noun);

// "5,926"
std::string grouped(std::int64_t count);

// "0.8 s", "42 s", "2 min 19 s", "1 h 5 min"
std::string duration_text(double seconds);

// A time with three digits: "9.53 us", "381 us", "1.20 ms", "2.50 s"
std::string time_text(double microseconds);

// Broken at blanks into lines of at most so many characters where words allow it; what follows the first is indented.
// Width 0: one line. Ends with a newline.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent = 0);

}  // namespace warpwright
