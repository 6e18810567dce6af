// Tensor maps: checks, descriptions and JSON.
#include "kernels/model/tensor_map.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace warpwright {
namespace {

constexpr int kMostOfBox = 256;
constexpr std::int64_t kUnit = 16;  ///< bytes of which rows and pitches are multiples
constexpr std::int64_t kMostOfTensor = std::int64_t{1} << 32;
constexpr std::int64_t kMostPitch = std::int64_t{1} << 40;
constexpr std::size_t kMostOuter = 3;

/// What is wrong with the distance of two rows, or of two layers, of so many elements.
std::string fault_of_pitch(std::int64_t pitch, std::int64_t elements, const char* of, int element_bytes) {
  if (pitch < elements)
    return fmt::format("a pitch of {} elements, and {} of {}: {} of a tensor map do not overlap", pitch, of, elements,
                       of);
  if (pitch * element_bytes % kUnit != 0)
    return fmt::format(
        "a pitch of {} elements of {} bytes: {} of a tensor map begin at multiples of {} bytes, so pad them to a "
        "multiple of {} elements",
        pitch, element_bytes, of, kUnit, kUnit / element_bytes);
  if (pitch >= kMostPitch / element_bytes)
    return fmt::format("a pitch of {} elements of {} bytes: that of a tensor map is below 2^40 bytes", pitch,
                       element_bytes);
  return {};
}

/// What is wrong with the swizzle and the rows of boxes.
std::string fault_of_rows(const TensorMap& map) {
  const std::int64_t row_bytes = std::int64_t{map.box_columns} * map.element_bytes;
  if (row_bytes % kUnit != 0)
    return fmt::format("boxes with rows of {} bytes: a tensor map has multiples of {}, here of {} columns", row_bytes,
                       kUnit, kUnit / map.element_bytes);
  if (map.swizzle != 0 && map.swizzle != 32 && map.swizzle != 64 && map.swizzle != 128)
    return fmt::format("a swizzle of {} bytes: there are 32, 64 and 128, and 0 for none", map.swizzle);
  if (map.swizzle != 0 && row_bytes != map.swizzle)
    return fmt::format("boxes with rows of {} bytes: those of a swizzle of {} bytes have just as many, here {} columns",
                       row_bytes, map.swizzle, map.swizzle / map.element_bytes);
  return {};
}

/// What is wrong with a tensor map of one dimension.
std::string fault_of_vector(const TensorMap& map) {
  if (map.pitch != 0 || map.box_rows != 0 || !map.outer.empty())
    return "a tensor map without rows has one dimension, and so no pitch, no rows of a box and no layers";
  if (map.columns < 1 || map.columns > kMostOfTensor)
    return fmt::format("a tensor map of {} elements: it has from 1 to 2^32", map.columns);
  if (map.box_columns < 1 || map.box_columns > kMostOfBox)
    return fmt::format("boxes of {} elements: a tensor map has from 1 to {}; copy more by several boxes",
                       map.box_columns, kMostOfBox);
  return fault_of_rows(map);
}

}  // namespace

std::int64_t TensorMap::bytes() const {
  std::int64_t elements = columns + (rows == 0 ? 0 : (rows - 1) * pitch);
  for (const TensorLayers& layers : outer) elements += (layers.count - 1) * layers.pitch;
  return elements * element_bytes;
}

std::int64_t TensorMap::box_bytes() const {
  std::int64_t elements = std::int64_t{box_columns} * (rows == 0 ? 1 : box_rows);
  for (const TensorLayers& layers : outer) elements *= layers.box;
  return elements * element_bytes;
}

std::string fault_of(const TensorMap& map) {
  if (map.element_bytes != 1 && map.element_bytes != 2 && map.element_bytes != 4 && map.element_bytes != 8)
    return fmt::format("a tensor map has elements of 1, 2, 4 or 8 bytes, not of {}", map.element_bytes);
  if (map.rows == 0) return fault_of_vector(map);
  if (map.columns < 1 || map.rows < 1 || map.columns > kMostOfTensor || map.rows > kMostOfTensor)
    return fmt::format("a tensor map of {} columns and {} rows: it has from 1 to 2^32 of each", map.columns, map.rows);
  if (map.box_columns < 1 || map.box_rows < 1 || map.box_columns > kMostOfBox || map.box_rows > kMostOfBox)
    return fmt::format(
        "boxes of {} columns and {} rows: a tensor map has from 1 to {} of each; copy larger tiles by several boxes",
        map.box_columns, map.box_rows, kMostOfBox);
  if (std::string fault = fault_of_pitch(map.pitch, map.columns, "rows", map.element_bytes); !fault.empty())
    return fault;
  if (map.outer.size() > kMostOuter) return "a tensor map has at most five dimensions";
  double elements = static_cast<double>(map.rows) * static_cast<double>(map.pitch);
  for (const TensorLayers& layers : map.outer) {
    if (layers.count < 1 || layers.count > kMostOfTensor)
      return fmt::format("a tensor map of {} layers: it has from 1 to 2^32", layers.count);
    if (layers.box < 1 || layers.box > kMostOfBox)
      return fmt::format("boxes of {} layers: a tensor map has from 1 to {}; copy larger tiles by several boxes",
                         layers.box, kMostOfBox);
    // Layers may overlap: the driver does not compare their pitch with their size.
    if (std::string fault = fault_of_pitch(layers.pitch, 1, "layers", map.element_bytes); !fault.empty()) return fault;
    elements += static_cast<double>(layers.count) * static_cast<double>(layers.pitch);
  }
  if (elements >= static_cast<double>(kMostPitch))
    return "a tensor map of 2^40 elements or more is larger than the memory of any GPU";
  return fault_of_rows(map);
}

void to_json(nlohmann::json& json, const TensorMap& map) {
  json = {
      {"element_bytes", map.element_bytes}, {"columns", map.columns},   {"rows", map.rows},      {"pitch", map.pitch},
      {"box_columns", map.box_columns},     {"box_rows", map.box_rows}, {"swizzle", map.swizzle}};
  for (const TensorLayers& layers : map.outer)
    json["outer"].push_back({{"count", layers.count}, {"pitch", layers.pitch}, {"box", layers.box}});
}

void from_json(const nlohmann::json& json, TensorMap& map) {
  map = {.element_bytes = json.at("element_bytes"),
         .columns = json.at("columns"),
         .rows = json.at("rows"),
         .pitch = json.at("pitch"),
         .box_columns = json.at("box_columns"),
         .box_rows = json.at("box_rows"),
         .swizzle = json.at("swizzle")};
  if (!json.contains("outer")) return;
  for (const nlohmann::json& layers : json.at("outer"))
    map.outer.push_back({.count = layers.at("count"), .pitch = layers.at("pitch"), .box = layers.at("box")});
}

std::string describe(const TensorMap& map) {
  const std::string swizzle = map.swizzle == 0 ? "" : fmt::format(", swizzle {} B", map.swizzle);
  if (map.dimensions() == 1)
    return fmt::format("boxes of {} in {} of {} B{}", map.box_columns, map.columns, map.element_bytes, swizzle);
  std::string box = fmt::format("{}x{}", map.box_columns, map.box_rows);
  std::string tensor = fmt::format("{}x{}", map.columns, map.rows), pitches = fmt::format("{}", map.pitch);
  for (const TensorLayers& layers : map.outer) {
    box += fmt::format("x{}", layers.box);
    tensor += fmt::format("x{}", layers.count);
    pitches += fmt::format(", {}", layers.pitch);
  }
  return fmt::format("boxes of {} in {} of {} B, pitch {}{}", box, tensor, map.element_bytes, pitches, swizzle);
}

}  // namespace warpwright
