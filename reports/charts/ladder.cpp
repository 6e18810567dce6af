// Draws the kernels of a problem as bars from 0, and as dots on a logarithmic axis.
#include "reports/charts/ladder.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/charts/escape.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/charts/svg.hpp"

namespace warpwright::reports::charts {
namespace {

constexpr double big_step = 1.5;      // larger steps are printed bold
constexpr std::size_t few_rungs = 6;  // so few are farther apart

std::string rung_name(const Rung& rung) {
  const std::string name = breakable(rung.kernel.name);
  return rung.kernel.rank > 0 ? fmt::format("{} {}", rung.kernel.rank, name) : name;
}

// A bar on the linear axis and a dot on the logarithmic one.
std::string rung_picture(const Rung& rung, const Ladder& ladder, const Scale& linear, const Scale& logarithmic) {
  std::string bar =
      fmt::format("<rect class='{}' width='{}%'/>", ladder.predicted ? "hatched" : "fill", place(linear.at(*rung.us)));
  const double x = logarithmic.at(*rung.us);
  std::string dots =
      fmt::format("<line class='reach' x2='{0}%' y1='50%' y2='50%'/><circle class='dot{1}' cx='{0}%' cy='50%'/>",
                  place(x), ladder.predicted ? " hollow" : "");
  if (ladder.ceiling_us) {
    bar += upright("ceiling", linear.at(*ladder.ceiling_us));
    dots += upright("ceiling", logarithmic.at(*ladder.ceiling_us));
  }
  return "<svg aria-hidden='true'><g class='linear'>" + bar + "</g><g class='log'>" + dots + "</g></svg>";
}

std::string ladder_head(const Ladder& ladder, const Scale& linear, const Scale& logarithmic) {
  std::string where;
  if (ladder.ceiling_us) {
    const std::string words = "ceiling " + time_us(*ladder.ceiling_us);
    const auto words_at = [&](const Scale& scale) {
      const double x = scale.at(*ladder.ceiling_us);
      return text(x > 70 ? "last" : "first", x, 75, words);
    };
    where = "<g class='linear'>" + words_at(linear) + "</g><g class='log'>" + words_at(logarithmic) + "</g>";
  }
  return fmt::format(
      "<li class='head' aria-hidden='true'><span>kernel</span><svg>{}</svg><b>{}</b><small>{}</small>"
      "<small>step</small></li>\n",
      where, micro_seconds, ladder.ceiling_us ? "of " + escape(ladder.ceiling_name) : "");
}

}  // namespace

std::string ladder(const Ladder& ladder) {
  std::vector<Rung> rungs = ladder.rungs;
  // Those without a time come first, then the slowest; the best is the last whatever the times of its equals are.
  std::ranges::stable_sort(rungs, [](const Rung& a, const Rung& b) {
    if (!a.us || !b.us) return !a.us && b.us;
    return a.kernel.rank > b.kernel.rank;
  });
  std::vector<double> times;
  for (const Rung& rung : rungs) {
    if (rung.us) times.push_back(*rung.us);
  }
  if (ladder.ceiling_us) times.push_back(*ladder.ceiling_us);
  const double slowest = times.empty() ? 1 : std::ranges::max(times);
  const Scale linear(Growth::linear, 0, slowest);
  const Scale logarithmic = around(times, 4, 0.05);
  const bool shares = std::ranges::any_of(rungs, [](const Rung& rung) { return rung.share.has_value(); });
  std::string html = fmt::format("<ol class='ladder{}{}'>{}", shares ? "" : " no-shares",
                                 rungs.size() <= few_rungs ? " short" : "", ladder_head(ladder, linear, logarithmic));
  const Rung* before = nullptr;
  for (const Rung& rung : rungs) {
    if (!rung.us) {
      html += fmt::format("<li class='none'><span title='{}'>{}</span><em>{}</em></li>\n", escape(rung.kernel.name),
                          rung_name(rung), escape(rung.why.empty() ? "not timed" : rung.why));
      continue;
    }
    const double step = before ? *before->us / *rung.us : 1;
    const bool same = before && before->equal && (rung.equal || rung.kernel.best());
    const std::string brings =
        same      ? "<small title='cannot be told apart'>="
        : !before ? "<small>"
                  : fmt::format("<small{}>\xC3\xB7 {}", step >= big_step ? " class='big'" : "", ratio(step, 2));
    html += fmt::format("<li{}><span title='{}'>{}</span>{}<b>{}</b><small>{}</small>{}</small></li>\n",
                        rung.kernel.best() ? " class='best'" : "", escape(rung.kernel.name), rung_name(rung),
                        rung_picture(rung, ladder, linear, logarithmic), time_us(*rung.us),
                        rung.share ? share_text(*rung.share) : "", brings);
    before = &rung;
  }
  return html + "</ol>\n";
}

}  // namespace warpwright::reports::charts
