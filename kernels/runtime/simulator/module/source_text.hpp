// Reads device code at a position that the compiler reports.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace warpwright::simulator {

/// The name of the array that is indexed by the brackets at that line and column, both counted from 1: "tile" at either
/// pair of `tile[i][j]`, "values" at `row->values[k]`. The column is that of the opening or of the closing bracket.
/// Empty if there is no name before them.
std::string indexed_name(std::string_view text, int line, int column);

/// The files from which the text was made, according to its lines `#line N "FILE"`; each file has its lines at their
/// numbers. Text before the first such line is in none of them. Lines of a file must come in the order of their
/// numbers.
std::map<std::string, std::string> marked_files(std::string_view text);

}  // namespace warpwright::simulator
