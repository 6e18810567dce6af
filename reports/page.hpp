// Complete pages: the index, one per architecture, and one per problem and board. Each is a single file that loads
// nothing else.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/model.hpp"

namespace warpwright::reports {

// Files embedded in every page.
struct Assets {
  std::string css{};
  std::string_view script{};
};
// The assets embedded in the program.
Assets embedded_assets();

struct Page {
  std::string name{};  // "index.html", "sm_90.html"
  std::string html{};
};
// All pages, the index first. `made_at` is UTC text in the database's format.
std::vector<Page> pages(const Report&, const Assets&, const std::string& made_at);

}  // namespace warpwright::reports
