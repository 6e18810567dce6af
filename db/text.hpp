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

// "1 case", "2 cases".
std::string counted(std::int64_t count, std::string_view noun);

}  // namespace warpwright::db
