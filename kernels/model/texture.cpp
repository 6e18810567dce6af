// Textures: checks, descriptions and JSON.
#include "kernels/model/texture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string_view>

namespace warpwright {
namespace {

constexpr std::int64_t kMostLinear = std::int64_t{1} << 28;
constexpr std::array<std::array<std::int64_t, 3>, 3> kMostOfArrays{
    {{131072, 0, 0}, {131072, 65536, 0}, {16384, 16384, 16384}}};

template <class Word, std::size_t kCount>
Word word_of(const std::array<const char*, kCount>& words, const std::string& text) {
  const auto found = std::ranges::find(words, text, [](const char* word) { return std::string_view(word); });
  if (found == words.end()) throw std::invalid_argument("unknown word '" + text + "' of a texture");
  return static_cast<Word>(found - words.begin());
}

std::string extent_text(const Texture& texture) {
  std::string text;
  for (int i = 0; i < texture.dimensions(); ++i)
    text += fmt::format("{}{}", i == 0 ? "" : "x", texture.extent.at(static_cast<std::size_t>(i)));
  return text;
}

}  // namespace

int Texture::dimensions() const {
  return extent[2] != 0 ? 3 : extent[1] != 0 ? 2 : 1;
}

std::int64_t Texture::bytes() const {
  std::int64_t bytes = static_cast<std::int64_t>(size_of(type)) * channels;
  for (int i = 0; i < dimensions(); ++i) bytes *= extent.at(static_cast<std::size_t>(i));
  return bytes;
}

std::string fault_of(const Texture& texture) {
  const bool is_float = texture.type == ElementType::f32;
  const bool is_short = !is_floating(texture.type) && size_of(texture.type) <= 2;
  if ((is_floating(texture.type) && !is_float) || size_of(texture.type) > 4)
    return fmt::format("a texture has no channels of {}: they are float, or integers of 8, 16 or 32 bits",
                       name_of(texture.type));
  if (texture.channels != 1 && texture.channels != 2 && texture.channels != 4)
    return fmt::format("a texture has no texels of {} channels: they have 1, 2 or 4", texture.channels);
  if (texture.normalized_values && !is_short)
    return fmt::format("normalized values are those of integers of 8 and 16 bits, and the texels are {}",
                       name_of(texture.type));
  if (texture.filter == Texture::Filter::linear && !is_float && !texture.normalized_values)
    return "linear filtering gives fractions: the texels must be float, or be read as normalized values";
  const bool repeats = texture.address == Texture::Address::wrap || texture.address == Texture::Address::mirror;
  if (repeats && !texture.normalized_coordinates)
    return "wrap and mirror are for normalized coordinates: CUDA clamps others";
  if (!texture.is_array && texture.dimensions() != 1) return "linear memory has one dimension: others need an array";
  if (!texture.is_array && (texture.filter == Texture::Filter::linear || texture.normalized_coordinates))
    return "tex1Dfetch of linear memory has neither filter nor normalized coordinates: for tex1D, which has, use an "
           "array";
  const auto dimensions = static_cast<std::size_t>(texture.dimensions());
  for (std::size_t i = 0; i < dimensions; ++i) {
    const std::int64_t most = texture.is_array ? kMostOfArrays.at(dimensions - 1).at(i) : kMostLinear;
    if (texture.extent.at(i) < 1 || texture.extent.at(i) > most)
      return fmt::format("a texture of {} texels: it has from 1 to {} in that dimension", extent_text(texture), most);
  }
  return {};
}

void to_json(nlohmann::json& json, const Texture& texture) {
  json = {{"texture", texture.buffer},
          {"type", name_of(texture.type)},
          {"channels", texture.channels},
          {"extent", texture.extent},
          {"array", texture.is_array},
          {"filter", texture_filters.at(static_cast<std::size_t>(texture.filter))},
          {"address", texture_addresses.at(static_cast<std::size_t>(texture.address))},
          {"normalized_coordinates", texture.normalized_coordinates},
          {"normalized_values", texture.normalized_values}};
}

void from_json(const nlohmann::json& json, Texture& texture) {
  const auto type = element_type_named(json.at("type").get<std::string>());
  if (!type) throw std::invalid_argument("unknown element type of a texture");
  texture = {.buffer = json.at("texture"),
             .type = *type,
             .channels = json.at("channels"),
             .extent = json.at("extent").get<std::array<std::int64_t, 3>>(),
             .is_array = json.at("array"),
             .filter = word_of<Texture::Filter>(texture_filters, json.at("filter")),
             .address = word_of<Texture::Address>(texture_addresses, json.at("address")),
             .normalized_coordinates = json.at("normalized_coordinates"),
             .normalized_values = json.at("normalized_values")};
}

std::string describe(const Texture& texture) {
  return fmt::format("texture of {}: {} of {} {}, {}, {}, {}{}{}", texture.buffer, extent_text(texture),
                     texture.channels, name_of(texture.type), texture.is_array ? "array" : "linear memory",
                     texture_filters.at(static_cast<std::size_t>(texture.filter)),
                     texture_addresses.at(static_cast<std::size_t>(texture.address)),
                     texture.normalized_coordinates ? ", normalized coordinates" : "",
                     texture.normalized_values ? ", normalized values" : "");
}

}  // namespace warpwright
