// Memory for a buffer as its plan demands: on the device, pageable or pinned on the host, or managed.
#pragma once

#include <optional>

#include "kernels/model/plan.hpp"
#include "kernels/runtime/cuda/gpu_context.hpp"

namespace warpwright::gpu {

/// With guards on both sides, or (on the device) of exactly the requested size. Every function waits for the GPU's
/// stream.
class PlacedMemory {
 public:
  PlacedMemory(const Gpu& gpu, Where where, std::int64_t bytes, Memory::Guards guards = Memory::Guards::both_sides);
  ~PlacedMemory();
  PlacedMemory(PlacedMemory&& other) noexcept;
  PlacedMemory& operator=(PlacedMemory&&) = delete;

  /// A host pointer is its own address on the device.
  CUdeviceptr address() const;

  void fill(std::uint8_t byte) const;
  void upload(const Bytes& contents) const;
  Bytes download() const;
  /// Copies from and to the same number of bytes of device memory.
  void copy_from(CUdeviceptr device) const;
  void copy_to(CUdeviceptr device) const;
  /// Moves the pages of managed memory to the host, where a run of a plan expects them.
  void bring_to_host() const;
  /// Whether nothing was written outside the buffer since it was made.
  bool guards_intact() const;

 private:
  std::byte* data() const;

  const Gpu* gpu_;
  Where where_;
  std::int64_t bytes_;
  std::optional<Memory> device_;
  std::byte* base_ = nullptr;  ///< of all memory that is not on the device
};

}  // namespace warpwright::gpu
