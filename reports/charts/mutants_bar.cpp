// Draws the outcomes of mutants as one stacked bar.
#include "reports/charts/mutants_bar.hpp"

#include <fmt/format.h>

#include <array>

#include "kernels/core/text.hpp"
#include "reports/charts/svg.hpp"

namespace warpwright::reports::charts {
namespace {

struct MutantPart {
  const char* classes;
  std::int64_t count;
  const char* words;
};

}  // namespace

std::string mutants_bar(const MutantsBar& bar) {
  const std::array<MutantPart, 4> parts{{{"killed", bar.killed, "killed"},
                                         {"equivalent", bar.equivalent, "equivalent"},
                                         {"undecided", bar.undecided, "not modelled, or not compiled"},
                                         {"survived", bar.survived, "survived"}}};
  std::string stack;
  std::string list;
  for (const MutantPart& part : parts) {
    if (part.count == 0) continue;
    stack += fmt::format("<i class='{}' style='flex:{}'></i>", part.classes, part.count);
    list += fmt::format("<li><i class='{}'></i>{} {}</li>", part.classes, grouped(part.count), part.words);
  }
  if (stack.empty()) return instead("No mutants were tried.");
  return "<div class='mutants'><div class='stack' aria-hidden='true'>" + stack + "</div><ul>" + list + "</ul></div>\n";
}

}  // namespace warpwright::reports::charts
