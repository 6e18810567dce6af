// Suggests known names for an unknown one.
#include "conformance/suite/known_names.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <stdexcept>
#include <string_view>

#include "kernels/system/nearest.hpp"

namespace warpwright::conformance {

void require_names(const Catalogue& catalogue, const std::vector<std::string>& globs,
                   const std::vector<std::string>& others) {
  const std::vector<std::string> names = catalogue.names();
  std::vector<std::string> known = names;
  known.insert(known.end(), others.begin(), others.end());
  for (const std::string& glob : globs) {
    if (std::ranges::any_of(names,
                            [&](const std::string& name) { return fnmatch(glob.c_str(), name.c_str(), 0) == 0; }))
      continue;
    const std::string meant = program::nearest(glob, known);
    if (!meant.empty())
      throw std::invalid_argument(fmt::format("no pattern or kernel is named '{}'; did you mean {}?", glob, meant));
    std::vector<std::string> patterns;
    for (const Pattern& pattern : catalogue.patterns()) patterns.push_back(pattern.name);
    throw std::invalid_argument(
        fmt::format("no pattern or kernel is named '{}'; the patterns are {}; --list shows their kernels too", glob,
                    fmt::join(patterns, ", ")));
  }
}

void require_kernel_of(const Catalogue& catalogue, const std::string& repro) {
  constexpr std::string_view mark = "kernel=";
  const std::size_t at = repro.find(mark);
  if (at == std::string::npos) return;
  const std::string rest = repro.substr(at + mark.size());
  require_names(catalogue, {rest.substr(0, rest.find(' '))});
}

}  // namespace warpwright::conformance
