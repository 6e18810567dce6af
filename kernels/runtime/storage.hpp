// Element types as C++ types: what buffers are read, filled and compared as.
#pragma once

#include <stdexcept>

#include "kernels/model/element_type.hpp"
#include "kernels/runtime/half.cuh"

namespace warpwright {

/// use(T()) with the C++ type of the elements; halves are their storage types.
template <class Use>
auto with_storage_of(ElementType type, Use use) {
  switch (type) {
    case ElementType::i8:
      return use(static_cast<signed char>(0));
    case ElementType::i16:
      return use(static_cast<short>(0));
    case ElementType::i32:
      return use(0);
    case ElementType::i64:
      return use(0LL);
    case ElementType::u8:
      return use(static_cast<unsigned char>(0));
    case ElementType::u16:
      return use(static_cast<unsigned short>(0));
    case ElementType::u32:
      return use(0U);
    case ElementType::u64:
      return use(0ULL);
    case ElementType::f16:
      return use(float16());
    case ElementType::bf16:
      return use(bfloat16());
    case ElementType::f32:
      return use(0.0F);
    case ElementType::f64:
      return use(0.0);
  }
  throw std::logic_error("unknown element type");
}

}  // namespace warpwright
