// Makes the tables of a new file, and refuses files of other programs and other versions.
#include "db/store/schema.hpp"

#include <fmt/core.h>

#include <string>

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

}  // namespace

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
