// What the SIMT executor finds wrong with a kernel, as plain values.
#include "kernels/runtime/host/finding.hpp"

#include <fmt/format.h>

namespace warpwright::host {

std::string words_of(const Place& place) {
  return fmt::format("{}:{} block ({}, {}, {}) thread ({}, {}, {})", place.file, place.line, place.block.x,
                     place.block.y, place.block.z, place.thread.x, place.thread.y, place.thread.z);
}

std::string describe(const Finding& finding) {
  std::string text = fmt::format("{}: {}", word_of(finding.kind), finding.message);
  if (finding.address != 0) text += fmt::format("; address {:#x}", finding.address);
  if (finding.place.line != 0) text += fmt::format("; at {}", words_of(finding.place));
  if (finding.other.line != 0) text += fmt::format("; and {}", words_of(finding.other));
  if (!finding.entry.empty()) text += fmt::format("; in {}", finding.entry);
  return text;
}

}  // namespace warpwright::host
