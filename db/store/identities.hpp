// The rows of a table with their identities: the stored one, and the one computed from the content. Internal to db/.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "db/store/rows.hpp"

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
  std::map<std::string_view, std::unordered_map<Id, std::string>> known;  // many rows refer to the same ones
  const auto name_of = [&](const char* table, Id id) -> const std::string& {
    const auto [at, is_new] = known[table].try_emplace(id);
    if (is_new) at->second = identity_of(connection, table, id);
    return at->second;
  };
  Statement rows(connection, "SELECT " + select_list<R>() + " FROM " + table_of<R> + " t ORDER BY t.id");
  while (rows.step()) {
    int i = 0;
    const R record = read_row<R>(rows, i);
    Samples samples;
    if constexpr (std::same_as<R, Trial>) samples = samples_of(connection, record.id);
    named.push_back({.id = rows.get<Id>(0),
                     .stored = rows.get<std::string>(1),
                     .own = identity_by(name_of, record, samples.microseconds, samples.clocks_mhz)});
  }
  return named;
}

// The name of a ranking: the time when it was made, and a hash of its trials and their ranks. The name is stored as
// `selection`. Computed for the ranking that has that name now.
std::string sealed(Connection&, const std::string& selection);
// The time with which such a name begins: "2026-11-21T06:01:28.123Z".
std::string moment_of(std::string_view selection);
// The names of all rankings.
std::vector<std::string> selections(Connection&);
// Renames a ranking after its present content.
void seal_ranking(Connection&, const std::string& selection);

}  // namespace warpwright::db
