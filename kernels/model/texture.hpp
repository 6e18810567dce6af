// A texture: how a kernel reads the elements of a buffer through a texture object.
#pragma once

#include <array>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "kernels/model/element_type.hpp"

namespace warpwright {

/// The parameters of a texture object, in the terms of CUDA's C++ Programming Guide ("Texture Memory").
struct Texture {
  enum class Filter { point, linear };
  enum class Address { clamp, wrap, mirror, border };

  std::string buffer;
  ElementType type = ElementType::f32;  ///< of one channel
  int channels = 1;                     ///< per texel: 1, 2 or 4
  /// Number of texels: width, height, depth, stored in this order from the first byte of the buffer on; 0 for a
  /// dimension that the texture does not have.
  std::array<std::int64_t, 3> extent{1, 0, 0};
  /// Whether it is a CUDA array, whose elements a TextureUpload copied. Otherwise it is linear memory, the buffer
  /// itself, which only tex1Dfetch reads.
  bool is_array = true;
  Filter filter = Filter::point;
  Address address = Address::clamp;     ///< in every dimension
  bool normalized_coordinates = false;  ///< from 0 to 1
  bool normalized_values = false;       ///< integers of 8 and 16 bits are read as 0 to 1, or as -1 to 1

  int dimensions() const;
  /// The size of all texels.
  std::int64_t bytes() const;
  bool operator==(const Texture&) const = default;
};

/// The words for the enumerators of Texture, in their order.
inline constexpr std::array<const char*, 2> texture_filters{"point", "linear"};
inline constexpr std::array<const char*, 4> texture_addresses{"clamp", "wrap", "mirror", "border"};

/// What is wrong with it on every GPU, and what to do; empty if nothing is. The limits are those of compute capability
/// 6.0 and later, from the table in the programming guide.
std::string fault_of(const Texture& texture);

void to_json(nlohmann::json& json, const Texture& texture);
/// Throws nlohmann::json::exception, or std::invalid_argument for an unknown word.
void from_json(const nlohmann::json& json, Texture& texture);

/// "texture of image: 64x32 of 4 unsigned char, array, linear, clamp, normalized values".
std::string describe(const Texture& texture);

}  // namespace warpwright
