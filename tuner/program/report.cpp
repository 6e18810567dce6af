// Runs the program `report`.
#include "tuner/program/report.hpp"

#include <fmt/format.h>

#include <chrono>
#include <string_view>

#include "kernels/core/text.hpp"
#include "kernels/system/child_process.hpp"

namespace warpwright::tuner {

namespace fs = std::filesystem;

namespace {

/// The first line of its error message, without the program's name and without advice on its own options.
std::string reason_of(const std::string& output) {
  constexpr std::string_view kName = "report: ";
  std::string line = output.substr(0, output.find('\n'));
  if (line.starts_with(kName)) line.erase(0, kName.size());
  if (const std::size_t advice = line.find(". "); advice != std::string::npos) line.erase(advice);
  if (line.ends_with('.')) line.pop_back();
  return line;
}

}  // namespace

fs::path default_report_folder(const fs::path& database) {
  return fs::absolute(database).parent_path() / "report";
}

WrittenReport write_report(const fs::path& database, const fs::path& folder) {
  constexpr std::chrono::minutes kLimit{2};
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path() / "report";
  if (!fs::exists(program, error)) return {};
  const auto result = simulator::run_process(
      {program.string(), "--db", fs::absolute(database).string(), "--out", fs::absolute(folder).string()},
      fs::current_path(), kLimit);
  if (result.ok()) return {.index = folder / "index.html"};
  return {.failure = result.timed_out ? "it took too long" : reason_of(result.output)};
}

std::string report_failure(const std::string& option, const fs::path& folder, const std::string& failure,
                           const fs::path& database) {
  const std::string where =
      option.empty() ? fmt::format("tune: warning: no report was written to {}: {}.", folder.string(), failure)
                     : fmt::format("tune: --report {}: no report was written: {}.", option, failure);
  return fmt::format("{}\n  All results are stored in {}. Write the report with: report --db {} --out FOLDER", where,
                     database.string(), shell_word(database.string()));
}

}  // namespace warpwright::tuner
