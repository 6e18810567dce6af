// The faults of a kernel that the simulator finds, as plain values.
#include "kernels/runtime/simulator/results/finding.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace warpwright::simulator {

std::string location_of(const ThreadLocation& at) {
  return fmt::format("{}:{}:{}", at.file, at.line, std::max(at.column, 1));
}

std::string thread_of(const ThreadLocation& at) {
  const auto words = [](const Dim3& index) { return fmt::format("({}, {}, {})", index.x, index.y, index.z); };
  return fmt::format("block {}, thread {}", words(at.block), words(at.thread));
}

std::string describe(const ThreadLocation& at) {
  return location_of(at) + ", " + thread_of(at);
}

bool is_at_line_of(const Finding& one, const Finding& other) {
  return one.location.file == other.location.file && one.location.line == other.location.line;
}

std::string describe(const Finding& finding) {
  const bool is_located = finding.location.line != 0;
  std::string text = fmt::format("{}: {}", word_of(finding.kind), finding.message);
  // A feature that is not modelled has the same message, whichever thread uses it.
  if (finding.kind == FindingKind::no_model)
    return is_located ? fmt::format("{} at {}:{}", text, finding.location.file, finding.location.line) : text;
  if (is_located) text = fmt::format("{}: {}; {}", location_of(finding.location), text, thread_of(finding.location));
  if (finding.other.line != 0) text += fmt::format("; and {}", describe(finding.other));
  if (finding.address != 0) text += fmt::format("; address {:#x}", finding.address);
  if (!finding.entry.empty()) text += fmt::format("; in {}", finding.entry);
  return text;
}

}  // namespace warpwright::simulator
