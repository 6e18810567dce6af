// How the contents of a buffer are made from (seed, index): the same bits on the host and on a device.
#pragma once

#include <cstring>
#include <functional>
#include <string>

#include "kernels/model/plan.hpp"

namespace warpwright {

/// A functor of device code: element = functor(seed, index, count), with integer arithmetic, correctly rounded
/// operations and tables only, so that all compilers agree.
struct Fill {
  std::string source;     ///< the header that declares it, e.g. "kernels/neighbor/data.cuh"
  ValueArgument functor;  ///< its C++ type and its bytes, as a launch passes it
  std::function<Bytes(std::int64_t count, std::uint64_t seed)> on_host;
};

/// `type` is the C++ name of F; F is called with (unsigned long long seed, long long index, long long count) and gives
/// an element. It is plain data without pointers.
template <class F>
Fill make_fill(const std::string& source, const std::string& type, F functor) {
  static_assert(std::is_trivially_copyable_v<F>);
  return {.source = source,
          .functor = value_of(type, functor),
          .on_host = [functor](std::int64_t count, std::uint64_t seed) {
            using Element = decltype(functor(0ULL, 0LL, 0LL));
            Bytes bytes(static_cast<std::size_t>(count) * sizeof(Element));
            for (std::int64_t i = 0; i < count; ++i) {
              const Element element = functor(seed, i, count);
              std::memcpy(&bytes[static_cast<std::size_t>(i) * sizeof(Element)], &element, sizeof element);
            }
            return bytes;
          }};
}

}  // namespace warpwright
