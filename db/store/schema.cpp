// The version of an open file, and bringing an older one up to date.
#include "db/store/schema.hpp"

#include <fmt/core.h>

#include <string>

#include "db/store/counterexamples.hpp"
#include "db/store/identities.hpp"
#include "db/store/migrations/migrations.hpp"
#include "db/store/records.hpp"

namespace warpwright::db {
namespace {

// The version from which problems, and with them the lines that reproduce counterexamples, name their data.
constexpr int first_with_data = 3;

int stored_version(Connection& connection) {
  Statement has_schema(connection, "SELECT count(*) FROM sqlite_schema WHERE type = 'table' AND name = 'schema'");
  has_schema.step();
  if (has_schema.get<int>(0) == 0) return 0;
  Statement version(connection, "SELECT coalesce(max(version), 0) FROM schema");
  version.step();
  return version.get<int>(0);
}

}  // namespace

std::string_view program_version() {
  return WARPWRIGHT_VERSION;
}

int schema_version() {
  return static_cast<int>(migrations().size());
}

int inspect_schema(Connection& connection) {
  Statement header(connection,
                   "SELECT application_id, (SELECT count(*) FROM sqlite_schema) FROM pragma_application_id");
  header.step();
  const int id = header.get<int>(0);
  const bool empty = id == 0 && header.get<int>(1) == 0;
  if (empty) return 0;
  if (id != application_id) {
    throw Error(fmt::format("{}: this SQLite file was not made by warpwright. Name another file with --db.",
                            connection.path().string()));
  }
  const int version = stored_version(connection);
  if (version > schema_version()) {
    throw Error(
        fmt::format("{}: this file has schema version {}, made by a newer warpwright; this program ({}) knows "
                    "versions up to {}. Use the newer program, or name another file with --db.",
                    connection.path().string(), version, WARPWRIGHT_VERSION, schema_version()));
  }
  return version;
}

void migrate(Connection& connection) {
  if (stored_version(connection) == schema_version()) return;
  connection.begin();
  try {
    // Another process may have migrated while this one waited.
    const int found = stored_version(connection);
    for (int version = found; version < schema_version(); ++version) {
      connection.execute(migrations()[static_cast<std::size_t>(version)]);
      Statement row(connection, "INSERT INTO schema (version, program, applied_at) VALUES (?, ?, ?)");
      row.bind_all(version + 1, std::string(WARPWRIGHT_VERSION), now_utc());
      row.step();
    }
    // By today's code, so only once the tables are today's.
    if (found < first_with_data) give_data(connection);
    if (found < schema_version()) renew_identities(connection);
    connection.execute(fmt::format("PRAGMA application_id = {}", application_id));
    connection.commit();
  } catch (...) {
    connection.rollback();
    throw;
  }
}

}  // namespace warpwright::db
