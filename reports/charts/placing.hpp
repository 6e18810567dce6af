// Greedy placement of labels beside dots, so that they do not overlap.
#pragma once

#include <cstddef>
#include <vector>

namespace warpwright::reports::charts {

// A dot to be labelled. Coordinates are in percent of the plot, y from the top.
struct Labelled {
  double x = 0;
  double y = 0;
  std::size_t characters = 0;  // of the label
  std::size_t short_form = 2;  // characters of the short label (the ranks), used if the label fits nowhere
  std::size_t shortest = 2;    // and of the shortest one (the first rank)
};

// A part of the plot where no label may be, in percent.
struct Taken {
  double left = 0;
  double top = 0;
  double right = 0;
  double bottom = 0;
};

// The side of its dot on which a label is.
enum class Side { right, left, above, below };

struct Placed {
  enum class Form { full, rank, first, none };
  Form form = Form::none;
  Side side = Side::right;
};

// Places the label of each dot; the first dots choose first. A label that fits nowhere is cut to its ranks, then to the
// first one; if that does not fit either, it is left out. The plot is assumed to be `width` characters wide and
// `height` lines high, like the smallest plot that shows names.
std::vector<Placed> place_labels(const std::vector<Labelled>& dots, const std::vector<Taken>& taken = {},
                                 double width = 72, double height = 19);

}  // namespace warpwright::reports::charts
