// A folder of its own for files that live no longer than their maker.
#pragma once

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <system_error>

namespace warpwright {

/// A new empty folder that no other process or object has, removed with all it holds.
class TemporaryFolder {
 public:
  /// Throws std::system_error where `under` cannot be written.
  explicit TemporaryFolder(const std::filesystem::path& under = std::filesystem::temp_directory_path()) {
    std::string name = (under / "warpwright-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::system_error(errno, std::generic_category(), "mkdtemp " + name);
    path_ = name;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

 private:
  std::filesystem::path path_;
};

}  // namespace warpwright
