// The rows of a table with their identities, as stored and as their content says; for the files of db/ only.
#pragma once

#include <string>
#include <vector>

#include "db/rows.hpp"

namespace warpwright::db {

struct NamedRow {
  Id id = 0;
  std::string stored{};  // identity
  std::string own{};     // identity of the content
};

// All rows of a record type, by id.
template <class R>
std::vector<NamedRow> named_rows(Connection& connection) {
  std::vector<NamedRow> named;
  Statement rows(connection, "SELECT " + select_list<R>() + " FROM " + table_of<R> + " t ORDER BY t.id");
  while (rows.step()) {
    int i = 0;
    const R record = read_row<R>(rows, i);
    Samples samples;
    if constexpr (std::same_as<R, Trial>) samples = samples_of(connection, record.id);
    named.push_back({.id = rows.get<Id>(0),
                     .stored = rows.get<std::string>(1),
                     .own = identity(connection, record, samples.microseconds, samples.clocks_mhz)});
  }
  return named;
}

// Gives every row the identity of its content. Rows that become one are united, and what refers to them follows.
void renew_identities(Connection&);

}  // namespace warpwright::db
