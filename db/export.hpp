// Best settings as files for others: JSON, CSV, and a C++ header that device code is instantiated with.
#pragma once

#include <string>
#include <vector>

#include "db/query.hpp"

namespace warpwright::db {

// The version of all three formats, raised when a reader would have to change. Each export holds it, with the versions
// of the program and of the database's schema that it came from.
inline constexpr int export_format = 1;

// What is exported for a query: the best settings per kernel, for every architecture where `arch` is empty.
std::vector<Best> exported(const Store&, BestQuery);

std::string to_json(const std::vector<Best>&);
std::string to_csv(const std::vector<Best>&);
// Includes "kernels/<pattern>/<kernel>.cuh" and defines, per (architecture, pattern, kernel, types, variant), the
// namespace warpwright::settings::sm_90::transpose::tiled::types_float with `best` (the params of the largest size)
// and `select(elements)` (the params of the size nearest to it), both usable as template arguments. A non-empty
// variant adds a namespace, e.g. ::op_sum. Throws Error where a stored name or params are no C++.
std::string to_header(const std::vector<Best>&);

}  // namespace warpwright::db
