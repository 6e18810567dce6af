// Fills buffers on the host with the generator that devices use too.
#include "kernels/runtime/input.hpp"

#include <cstring>

#include "kernels/runtime/generate.cuh"

namespace warpwright {
namespace {

template <class T>
Bytes filled(std::int64_t count, Distribution distribution, std::uint64_t seed) {
  Bytes bytes(static_cast<std::size_t>(count) * sizeof(T));
  const auto kind = static_cast<generate::spread>(distribution);
  for (std::int64_t i = 0; i < count; ++i) {
    const T element = generate::element<T>(kind, seed, i, count);
    std::memcpy(&bytes[static_cast<std::size_t>(i) * sizeof(T)], &element, sizeof(T));
  }
  return bytes;
}

}  // namespace

std::uint64_t buffer_seed(const Input& input, std::size_t index) {
  return input.seed * 64 + index;
}

Bytes generate_buffer(const Buffer& buffer, Distribution distribution, std::uint64_t seed) {
  switch (buffer.type) {
    case ElementType::i32:
      return filled<int>(buffer.count, distribution, seed);
    case ElementType::i64:
      return filled<long long>(buffer.count, distribution, seed);
    case ElementType::u8:
      return filled<unsigned char>(buffer.count, distribution, seed);
    case ElementType::u32:
      return filled<unsigned int>(buffer.count, distribution, seed);
    case ElementType::u64:
      return filled<unsigned long long>(buffer.count, distribution, seed);
    case ElementType::f32:
      return filled<float>(buffer.count, distribution, seed);
    default:
      return filled<double>(buffer.count, distribution, seed);
  }
}

std::vector<Bytes> generate_inputs(const std::vector<Buffer>& buffers, const Input& input) {
  std::vector<Bytes> inputs;
  for (std::size_t i = 0; i < buffers.size(); ++i)
    if (buffers[i].role == Role::in || buffers[i].role == Role::inout)
      inputs.push_back(generate_buffer(buffers[i], input.distribution, buffer_seed(input, i)));
  return inputs;
}

}  // namespace warpwright
