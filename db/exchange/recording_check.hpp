// Compares predictions with a recording of another tuner: the same configurations, joined by their params.
#pragma once

#include <cstddef>
#include <string>

#include "db/exchange/recording.hpp"
#include "db/query/model_check.hpp"

namespace warpwright::db {

// How well predictions agree with a recording. The losses are against the least time of the whole recording.
struct RecordingCheck {
  ModelCheck check{};
  std::size_t timed = 0;    // configurations with a time in the recording
  std::size_t failed = 0;   // predicted configurations that failed in the recording
  std::size_t unknown = 0;  // predicted configurations that the recording does not have
};

// Takes the newest predicted trial of each configuration that matches the filter, of the recording's board if there is
// any. They must be of one kernel, problem and board. Throws Error, "FILE: what: what to do", if they are not, if none
// matches, if the params that vary are not the same, or if no configuration is in both.
RecordingCheck check_against(const Store&, Filter, const Recording&, const std::string& file);

// Text for people.
std::string text_of(const RecordingCheck&);

}  // namespace warpwright::db
