// The rate at which a problem is solved, in the unit of its pattern: keys/s, interactions/s, FLOP/s.
#pragma once

#include <optional>
#include <string>

#include "db/store/records.hpp"

namespace warpwright::db {

struct Rate {
  double per_second = 0;
  std::string unit{};  // "keys/s"

  // For people: "42.5 Gkeys/s", "51.4 TFLOP/s".
  std::string text() const;
};

// Nothing if the problem has no unit, or the time is 0.
std::optional<Rate> rate_of(const Problem&, double us);

}  // namespace warpwright::db
