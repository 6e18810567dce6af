// Reads trials together with the rows they refer to. Internal to db/.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "db/query/query.hpp"
#include "db/store/connection.hpp"

namespace warpwright::db {

using Value = std::variant<std::string, std::int64_t, double>;

// A WHERE clause and its parameters. Table aliases: t (trial), c (configuration), k (kernel), p (problem), b (board).
struct Condition {
  std::string sql = "WHERE 1";
  std::vector<Value> values{};

  void add(const std::string& term, std::vector<Value> parameters);
  // Binds the parameters in a statement that ends with `sql`.
  void bind_to(Statement& rows) const;
};
Condition condition_of(const Filter&);

// The FROM clause that joins these tables.
extern const char* const joined_tables;

// The trials that match a condition; `rest` is appended to the statement ("ORDER BY ...").
std::vector<TrialView> read_views(const Store&, const Condition&, const std::string& rest = "");

// The trial with this row id, which must exist.
TrialView view_of(const Store&, Id);

}  // namespace warpwright::db
