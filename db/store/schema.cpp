// Makes the tables of a new file, and refuses files of other programs and other versions.
#include "db/store/schema.hpp"

#include <fmt/core.h>

#include <map>
#include <string>
#include <vector>

#include "db/store/records.hpp"
#include "db/store/schema_text.hpp"

namespace warpwright::db {
namespace {

[[noreturn]] void refuse(const Connection& connection, int version, const std::string& program) {
  throw Error(
      fmt::format("{}: this file was written by {} (schema version {}), and this program is warpwright {} (schema "
                  "version {}). Nothing in it was changed. Keep it for that program, and start a new file with --db.",
                  connection.path().string(), program, version, WARPWRIGHT_VERSION, schema_version));
}

[[noreturn]] void refuse_damaged(const Connection& connection) {
  throw Damaged(
      fmt::format("{}: this file is damaged (it does not say which version it has). Restore a backup, or name another "
                  "file with --db.",
                  connection.path().string()));
}

struct AddedColumn {
  const char *table, *name, *type;
};
constexpr AddedColumn added_columns[] = {{"trial", "relative_error", "REAL"},   {"trial", "error_ulp", "REAL"},
                                         {"trial", "deterministic", "INTEGER"}, {"trial", "joules", "REAL"},
                                         {"trial", "replay_us", "REAL"},        {"trial", "limited_by", "TEXT"}};

}  // namespace

std::set<std::string> columns_in(Connection& connection, const std::string& table, const std::string& database) {
  std::set<std::string> names;
  Statement rows(connection, "SELECT name FROM pragma_table_info(?, ?)");
  rows.bind_all(table, database);
  while (rows.step()) names.insert(rows.get<std::string>(0));
  return names;
}

void add_columns(Connection& connection) {
  const auto missing = [&] {
    std::vector<AddedColumn> found;
    for (const AddedColumn& column : added_columns)
      if (!columns_in(connection, column.table).contains(column.name)) found.push_back(column);
    return found;
  };
  if (missing().empty()) return;
  if (connection.mode() == Mode::read_only) {
    std::map<std::string, std::string> views;
    for (const AddedColumn& column : missing()) views[column.table] += fmt::format(", NULL AS {}", column.name);
    for (const auto& [table, nulls] : views)
      connection.execute(fmt::format("CREATE TEMP VIEW {0} AS SELECT *{1} FROM main.{0}", table, nulls));
    return;
  }
  connection.begin();
  try {
    for (const AddedColumn& column : missing())  // another process may have added some
      connection.execute(fmt::format("ALTER TABLE {} ADD COLUMN {} {}", column.table, column.name, column.type));
    connection.commit();
  } catch (...) {
    connection.rollback();
    throw;
  }
}

std::string_view program_version() {
  return WARPWRIGHT_VERSION;
}

bool has_schema(Connection& connection) {
  Statement header(connection,
                   "SELECT application_id, (SELECT count(*) FROM sqlite_schema WHERE name = 'schema'),"
                   " (SELECT count(*) FROM sqlite_schema) FROM pragma_application_id");
  header.step();
  const int id = header.get<int>(0);
  const bool has_version = header.get<int>(1) > 0;
  if (id == 0 && header.get<int>(2) == 0) return false;
  if (id != application_id && id != old_application_id) {
    throw Error(fmt::format("{}: this SQLite file was not made by warpwright. Name another file with --db.",
                            connection.path().string()));
  }
  if (!has_version) refuse_damaged(connection);
  Statement newest(connection, "SELECT version, program FROM schema ORDER BY version DESC");
  if (!newest.step()) refuse_damaged(connection);
  const int version = newest.get<int>(0);
  const std::string program = "warpwright " + newest.get<std::string>(1);
  if (id == old_application_id) refuse(connection, version, program + " before its first release");
  if (version != schema_version) refuse(connection, version, program);
  return true;
}

void create_schema(Connection& connection) {
  connection.begin();
  try {
    if (!has_schema(connection)) {
      connection.execute(std::string(schema_text()));
      Statement row(connection, "INSERT INTO schema (version, program, created_at) VALUES (?, ?, ?)");
      row.bind_all(schema_version, program_version(), now_utc());
      row.step();
      connection.execute(fmt::format("PRAGMA application_id = {}", application_id));
    }
    connection.commit();
  } catch (...) {
    connection.rollback();
    throw;
  }
}

}  // namespace warpwright::db
