// The HTML report at the end of a run, written by the program `report` in the folder of `tune`.
#pragma once

#include <filesystem>
#include <string>

namespace warpwright::tuner {

/// The default folder for a database's report: `report` beside the file.
std::filesystem::path default_report_folder(const std::filesystem::path& database);

/// The path of the report's index page, or the reason why it was not written. Both are empty if the program `report` is
/// missing.
struct WrittenReport {
  std::filesystem::path index = {};
  std::string failure = {};
};

/// Writes the report of a database.
WrittenReport write_report(const std::filesystem::path& database, const std::filesystem::path& folder);

/// The message for a failure: an error that names --report if the option named the folder, else a warning. The results
/// are in the database in any case.
std::string report_failure(const std::string& option, const std::filesystem::path& folder, const std::string& failure,
                           const std::filesystem::path& database);

}  // namespace warpwright::tuner
