// Deletes trials together with the rows that only they used.
#include <fmt/core.h>

#include <map>

#include "db/maintenance/check.hpp"
#include "db/query/views.hpp"
#include "db/store/rows.hpp"

namespace warpwright::db {
namespace {

// Statements that delete the rankings which lose a trial, and the rows without a trial that refers to them.
constexpr const char* undo_rankings =
    "UPDATE main.trial SET rank = NULL, tied = 0, selection = '' WHERE selection IN"
    " (SELECT selection FROM main.trial WHERE selection <> '' AND id IN (SELECT id FROM temp.forgotten))";
constexpr const char* remove_orphans =
    "DELETE FROM main.sample WHERE trial_id IN (SELECT id FROM temp.forgotten);"
    "DELETE FROM main.trial WHERE id IN (SELECT id FROM temp.forgotten);"
    "DELETE FROM main.plan WHERE id NOT IN (SELECT plan_id FROM main.trial WHERE plan_id IS NOT NULL);"
    "DELETE FROM main.access WHERE NOT EXISTS (SELECT 1 FROM main.trial t"
    "  WHERE t.configuration_id = access.configuration_id AND t.problem_id = access.problem_id);"
    "DELETE FROM main.space WHERE NOT EXISTS (SELECT 1 FROM main.trial t"
    "  WHERE t.problem_id = space.problem_id AND t.board_id = space.board_id)";

}  // namespace

std::int64_t forget(Store& store, const Filter& filter) {
  Connection& connection = store.connection();
  return store.transaction([&] {
    connection.execute("DROP TABLE IF EXISTS temp.forgotten; CREATE TEMP TABLE forgotten (id INTEGER PRIMARY KEY)");
    const Condition condition = condition_of(filter);
    {
      Statement found(connection,
                      std::string("INSERT INTO temp.forgotten SELECT t.id") + joined_tables + condition.sql);
      condition.bind_to(found);
      found.step();
    }
    const std::int64_t count = connection.database().getChanges();
    connection.execute(undo_rankings);
    each_record_type([&](const auto& record) {
      using R = std::remove_cvref_t<decltype(record)>;
      columns(record, [&](Column column, const auto&) {
        if (!column.refers || std::string_view(column.refers) != table_of<Trial>) return;
        connection.execute(
            fmt::format("DELETE FROM main.{} WHERE {} IN (SELECT id FROM temp.forgotten)", table_of<R>, column.name));
      });
    });
    connection.execute(remove_orphans);
    connection.forget_statements();  // a cached statement that reads the table would lock it
    connection.execute("DROP TABLE temp.forgotten");
    return count;
  });
}

std::string kinds_of(const std::vector<TrialView>& views) {
  std::map<std::string, int> counts;
  for (const TrialView& view : views) ++counts[view.trial.provenance + " and " + view.trial.verdict];
  std::string text;
  for (const auto& [kind, count] : counts) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, kind);
  return text;
}

}  // namespace warpwright::db
