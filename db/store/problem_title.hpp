// Names of stored problems for people: their size, types and settings.
#pragma once

#include <string>

#include "db/store/records.hpp"

namespace warpwright::db {

// All settings of a problem: "op=sum,bins=256,data=zipf".
std::string settings_text(const Problem&);

// "2^26 float, zipf": for people, without the settings that have their default; with all settings ("2^26 float, op=sum,
// data=zipf") if no title is stored.
std::string short_title(const Problem&);

// The same after the pattern: "reduce 2^26 float"
std::string title_of(const Problem&);

// "reduce 2^26 float"
std::string title_without_data(const Problem&);

// "reduce float, zipf"
std::string title_without_shape(const Problem&);

}  // namespace warpwright::db
