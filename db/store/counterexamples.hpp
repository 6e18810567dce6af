// What happens to lines of counterexamples, inside a transaction; for the files of db/ only.
#pragma once

#include <string_view>

#include "db/store/connection.hpp"

namespace warpwright::db {

// As the functions of Store.
void obsolete_counterexample(Connection&, std::string_view repro, std::string_view why);
void rewrite_counterexample(Connection&, std::string_view old_repro, std::string_view new_repro);

}  // namespace warpwright::db
