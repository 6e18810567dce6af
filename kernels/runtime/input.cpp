// Fills buffers on the host with the generator that devices use too.
#include "kernels/runtime/input.hpp"

#include <cstring>

#include "kernels/runtime/generate.cuh"

namespace warpwright {
namespace {

template <class T>
Bytes filled(const Buffer& buffer, Distribution distribution, std::uint64_t seed) {
  Bytes bytes(static_cast<std::size_t>(buffer.count) * sizeof(T));
  const auto kind = static_cast<generate::spread>(spread_of(buffer, distribution));
  for (std::int64_t i = 0; i < buffer.count; ++i) {
    const T element = generate::element<T>(kind, seed, i, buffer.count);
    std::memcpy(&bytes[static_cast<std::size_t>(i) * sizeof(T)], &element, sizeof(T));
  }
  return bytes;
}

}  // namespace

std::uint64_t buffer_seed(const Input& input, std::size_t index) {
  return input.seed * 64 + index;
}

int spread_of(const Buffer& buffer, Distribution distribution) {
  if (buffer.values == Values::terms) return static_cast<int>(distribution);
  if (distribution == Distribution::exact) return static_cast<int>(generate::spread::exact_factor);
  if (distribution == Distribution::special) return static_cast<int>(generate::spread::special_factor);
  return static_cast<int>(generate::spread::factor);
}

Bytes generate_buffer(const Buffer& buffer, Distribution distribution, std::uint64_t seed) {
  switch (buffer.type) {
    case ElementType::i32:
      return filled<int>(buffer, distribution, seed);
    case ElementType::i64:
      return filled<long long>(buffer, distribution, seed);
    case ElementType::u8:
      return filled<unsigned char>(buffer, distribution, seed);
    case ElementType::u32:
      return filled<unsigned int>(buffer, distribution, seed);
    case ElementType::u64:
      return filled<unsigned long long>(buffer, distribution, seed);
    case ElementType::f32:
      return filled<float>(buffer, distribution, seed);
    default:
      return filled<double>(buffer, distribution, seed);
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
