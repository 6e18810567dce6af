// Formats what is wrong with a configuration, for people and editors, from its stored trial.
#pragma once

#include <string>

#include "conformance/checks/oracle_answer.hpp"
#include "conformance/checks/run_plan.hpp"
#include "db/query/query.hpp"
#include "kernels/model/catalogue.hpp"

namespace warpwright::tuner {

/// "FILE:LINE:COLUMN: race: ...", then details in indented lines, each with its line end. Without a source line, the
/// location is the kernel's definition.
std::string finding_text(const Catalogue& catalogue, const Kernel& kernel, const db::TrialView& trial);

/// What is wrong, where, and what to do, one line each.
std::string oracle_fault_text(const conformance::OracleFault& fault);

}  // namespace warpwright::tuner
