// Writes, reads and identifies rows of any record type. Internal to db/.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "db/store/columns.hpp"
#include "db/store/connection.hpp"

namespace warpwright::db {

// The hash of a row's content, which is the same in any file: of names and values, where a reference is the other row's
// identity.
class Identity {
 public:
  explicit Identity(std::string_view table) { add(table); }
  void add(const std::string& value) { add(std::string_view(value)); }
  void add(std::string_view value);
  void add(double value);
  void add(std::integral auto value) { add_integer(static_cast<std::int64_t>(value)); }
  void add(std::span<const double> values);
  void add(const std::vector<double>& values) { add(std::span(values)); }
  template <class T>
  void add(const std::optional<T>& value) {
    const bool present = value && *value == *value;  // SQLite stores NaN as NULL
    add(present);
    if (present) add(*value);
  }
  // 32 hex digits.
  std::string digest() const;

 private:
  void add_integer(std::int64_t value);
  std::string content_;
};

// The identity of row `id` of a table; throws Error if there is none.
std::string identity_of(Connection&, const char* table, Id id);
// The row of that identity.
std::optional<Id> find_identity(Connection&, const char* table, const std::string& identity);

Samples samples_of(Connection&, Id trial_id);

// The identity of a record; a trial's includes its samples. `name_of(table, id)` is the identity of a row it refers to.
template <class R>
std::string identity_by(const auto& name_of, const R& record, std::span<const double> samples_us,
                        std::span<const double> clocks_mhz) {
  Identity identity(table_of<R>);
  columns(record, [&](Column column, const auto& value) {
    if (!column.key) return;
    identity.add(std::string_view(column.name));
    using T = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::same_as<T, Id> || std::same_as<T, std::optional<Id>>) {
      if (column.refers) {
        const std::optional<Id> id = value;
        return identity.add(id ? std::optional<std::string>(name_of(column.refers, *id)) : std::nullopt);
      }
    }
    identity.add(value);
  });
  if constexpr (std::same_as<R, Trial>) {
    identity.add(samples_us);
    identity.add(clocks_mhz);
  }
  return identity.digest();
}

template <class R>
std::string identity(Connection& connection, const R& record, std::span<const double> samples_us = {},
                     std::span<const double> clocks_mhz = {}) {
  const auto name_of = [&](const char* table, Id id) { return identity_of(connection, table, id); };
  return identity_by(name_of, record, samples_us, clocks_mhz);
}

template <class R>
inline const R blank{};

// The selected columns of a record type, each with the prefix, joined by the separator.
template <class R>
std::string column_list(
    const std::string& prefix = "", const std::string& separator = ", ",
    bool (*wanted)(Column) = [](Column) { return true; }) {
  std::string list;
  columns(blank<R>, [&](Column column, const auto&) {
    if (!wanted(column)) return;
    if (!list.empty()) list += separator;
    list += prefix + column.name;
  });
  return list;
}

// Its parameters are the identity and then the columns.
template <class R>
std::string insert_text() {
  std::string marks;
  columns(blank<R>, [&](Column, const auto&) { marks += ", ?"; });
  return "INSERT INTO " + std::string(table_of<R>) + " (identity, " + column_list<R>() + ") VALUES (?" + marks + ")";
}

template <class R>
Id insert_row(Connection& connection, const R& record, const std::string& identity) {
  static const std::string sql = insert_text<R>();
  Statement row(connection, sql);
  row.bind(identity);
  columns(record, [&](Column, const auto& value) { row.bind(value); });
  row.step();
  return connection.database().getLastInsertRowid();
}

template <class R>
[[noreturn]] void fail_without(Connection& connection, Id id) {
  throw Error(connection.path().string() + ": there is no " + table_of<R> + " " + std::to_string(id) + ".");
}

// Replaces the columns of a row that may change.
template <class R>
void update_row(Connection& connection, Id id, const R& record) {
  static const std::string sql = "UPDATE " + std::string(table_of<R>) + " SET " +
                                 column_list<R>("", " = ?, ", [](Column c) { return !c.key; }) + " = ? WHERE id = ?";
  Statement row(connection, sql);
  columns(record, [&](Column column, const auto& value) {
    if (!column.key) row.bind(value);
  });
  row.bind(id);
  row.step();
  if (connection.database().getChanges() == 0) fail_without<R>(connection, id);
}

// The columns that read_row reads, from a table with the alias t.
template <class R>
std::string select_list() {
  std::string list = "t.id, t.identity, " + column_list<R>("t.");
  if constexpr (std::same_as<R, Trial>) {
    list +=
        ", t.rank, t.tied, t.selection, "
        "coalesce((SELECT length(microseconds) / 8 FROM sample WHERE trial_id = t.id), 0)";
  }
  return list;
}

// Reads a record that starts at column i, and sets i to the column after it.
template <class R>
R read_row(const Statement& row, int& i) {
  R record;
  const auto next = [&](auto& value) { value = row.get<std::remove_reference_t<decltype(value)>>(i++); };
  if constexpr (requires { record.id; }) record.id = row.get<Id>(i);
  if constexpr (requires { record.identity; }) record.identity = row.get<std::string>(i + 1);
  i += 2;
  columns(record, [&](Column, auto& value) { next(value); });
  if constexpr (std::same_as<R, Trial>) {
    next(record.rank);
    next(record.tied);
    next(record.selection);
    next(record.samples);
  }
  return record;
}

// The records of "SELECT ... FROM table t <rest>" with its parameters bound.
template <class R>
std::vector<R> read_rows(Connection& connection, const std::string& rest, const auto&... parameters) {
  Statement rows(connection, "SELECT " + select_list<R>() + " FROM " + table_of<R> + " t " + rest);
  rows.bind_all(parameters...);
  std::vector<R> records;
  while (rows.step()) {
    int i = 0;
    records.push_back(read_row<R>(rows, i));
  }
  return records;
}

// Stores a row. If a row with its identity exists, replaces that row's changeable columns.
template <class R>
Id upsert_row(Connection& connection, const R& record) {
  const std::string own = identity(connection, record);
  const std::optional<Id> known = find_identity(connection, table_of<R>, own);
  if (!known) return insert_row(connection, record, own);
  if (!column_list<R>("", "", [](Column c) { return !c.key; }).empty()) update_row(connection, *known, record);
  return *known;
}

template <class R>
R row_of(Connection& connection, Id id) {
  std::vector<R> rows = read_rows<R>(connection, "WHERE t.id = ?", id);
  if (rows.empty()) fail_without<R>(connection, id);
  return std::move(rows.front());
}

inline std::string or_now(const std::string& time) {
  return time.empty() ? now_utc() : time;
}

}  // namespace warpwright::db
