// Tensor maps: checks, descriptions and JSON.
#include "kernels/model/tensor_map.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace warpwright {
namespace {

constexpr int kMostOfBox = 256;
constexpr std::int64_t kUnit = 16;  ///< bytes of which rows and pitches are multiples
constexpr std::int64_t kMostOfMatrix = std::int64_t{1} << 32;
constexpr std::int64_t kMostPitch = std::int64_t{1} << 40;

}  // namespace

std::string fault_of(const TensorMap& map) {
  if (map.element_bytes != 1 && map.element_bytes != 2 && map.element_bytes != 4 && map.element_bytes != 8)
    return fmt::format("a tensor map has elements of 1, 2, 4 or 8 bytes, not of {}", map.element_bytes);
  if (map.columns < 1 || map.rows < 1 || map.columns > kMostOfMatrix || map.rows > kMostOfMatrix)
    return fmt::format("a tensor map of {} columns and {} rows: it has from 1 to 2^32 of each", map.columns, map.rows);
  if (map.box_columns < 1 || map.box_rows < 1 || map.box_columns > kMostOfBox || map.box_rows > kMostOfBox)
    return fmt::format("boxes of {} columns and {} rows: a tensor map has from 1 to {} of each", map.box_columns,
                       map.box_rows, kMostOfBox);
  if (map.pitch < map.columns || map.pitch * map.element_bytes % kUnit != 0 ||
      map.pitch * map.element_bytes >= kMostPitch)
    return fmt::format(
        "a pitch of {} elements of {} bytes: rows of a tensor map do not overlap and begin at multiples of {} bytes",
        map.pitch, map.element_bytes, kUnit);
  const std::int64_t row_bytes = std::int64_t{map.box_columns} * map.element_bytes;
  if (row_bytes % kUnit != 0)
    return fmt::format("boxes with rows of {} bytes: a tensor map has multiples of {}", row_bytes, kUnit);
  if (map.swizzle != 0 && map.swizzle != 32 && map.swizzle != 64 && map.swizzle != 128)
    return fmt::format("a swizzle of {} bytes: there are 32, 64 and 128, and 0 for none", map.swizzle);
  if (map.swizzle != 0 && row_bytes != map.swizzle)
    return fmt::format("boxes with rows of {} bytes: those of a swizzle of {} bytes have just as many", row_bytes,
                       map.swizzle);
  return {};
}

void to_json(nlohmann::json& json, const TensorMap& map) {
  json = {
      {"element_bytes", map.element_bytes}, {"columns", map.columns},   {"rows", map.rows},      {"pitch", map.pitch},
      {"box_columns", map.box_columns},     {"box_rows", map.box_rows}, {"swizzle", map.swizzle}};
}

void from_json(const nlohmann::json& json, TensorMap& map) {
  map = {.element_bytes = json.at("element_bytes"),
         .columns = json.at("columns"),
         .rows = json.at("rows"),
         .pitch = json.at("pitch"),
         .box_columns = json.at("box_columns"),
         .box_rows = json.at("box_rows"),
         .swizzle = json.at("swizzle")};
}

std::string describe(const TensorMap& map) {
  return fmt::format("boxes of {}x{} in {}x{} of {} B, pitch {}{}", map.box_columns, map.box_rows, map.columns,
                     map.rows, map.element_bytes, map.pitch,
                     map.swizzle == 0 ? "" : fmt::format(", swizzle {} B", map.swizzle));
}

}  // namespace warpwright
