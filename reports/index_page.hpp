// The index: architectures and their boards, what changed, which best configurations differ from board to board,
// nightly runs.
#pragma once

#include <string>

#include "reports/page.hpp"
#include "reports/summary.hpp"

namespace warpwright::reports {

Page index_page(const Summaries&, const Assets&, const std::string& made);

}  // namespace warpwright::reports
