// Tells runs that only take long from those that never end.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "conformance/cases/case.hpp"
#include "conformance/checks/case_result.hpp"

namespace warpwright::conformance {

/// Why the case, which was stopped at its limit, hangs: smaller problems need more and more, but between two that
/// hardly differ, the work grows a hundredfold. Or the smallest one is stopped too, but not with the kernel's default
/// params. Empty if it may only be long. `check` runs a case, which it stops after so many accesses and basic blocks
/// (no number: at its usual limit). The answer depends on counts only, not on the time.
std::string hang_words(const Case& test, const CaseResult& stopped,
                       const std::function<CaseResult(const Case&, std::optional<double> effort)>& check);

}  // namespace warpwright::conformance
