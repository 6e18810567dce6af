// Writes the pages into a folder.
#include "reports/write.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <stdexcept>

namespace warpwright::reports {
namespace {

namespace fs = std::filesystem;

std::runtime_error cannot_write(const fs::path& path, const std::string& why) {
  return std::runtime_error(
      fmt::format("{}: cannot be written ({}). Look at its folder, or name another with --out.", path.string(), why));
}

void write_file(const fs::path& path, const std::string& text) {
  const fs::path temporary = path.string() + fmt::format(".{}.tmp", getpid());
  errno = 0;
  std::ofstream file(temporary, std::ios::binary);
  file << text;
  file.close();
  std::error_code error;
  if (!file) {
    const std::string why = errno != 0 ? std::strerror(errno) : "writing failed";
    fs::remove(temporary, error);
    throw cannot_write(path, why);
  }
  fs::rename(temporary, path, error);
  if (error) {
    const std::string why = error.message();
    fs::remove(temporary, error);
    throw cannot_write(path, why);
  }
}

}  // namespace

std::vector<fs::path> write_pages(const fs::path& folder, const std::vector<Page>& pages) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error && !fs::is_directory(folder)) throw cannot_write(folder, error.message());
  if (!fs::is_directory(folder)) throw cannot_write(folder, "it is no folder");
  std::vector<fs::path> paths;
  for (const Page& page : pages) {
    paths.push_back(folder / page.name);
    write_file(paths.back(), page.html);
  }
  return paths;
}

}  // namespace warpwright::reports
