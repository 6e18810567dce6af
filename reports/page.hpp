// Whole pages: one per architecture and the index, each a single file that needs nothing else.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "reports/model.hpp"

namespace warpwright::reports {

// What is put into every page. An empty `charts` means that the build had no chart library: pages then have tables
// only, and say so.
struct Assets {
  std::string_view css{};
  std::string_view script{};
  std::string_view figures{};  // what draws with `charts`
  std::string_view charts{};
};
// Those that are embedded in the program.
Assets embedded_assets();

struct Page {
  std::string name{};  // "index.html", "sm_90.html"
  std::string html{};
};
// The index first. `made_at` is UTC text as the database holds it.
std::vector<Page> pages(const Report&, const Assets&, const std::string& made_at);

}  // namespace warpwright::reports
