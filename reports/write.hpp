// Writing the pages into a folder.
#pragma once

#include <filesystem>
#include <vector>

#include "reports/page.hpp"

namespace warpwright::reports {

// Makes the folder where it is missing and puts every page there, each whole or not at all (a temporary name, then
// renamed). Returns their paths. Throws std::runtime_error, which says which path cannot be written and why.
std::vector<std::filesystem::path> write_pages(const std::filesystem::path& folder, const std::vector<Page>&);

}  // namespace warpwright::reports
