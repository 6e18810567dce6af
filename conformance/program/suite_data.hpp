// The results of a suite as data: the output of `conform --json` and `conform --csv`.
#pragma once

#include <string>

#include "conformance/program/junit.hpp"
#include "kernels/system/table.hpp"

namespace warpwright::conformance {

/// JSON has everything: one member per kernel with its findings, and likewise per stored counterexample and per job
/// file that was refused. CSV has one row per kernel, with its first diagnostic.
std::string data_of(const SuiteResults& results, Form form);

}  // namespace warpwright::conformance
