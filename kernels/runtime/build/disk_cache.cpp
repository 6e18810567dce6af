// The disk cache: writes to a temporary name, then renames, so that readers only see complete files.
#include "kernels/runtime/build/disk_cache.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "kernels/core/hash.hpp"
#include "kernels/system/environment_fault.hpp"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

/// The first bytes of an entry. Its checksum, a newline and its text follow.
constexpr std::string_view kMark = "warpwright 2 ";
constexpr std::size_t kHashDigits = 32;

constexpr std::chrono::hours kHalfWrittenFor{1};

/// The content; nothing if it cannot be read, or the path is not a file.
std::optional<std::string> content_of(const fs::path& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(in), {}};
}

std::string with_checksum(const std::string& text) {
  return fmt::format("{}{}\n{}", kMark, hash_text(text), text);
}

/// The entry without its checksum; discarded if the checksum does not match.
nlohmann::json checked(std::string_view content) {
  const nlohmann::json nothing(nlohmann::json::value_t::discarded);
  constexpr std::size_t kHead = kMark.size() + kHashDigits + 1;
  if (content.size() < kHead || !content.starts_with(kMark) || content[kHead - 1] != '\n') return nothing;
  if (hash_text(content.substr(kHead)) != content.substr(kMark.size(), kHashDigits)) return nothing;
  return nlohmann::json::parse(content.substr(kHead), nullptr, false);
}

}  // namespace

DiskCache::DiskCache(fs::path folder, std::uint64_t limit_bytes)
    : folder_(std::move(folder)), limit_bytes_(limit_bytes) {
  const std::string probe(1 << 16, 'x');
  for (const char* const part : {"entries", "files"}) {
    std::error_code error;
    fs::create_directories(folder_ / part, error);
    if (error)
      throw EnvironmentFault(
          fmt::format("the cache folder {} cannot be made ({}); name another with WARPWRIGHT_CACHE=/path/to/folder or "
                      "--cache",
                      folder_.string(), error.message()));
    const fs::path written = folder_ / part / fmt::format("probe.{}", ::getpid());
    write(written, probe);
    fs::remove(written, error);
  }
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
  std::error_code error;
  if (!fs::exists(path, error) && !error) return std::nullopt;
  const std::optional<std::string> content = content_of(path);
  // Entries of older versions have no checksum.
  if (content && content->starts_with("{") && nlohmann::json::accept(*content)) return std::nullopt;
  nlohmann::json entry = checked(content.value_or(""));
  if (entry.is_discarded()) {
    drop(path);
    return std::nullopt;
  }
  if (const std::string module = entry.value("module", ""); !module.empty()) {
    if (!is_intact(module)) return std::nullopt;
    fs::last_write_time(module, fs::file_time_type::clock::now(), error);
  }
  return entry;
}

void DiskCache::put(const std::string& key, const nlohmann::json& entry) const {
  write(folder_ / "entries" / key, with_checksum(entry.dump()));
}

fs::path DiskCache::put_file(std::string_view content, std::string_view extension) const {
  fs::path path = folder_ / "files" / (hash_text(content) + std::string(extension));
  if (!is_intact(path)) write(path, content);
  return path;
}

void DiskCache::write(const fs::path& path, std::string_view content) const {
  static std::atomic<unsigned> counter = 0;
  const fs::path temporary = fmt::format("{}.{}.{}.tmp", path.string(), ::getpid(), counter++);
  errno = 0;
  std::ofstream out(temporary, std::ios::binary);
  out.write(content.data(), static_cast<std::streamsize>(content.size()));
  out.close();
  std::error_code error(out ? 0 : errno != 0 ? errno : EIO, std::generic_category());
  if (!error) {
    fs::rename(temporary, path, error);
    if (error && fs::is_directory(path)) {
      drop(path);
      fs::rename(temporary, path, error);
    }
  }
  if (!error) return;
  std::error_code ignored;
  fs::remove(temporary, ignored);
  throw EnvironmentFault(fmt::format(
      "the cache folder {} cannot be written ({}): make room there, or name another with WARPWRIGHT_CACHE=/path/to/"
      "folder or --cache",
      folder_.string(), error.message()));
}

bool DiskCache::is_intact(const fs::path& file) const {
  std::error_code error;
  {
    const std::scoped_lock lock(mutex_);
    if (!fs::exists(file, error) && !error) {
      intact_.erase(file);
      return false;
    }
    if (intact_.contains(file)) return true;
  }
  const std::optional<std::string> content = content_of(file);
  if (!content || hash_text(*content) != file.stem()) {
    drop(file);
    return false;
  }
  const std::scoped_lock lock(mutex_);
  intact_.insert(file);
  return true;
}

void DiskCache::drop(const fs::path& path) const {
  std::error_code error;
  fs::remove_all(path, error);
  const std::scoped_lock lock(mutex_);
  if (std::exchange(warned_, true)) return;
  fmt::print(stderr, "warning: files in the cache folder {} are damaged and will be compiled again ({})\n",
             folder_.string(), path.filename().string());
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
  const auto now = fs::file_time_type::clock::now();
  constexpr auto kOptions = fs::directory_options::skip_permission_denied;
  for (fs::recursive_directory_iterator at(folder_, kOptions, error), end; !error && at != end; at.increment(error)) {
    std::error_code gone;
    const File found{at->last_write_time(gone), at->is_regular_file(gone) ? at->file_size(gone) : 0, at->path()};
    if (gone || !at->is_regular_file(gone)) continue;
    if (found.path.extension() == ".tmp" && now - found.used > kHalfWrittenFor) {
      fs::remove(found.path, gone);
      continue;
    }
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
