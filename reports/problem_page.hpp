// The page of a problem on a board.
#pragma once

#include <string>

#include "reports/page.hpp"
#include "reports/summary.hpp"

namespace warpwright::reports {

Page problem_page(const Report&, const ArchitectureSummary&, const Summary&, const Assets&, const std::string& made);

}  // namespace warpwright::reports
