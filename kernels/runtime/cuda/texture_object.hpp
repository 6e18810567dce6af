// A texture object of the driver, and the CUDA array behind it.
#pragma once

#include "kernels/model/texture.hpp"
#include "kernels/runtime/cuda/driver.hpp"

namespace warpwright::gpu {

class TextureObject {
 public:
  /// Makes a texture with a new array, or of the linear memory at `address`. Throws NotLaunchable for a texture that
  /// this GPU cannot make, DriverError for other failures.
  TextureObject(const Texture& texture, CUdeviceptr address);
  ~TextureObject();
  TextureObject(TextureObject&& other) noexcept;
  TextureObject& operator=(TextureObject&& other) noexcept;

  CUtexObject handle() const { return handle_; }

  /// Copies the texels at `from` into the array, in the stream.
  void fill(CUdeviceptr from, CUstream stream) const;

 private:
  void make_array();
  void make_object(CUdeviceptr address);
  void release() noexcept;

  Texture texture_;
  CUarray array_ = nullptr;
  CUtexObject handle_ = 0;
};

}  // namespace warpwright::gpu
