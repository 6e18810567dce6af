// Page section of best settings: one row per problem and board.
#include <fmt/format.h>

#include "kernels/core/verdict.hpp"
#include "reports/figures.hpp"
#include "reports/html.hpp"
#include "reports/sections.hpp"
#include "reports/sentences.hpp"

namespace warpwright::reports {
namespace {

std::vector<Cell> row_of(const Contest& contest) {
  const db::Best& best = *contest.best;
  const db::TrialView& winner = best.winner;
  const auto time = winner.time_us();
  const auto share = contest.share_of_ceiling(time);
  const auto& error = winner.trial.error_ratio;
  return {
      Cell::markup(fmt::format("<a href=\"#{}\">{}</a>", contest.id(), breakable(contest.name()))),
      Cell::figure(contest.problem.shape),
      contest.board.model,
      Cell::code(winner.settings()),
      time,
      Cell::figure(interval(winner.trial.low_us, winner.trial.high_us)),
      contest.rate_gbs(time),
      contest.ceiling ? contest.ceiling->words() + " " + contest.ceiling->text() : "",
      Cell::figure(share ? percent(*share) : ""),
      Cell::figure(best.speedup ? fmt::format("{:.2f} x", *best.speedup) : ""),
      winner.short_certainty(),
      Cell::figure(best.searched.text()),
      Cell::figure(best.tied.empty() ? "" : grouped(std::ssize(best.tied)) + " more"),
      Cell::figure(error ? percent(*error) : ""),
  };
}

// A library's time and its ratio to our time: "70.1 (1.04 x)".
Cell beside(const Contest& contest, const Rival* rival) {
  if (!rival) return Cell::figure("");
  std::string text = number(*rival->baseline->median_us);
  if (const auto ratio = rival->ratio(contest)) text += fmt::format(" ({:.2f} x)", *ratio);
  return Cell::figure(text);
}

// Compares our times with Kokkos and the vendor's libraries over all problems for which a library was timed.
std::string beside_libraries(const Architecture& architecture) {
  Table table("Ours beside libraries: time \xC2\xB5s, and how many times ours",
              {"problem", "board", "ours", "ours, default", "Kokkos, default", "Kokkos, best", "vendor, best",
               "which vendor's", "at the ceiling"});
  for (const Contest& contest : architecture.contests) {
    const std::vector<Rival> found = rivals(contest);
    const Rival* any = fastest(found, any_library);
    if (!any) continue;
    const Rival* vendor = fastest(found, is_vendor);
    const db::Best* best = contest.best && contest.best->winner.is_measured() ? &*contest.best : nullptr;
    const auto ours = best ? best->winner.time_us() : std::nullopt;
    table.add({Cell::markup(breakable(contest.title())), contest.board.model, Cell::figure(ours ? number(*ours) : ""),
               Cell::figure(best && best->default_us ? number(*best->default_us) : ""),
               beside(contest, fastest(found, [](const db::Baseline& b) { return is_kokkos(b) && b.is_default; })),
               beside(contest, fastest(found, is_kokkos)), beside(contest, vendor), vendor ? vendor->name() : "",
               Cell::figure(contest.ceiling ? number(contest.ceiling->us()) : "")});
  }
  return table.html();
}

// The settings that serve all data sets of a problem, and how much time they cost.
std::string for_any_data(const Architecture& architecture) {
  Table table("Where the data is not known: the setting that loses least on the data that suits it least",
              {"problem", "board", "settings", "data sets", "loses at most", "on"});
  for (const Contest& contest : architecture.contests) {
    if (!contest.best || !contest.best->any_data) continue;
    const db::AnyData& any = *contest.best->any_data;
    if (any.worst_data != contest.problem.data) continue;
    table.add({Cell::markup(breakable(db::text_without_data(contest.problem))), contest.board.model,
               Cell::code(any.setting.settings()), Cell::figure(grouped(static_cast<std::int64_t>(any.data_sets))),
               Cell::figure(percent(any.worst_loss)), any.worst_data});
  }
  return table.html();
}

}  // namespace

std::string figure(const std::string& kind, const std::string& title, const std::string& data) {
  return fmt::format("<figure data-kind={} {}><figcaption>{}</figcaption></figure>\n", kind, data, escape(title));
}

std::string best_section(const Architecture& architecture) {
  Table table("Best settings by problem and board",
              {"problem",
               "size",
               "board",
               "best settings",
               "time \xC2\xB5s",
               "interval \xC2\xB5s",
               "GB/s",
               {"limit", "what bounds the time: the ceiling that it is held against"},
               {"of limit", "the share of the ceiling that is reached"},
               {"default", "how many times as fast as the kernel's default params"},
               {"certainty", "how well it is known that it is right; the sentence of each problem has the cases"},
               {"searched", "the share of the configurations that was evaluated, in all sessions on the board"},
               {"equals", "others that cannot be told apart from it"},
               {"error / bound", "the share of the error bound that is used"}});
  for (const Contest& contest : architecture.contests) {
    if (contest.best) table.add(row_of(contest));
  }
  return "<section id=best><h2>Best settings</h2>\n" + paragraph(best_sentence(architecture)) + table.html() +
         beside_libraries(architecture) + for_any_data(architecture) + "</section>\n";
}

}  // namespace warpwright::reports
