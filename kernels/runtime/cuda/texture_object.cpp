// Making texture objects with the driver.
#include "kernels/runtime/cuda/texture_object.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "kernels/runtime/cuda/runnable.hpp"

namespace warpwright::gpu {
namespace {

CUarray_format format_of(ElementType type) {
  switch (type) {
    case ElementType::i8:
      return CU_AD_FORMAT_SIGNED_INT8;
    case ElementType::i16:
      return CU_AD_FORMAT_SIGNED_INT16;
    case ElementType::i32:
      return CU_AD_FORMAT_SIGNED_INT32;
    case ElementType::u8:
      return CU_AD_FORMAT_UNSIGNED_INT8;
    case ElementType::u16:
      return CU_AD_FORMAT_UNSIGNED_INT16;
    case ElementType::u32:
      return CU_AD_FORMAT_UNSIGNED_INT32;
    case ElementType::f32:
      return CU_AD_FORMAT_FLOAT;
    default:
      throw NotLaunchable(fmt::format("no texture has channels of {}", name_of(type)));
  }
}

CUaddress_mode mode_of(Texture::Address address) {
  switch (address) {
    case Texture::Address::wrap:
      return CU_TR_ADDRESS_MODE_WRAP;
    case Texture::Address::mirror:
      return CU_TR_ADDRESS_MODE_MIRROR;
    case Texture::Address::border:
      return CU_TR_ADDRESS_MODE_BORDER;
    default:
      return CU_TR_ADDRESS_MODE_CLAMP;
  }
}

/// If the driver refuses, that is a limit of this GPU, not a fault of the environment.
void check(CUresult result, const char* call, const Texture& texture) {
  if (result == CUDA_ERROR_INVALID_VALUE || result == CUDA_ERROR_NOT_SUPPORTED)
    throw NotLaunchable(fmt::format("{}; it is of the {}", DriverError(result, call).what(), describe(texture)));
  driver().check(result, call);
}

}  // namespace

TextureObject::TextureObject(const Texture& texture, CUdeviceptr address) : texture_(texture) {
  try {
    if (texture_.is_array) make_array();
    make_object(address);
  } catch (...) {
    release();
    throw;
  }
}

TextureObject::~TextureObject() {
  release();
}

TextureObject::TextureObject(TextureObject&& other) noexcept
    : texture_(std::move(other.texture_)),
      array_(std::exchange(other.array_, nullptr)),
      handle_(std::exchange(other.handle_, 0)) {}

TextureObject& TextureObject::operator=(TextureObject&& other) noexcept {
  std::swap(texture_, other.texture_);
  std::swap(array_, other.array_);
  std::swap(handle_, other.handle_);
  return *this;
}

void TextureObject::release() noexcept {
  if (handle_ != 0) driver().destroy_texture(handle_);
  if (array_ != nullptr) driver().destroy_array(array_);
}

void TextureObject::make_array() {
  CUDA_ARRAY3D_DESCRIPTOR wanted{};
  wanted.Width = static_cast<std::size_t>(texture_.extent[0]);
  wanted.Height = static_cast<std::size_t>(texture_.extent[1]);
  wanted.Depth = static_cast<std::size_t>(texture_.extent[2]);
  wanted.Format = format_of(texture_.type);
  wanted.NumChannels = static_cast<unsigned>(texture_.channels);
  check(driver().create_array(&array_, &wanted), "cuArray3DCreate", texture_);
}

void TextureObject::make_object(CUdeviceptr address) {
  CUDA_RESOURCE_DESC resource{};
  if (texture_.is_array) {
    resource.resType = CU_RESOURCE_TYPE_ARRAY;
    resource.res.array.hArray = array_;
  } else {
    resource.resType = CU_RESOURCE_TYPE_LINEAR;
    resource.res.linear.devPtr = address;
    resource.res.linear.format = format_of(texture_.type);
    resource.res.linear.numChannels = static_cast<unsigned>(texture_.channels);
    resource.res.linear.sizeInBytes = static_cast<std::size_t>(texture_.bytes());
  }
  CUDA_TEXTURE_DESC view{};
  std::ranges::fill(view.addressMode, mode_of(texture_.address));
  view.filterMode = texture_.filter == Texture::Filter::linear ? CU_TR_FILTER_MODE_LINEAR : CU_TR_FILTER_MODE_POINT;
  if (!is_floating(texture_.type) && !texture_.normalized_values) view.flags |= CU_TRSF_READ_AS_INTEGER;
  if (texture_.normalized_coordinates) view.flags |= CU_TRSF_NORMALIZED_COORDINATES;
  check(driver().create_texture(&handle_, &resource, &view, nullptr), "cuTexObjectCreate", texture_);
}

void TextureObject::fill(CUdeviceptr from, CUstream stream) const {
  CUDA_MEMCPY3D copy{};
  copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
  copy.srcDevice = from;
  copy.WidthInBytes = size_of(texture_.type) * static_cast<std::size_t>(texture_.channels * texture_.extent[0]);
  copy.Height = static_cast<std::size_t>(std::max<std::int64_t>(texture_.extent[1], 1));
  copy.Depth = static_cast<std::size_t>(std::max<std::int64_t>(texture_.extent[2], 1));
  copy.srcPitch = copy.WidthInBytes;
  copy.srcHeight = copy.Height;
  copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
  copy.dstArray = array_;
  check(driver().copy_boxes(&copy, stream), "cuMemcpy3DAsync", texture_);
}

}  // namespace warpwright::gpu
