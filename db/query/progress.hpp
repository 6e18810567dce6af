// How far each kernel got in a run of `conform`, as the run's record stores it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "db/store/records.hpp"

namespace warpwright::db {

struct KernelProgress {
  std::string kernel{};  // "reduce/sequential"
  std::int64_t cases = 0;
  std::string verdict{};             // one of the words of kernels/core/verdict.hpp
  std::vector<std::string> notes{};  // tolerated findings, in words
};

// The kernels in the order of the record; entries too damaged to be read are left out.
std::vector<KernelProgress> progress_of(const ConformanceRun&);
// The inverse: text as a record stores it.
std::string progress_text(const std::vector<KernelProgress>&);

// The kernels of a run that was stopped early, those that got least far first. Empty for a complete run.
std::vector<KernelProgress> unfinished(const ConformanceRun&);

}  // namespace warpwright::db
