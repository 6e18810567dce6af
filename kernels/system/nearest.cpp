// Edit distance between words.
#include "kernels/system/nearest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "kernels/core/text.hpp"

namespace warpwright::program {
namespace {

// The number of letters that are wrong, missing, extra, or swapped with their neighbour.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last = last;
    last = row;
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& known) {
  constexpr std::size_t longest = 64;  // names are not longer
  if (word.empty() || word.size() > longest) return "";
  const std::string wanted = lower_case(word);
  std::string best;
  std::size_t least = std::max<std::size_t>(1, wanted.size() / 3) + 1;
  for (const std::string& one : known) {
    const std::string candidate = lower_case(one);
    const bool begins = wanted.size() > 1 && candidate.starts_with(wanted);
    const std::size_t away = begins ? 1 : distance(wanted, candidate);
    if (away >= least) continue;
    least = away;
    best = one;
  }
  return best;
}

std::string unknown(std::string_view what, std::string_view word, const std::vector<std::string>& known) {
  const std::string meant = nearest(word, known);
  if (meant.empty()) return fmt::format("there is no {} '{}'; there are: {}", what, word, fmt::join(known, ", "));
  return fmt::format("there is no {} '{}'; did you mean {}?", what, word, meant);
}

}  // namespace warpwright::program
