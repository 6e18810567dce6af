// The list of verdicts, and those that blame a kernel.
#include "db/verdicts.hpp"

#include <array>

namespace warpwright::db {

std::span<const std::string_view> verdicts() {
  using namespace verdict;
  static constexpr std::array words = {passed,         failed,  mistrusted, unchecked, rejected,   not_compiled,
                                       not_launchable, crashed, timed_out,  skipped,   not_judged, not_run};
  return words;
}

bool is_wrong(std::string_view word) {
  using namespace verdict;
  return word == failed || word == not_compiled || word == crashed || word == timed_out;
}

}  // namespace warpwright::db
