// Names rankings by their content.
#include "db/store/identities.hpp"

namespace warpwright::db {

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
  Statement row(connection, "UPDATE trial SET selection = ? WHERE selection = ?");
  row.bind_all(sealed(connection, selection), selection);
  row.step();
}

}  // namespace warpwright::db
