// The page of an architecture: all of its patterns as rows, beside the ceiling, libraries and earlier sessions.
#pragma once

#include <string>

#include "reports/page.hpp"
#include "reports/summary.hpp"

namespace warpwright::reports {

Page architecture_page(const Summaries&, const ArchitectureSummary&, const Assets&, const std::string& made);

}  // namespace warpwright::reports
