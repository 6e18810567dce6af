// Identities: content hashes that identify a row in every file.
#include "db/store/rows.hpp"

#include <fmt/core.h>

#include <bit>

#include "kernels/core/hash.hpp"

namespace warpwright::db {

// Every value is preceded by its length, so that different lists of values are always hashed differently.
void Identity::add(std::string_view value) {
  add_integer(static_cast<std::int64_t>(value.size()));
  content_ += value;
}

// SQLite stores -0 as 0.
void Identity::add(double value) {
  add_integer(std::bit_cast<std::int64_t>(value + 0.0));
}

void Identity::add(std::span<const double> values) {
  add(std::string_view(reinterpret_cast<const char*>(values.data()), values.size_bytes()));
}

void Identity::add_integer(std::int64_t value) {
  content_.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string Identity::digest() const {
  return hash_text(content_);
}

std::string identity_of(Connection& connection, const char* table, Id id) {
  Statement row(connection, std::string("SELECT identity FROM ") + table + " WHERE id = ?");
  row.bind(id);
  if (!row.step()) {
    throw Error(fmt::format("{}: a row refers to {} {}, which is not there.", connection.path().string(), table, id));
  }
  return row.get<std::string>(0);
}

std::optional<Id> find_identity(Connection& connection, const char* table, const std::string& identity) {
  Statement row(connection, std::string("SELECT id FROM ") + table + " WHERE identity = ?");
  row.bind(identity);
  return row.step() ? std::optional(row.get<Id>(0)) : std::nullopt;
}

Samples samples_of(Connection& connection, Id trial_id) {
  Statement row(connection, "SELECT microseconds, clocks_mhz FROM sample WHERE trial_id = ?");
  row.bind(trial_id);
  if (!row.step()) return {};
  return {.microseconds = row.get<std::vector<double>>(0), .clocks_mhz = row.get<std::vector<double>>(1)};
}

}  // namespace warpwright::db
