// Writes the pages into a folder.
#pragma once

#include <filesystem>
#include <vector>

#include "reports/page.hpp"

namespace warpwright::reports {

// Creates the folder if it is missing and writes every page atomically (to a temporary name, then renamed). Returns
// their paths. Throws std::runtime_error, which names the path that cannot be written and why.
std::vector<std::filesystem::path> write_pages(const std::filesystem::path& folder, const std::vector<Page>&);

}  // namespace warpwright::reports
