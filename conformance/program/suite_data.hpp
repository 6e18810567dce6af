// The results of a suite for programs: what `conform --json` and `conform --csv` print.
#pragma once

#include <string>

#include "conformance/program/junit.hpp"
#include "kernels/system/table.hpp"

namespace warpwright::conformance {

/// As JSON all that is known: a member a kernel with its findings, likewise of stored cases. As CSV a row for each
/// kernel, with the first thing that is to be said of it.
std::string data_of(const SuiteResults& results, Form form);

}  // namespace warpwright::conformance
