// Section at the top of a page: one row per pattern and board, so that an architecture fits on one screen.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "reports/figures.hpp"
#include "reports/html.hpp"
#include "reports/sections.hpp"

namespace warpwright::reports {
namespace {

// The problems of one pattern on one board that have best settings.
struct Line {
  std::vector<const Contest*> contests{};
};

// For how many problems each kernel is best, the most frequent first: "grid_stride 5, tree 1".
std::string best_kernels(const Line& line) {
  std::map<std::string, int> wins;
  for (const Contest* contest : line.contests) ++wins[contest->best->winner.kernel];
  std::vector<std::pair<int, std::string>> sorted;
  for (const auto& [kernel, count] : wins) sorted.emplace_back(-count, kernel);
  std::ranges::sort(sorted);
  std::string text;
  for (const auto& [count, kernel] : sorted)
    text +=
        fmt::format("{}{}{}", text.empty() ? "" : ", ", kernel, sorted.size() > 1 ? fmt::format(" {}", -count) : "");
  return text;
}

// The range of the shares of each problem's ceiling: "74.1 % to 98.9 %".
std::string shares(const Line& line) {
  double low = 1e300, high = 0;
  for (const Contest* contest : line.contests) {
    const auto share = contest->share_of_ceiling(contest->best->winner.time_us());
    if (!share) continue;
    low = std::min(low, *share);
    high = std::max(high, *share);
  }
  if (high == 0) return "";
  return percent(low) == percent(high) ? percent(high) : percent(low) + " to " + percent(high);
}

// The fastest library's time divided by ours: geometric mean and least value over the problems for which a library was
// timed. Coloured if ours is slower on some problem.
Cell beside(const Line& line, bool (*fits)(const db::Baseline&)) {
  double logarithms = 0, least = 1e300;
  int count = 0;
  for (const Contest* contest : line.contests) {
    const std::vector<Rival> found = rivals(*contest);
    const Rival* rival = fastest(found, fits);
    const auto ratio = rival ? rival->ratio(*contest) : std::nullopt;
    if (!ratio || !(*ratio > 0)) continue;
    logarithms += std::log(*ratio);
    least = std::min(least, *ratio);
    ++count;
  }
  if (count == 0) return Cell::figure("");
  std::string text = fmt::format("{:.2f} x", std::exp(logarithms / count));
  if (count > 1) text += fmt::format(" (least {:.2f})", least);
  constexpr double kAsFast = 0.99;
  return least < kAsFast ? Cell::figure(text).with_tone("warn") : Cell::figure(text);
}

// How many problems are certified, not counting predictions: "5 of 6 certified". If nothing was measured, how the
// predictions were checked.
Cell certainty(const Line& line) {
  const auto measured =
      std::ranges::count_if(line.contests, [](const Contest* contest) { return contest->best->winner.is_measured(); });
  if (measured == 0) {
    const std::string first = line.contests.front()->best->winner.short_certainty();
    const bool alike = std::ranges::all_of(
        line.contests, [&](const Contest* contest) { return contest->best->winner.short_certainty() == first; });
    return alike ? first : line.contests.front()->provenance;
  }
  const auto certified = std::ranges::count_if(
      line.contests, [](const Contest* contest) { return !contest->best->winner.certificates.empty(); });
  const Cell cell(fmt::format("{} of {} certified", certified, measured));
  return certified < measured ? cell.with_tone("warn") : cell;
}

// The least and the greatest share of the search space that was evaluated: "0.1 % to 100 %". A problem with only the
// default evaluated counts as less than any share. Problems with an unknown share are left out if the share of another
// one is known.
std::string searched_of(const Line& line) {
  const auto order = [](const db::Searched& searched) {
    const auto share = searched.share();
    if (searched.only_defaults && share.value_or(0) < 1) return 0.0;
    return share ? 1 + *share : -1;
  };
  const db::Searched* least = nullptr;
  const db::Searched* most = nullptr;
  for (const Contest* contest : line.contests) {
    const db::Searched& searched = contest->best->searched;
    if (order(searched) < 0) continue;
    if (!least || order(searched) < order(*least)) least = &searched;
    if (!most || order(searched) > order(*most)) most = &searched;
  }
  if (!least) return db::Searched{}.text();
  const std::string low = least->text(), high = most->text();
  return low == high ? low : low + " to " + high;
}

}  // namespace

std::string overview_section(const Architecture& architecture) {
  std::map<std::pair<std::string, std::string>, Line> lines;
  for (const Contest& contest : architecture.contests)
    if (contest.best) lines[{contest.problem.pattern, contest.board.model}].contests.push_back(&contest);
  if (lines.empty()) return "";
  Table table("The best settings of each pattern, over its problems; library and kokkos: their time over ours",
              {"pattern",
               "board",
               "problems",
               {"best kernels", "each with the number of problems that it is best for"},
               {"of limit", "the share of the ceiling that the best settings reach, from the least to the most"},
               {"library", "the time of the vendor's fastest library over ours: the geometric mean, and the least"},
               {"kokkos", "the time of Kokkos over ours: the geometric mean, and the least"},
               {"certainty", "how well it is known that the best settings are right"},
               {"searched", "the share of the configurations that was evaluated, from the least to the most"}});
  for (const auto& [key, line] : lines) {
    const auto& [pattern, board] = key;
    table.add({Cell::markup(fmt::format("<a href=\"#pattern-{}\">{}</a>", slug(pattern), escape(pattern))), board,
               std::ssize(line.contests), best_kernels(line), Cell::figure(shares(line)), beside(line, is_vendor),
               beside(line, is_kokkos), certainty(line), Cell::figure(searched_of(line))});
  }
  return "<section id=overview><h2>Overview</h2>\n" + table.html() + "</section>\n";
}

}  // namespace warpwright::reports
