// Records changes of counterexamples, inside a transaction. Internal to db/.
#pragma once

#include <string_view>

#include "db/store/connection.hpp"

namespace warpwright::db {

// The same as the functions of Store.
void obsolete_counterexample(Connection&, std::string_view repro, std::string_view why);
void rewrite_counterexample(Connection&, std::string_view old_repro, std::string_view new_repro);

}  // namespace warpwright::db
