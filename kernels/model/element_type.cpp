// Sizes, names and unit roundoffs of the element types.
#include "kernels/model/element_type.hpp"

#include <algorithm>
#include <array>

namespace warpwright {
namespace {

struct Known {
  ElementType type;
  std::string_view name;
  std::size_t bytes;
  double roundoff;  ///< 0 for integers
  double smallest;  ///< the smallest positive normal number
};

/// In the order of the enumerators. IEEE 754-2019 defines binary16, binary32 and binary64. bfloat16 has the exponent
/// range of binary32 and 8 significant bits, TF32 the same and 11. E4M3 and E5M2: Open Compute Project, OFP8, 2023.
constexpr std::array<Known, 15> kTypes{{{ElementType::i8, "signed char", 1, 0, 0},
                                        {ElementType::i16, "short", 2, 0, 0},
                                        {ElementType::i32, "int", 4, 0, 0},
                                        {ElementType::i64, "long long", 8, 0, 0},
                                        {ElementType::u8, "unsigned char", 1, 0, 0},
                                        {ElementType::u16, "unsigned short", 2, 0, 0},
                                        {ElementType::u32, "unsigned int", 4, 0, 0},
                                        {ElementType::u64, "unsigned long long", 8, 0, 0},
                                        {ElementType::f16, "__half", 2, 0x1p-11, 0x1p-14},
                                        {ElementType::bf16, "__nv_bfloat16", 2, 0x1p-8, 0x1p-126},
                                        {ElementType::f32, "float", 4, 0x1p-24, 0x1p-126},
                                        {ElementType::f64, "double", 8, 0x1p-53, 0x1p-1022},
                                        {ElementType::tf32, "tf32", 4, 0x1p-11, 0x1p-126},
                                        {ElementType::e4m3, "__nv_fp8_e4m3", 1, 0x1p-4, 0x1p-6},
                                        {ElementType::e5m2, "__nv_fp8_e5m2", 1, 0x1p-3, 0x1p-14}}};

const Known& known(ElementType type) {
  return kTypes.at(static_cast<std::size_t>(type));
}

}  // namespace

const std::vector<ElementType>& all_element_types() {
  static const std::vector<ElementType> all = [] {
    std::vector<ElementType> types;
    for (const Known& entry : kTypes) types.push_back(entry.type);
    return types;
  }();
  return all;
}

std::size_t size_of(ElementType type) {
  return known(type).bytes;
}

std::string_view name_of(ElementType type) {
  return known(type).name;
}

std::optional<ElementType> element_type_named(std::string_view name) {
  const auto* const found = std::ranges::find(kTypes, name, &Known::name);
  if (found == kTypes.end()) return std::nullopt;
  return found->type;
}

bool is_floating(ElementType type) {
  return known(type).roundoff > 0;
}

double unit_roundoff(ElementType type) {
  return known(type).roundoff;
}

double smallest_normal(ElementType type) {
  return known(type).smallest;
}

}  // namespace warpwright
