// Makes all pages of a report.
#include "reports/page.hpp"

#include <fmt/format.h>

#include "reports/architecture_page.hpp"
#include "reports/assets.hpp"
#include "reports/html.hpp"
#include "reports/index_page.hpp"
#include "reports/problem_page.hpp"

namespace warpwright::reports {

Assets embedded_assets() {
  return {.css = std::string(asset("page.css")) + std::string(asset("charts.css")), .script = asset("page.js")};
}

std::vector<Page> pages(const Report& report, const Assets& assets, const std::string& made_at) {
  const std::string made = fmt::format("{}, {}", report.file, moment(made_at));
  const Summaries summaries = summaries_of(report);
  std::vector<Page> all{index_page(summaries, assets, made)};
  for (const ArchitectureSummary& architecture : summaries.architectures) {
    all.push_back(architecture_page(summaries, architecture, assets, made));
    for (const Summary& summary : architecture.problems)
      all.push_back(problem_page(report, architecture, summary, assets, made));
  }
  return all;
}

}  // namespace warpwright::reports
