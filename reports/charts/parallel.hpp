// Parallel coordinates: one line for each configuration of a kernel, through the values of all params to its time.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace warpwright::reports::charts {

struct ParallelAxis {
  std::string name{};
  std::vector<std::string> values{};  // in their order, lowest first
};

struct ParallelLine {
  std::vector<std::size_t> values{};  // an index into the values of each axis
  double us = 0;
};

struct Parallel {
  std::string kernel{};
  std::vector<ParallelAxis> axes{};   // without the time, which is added as the last axis
  std::vector<ParallelLine> lines{};  // any order
  std::size_t most = 2000;            // most lines that are drawn
};

// Which lines are drawn, fastest first: all if there are no more than `most`; otherwise the fastest half of `most`, and
// every n-th of the rest.
std::vector<std::size_t> drawn_lines(const std::vector<ParallelLine>&, std::size_t most);

// A <div class="parallel">. Upright axes; charts.css lays them down where the box is narrow. Inside: an <svg> with a
// <path class="line" data-v="1,0,2" data-us="34.6"> for each drawn line, the fastest last (on top), the ten best with
// the class "top"; then a <div class="axis" data-axis="0" style="--at:12.5%"> for each param, with a <b> for its name
// and a <button data-value="2" style="--v:94%"> for each value (disabled until a script takes the attribute away); the
// axis of the time has <span class="tick"> and no buttons. After it a sentence, if not all lines are drawn.
std::string parallel(const Parallel&);

}  // namespace warpwright::reports::charts
