// A folder of compiled programs: entries by key, files by name, written whole or not at all, limited in size.
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

/// Safe for several threads and processes at once. A folder that cannot be used, or is full, throws a EnvironmentFault.
/// Entries and files are checked against their checksums; a damaged one is none, is removed, and said once on stderr.
class DiskCache {
 public:
  /// `limit_bytes` bounds all files together; the least recently used go first.
  explicit DiskCache(std::filesystem::path folder, std::uint64_t limit_bytes = std::uint64_t{2} << 30);

  /// $WARPWRIGHT_CACHE, else $XDG_CACHE_HOME/warpwright, else ~/.cache/warpwright.
  static std::filesystem::path default_folder();

  const std::filesystem::path& folder() const { return folder_; }

  /// The entry of that key; none when it, or a file it names under "module", is not there or damaged.
  std::optional<nlohmann::json> find(const std::string& key) const;

  /// Stores an entry.
  void put(const std::string& key, const nlohmann::json& entry) const;

  /// Stores a file named by its content and gives its path.
  std::filesystem::path put_file(std::string_view content, std::string_view extension) const;

  /// Removes the least recently used files until the limit holds, and what killed runs left half written.
  void trim() const;

 private:
  void write(const std::filesystem::path& path, std::string_view content) const;
  /// Whether the file is there and holds what its name says; one that does not is dropped.
  bool is_whole(const std::filesystem::path& file) const;
  /// Removes what is damaged, and warns the first time.
  void drop(const std::filesystem::path& path) const;

  std::filesystem::path folder_;
  std::uint64_t limit_bytes_;
  mutable std::mutex mutex_;
  mutable std::set<std::filesystem::path> whole_;  ///< files that were checked
  mutable bool warned_ = false;
};

}  // namespace warpwright
