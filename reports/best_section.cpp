// The section of best settings: one row per problem and board.
#include <fmt/format.h>

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
      Cell::markup(fmt::format("<a href=\"#{}\">{}</a>", contest.id(), escape(contest.title()))),
      contest.problem.size_class,
      contest.board.model,
      winner.kernel,
      Cell::code(winner.params),
      winner.trial.provenance,
      winner.certainty(),
      time,
      Cell::figure(interval(winner.trial.low_us, winner.trial.high_us)),
      contest.rate_gbs(time),
      Cell::figure(contest.ceiling && contest.bytes() > 0
                       ? fmt::format("{} {}", contest.ceiling->name, number(contest.ceiling->gbs))
                       : ""),
      Cell::figure(share ? percent(*share) : ""),
      Cell::figure(best.speedup ? fmt::format("{:.2f} x", *best.speedup) : ""),
      Cell(static_cast<std::int64_t>(best.tied.size())),
      Cell::figure(error ? percent(*error) : ""),
  };
}

}  // namespace

std::string figure(const std::string& kind, const std::string& title, const std::string& data) {
  return fmt::format("<figure data-kind={} {}><figcaption>{}</figcaption></figure>\n", kind, data, escape(title));
}

std::string best_section(const Architecture& architecture) {
  Table table(
      "Best settings by problem and board",
      {"problem", "size class", "board", "kernel", "params", "provenance", "certificate", "time \xC2\xB5s",
       "interval \xC2\xB5s", "GB/s", "ceiling GB/s", "share of ceiling", "over default", "tied", "error / bound"});
  for (const Contest& contest : architecture.contests) {
    if (contest.best) table.add(row_of(contest));
  }
  return "<section id=best><h2>Best settings</h2>\n" + paragraph(best_sentence(architecture)) + table.html() +
         "</section>\n";
}

}  // namespace warpwright::reports
