// How a worker describes its callables.
#pragma once

#include <string>
#include <vector>

#include "kernels/model/space.hpp"

namespace warpwright::worker {

/// One choice of a callable's knobs.
struct KnobsInfo {
  Point knobs;
  std::string text;  ///< "{.tile_x = 32}", empty if there are none
  double depth = 0;  ///< for the problem of the request
  bool is_default = false;
};

struct BaselineInfo {
  std::string pattern, implementation, idiom, version;
  std::string missing;  ///< why it cannot be used here; empty if it can
  bool synchronises = false;
  std::string observation;  ///< the pattern's observation by which it is checked; empty: the one of kernels
  bool has_oracle = true;   ///< false: only laws check its results
  std::vector<std::string> laws;
  std::vector<KnobsInfo> knobs;  ///< every valid choice; empty if the library is missing or no problem was named

  std::string name() const { return implementation + "/" + idiom; }
};

}  // namespace warpwright::worker
