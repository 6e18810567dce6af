// Writes the page of a problem on a board.
#include "reports/problem_page.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kernels/core/shape.hpp"
#include "reports/charts/numbers.hpp"
#include "reports/html.hpp"
#include "reports/parts.hpp"
#include "reports/sections.hpp"

namespace warpwright::reports {
namespace {

constexpr std::size_t short_ladder = 6;  // kernels

// Links to the same problem of other sizes, and on other boards.
std::string siblings(const Subject& subject) {
  const ProblemResults& results = subject.results;
  std::vector<const ProblemResults*> sizes;
  std::vector<const ProblemResults*> boards;
  for (const ProblemResults& other : subject.architecture.problems) {
    if (other.name() != results.name()) continue;
    if (other.board.model == results.board.model) sizes.push_back(&other);
    if (other.problem.shape == results.problem.shape) boards.push_back(&other);
  }
  std::ranges::sort(sizes, {}, [](const ProblemResults* one) { return parse_shape(one->problem.shape); });
  const auto links = [&](const char* label, const std::vector<const ProblemResults*>& all, const auto& text) {
    if (all.size() < 2) return std::string();
    std::string html = fmt::format("<nav class=choice aria-label={}>", label);
    for (const ProblemResults* one : all)
      html += one == &results ? fmt::format("<a aria-current=page>{}</a>", text(*one))
                              : fmt::format("<a href=\"{}\">{}</a>", one->file(), text(*one));
    return html + "</nav>";
  };
  return links("Size", sizes,
               [](const auto& one) { return escape(charts::with_powers(short_shape(one.problem.shape))); }) +
         links("Board", boards, [](const auto& one) { return escape(short_board(one.board.model)); });
}

}  // namespace

Page problem_page(const Report& report, const ArchitectureSummary& all, const Summary& summary, const Assets& assets,
                  const std::string& made) {
  const ProblemResults& results = *summary.results;
  const Architecture& architecture = all.architecture;
  const Subject subject{
      .report = report, .architecture = architecture, .all = all.problems, .summary = summary, .results = results};
  const std::string& pattern = results.problem.pattern;
  const std::string title = db::short_title(results.problem);

  // A short ladder leaves room for the steps beside the roofline; one kernel is no ladder.
  const bool is_short = results.kernel_bests.size() <= short_ladder;
  const Figure ladder = ladder_section(subject);
  const Figure steps = steps_section(subject);
  const Figure search = search_section(subject);
  const bool is_ladder = !ladder.body.empty();
  const Figure none;
  const Layout layout = laid_out({
      {{result_section(subject), 8}, {best_params_section(subject), 4}},
      {{roofline_section(subject), 6}, {ladder, 6}, {is_short ? steps : none, 6}, {is_ladder ? none : search, 6}},
      {{is_short ? none : steps, 12}},
      {{params_section(subject), 5}, {configurations_section(subject), 7}},
      {{sizes_section(subject), 12}},
      {{is_ladder ? search : none, 6}, {model_section(subject), 6}},
      {{correctness_section(subject), 12}},
      {{published_section(subject), 12}},
  });
  const std::string head =
      fmt::format("<div class=title><h1>{} <small>{}, {}</small></h1>{}</div>\n", escape(pattern),
                  escape(charts::with_powers(title)), escape(results.board.model), siblings(subject));
  const std::string banner = not_measured("", {&results});

  Frame frame{.title = fmt::format("warpwright: {} {}, {}", pattern, title, results.board.model),
              .made = made,
              .assets = &assets};
  frame.crumbs = {
      {architecture.name, architecture.file()}, {pattern, architecture.file() + "#" + slug(pattern)}, {title, ""}};
  return {.name = results.file(),
          .html = framed(frame, layout.contents,
                         head + (banner.empty() ? "" : "<div class=banners>" + banner + "</div>\n") + layout.html)};
}

}  // namespace warpwright::reports
