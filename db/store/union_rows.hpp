// Unites two rows that turn out to be the same. Internal to db/.
#pragma once

#include <fmt/core.h>

#include <string>

#include "db/store/rows.hpp"

namespace warpwright::db {

// The rule for two rows with one identity: the ON CONFLICT (identity) clause for an INSERT of the other row.
template <class R>
std::string on_conflict() {
  if constexpr (std::same_as<R, Counterexample>) {
    // It was seen from the first to the last time on either side, and is fixed if neither side saw it since.
    return "UPDATE SET"
           " detail = CASE WHEN json_array(excluded.last_seen, excluded.detail) > json_array(last_seen, detail)"
           "   THEN excluded.detail ELSE detail END,"
           " file = max(excluded.file, file), pattern = max(excluded.pattern, pattern), kernel = max(excluded.kernel, "
           "kernel),"
           " first_seen = min(excluded.first_seen, first_seen), last_seen = max(excluded.last_seen, last_seen),"
           " times_seen = max(excluded.times_seen, times_seen),"
           " obsolete = nullif(max(coalesce(excluded.obsolete, ''), coalesce(obsolete, '')), ''),"
           " fixed_at = nullif(max(coalesce(CASE WHEN excluded.fixed_at >= last_seen THEN excluded.fixed_at END, ''),"
           "   coalesce(CASE WHEN fixed_at >= excluded.last_seen THEN fixed_at END, '')), '')";
  } else {
    std::string assignments, ours, theirs;
    columns(blank<R>, [&](Column column, const auto&) {
      if (column.key) return;
      const char* const comma = assignments.empty() ? "" : ", ";
      assignments += fmt::format("{0}{1} = excluded.{1}", comma, column.name);
      // As JSON, null is greater than numbers.
      ours += fmt::format("{0}{1}.{2} IS NOT NULL, {1}.{2}", comma, table_of<R>, column.name);
      theirs += fmt::format("{0}excluded.{1} IS NOT NULL, excluded.{1}", comma, column.name);
    });
    if (assignments.empty()) return "NOTHING";
    return fmt::format("UPDATE SET {} WHERE json_array({}) > json_array({})", assignments, theirs, ours);
  }
}

// Stores a row; if a row with that identity exists, unites both by that rule.
template <class R>
void put_united(Connection& connection, const R& record, const std::string& identity) {
  static const std::string sql = insert_text<R>() + " ON CONFLICT (identity) DO " + on_conflict<R>();
  Statement row(connection, sql);
  row.bind(identity);
  columns(record, [&](Column, const auto& value) { row.bind(value); });
  row.step();
}

// Of several rankings of one problem, board and provenance, the latest one stays complete; of measured ones, the latest
// of each session. There are few ranked trials, but many trials of a problem; the plus signs make SQLite use the index
// of the selections.
inline constexpr const char* keep_latest_rankings =
    "UPDATE main.trial SET rank = NULL, tied = 0, selection = ''"
    " WHERE selection > '' AND selection NOT IN (SELECT max(t.selection) FROM main.trial t WHERE t.selection > ''"
    "  GROUP BY +t.problem_id, +t.board_id, +t.provenance,"
    "   CASE t.provenance WHEN 'predicted' THEN NULL ELSE t.session_id END)";

}  // namespace warpwright::db
