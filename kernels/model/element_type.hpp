// The element types of problems, buffers and kernel arguments.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace warpwright {

enum class ElementType { i8, i16, i32, i64, u8, u16, u32, u64, f16, bf16, f32, f64, tf32, e4m3, e5m2 };

const std::vector<ElementType>& all_element_types();

/// Size of one element in bytes.
std::size_t size_of(ElementType type);

/// The C++ name, which is also the word on the command line and in the database: "signed char", "short", "int", "long
/// long", their unsigned forms, "__half", "__nv_bfloat16", "float", "double", "__nv_fp8_e4m3", "__nv_fp8_e5m2". Floats
/// that are rounded to the 19 bits of matrix units (TF32) have no C++ name: "tf32".
std::string_view name_of(ElementType type);

/// The type with that name; empty for an unknown name.
std::optional<ElementType> element_type_named(std::string_view name);

bool is_floating(ElementType type);

/// Unit roundoff u of a floating type (half and TF32 2^-11, bfloat16 2^-8, float 2^-24, double 2^-53); 0 for integers.
double unit_roundoff(ElementType type);

/// Smallest positive normal number of a floating type; 0 for integers.
double smallest_normal(ElementType type);

}  // namespace warpwright
