// What a text of device code says at a place that the compiler names.
#pragma once

#include <string>
#include <string_view>

namespace warpwright::host {

/// The name of what is indexed by the brackets at that line and column, both counted from 1: "tile" at either pair of
/// `tile[i][j]`, "values" at `row->values[k]`. The column is that of the opening or of the closing bracket. Empty where
/// no name stands before them.
std::string indexed_name(std::string_view text, int line, int column);

}  // namespace warpwright::host
