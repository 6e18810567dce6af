// Tells runs that only take long from those that never end.
#pragma once

#include <functional>
#include <string>

#include "conformance/cases/case.hpp"
#include "conformance/checks/case_result.hpp"

namespace warpwright::conformance {

/// Why the case, which was stopped at its limit, hangs: smaller problems need more and more, but between two that
/// hardly differ, the work grows a hundredfold. Or the smallest one is stopped too, but not with the kernel's default
/// params. Empty if it may only be long. `check` runs a case; the answer depends on its counts only, not on the time.
std::string hang_words(const Case& test, const CaseResult& stopped,
                       const std::function<CaseResult(const Case&)>& check);

}  // namespace warpwright::conformance
