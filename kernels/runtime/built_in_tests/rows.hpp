// The table of CUDA's built-in functions, with a row for each. One device source for the simulator, NVRTC and a GPU is
// made from it.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace warpwright::built_ins {

using Wide = long double;

/// The result of a reference that knows none. No float or double has this value.
inline constexpr Wide unknown = 1e4000L;

/// A call and its expected result. `call` is an expression of a, b and c. `arguments` has a letter for the type of each
/// (see inputs.hpp). pa points to a in read-only global memory, and cell to 16 bytes for this thread alone.
struct Row {
  std::string call;
  std::string result;  ///< the exact type of the call
  std::string arguments;
  double ulps = -1;     ///< maximum error in CUDA's documentation; negative: the same bits, except in a NaN
  double absolute = 0;  ///< or this absolute error
  std::function<Wide(Wide, Wide, Wide)> reference = {};
};

/// Rows that are compiled together.
struct Group {
  std::string name;
  std::vector<Row> rows;
  bool with_halves = false;  ///< includes CUDA's half-precision headers
};

inline void PrintTo(const Group& group, std::ostream* out) {
  *out << group.name;
}

Group integer_rows();
Group packed_rows();
Group rounded_rows();
Group cast_rows();
Group elementary_rows();
Group special_rows();
Group exact_rows();
Group memory_rows();
Group warp_rows();
Group half_rows();
Group half_conversion_rows();
std::vector<Group> all_groups();

}  // namespace warpwright::built_ins
