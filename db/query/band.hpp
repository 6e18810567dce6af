// Bands of predicted times that count as equal, because they differ by little.
#pragma once

#include <fmt/format.h>

#include <string>

namespace warpwright::db {

// Predicted times within this share of the least count as equal. It bounds no error: where the model was not fitted,
// its times were 0.39 to 1.00 of the measured ones (docs/results/2026-11-23_h200.md, "Model forecasts").
inline constexpr double model_error = 0.10;

// The band in words.
inline std::string band_words() {
  return fmt::format("Predicted times within {:.0f} % of the best count as equal; the model can be wrong by more.",
                     100 * model_error);
}

// Whether a predicted time is tied with the least one of the same problem and board. All such times form one band.
inline bool in_band(double us, double least_us) {
  return us <= least_us * (1 + model_error);
}

}  // namespace warpwright::db
