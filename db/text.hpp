// Texts of the database as people read them on a terminal or a page.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpwright::db {

// Control characters, of ASCII and of C1 in UTF-8, are spelt as in C ("\n", "\x1b"), so that no stored text moves a
// cursor. All else stays as it is.
std::string printable(std::string_view text);

// C++ without the namespaces before its names: "{.finish = a::b::atomics}" is "{.finish = atomics}".
std::string unqualified(std::string_view cpp);

// The command that runs the case of a repro line again: "conform FILE --repro 'LINE'", as a shell takes it. `file` is
// that of a job as it was given; a job of which none is known has FILE.json in its place, other kernels have none.
std::string repro_command(std::string_view file, std::string_view line);

// With the capitals of ASCII as small letters, as SQLite's lower() has it.
std::string lower_case(std::string_view text);

// "1 case", "2 cases".
std::string counted(std::int64_t count, std::string_view noun);

}  // namespace warpwright::db
