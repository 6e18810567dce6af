// Sizes, names and rounding units of the element types.
#include "kernels/model/element_type.hpp"

#include <array>
#include <limits>
#include <utility>

namespace warpwright {
namespace {

constexpr std::array<std::pair<ElementType, std::string_view>, 7> kNames{{{ElementType::i32, "int"},
                                                                          {ElementType::i64, "long long"},
                                                                          {ElementType::u8, "unsigned char"},
                                                                          {ElementType::u32, "unsigned int"},
                                                                          {ElementType::u64, "unsigned long long"},
                                                                          {ElementType::f32, "float"},
                                                                          {ElementType::f64, "double"}}};

}  // namespace

std::size_t size_of(ElementType type) {
  switch (type) {
    case ElementType::u8:
      return 1;
    case ElementType::i32:
    case ElementType::u32:
    case ElementType::f32:
      return 4;
    default:
      return 8;
  }
}

std::string_view name_of(ElementType type) {
  for (const auto& [known, name] : kNames)
    if (known == type) return name;
  return "?";
}

std::optional<ElementType> element_type_named(std::string_view name) {
  for (const auto& [type, known] : kNames)
    if (known == name) return type;
  return std::nullopt;
}

bool is_floating(ElementType type) {
  return type == ElementType::f32 || type == ElementType::f64;
}

double unit_roundoff(ElementType type) {
  if (type == ElementType::f32) return std::numeric_limits<float>::epsilon() / 2.0;
  if (type == ElementType::f64) return std::numeric_limits<double>::epsilon() / 2.0;
  return 0;
}

double smallest_normal(ElementType type) {
  if (type == ElementType::f32) return static_cast<double>(std::numeric_limits<float>::min());
  if (type == ElementType::f64) return std::numeric_limits<double>::min();
  return 0;
}

}  // namespace warpwright
