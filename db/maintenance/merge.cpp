// Merges another file into a store, table by table, in SQL.
#include <fmt/core.h>

#include <filesystem>

#include "db/maintenance/merging.hpp"
#include "db/store/schema.hpp"
#include "db/store/union_rows.hpp"

namespace warpwright::db {
namespace {

// Attaches a file under the name `other` during its lifetime.
class Attached {
 public:
  Attached(Connection& connection, const std::string& uri) : connection_(connection) {
    Statement attach(connection_, "ATTACH ? AS other");
    attach.bind(uri);
    attach.step();
  }
  ~Attached() {
    connection_.forget_statements();  // a cached statement that reads `other` would lock it
    connection_.database().tryExec("DETACH other");
  }
  Attached(const Attached&) = delete;
  Attached& operator=(const Attached&) = delete;

 private:
  Connection& connection_;
};

// SQL for the id in this file of the row that the other file's column `o.<column>` refers to.
std::string id_here(const Column& column) {
  return fmt::format("(SELECT here FROM temp.id_of_{} WHERE there = o.{})", column.refers, column.name);
}

// The number of rows in the other file's table that are not in this one. Counting the rows of this file before and
// after would take longer with every merge.
template <class R>
std::int64_t count_new(Connection& connection) {
  Statement rows(connection, fmt::format("SELECT count(*) FROM other.{0} o"
                                         " WHERE NOT EXISTS (SELECT 1 FROM main.{0} m WHERE m.identity = o.identity)",
                                         table_of<R>));
  rows.step();
  return rows.get<std::int64_t>(0);
}

// Inserts the other file's rows of a table, and maps their ids to ids here in temp.id_of_<table>.
template <class R>
void merge_table(Connection& connection) {
  const std::string table = table_of<R>;
  std::string values;
  const std::set<std::string> there = columns_in(connection, table, "other");
  columns(blank<R>, [&](Column column, const auto&) {
    values += ", " + (column.refers                 ? id_here(column)
                      : there.contains(column.name) ? std::string("o.") + column.name
                                                    : "NULL");
  });
  connection.execute(
      fmt::format("INSERT INTO main.{0} (identity, {1}) SELECT o.identity{2} FROM other.{0} o WHERE true "
                  "ON CONFLICT (identity) DO {3}",
                  table, column_list<R>(), values, on_conflict<R>()));
  connection.execute(
      fmt::format("CREATE TEMP TABLE id_of_{0} (there INTEGER PRIMARY KEY, here INTEGER NOT NULL);"
                  "INSERT INTO temp.id_of_{0} SELECT o.id, m.id FROM other.{0} o"
                  " JOIN main.{0} m ON m.identity = o.identity",
                  table));
}

constexpr const char* merge_samples =
    "INSERT INTO main.sample (trial_id, microseconds, clocks_mhz)"
    " SELECT i.here, o.microseconds, o.clocks_mhz FROM other.sample o JOIN temp.id_of_trial i ON i.there = o.trial_id"
    " WHERE true ON CONFLICT (trial_id) DO NOTHING";

constexpr const char* merge_rankings =
    "UPDATE main.trial SET rank = o.rank, tied = o.tied, selection = o.selection"
    " FROM other.trial o JOIN temp.id_of_trial i ON i.there = o.id"
    " WHERE main.trial.id = i.here AND o.selection > main.trial.selection";

void drop_notes(Connection& connection) {
  each_record_type([&](const auto& record) {
    using R = std::remove_cvref_t<decltype(record)>;
    connection.execute(std::string("DROP TABLE IF EXISTS temp.id_of_") + table_of<R>);
  });
}

}  // namespace

Merged merge(Store& store, const std::filesystem::path& other) {
  std::error_code error;
  if (std::filesystem::equivalent(store.path(), other, error)) return {};
  return merge_from(store, sound_source(other));
}

Store sound_source(const std::filesystem::path& path) {
  Store source(path, Mode::read_only);
  if (const std::vector<std::string> damage = check(source); !damage.empty()) {
    throw Error(fmt::format("{}: this file is damaged and was not merged ({}). Restore a backup of it.", path.string(),
                            damage.front()));
  }
  return source;
}

Merged merge_from(Store& store, const Store& source) {
  Connection& connection = store.connection();
  const Attached attached(connection, source.connection().read_only_uri());
  return store.transaction([&] {
    const Merged merged{.trials = count_new<Trial>(connection),
                        .baselines = count_new<Baseline>(connection),
                        .sessions = count_new<Session>(connection),
                        .conformance_runs = count_new<ConformanceRun>(connection),
                        .counterexamples = count_new<Counterexample>(connection)};
    each_record_type([&](const auto& record) { merge_table<std::remove_cvref_t<decltype(record)>>(connection); });
    connection.execute(merge_samples);
    connection.execute(merge_rankings);
    connection.execute(keep_latest_rankings);
    drop_notes(connection);
    return merged;
  });
}

}  // namespace warpwright::db
