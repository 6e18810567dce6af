// Which predicted times are equals: the model ranks no finer than its own error.
#pragma once

namespace warpwright::db {

// The error of the model, relative: nine of eleven published figures are met this closely.
inline constexpr double model_error = 0.10;

// Whether a predicted time cannot be told from the least one of the same problem and board: both belong to one band.
inline bool in_band(double us, double least_us) {
  return us <= least_us * (1 + model_error);
}

}  // namespace warpwright::db
