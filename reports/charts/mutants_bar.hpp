// Mutants bar: the outcomes of the mutants of a kernel or of the whole catalogue.
#pragma once

#include <cstdint>
#include <string>

namespace warpwright::reports::charts {

struct MutantsBar {
  std::int64_t killed = 0;
  std::int64_t equivalent = 0;  // behaves like the kernel on every input
  std::int64_t undecided = 0;   // not modelled, or it did not compile
  std::int64_t survived = 0;
};

// A stacked <div class="mutants"> and its legend with counts; a part that is not 0 is at least 2 px wide. A sentence if
// there are none.
std::string mutants_bar(const MutantsBar&);

}  // namespace warpwright::reports::charts
