// How the contents of a buffer are generated from (seed, index): the same bits on CPU and GPU.
#pragma once

#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "kernels/model/plan.hpp"

namespace warpwright {

/// A function that the CPU runs, which fills a whole buffer.
struct FillFunction {
  std::vector<Buffer> buffers;                       ///< those that it is called with, in the CPU's memory
  std::string filled;                                ///< which of them holds the elements afterwards
  std::function<HostWork(std::uint64_t seed)> call;  ///< of a seed that all buffers of an input have in common
};

/// Either `function`, or a functor of device code: element = functor(seed, index, count). It uses only integer
/// arithmetic, correctly rounded operations and tables, so that all compilers give the same bits.
struct Fill {
  std::string source;     ///< the header that declares it, e.g. "kernels/neighbor/data.cuh"
  ValueArgument functor;  ///< its C++ type and its bytes, as an argument of a launch
  /// The elements from `begin` up to `end` of `count`.
  std::function<Bytes(std::int64_t begin, std::int64_t end, std::int64_t count, std::uint64_t seed)> part_on_host;
  std::optional<FillFunction> function = {};

  Bytes on_host(std::int64_t count, std::uint64_t seed) const { return part_on_host(0, count, count, seed); }
};

/// `type` is the C++ name of F. F is called with (unsigned long long seed, long long index, long long count) and
/// returns an element. F must be plain data without pointers.
template <class F>
Fill make_fill(const std::string& source, const std::string& type, F functor) {
  static_assert(std::is_trivially_copyable_v<F>);
  return {.source = source,
          .functor = value_of(type, functor),
          .part_on_host = [functor](std::int64_t begin, std::int64_t end, std::int64_t count, std::uint64_t seed) {
            using Element = decltype(functor(0ULL, 0LL, 0LL));
            Bytes bytes(static_cast<std::size_t>(end - begin) * sizeof(Element));
            for (std::int64_t i = begin; i < end; ++i) {
              const Element element = functor(seed, i, count);
              std::memcpy(&bytes[static_cast<std::size_t>(i - begin) * sizeof(Element)], &element, sizeof element);
            }
            return bytes;
          }};
}

}  // namespace warpwright
