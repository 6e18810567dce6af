// Starts the program `report`.
#include "tuner/tune/report.hpp"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>

#include "db/say.hpp"
#include "kernels/runtime/host/child_process.hpp"

namespace warpwright::tuner {

namespace fs = std::filesystem;

fs::path default_report_folder(const fs::path& database) {
  return fs::absolute(database).parent_path() / "report";
}

fs::path write_report(const fs::path& database, const fs::path& folder) {
  constexpr std::chrono::minutes kLimit{2};
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error).parent_path() / "report";
  if (!fs::exists(program, error)) return {};
  const auto result = host::run_process(
      {program.string(), "--db", fs::absolute(database).string(), "--out", fs::absolute(folder).string()},
      fs::current_path(), kLimit);
  if (result.ok()) return folder / "index.html";
  program::say(fmt::format("tune: warning: no report was written to {}: {}", folder.string(),
                           result.timed_out ? "it took too long" : result.output));
  return {};
}

}  // namespace warpwright::tuner
