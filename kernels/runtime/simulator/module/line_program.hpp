// Decodes the DWARF 5 line table of a shared object.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "kernels/runtime/simulator/module/debug_info.hpp"

namespace warpwright::simulator {

/// The sections that a line table consists of.
struct LineSections {
  std::span<const std::byte> line, line_strings, strings;
};

struct LineTable {
  std::vector<DebugInfo::Row> rows;  ///< by address
  std::vector<std::string> files;
};

/// All units of the section, without those of another version. Throws std::out_of_range for damaged ones.
LineTable decode_line_table(const LineSections& sections);

}  // namespace warpwright::simulator
