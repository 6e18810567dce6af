// The types of buffers and values, by their names in device code.
#include <array>

#include "kernels/job/job.hpp"
#include "kernels/model/signature.hpp"

namespace warpwright::job {
namespace {

struct Known {
  std::string_view word;
  ElementType element;
  std::string_view plain = {};  ///< the compiler's name for it; empty if it is the same
};

/// Names besides those of element types. `long` has 64 bits, as on Linux.
constexpr std::array<Known, 23> kKnown{{
    {"char", ElementType::i8},
    {"bool", ElementType::u8},
    {"long", ElementType::i64},
    {"unsigned long", ElementType::u64},
    {"size_t", ElementType::u64, "unsigned long"},
    {"ptrdiff_t", ElementType::i64, "long"},
    {"int8_t", ElementType::i8, "signed char"},
    {"int16_t", ElementType::i16, "short"},
    {"int32_t", ElementType::i32, "int"},
    {"int64_t", ElementType::i64, "long"},
    {"uint8_t", ElementType::u8, "unsigned char"},
    {"uint16_t", ElementType::u16, "unsigned short"},
    {"uint32_t", ElementType::u32, "unsigned int"},
    {"uint64_t", ElementType::u64, "unsigned long"},
    {"half", ElementType::f16, "__half"},
    {"nv_bfloat16", ElementType::bf16, "__nv_bfloat16"},
    {"uchar", ElementType::u8, "unsigned char"},
    {"ushort", ElementType::u16, "unsigned short"},
    {"uint", ElementType::u32, "unsigned int"},
    {"ulong", ElementType::u64, "unsigned long"},
    {"longlong", ElementType::i64, "long long"},
    {"ulonglong", ElementType::u64, "unsigned long long"},
    {"__nv_bfloat16", ElementType::bf16},
}};

std::optional<TypeWord> single(const std::string& word) {
  if (const auto element = element_type_named(word)) return TypeWord{*element, 1, word};
  for (const Known& known : kKnown)
    if (known.word == word) return TypeWord{known.element, 1, std::string(known.plain.empty() ? word : known.plain)};
  return std::nullopt;
}

}  // namespace

std::optional<TypeWord> type_word(std::string_view text) {
  std::string word = normal_type(text);
  if (word.starts_with("std::")) word.erase(0, std::string_view("std::").size());
  if (const auto found = single(word)) return found;
  if (word == "dim3") return TypeWord{ElementType::u32, 3, word};
  // float4, int2, uchar4; half2 and similar.
  if (word.empty() || word.back() < '1' || word.back() > '4') return std::nullopt;
  const auto element = single(word.substr(0, word.size() - 1));
  if (!element) return std::nullopt;
  return TypeWord{element->element, word.back() - '0', word};
}

}  // namespace warpwright::job
