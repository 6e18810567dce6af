// Reading trials together with what they refer to; for the files of db/ only.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "db/query/query.hpp"

namespace warpwright::db {

using Value = std::variant<std::string, std::int64_t>;

// A WHERE clause and its parameters. Its tables are t (trial), c (configuration), k (kernel), p (problem), b (board).
struct Condition {
  std::string sql = "WHERE 1";
  std::vector<Value> values{};

  void add(const std::string& term, std::vector<Value> parameters);
};
Condition condition_of(const Filter&);

// The joined tables that a condition is about.
extern const char* const joined_tables;

// The trials of a condition, in the order that `rest` ("ORDER BY ...") asks for.
std::vector<TrialView> read_views(const Store&, const Condition&, const std::string& rest = "");

// One that is there.
TrialView view_of(const Store&, Id);

}  // namespace warpwright::db
