// The disk cache: temporary name, then rename, so that readers see whole files only.
#include "kernels/runtime/disk_cache.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <fstream>
#include <nlohmann/json.hpp>
#include <vector>

#include "kernels/model/hash.hpp"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

bool write_whole(const fs::path& path, std::string_view content) {
  static std::atomic<unsigned> counter = 0;
  const fs::path temporary = fmt::format("{}.{}.{}.tmp", path.string(), ::getpid(), counter++);
  std::ofstream out(temporary, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  std::error_code error;
  if (out) fs::rename(temporary, path, error);
  if (out && !error) return true;
  fs::remove(temporary, error);
  return false;
}

}  // namespace

DiskCache::DiskCache(fs::path folder, std::uint64_t limit_bytes)
    : folder_(std::move(folder)), limit_bytes_(limit_bytes) {
  std::error_code error;
  fs::create_directories(folder_ / "entries", error);
  if (!error) fs::create_directories(folder_ / "files", error);
  if (error || !write_whole(folder_ / "entries" / "probe", ""))
    throw std::runtime_error(
        fmt::format("the cache folder {} cannot be written ({}); name another with "
                    "WARPWRIGHT_CACHE=/path/to/folder or --cache",
                    folder_.string(), error ? error.message() : "no room or no permission"));
  fs::remove(folder_ / "entries" / "probe", error);
}

fs::path DiskCache::default_folder() {
  const auto variable = [](const char* name) { return std::getenv(name); };
  if (const char* named = variable("WARPWRIGHT_CACHE")) return named;
  if (const char* xdg = variable("XDG_CACHE_HOME")) return fs::path(xdg) / "warpwright";
  const char* home = variable("HOME");
  return fs::path(home != nullptr ? home : "/tmp") / ".cache" / "warpwright";
}

std::optional<nlohmann::json> DiskCache::find(const std::string& key) const {
  const fs::path path = folder_ / "entries" / key;
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  nlohmann::json entry = nlohmann::json::parse(in, nullptr, false);
  if (entry.is_discarded()) return std::nullopt;
  if (entry.contains("module")) {
    std::error_code error;
    fs::last_write_time(entry.at("module").get<std::string>(), fs::file_time_type::clock::now(), error);
    if (error) return std::nullopt;
  }
  return entry;
}

bool DiskCache::put(const std::string& key, const nlohmann::json& entry) const {
  return write_whole(folder_ / "entries" / key, entry.dump());
}

fs::path DiskCache::put_file(std::string_view content, std::string_view extension) const {
  const fs::path path = folder_ / "files" / (hash_text(content) + std::string(extension));
  std::error_code error;
  if (fs::exists(path, error) && fs::file_size(path, error) == content.size()) return path;
  return write_whole(path, content) ? path : fs::path{};
}

void DiskCache::trim() const {
  struct File {
    fs::file_time_type used;
    std::uint64_t bytes;
    fs::path path;
  };
  std::vector<File> files;
  std::uint64_t total = 0;
  std::error_code error;
  for (const auto& file : fs::recursive_directory_iterator(folder_, error)) {
    std::error_code gone;
    const File found{file.last_write_time(gone), file.is_regular_file(gone) ? file.file_size(gone) : 0, file.path()};
    if (gone || !file.is_regular_file(gone)) continue;
    total += found.bytes;
    files.push_back(found);
  }
  std::ranges::sort(files, {}, &File::used);
  for (const File& file : files) {
    if (total <= limit_bytes_) return;
    fs::remove(file.path, error);
    total -= file.bytes;
  }
}

}  // namespace warpwright
