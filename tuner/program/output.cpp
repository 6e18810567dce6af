// Formats the end of a run.
#include "tuner/program/output.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "kernels/core/text.hpp"
#include "kernels/system/table.hpp"

namespace warpwright::tuner {
namespace {

constexpr double kHardly = 0.01, kEnough = 0.02;  ///< shares of a search space
constexpr double kLeastMore = 100;                ///< configurations of a problem to continue with

bool is_hardly_searched(const db::Searched& searched) {
  const auto share = searched.share();
  return share && *share < 1 && (*share < kHardly || searched.only_defaults);
}

}  // namespace

std::string time_of_configurations(const std::map<std::string, TrialSeconds>& seconds, const Screen& screen) {
  std::vector<Table::Column> columns{{.head = "PATTERN"}, {.head = "MEASURED"}};
  for (const char* head : {"MS EACH", "RESTORE", "VERIFY", "COMPARE", "SAMPLES", "REST", "SET UP", "COMPILE"})
    columns.push_back({.head = head});
  Table table(std::move(columns));
  const auto number = [](double value) { return Table::Cell(value, fmt::format("{:.2f}", value)); };
  for (const auto& [pattern, one] : seconds) {
    if (one.count == 0) continue;
    const double each = 1e3 / one.count;
    const double restoring = one.parts.restoring / 1e6, verifying = one.parts.verifying / 1e6;
    const double comparing = one.parts.comparing / 1e6;
    const double rest = std::max(one.all - restoring - verifying - comparing - one.samples, 0.0);
    table.add({pattern, one.count, number(each * one.all), number(each * restoring), number(each * verifying),
               number(each * comparing), number(each * one.samples), number(each * rest),
               number(one.parts.setting_up / 1e6), number(one.compiling)});
  }
  if (table.empty()) return "";
  return table.text(screen) +
         wrapped(
             "MS EACH to REST are milliseconds for each configuration. RESTORE: its buffers, and the L2 flushed. "
             "VERIFY: runs that check it. COMPARE: its outputs. SET UP and COMPILE are seconds in total: for problems "
             "and their references, and while the GPU waited for the compiler.",
             screen.width);
}

std::string faults_text(const Totals& totals) {
  std::string text = totals.faults.text();
  if (totals.failing > 0)
    text += fmt::format("{}{} of earlier runs still {}", text.empty() ? "" : ", ",
                        counted(totals.failing, "counterexample"), totals.failing == 1 ? "fails" : "fail");
  return text;
}

std::string summary(const Totals& totals, double seconds, bool is_measured, const std::string& device) {
  std::string text = counted(totals.problems, "problem");
  if (totals.unanswered > 0) text = fmt::format("{} of {}", grouped(totals.problems - totals.unanswered), text);
  text +=
      fmt::format(", {} {}", counted(totals.configurations, "configuration"), is_measured ? "measured" : "predicted");
  std::string more;
  if (const int earlier = totals.resumed - totals.shared; earlier > 0)
    more += fmt::format(", {} known from earlier runs", grouped(earlier));
  if (totals.shared > 0) more += fmt::format(", {} known from another run beside this one", grouped(totals.shared));
  if (const std::string faults = faults_text(totals); !faults.empty()) more += ", " + faults;
  text += more + (more.empty() ? "" : ",");
  text += fmt::format(" in {} {} {}", duration_text(seconds), is_measured ? "on" : "for", device);
  return is_measured ? text : text + ". Nothing was measured.";
}

std::string unsearched_text(const std::vector<std::string>& titles) {
  constexpr std::size_t kMost = 4;
  std::string text =
      fmt::format("no result for {}, because the budget ran out: {}", counted(std::ssize(titles), "problem"),
                  fmt::join(std::span(titles).first(std::min(titles.size(), kMost)), "; "));
  if (titles.size() > kMost) text += fmt::format(" and {} more", titles.size() - kMost);
  return text + ". Give more --budget.";
}

std::vector<std::string> hardly_searched(const std::vector<SearchedProblem>& problems) {
  std::vector<std::string> patterns;
  for (const SearchedProblem& one : problems)
    if (is_hardly_searched(one.searched) && std::ranges::find(patterns, one.pattern) == patterns.end())
      patterns.push_back(one.pattern);
  return patterns;
}

std::string budget_to_go_on(const std::vector<SearchedProblem>& problems, double configurations_per_second) {
  double more = 0;
  for (const SearchedProblem& one : problems) {
    if (!is_hardly_searched(one.searched)) continue;
    const auto all = static_cast<double>(one.searched.configurations);
    const auto evaluated = static_cast<double>(one.searched.evaluated);
    more += std::min(std::max(kEnough * all - evaluated, kLeastMore), all - evaluated);
  }
  constexpr double kUsualRate = 10, kMostMinutes = 60;
  const double rate = configurations_per_second > 0 ? configurations_per_second : kUsualRate;
  return fmt::format("{:.0f}m", std::clamp(std::ceil(more / rate / 60), 1.0, kMostMinutes));
}

std::string database_option(const std::string& given) {
  return given.empty() ? "" : " --db " + shell_word(given);
}

std::string from_home(const std::filesystem::path& path, const char* home) {
  const std::string text = path.string();
  const std::string own = home == nullptr ? "" : home;
  const bool is_below = own.size() > 1 && text.starts_with(own) && text.substr(own.size()).starts_with('/');
  return is_below ? "~" + text.substr(own.size()) : text;
}

std::string side_by_side(const std::string& left, const std::string& right, std::size_t width) {
  constexpr std::size_t column = 45, gap = 3;
  if (right.empty()) return left + "\n";
  const std::size_t at = std::max(column, left.size() + gap);
  if (width > 0 && at + right.size() > width) {
    const std::size_t near = left.size() + gap;
    if (near + right.size() > width) return left + "\n" + right + "\n";
    return left + std::string(gap, ' ') + right + "\n";
  }
  return left + std::string(at - left.size(), ' ') + right + "\n";
}

}  // namespace warpwright::tuner
