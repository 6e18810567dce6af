// Reads device code at a position that the compiler reports.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace warpwright::simulator {

/// The name of the array that is indexed by the brackets at that line and column, both counted from 1: "tile" at either
/// pair of `tile[i][j]`, "values" at `row->values[k]`. The column is that of the opening or of the closing bracket.
/// Empty if there is no name before them.
std::string indexed_name(std::string_view text, int line, int column);

/// The names of the variables (and functions) that are declared with that word: "a" and "b" in `static __constant__ int
/// a[4] = {1}, *b;`. Those that macros declare are not found.
std::set<std::string> declared_with(std::string_view word, std::string_view text);

/// A parameter of a kernel.
struct KernelParameter {
  std::string name;  ///< empty if it has none
  bool is_restrict = false;
  bool operator==(const KernelParameter&) const = default;
};

/// The parameters of each kernel with that name, without its scopes, that the text defines or declares.
std::vector<std::vector<KernelParameter>> parameters_of_kernel(std::string_view name, std::string_view text);

/// The files from which the text was made, according to its lines `#line N "FILE"`; each file has its lines at their
/// numbers. Text before the first such line is in none of them. Lines of a file must come in the order of their
/// numbers.
std::map<std::string, std::string> marked_files(std::string_view text);

}  // namespace warpwright::simulator
