// Formats trials as a table of at most a hundred columns.
#include "db/exchange/trials_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "db/query/views.hpp"
#include "db/store/connection.hpp"
#include "db/store/problem_title.hpp"
#include "kernels/core/text.hpp"
#include "kernels/core/verdict.hpp"

namespace warpwright::db {
namespace {

Table::Cell verdict_of(const TrialView& view) {
  const std::string& word = view.trial.verdict;
  if (word == verdict::passed) {
    const std::string certainty = view.short_certainty();
    return {certainty, certainty, certainty == "certified" ? Tone::good : Tone::plain};
  }
  return {word, word, word == verdict::unchecked ? Tone::notice : Tone::bad};
}

// Converts "{.tile_dim = 32, .order = a::row}" to the form of --set: "tile_dim=32,order=row".
std::string params_of(const TrialView& view) {
  std::string text = unqualified(view.params);
  const auto replace = [&](std::string_view old, std::string_view by) {
    for (std::size_t at = 0; (at = text.find(old, at)) != std::string::npos; at += by.size())
      text.replace(at, old.size(), by);
  };
  if (text.starts_with("{.") && text.ends_with("}")) text = text.substr(2, text.size() - 3);
  replace(", .", ",");
  replace(" = ", "=");
  return text;
}

}  // namespace

Table trials_table(const std::vector<TrialView>& views) {
  Table table({{.head = "ID"},
               {.head = "KERNEL", .least = 12},
               {.head = "PROBLEM", .least = 12},
               {.head = "ARCH"},
               {.head = "TIME"},
               {.head = "VERDICT", .least = 9},
               {.head = "PARAMS", .least = 12}});
  for (const TrialView& view : views) {
    const auto time = view.time_us();
    table.add({view.trial.id, view.pattern + "/" + view.kernel, short_title(view.problem), view.trial.target,
               time ? Table::Cell(*time, time_text(*time)) : Table::Cell(), verdict_of(view), params_of(view)});
  }
  return table;
}

std::string trial_notes(const std::vector<TrialView>& views, const Screen& screen) {
  std::string text;
  std::set<std::string> said;
  for (const TrialView& view : views) {
    const std::string detail = view.trial.detail.substr(0, view.trial.detail.find('\n'));
    if (detail.empty() || !said.insert(detail).second) continue;
    text += wrapped(printable(fmt::format("Trial {}: {}", view.trial.id, detail)), screen.width, 2);
  }
  return text;
}

std::int64_t count_of(const Store& store, const Filter& filter) {
  const Condition condition = condition_of(filter);
  Statement rows(store.connection(), std::string("SELECT count(*)") + joined_tables + condition.sql);
  condition.bind_to(rows);
  return rows.step() ? rows.get<std::int64_t>(0) : 0;
}

std::string what_is_left_out(std::int64_t shown, std::int64_t all, bool by_time, bool verbose) {
  if (shown >= all) return "";
  return fmt::format("{} of {}, the {} first. All of them: --limit 0.{}{}\n", grouped(shown), counted(all, "trial"),
                     by_time ? "fastest" : "newest", by_time ? "" : fmt::format(" The fastest: --top {}.", shown),
                     verbose ? "" : " All columns: -v.");
}

std::string question_for_arch(const Store& store) {
  const std::vector<std::string> known = words_for(store, "--arch");
  const std::string file = printable(store.path().string());
  if (known.empty()) return fmt::format("for which architecture? Name it with --arch; {} holds none yet", file);
  return fmt::format("for which architecture? {} has {}: tunedb best --arch {}", file,
                     printable(fmt::format("{}", fmt::join(known, ", "))), shell_word(known.front()));
}

}  // namespace warpwright::db
