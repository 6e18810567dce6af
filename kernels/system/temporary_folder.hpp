// A temporary folder that is deleted with the object that made it.
#pragma once

#include <filesystem>
#include <string>

namespace warpwright {

/// $TMPDIR, or else /tmp. Throws EnvironmentFault if that is not a folder.
std::filesystem::path temporary_root();

/// A new empty folder for this object alone, deleted with its contents by the destructor. Its lock is held as long as
/// the process lives, which shows whether a folder was left over by a process that was killed.
class TemporaryFolder {
 public:
  /// Throws EnvironmentFault if `under` is not writable.
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

/// Deletes the temporary folders below `root` that killed processes left, and returns their number.
int sweep_temporary_folders(const std::filesystem::path& root = temporary_root());

}  // namespace warpwright
