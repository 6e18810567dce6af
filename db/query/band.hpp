// Bands of predicted times that the model cannot tell apart, because they differ by less than its error.
#pragma once

namespace warpwright::db {

// Relative error of the model: nine of eleven published figures are predicted this closely.
inline constexpr double model_error = 0.10;

// Whether a predicted time is too close to the least one of the same problem and board to be told apart from it. All
// such times form one band.
inline bool in_band(double us, double least_us) {
  return us <= least_us * (1 + model_error);
}

}  // namespace warpwright::db
