// One GPU: its primary context, a stream, memory, and its properties.
#pragma once

#include <string>
#include <vector>

#include "kernels/core/device.hpp"
#include "kernels/model/pattern.hpp"
#include "kernels/runtime/cuda/driver.hpp"
#include "kernels/runtime/messages/gpu.hpp"

namespace warpwright::gpu {

/// All GPUs of this computer. Throws std::runtime_error without a driver.
std::vector<GpuInfo> list_gpus();

/// Makes the GPU's primary context current for this thread; has one stream.
class Gpu {
 public:
  explicit Gpu(int index);
  ~Gpu();
  Gpu(const Gpu&) = delete;
  Gpu& operator=(const Gpu&) = delete;

  const GpuInfo& info() const { return info_; }
  CUstream stream() const { return stream_; }
  /// Waits for all work in the stream; throws DriverError if some of it failed.
  void synchronize() const;

 private:
  GpuInfo info_;
  CUdevice device_ = 0;
  CUstream stream_ = nullptr;
};

/// Device memory with guards on both sides. Without guards it has exactly the requested size, so that other tools
/// detect accesses outside. Zero bytes are allowed.
class Memory {
 public:
  enum class Guards { both_sides, none };
  explicit Memory(std::int64_t bytes, Guards guards = Guards::both_sides);
  ~Memory();
  Memory(Memory&& other) noexcept;
  Memory& operator=(Memory&& other) noexcept;

  CUdeviceptr address() const { return base_ + static_cast<CUdeviceptr>(guard_bytes_); }
  std::int64_t bytes() const { return bytes_; }

  void fill(CUstream stream, std::uint8_t byte) const;
  void upload(CUstream stream, const Bytes& contents) const;
  /// Waits for the stream.
  Bytes download(CUstream stream) const;
  /// Whether nothing was written outside the buffer since it was made. Waits for the stream.
  bool guards_intact(CUstream stream) const;

 private:
  static constexpr std::int64_t kGuardBytes = 512;
  CUdeviceptr base_ = 0;
  std::int64_t bytes_ = 0;
  std::int64_t guard_bytes_ = kGuardBytes;
};

}  // namespace warpwright::gpu
