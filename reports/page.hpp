// Complete pages: one per architecture and the index. Each is a single file that loads nothing else.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/model.hpp"

namespace warpwright::reports {

// Files embedded in every page. If `charts` is empty, the build had no chart library; pages then have tables only, and
// say so.
struct Assets {
  std::string_view css{};
  std::string_view script{};
  std::string_view figures{};  // the script that draws with `charts`
  std::string_view charts{};
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
