// A lock file for each GPU: only one tuner uses a GPU at a time.
#pragma once

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string>

namespace warpwright::tuner {

/// Holds the lock of one GPU during its lifetime.
class GpuLock {
 public:
  explicit GpuLock(const std::string& uuid) {
    const std::string path = "/tmp/warpwright-" + uuid + ".lock";
    file_ = ::open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666);
    if (file_ < 0)
      throw std::runtime_error(fmt::format("the lock of the GPU {} cannot be opened ({}): make {} writable", uuid,
                                           std::strerror(errno), path));
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0)
      throw std::runtime_error(
          fmt::format("another run of tune uses the GPU {} (lock {}): wait for it, or name another GPU with --devices",
                      uuid, path));
  }
  ~GpuLock() { ::close(file_); }
  GpuLock(const GpuLock&) = delete;
  GpuLock& operator=(const GpuLock&) = delete;

 private:
  int file_ = -1;
};

}  // namespace warpwright::tuner
