// How far each kernel came in a run of `conform`, as its record holds it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "db/store/records.hpp"

namespace warpwright::db {

struct KernelProgress {
  std::string kernel{};  // "reduce/sequential"
  std::int64_t cases = 0;
  std::string verdict{};             // one of verdicts.hpp
  std::vector<std::string> notes{};  // what was let pass, in words
};

// In the order of the record; what was altered so that it cannot be read is left out.
std::vector<KernelProgress> progress_of(const ConformanceRun&);
// The same as a record holds it.
std::string progress_text(const std::vector<KernelProgress>&);

// Of a run that ended before its end: those that came least far first. Empty for one that is complete.
std::vector<KernelProgress> unfinished(const ConformanceRun&);

}  // namespace warpwright::db
