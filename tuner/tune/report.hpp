// The HTML report at the end of a run: made by the program `report` that lies beside `tune`.
#pragma once

#include <filesystem>

namespace warpwright::tuner {

/// Where the report of a database goes when no folder is named: `report` beside the file.
std::filesystem::path default_report_folder(const std::filesystem::path& database);

/// Writes the pages of a database and gives the path of their index; empty, with a warning on stderr where it is a
/// failure, when the program is not there or did not get through.
std::filesystem::path write_report(const std::filesystem::path& database, const std::filesystem::path& folder);

}  // namespace warpwright::tuner
