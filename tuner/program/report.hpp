// The HTML report at the end of a run: made by the program `report` that lies beside `tune`.
#pragma once

#include <filesystem>
#include <string>

namespace warpwright::tuner {

/// Where the report of a database goes when no folder is named: `report` beside the file.
std::filesystem::path default_report_folder(const std::filesystem::path& database);

/// The path of its index, or why there is none; both are empty where the program `report` is not there.
struct WrittenReport {
  std::filesystem::path index = {};
  std::string failure = {};
};

/// Writes the pages of a database.
WrittenReport write_report(const std::filesystem::path& database, const std::filesystem::path& folder);

/// What is said of a failure: an error that names --report where that named the folder, else a warning. All that was
/// found is in the database.
std::string report_failure(const std::string& option, const std::filesystem::path& folder, const std::string& failure,
                           const std::filesystem::path& database);

}  // namespace warpwright::tuner
