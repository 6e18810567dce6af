// Compares outputs on the CPU, by the same element rule that devices use.
#include "conformance/cases/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <stdexcept>
#include <type_traits>

#include "kernels/runtime/compare.cuh"
#include "kernels/runtime/storage.hpp"

namespace warpwright::conformance {
namespace {

template <class T>
T element_at(const Bytes& bytes, std::size_t index) {
  T element;
  std::memcpy(&element, &bytes[index * sizeof(T)], sizeof(T));
  return element;
}

/// The element as fmt prints it.
template <class T>
auto words_of(T element) {
  if constexpr (std::is_arithmetic_v<T>)
    return element;
  else
    return static_cast<float>(element);
}

std::string in_hex(const std::byte* bytes, std::size_t count) {
  std::string text = "0x";
  while (count-- > 0) text += fmt::format("{:02x}", std::to_integer<unsigned>(bytes[count]));
  return text;
}

/// ": an error of 0.5, 12 times the bound of 0.04"; empty if the error is not a number or the values must be equal.
std::string words_of_error(double error, double most, double ratio) {
  if (!std::isfinite(error) || !std::isfinite(most)) return {};
  if (most <= 0) return fmt::format(", an error of {:.6g} where none is allowed", std::abs(error));
  return fmt::format(", an error of {:.6g}, {:.4g} times the bound of {:.6g}", std::abs(error), ratio, most);
}

template <class T>
void compare_buffer(const ExpectedOutput& expected, const Bytes& output, const Bound& bound, std::uint8_t poison,
                    ComparisonResult& result) {
  const bool bounded = bound.comparison == Comparison::bounded;
  const std::size_t count = output.size() / sizeof(T);
  const std::size_t expected_count = expected.values.size() / (bounded ? sizeof(double) : sizeof(T));
  if (expected_count != count || (bounded && expected.magnitude.size() != count))
    throw std::logic_error(
        fmt::format("the oracle gives {} elements of {}, not {}", expected_count, expected.buffer, count));
  T poisoned;
  std::memset(&poisoned, poison, sizeof poisoned);
  bool all_zero = count > 0;
  for (std::size_t i = 0; i < count; ++i) {
    const T got = element_at<T>(output, i);
    double ratio = 0;
    double wanted = 0;
    if (bounded) {
      wanted = element_at<double>(expected.values, i);
      // If the kernel may round, adds the oracle's own rounding to double.
      const double own = bound.relative > 0 ? unit_roundoff(ElementType::f64) : 0;
      ratio = compare::ratio_to_bound(got, wanted, expected.magnitude[i], bound.relative + own, bound.absolute);
    } else {
      const T exactly = element_at<T>(expected.values, i);
      wanted = static_cast<double>(exactly);
      ratio = bound.comparison == Comparison::bits ? compare::ratio_of_bits(got, exactly)
                                                   : compare::ratio_of_values(got, exactly);
    }
    result.error_ratio = std::max(result.error_ratio, ratio);
    all_zero = all_zero && static_cast<double>(got) == 0 && wanted == 0;
    result.equals_poison = result.equals_poison || std::memcmp(&got, &poisoned, sizeof got) == 0;
    if (!(ratio <= 1)) {
      const std::string element = fmt::format("{}[{}]", expected.buffer, i);
      result.verdict = Verdict::failed;
      result.wanted = fmt::format("{}", wanted);
      result.wants_nan = std::isnan(wanted);
      if (std::memcmp(&got, &poisoned, sizeof got) == 0) result.poisoned = element;
      const double most = bounded ? bound.relative * expected.magnitude[i] + bound.absolute : 0;
      result.detail = fmt::format("{} is {} where {} was expected{} (bound: {})", element, words_of(got), wanted,
                                  words_of_error(static_cast<double>(got) - wanted, most, ratio), bound.formula);
      return;
    }
  }
  if (all_zero && std::ranges::any_of(expected.magnitude, [](double m) { return m > 0; })) {
    result.verdict = Verdict::mistrusted;
    result.detail = fmt::format("every element of {} is zero, as is what was expected", expected.buffer);
  }
}

}  // namespace

ComparisonResult compare_outputs(const std::vector<Buffer>& buffers, const Expectation& expected,
                                 const std::vector<Bytes>& outputs, const std::vector<Bound>& bounds,
                                 std::uint8_t poison) {
  ComparisonResult result;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto wanted = std::ranges::find(expected, buffers[i].name, &ExpectedOutput::buffer);
    if (wanted == expected.end()) throw std::logic_error("the oracle says nothing about " + buffers[i].name);
    with_storage_of(buffers[i].type,
                    [&]<class T>(T) { compare_buffer<T>(*wanted, outputs.at(i), bounds.at(i), poison, result); });
    if (result.verdict == Verdict::failed) return result;
  }
  return result;
}

std::string difference(const Buffer& buffer, const Bytes& one, const Bytes& other) {
  const std::size_t size = size_of(buffer.type);
  for (std::size_t at = 0; at + size <= one.size(); at += size)
    if (std::memcmp(&one[at], &other[at], size) != 0)
      return fmt::format("the bits of {}[{}] are {} and {}", buffer.name, at / size, in_hex(&one[at], size),
                         in_hex(&other[at], size));
  return {};
}

}  // namespace warpwright::conformance
