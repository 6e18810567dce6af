// Model scatter: predicted against measured times, to see whether the cost model can be trusted.
#pragma once

#include <string>
#include <vector>

#include "reports/charts/values.hpp"

namespace warpwright::reports::charts {

struct ModelDot {
  Kernel kernel{};
  double measured_us = 0;
  double predicted_us = 0;
};

struct ModelScatter {
  std::vector<ModelDot> dots{};  // each has both times
  double band = 0;               // 0.1: the model treats times within 10 % as equal. 0: no band
};

// A square <div class="plot tall">, with equal logarithmic axes. A sentence if there are no dots.
std::string model_scatter(const ModelScatter&);

}  // namespace warpwright::reports::charts
