// Predicted times that count as equal, and the times that may be expected for a predicted one.
#pragma once

#include <fmt/format.h>

#include <string>

#include "db/query/model_error.hpp"

namespace warpwright::db {

// What equals are, and how the best is chosen among them.
inline std::string equals_words() {
  return fmt::format(
      "Predicted times within {:.0f} % of the shortest count as equal, since the model often orders them wrongly; the "
      "best of them is the one that loses least at other sizes and on other boards in the database.",
      100 * equal_within);
}

// What may be expected for a predicted time.
inline std::string range_words() {
  return fmt::format("Eight of ten measured times are {:.2g} to {:.2g} times the predicted one.", least_measured,
                     most_measured);
}

// Whether a predicted time is equal to the least one of the same problem and board within the model's error. All such
// times form one band.
inline bool in_band(double us, double least_us) {
  return us <= least_us * (1 + equal_within);
}

}  // namespace warpwright::db
