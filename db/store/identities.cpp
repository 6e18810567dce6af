// Renewing identities after the columns that make them up have changed.
#include "db/store/identities.hpp"

#include <fmt/core.h>

#include "db/store/union_rows.hpp"

namespace warpwright::db {
namespace {

void change(Connection& connection, const std::string& sql, const auto&... values) {
  Statement statement(connection, sql);
  statement.bind_all(values...);
  statement.step();
}

// Whatever refers to one row of a table then refers to the other.
void repoint(Connection& connection, std::string_view table, Id from, Id to) {
  each_record_type([&](const auto& record) {
    using R = std::remove_cvref_t<decltype(record)>;
    columns(record, [&](Column column, const auto&) {
      if (!column.refers || column.refers != table) return;
      change(connection, fmt::format("UPDATE {0} SET {1} = ? WHERE {1} = ?", table_of<R>, column.name), to, from);
    });
  });
}

// Removes a row whose content another one has, which keeps what either knew.
template <class R>
void join_rows(Connection& connection, const NamedRow& gone, Id kept) {
  const R record = row_of<R>(connection, gone.id);
  repoint(connection, table_of<R>, gone.id, kept);
  if constexpr (std::same_as<R, Trial>) {
    change(connection,
           "UPDATE trial SET rank = o.rank, tied = o.tied, selection = o.selection FROM trial o"
           " WHERE trial.id = ? AND o.id = ? AND o.selection > trial.selection",
           kept, gone.id);
    change(connection, "DELETE FROM sample WHERE trial_id = ?", gone.id);
  }
  change(connection, fmt::format("DELETE FROM {} WHERE id = ?", table_of<R>), gone.id);
  put_united(connection, record, gone.own);
}

}  // namespace

std::string moment_of(std::string_view selection) {
  constexpr std::size_t length = 24;
  return std::string(selection.substr(0, length));
}

std::string sealed(Connection& connection, const std::string& selection) {
  Identity content("ranking");
  Statement rows(connection, "SELECT identity, rank, tied FROM trial WHERE selection = ? ORDER BY rank, identity");
  rows.bind(selection);
  while (rows.step()) {
    content.add(rows.get<std::string>(0));
    content.add(rows.get<std::optional<std::int64_t>>(1));
    content.add(rows.get<std::int64_t>(2));
  }
  return moment_of(selection) + " " + content.digest();
}

std::vector<std::string> selections(Connection& connection) {
  std::vector<std::string> found;
  Statement rows(connection, "SELECT DISTINCT selection FROM trial WHERE selection <> '' ORDER BY selection");
  while (rows.step()) found.push_back(rows.get<std::string>(0));
  return found;
}

void seal_ranking(Connection& connection, const std::string& selection) {
  change(connection, "UPDATE trial SET selection = ? WHERE selection = ?", sealed(connection, selection), selection);
}

void renew_identities(Connection& connection) {
  each_record_type([&](const auto& record) {
    using R = std::remove_cvref_t<decltype(record)>;
    for (const NamedRow& row : named_rows<R>(connection)) {
      if (row.own == row.stored) continue;
      if (const auto known = find_identity(connection, table_of<R>, row.own)) {
        join_rows<R>(connection, row, *known);
      } else {
        change(connection, fmt::format("UPDATE {} SET identity = ? WHERE id = ?", table_of<R>), row.own, row.id);
      }
    }
  });
  connection.execute(keep_latest_rankings);
  for (const std::string& selection : selections(connection)) seal_ranking(connection, selection);
}

}  // namespace warpwright::db
