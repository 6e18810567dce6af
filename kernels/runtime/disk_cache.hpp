// A folder of compiled programs: entries by key, files by name, written whole or not at all, limited in size.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace warpwright {

/// Safe for several threads and processes at once. A folder that cannot be used throws std::runtime_error that says
/// what to do; a full disk costs the entry, not the run.
class DiskCache {
 public:
  /// `limit_bytes` bounds all files together; the least recently used go first.
  explicit DiskCache(std::filesystem::path folder, std::uint64_t limit_bytes = std::uint64_t{2} << 30);

  /// $WARPWRIGHT_CACHE, else $XDG_CACHE_HOME/warpwright, else ~/.cache/warpwright.
  static std::filesystem::path default_folder();

  const std::filesystem::path& folder() const { return folder_; }

  /// The entry of that key; none when it, or a file it names under "module", is not there.
  std::optional<nlohmann::json> find(const std::string& key) const;

  /// Stores an entry; false when the disk refuses.
  bool put(const std::string& key, const nlohmann::json& entry) const;

  /// Stores a file named by its content and gives its path; empty when the disk refuses.
  std::filesystem::path put_file(std::string_view content, std::string_view extension) const;

  /// Removes the least recently used files until the limit holds.
  void trim() const;

 private:
  std::filesystem::path folder_;
  std::uint64_t limit_bytes_;
};

}  // namespace warpwright
