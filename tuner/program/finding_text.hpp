// What is wrong with a configuration, for people and editors, from what is stored of its trial.
#pragma once

#include <string>

#include "conformance/checks/run_plan.hpp"
#include "db/query/query.hpp"
#include "kernels/model/catalogue.hpp"

namespace warpwright::tuner {

/// "FILE:LINE:COLUMN: race: ...", then what else is known in indented lines, each with its line end. What has no source
/// line of its own is said of the kernel's definition.
std::string finding_text(const Catalogue& catalogue, const Kernel& kernel, const db::TrialView& trial);

/// What, where and what to do, a line each.
std::string oracle_fault_text(const conformance::OracleFault& fault);

}  // namespace warpwright::tuner
