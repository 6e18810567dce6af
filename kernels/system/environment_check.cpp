// Checks limits of this process and the space for temporary files.
#include "kernels/system/environment_check.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "kernels/system/environment_fault.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright::worker {
namespace {

constexpr rlim_t kKiB = 1024, kMiB = 1024 * kKiB;
constexpr rlim_t kLeastStack = 4 * kMiB, kUsualStack = 8 * kMiB;
constexpr rlim_t kLeastDescriptors = 64, kUsualDescriptors = 1024;
constexpr rlim_t kLeastFile = 64 * kMiB;
constexpr std::uintmax_t kLeastRoom = 32 * kMiB;

/// Raises a limit to a common value, if this process may, and returns the limit after that.
rlim_t raised(int resource, rlim_t usual) {
  rlimit limit{};
  if (::getrlimit(resource, &limit) != 0 || limit.rlim_cur >= usual) return usual;
  rlimit wanted = limit;
  wanted.rlim_cur = std::min(usual, limit.rlim_max);
  return ::setrlimit(resource, &wanted) == 0 ? wanted.rlim_cur : limit.rlim_cur;
}

void check_room() {
  const auto root = temporary_root();
  sweep_temporary_folders(root);
  std::error_code error;
  const std::filesystem::space_info room = std::filesystem::space(root, error);
  if (!error && room.available < kLeastRoom)
    throw EnvironmentFault(
        fmt::format("the temporary folder {} is full ({} KiB left): make room there, or name another with TMPDIR",
                    root.string(), room.available / kKiB));
  const TemporaryFolder folder(root);
  const auto path = folder / "probe";
  std::ofstream out(path, std::ios::binary);
  out << std::string(64 * kKiB, 'x');
  out.close();
  if (!out)
    throw EnvironmentFault(fmt::format(
        "the temporary folder {} takes no files: make room there, or name another with TMPDIR", root.string()));
}

}  // namespace

void check_environment() {
  if (const rlim_t stack = raised(RLIMIT_STACK, kUsualStack); stack < kLeastStack)
    throw EnvironmentFault(
        fmt::format("the stack may be {} KiB, and compilers need {}: raise the limit with ulimit -s {}", stack / kKiB,
                    kLeastStack / kKiB, kUsualStack / kKiB));
  if (const rlim_t descriptors = raised(RLIMIT_NOFILE, kUsualDescriptors); descriptors < kLeastDescriptors)
    throw EnvironmentFault(
        fmt::format("{} files may be open at once, and {} are needed: raise the limit with ulimit -n {}", descriptors,
                    kLeastDescriptors, kUsualDescriptors));
  if (const rlim_t bytes = raised(RLIMIT_FSIZE, RLIM_INFINITY); bytes < kLeastFile)
    throw EnvironmentFault(fmt::format(
        "files may have {} KiB, and compilers write more: raise the limit with ulimit -f unlimited", bytes / kKiB));
  check_room();
}

}  // namespace warpwright::worker
