// Map of params: the best time with each value of one, or with each pair of values of two; and bars with the variance
// that each param explains.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace warpwright::reports::charts {

struct ParamCell {
  std::optional<double> best_us{};  // empty: not tried (hatched)
  std::int64_t count = 0;           // configurations with a time
};

struct ParamMap {
  std::string across{};                         // name of the param whose values are the columns
  std::string down{};                           // name of the param whose values are the rows; empty: a map of one
                                                // param, with one row
  std::vector<std::string> across_values{};     // in their order
  std::vector<std::string> down_values{};       // in their order
  std::vector<std::vector<ParamCell>> cells{};  // [down][across]
};

// A <table class="map">. More blue is faster; all times from twice the best on have one tint. Page scripts that redraw
// it for other params write the same markup: cells <td style="--c:0..100%"><span>us</span><small>of N</small>, the best
// <td class=best>, those not tried <td class=none>.
std::string param_map(const ParamMap&);

struct ParamEffect {
  std::string name{};
  double share = 0;     // share of the variance of log(time) that it explains alone, 0 to 1
  bool mapped = false;  // one of the two params of the map
};

// A <ul class="effects">, in the order given.
std::string effect_bars(const std::vector<ParamEffect>&);

}  // namespace warpwright::reports::charts
