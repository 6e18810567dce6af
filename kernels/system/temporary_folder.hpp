// A folder of its own for files that live no longer than their maker.
#pragma once

#include <filesystem>
#include <string>

namespace warpwright {

/// $TMPDIR, else /tmp. Throws EnvironmentFault where that is no folder.
std::filesystem::path temporary_root();

/// A new empty folder that no other process or object has, removed with all it holds. It is locked as long as its maker
/// lives, so that one whose maker was killed is known by that.
class TemporaryFolder {
 public:
  /// Throws EnvironmentFault where `under` cannot be written.
  explicit TemporaryFolder(const std::filesystem::path& under = temporary_root());
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;
};

/// Removes the temporary folders below `root` whose makers were killed; gives how many.
int sweep_temporary_folders(const std::filesystem::path& root = temporary_root());

}  // namespace warpwright
