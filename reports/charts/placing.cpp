// Tries the sides of each dot in turn, and uses the first where the label overlaps nothing.
#include "reports/charts/placing.hpp"

#include <algorithm>
#include <utility>

namespace warpwright::reports::charts {
namespace {

bool overlap(const Taken& a, const Taken& b) {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

// The box of a label, in characters and lines.
Taken box_of(Side side, double x, double y, double characters) {
  constexpr double gap = 1.1;
  switch (side) {
    case Side::right:
      return {x + gap, y - 0.5, x + gap + characters, y + 0.5};
    case Side::left:
      return {x - gap - characters, y - 0.5, x - gap, y + 0.5};
    case Side::above:
      return {x - characters / 2, y - 1.45, x + characters / 2, y - 0.45};
    case Side::below:
      break;
  }
  return {x - characters / 2, y + 0.45, x + characters / 2, y + 1.45};
}

}  // namespace

std::vector<Placed> place_labels(const std::vector<Labelled>& dots, const std::vector<Taken>& taken, double width,
                                 double height) {
  const double in_x = width / 100;
  const double in_y = height / 100;
  std::vector<Taken> used;
  for (const Taken& box : taken) used.push_back({box.left * in_x, box.top * in_y, box.right * in_x, box.bottom * in_y});
  for (const Labelled& dot : dots) {
    used.push_back({dot.x * in_x - 0.7, dot.y * in_y - 0.3, dot.x * in_x + 0.7, dot.y * in_y + 0.3});
  }
  const Taken plot{-1, -0.5, width + 2, height + 0.2};
  const auto free = [&](const Taken& box) {
    const bool inside =
        box.left >= plot.left && box.right <= plot.right && box.top >= plot.top && box.bottom <= plot.bottom;
    return inside && std::ranges::none_of(used, [&](const Taken& other) { return overlap(box, other); });
  };
  std::vector<Placed> placed(dots.size());
  const auto place = [&](std::size_t i, std::size_t characters, Placed::Form form) {
    for (const Side side : {Side::right, Side::left, Side::above, Side::below}) {
      const Taken box = box_of(side, dots[i].x * in_x, dots[i].y * in_y, static_cast<double>(characters));
      if (!free(box)) continue;
      used.push_back(box);
      placed[i] = {form, side};
      return true;
    }
    return false;
  };
  for (std::size_t i = 0; i < dots.size(); ++i) {
    for (const auto& [form, characters] :
         {std::pair{Placed::Form::full, dots[i].characters}, std::pair{Placed::Form::rank, dots[i].short_form},
          std::pair{Placed::Form::first, dots[i].shortest}})
      if (place(i, characters, form)) break;
  }
  return placed;
}

}  // namespace warpwright::reports::charts
