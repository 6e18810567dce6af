// Greedy placement of labels beside dots, so that they do not overlap.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace warpwright::reports::charts {

// A dot to be labelled. Places are in percent of the plot.
struct Labelled {
  double x = 0;
  double y = 0;                // from the top
  std::size_t characters = 0;  // of the label
};

// Where a label stands, seen from its dot.
enum class Side { right, left, above, below, none };

// The side for each dot. Dots before others have the first choice. `width` and `height` are those of the smallest plot
// in which names are shown, in characters and lines; narrower plots show the rank alone. A label that fits nowhere gets
// `none`: its dot has the rank alone.
std::vector<Side> place_labels(const std::vector<Labelled>& dots, double width = 70, double height = 22);

}  // namespace warpwright::reports::charts
