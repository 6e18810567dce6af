// Makes, locks and deletes temporary folders.
#include "kernels/system/temporary_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <system_error>

#include "kernels/system/environment_fault.hpp"

namespace warpwright {
namespace fs = std::filesystem;
namespace {

/// A folder gets this name only after it was locked. So a folder with this name and a free lock is left over.
constexpr std::string_view kName = "warpwright-run-";
constexpr std::string_view kUnlockedName = ".warpwright-run-";
constexpr std::string_view kLetters = "XXXXXX";
/// The longest time between making a folder and locking it.
constexpr std::chrono::minutes kUnlockedFor{5};

/// A descriptor that holds the folder's lock, or -1 if another process holds it or locking fails.
int lock_of(const fs::path& folder) {
  const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
  if (descriptor >= 0 && ::flock(descriptor, LOCK_EX | LOCK_NB) == 0) return descriptor;
  if (descriptor >= 0) ::close(descriptor);
  return -1;
}

}  // namespace

fs::path temporary_root() {
  std::error_code error;
  fs::path root = fs::temp_directory_path(error);
  if (!error) return root;
  const char* const named = std::getenv("TMPDIR");
  throw EnvironmentFault(fmt::format("the temporary folder {} cannot be used ({}): name another with TMPDIR",
                                     named != nullptr ? named : "/tmp", error.message()));
}

TemporaryFolder::TemporaryFolder(const fs::path& under) {
  std::string made = (under / kUnlockedName).string() + std::string(kLetters);
  if (::mkdtemp(made.data()) == nullptr)
    throw EnvironmentFault(
        fmt::format("the folder {} cannot be written ({}): make room there, or name another with TMPDIR",
                    under.string(), std::strerror(errno)));
  lock_ = ::open(made.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  // On a file system without locks, the folder works too, but is never swept.
  if (lock_ >= 0) ::flock(lock_, LOCK_EX | LOCK_NB);
  path_ = under / (std::string(kName) + made.substr(made.size() - kLetters.size()));
  std::error_code error;
  fs::rename(made, path_, error);
  if (error) path_ = made;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  if (lock_ >= 0) ::close(lock_);
}

int sweep_temporary_folders(const fs::path& root) {
  int swept = 0;
  std::error_code error;
  for (fs::directory_iterator at(root, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    std::error_code gone;
    const bool unlocked = name.starts_with(kUnlockedName) &&
                          fs::file_time_type::clock::now() - at->last_write_time(gone) > kUnlockedFor && !gone;
    if (!name.starts_with(kName) && !unlocked) continue;
    const int lock = lock_of(at->path());
    if (lock < 0) continue;
    // A compiler that outlived its parent may still write there.
    for (int tries = 0; tries < 3 && fs::exists(at->path()); ++tries) fs::remove_all(at->path(), gone);
    ::close(lock);
    swept += gone ? 0 : 1;
  }
  return swept;
}

}  // namespace warpwright
