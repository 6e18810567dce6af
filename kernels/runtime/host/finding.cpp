// What the SIMT executor finds wrong with a kernel, as plain values.
#include "kernels/runtime/host/finding.hpp"

#include <fmt/format.h>

namespace warpwright::host {
namespace {

std::string words_of(const Place& place) {
  return fmt::format("{}:{} block ({}, {}, {}) thread ({}, {}, {})", place.file, place.line, place.block.x,
                     place.block.y, place.block.z, place.thread.x, place.thread.y, place.thread.z);
}

}  // namespace

std::string_view word_of(FindingKind kind) {
  switch (kind) {
    case FindingKind::out_of_bounds:
      return "out of bounds";
    case FindingKind::misaligned:
      return "misaligned";
    case FindingKind::input_written:
      return "input written";
    case FindingKind::barrier_divergence:
      return "barrier divergence";
    case FindingKind::bad_warp_mask:
      return "bad warp mask";
    case FindingKind::hang:
      return "hang";
    case FindingKind::illegal_launch:
      return "illegal launch";
    case FindingKind::unknown_entry:
      return "unknown entry";
    case FindingKind::trap:
      return "trap";
    case FindingKind::uninitialised_read:
      return "uninitialised read";
    case FindingKind::race:
      return "race";
    case FindingKind::uninitialised_local:
      return "uninitialised local";
    case FindingKind::wrong_arguments:
      return "wrong arguments";
    case FindingKind::unfinished_copy:
      return "unfinished copy";
    case FindingKind::scratch_not_restored:
      return "scratch not restored";
  }
  return "";
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
