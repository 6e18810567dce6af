// The table of CUDA's built-ins: a row for each function, from which one device text is made for the host target, for
// NVRTC and for a GPU.
#pragma once

#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace warpwright::built_ins {

using Wide = long double;

/// What a reference says where it knows nothing; no float or double has that value.
inline constexpr Wide unknown = 1e4000L;

/// A call and what it must give. `call` is an expression of a, b and c, whose types `arguments` has a letter each for
/// (see inputs.hpp); pa points to a in global memory that nobody writes, and cell to 16 bytes of the thread's own.
struct Row {
  std::string call;
  std::string result;  ///< type of the call, exactly
  std::string arguments;
  double ulps = -1;     ///< largest error that CUDA documents; negative: the same bits, but for those of a NaN
  double absolute = 0;  ///< or this much
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
