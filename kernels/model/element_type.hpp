// The element types that problems, buffers and kernel arguments are made of.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace warpwright {

enum class ElementType { i32, i64, u8, u32, u64, f32, f64 };

/// Size of one element in bytes.
std::size_t size_of(ElementType type);

/// C++ spelling, which is also the word used in the CLI and the database: "int", "long long", "unsigned char",
/// "unsigned int", "unsigned long long", "float", "double".
std::string_view name_of(ElementType type);

/// The type with that spelling; empty for an unknown one.
std::optional<ElementType> element_type_named(std::string_view name);

bool is_floating(ElementType type);

/// Unit roundoff u of a floating type (2^-24, 2^-53); 0 for integers.
double unit_roundoff(ElementType type);

/// Smallest positive normal number of a floating type; 0 for integers.
double smallest_normal(ElementType type);

}  // namespace warpwright
