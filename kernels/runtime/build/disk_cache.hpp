// A folder of compiled programs, limited in size: entries by key, and files; each is written atomically.
#pragma once

#include <cstdint>
#include <filesystem>
#include <mutex>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace warpwright {

/// Safe for use by several threads and processes. Throws EnvironmentFault if the folder cannot be used or is full.
/// Entries and files are verified by checksums; a damaged one is removed and counts as missing, and stderr says so
/// once.
class DiskCache {
 public:
  /// `limit_bytes` is the size of all files together; the least recently used are removed first.
  explicit DiskCache(std::filesystem::path folder, std::uint64_t limit_bytes = std::uint64_t{2} << 30);

  /// $WARPWRIGHT_CACHE, else $XDG_CACHE_HOME/warpwright, else ~/.cache/warpwright.
  static std::filesystem::path default_folder();

  const std::filesystem::path& folder() const { return folder_; }

  /// The entry of that key; nothing if it, or the file that it names under "module", is missing or damaged.
  std::optional<nlohmann::json> find(const std::string& key) const;

  /// Stores an entry.
  void put(const std::string& key, const nlohmann::json& entry) const;

  /// Stores a file, named by a hash of its content, and returns its path.
  std::filesystem::path put_file(std::string_view content, std::string_view extension) const;

  /// Removes the least recently used files until the limit holds, and incomplete files of killed runs.
  void trim() const;

 private:
  void write(const std::filesystem::path& path, std::string_view content) const;
  /// Whether the file exists and has the content that its name says; if not, it is removed.
  bool is_intact(const std::filesystem::path& file) const;
  /// Removes a damaged file, and warns the first time.
  void drop(const std::filesystem::path& path) const;

  std::filesystem::path folder_;
  std::uint64_t limit_bytes_;
  mutable std::mutex mutex_;
  mutable std::set<std::filesystem::path> intact_;  ///< files that were verified
  mutable bool warned_ = false;
};

}  // namespace warpwright
