// What the simulator finds wrong with a kernel, as plain values.
#include "kernels/runtime/simulator/results/finding.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpwright::simulator {

std::string location_of(const ThreadLocation& place) {
  return fmt::format("{}:{}:{}", place.file, place.line, std::max(place.column, 1));
}

std::string thread_of(const ThreadLocation& place) {
  const auto words = [](const Dim3& at) { return fmt::format("({}, {}, {})", at.x, at.y, at.z); };
  return fmt::format("block {}, thread {}", words(place.block), words(place.thread));
}

std::string words_of(const ThreadLocation& place) {
  return location_of(place) + ", " + thread_of(place);
}

std::string describe(const Finding& finding) {
  const bool is_placed = finding.place.line != 0;
  std::string text = fmt::format("{}: {}", word_of(finding.kind), finding.message);
  // A feature that is not modelled has the same message, whichever thread uses it.
  if (finding.kind == FindingKind::no_model)
    return is_placed ? fmt::format("{} at {}:{}", text, finding.place.file, finding.place.line) : text;
  if (is_placed) text = fmt::format("{}: {}; {}", location_of(finding.place), text, thread_of(finding.place));
  if (finding.other.line != 0) text += fmt::format("; and {}", words_of(finding.other));
  if (finding.address != 0) text += fmt::format("; address {:#x}", finding.address);
  if (!finding.entry.empty()) text += fmt::format("; in {}", finding.entry);
  return text;
}

}  // namespace warpwright::simulator
