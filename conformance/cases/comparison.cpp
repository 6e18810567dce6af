// Compares outputs on the CPU, by the same element rule that devices use.
#include "conformance/cases/comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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
auto printed(T element) {
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

/// ", an error of 0.5, 12 times the bound of 0.04"; empty if the error is not known as a double.
std::string words_of_error(double error, double most, double ratio) {
  if (!std::isfinite(error) || !std::isfinite(most) || error == 0) return {};
  if (most <= 0) return fmt::format(", an error of {:.6g} where none is allowed", std::abs(error));
  return fmt::format(", an error of {:.6g}, {:.4g} times the bound of {:.6g}", std::abs(error), ratio, most);
}

/// Whether the oracle's memory, filled with its poison, would give this as the expected value.
template <class T>
bool may_be_poison(double wanted) {
  T poison;
  std::memset(&poison, kPoison, sizeof poison);
  return std::isnan(wanted) || wanted == static_cast<double>(poison);
}

/// The wrong elements of one buffer.
struct WrongElements {
  std::size_t count = 0;
  std::size_t worst = 0;  ///< the index of the largest error in multiples of its bound
  double ratio = 0;       ///< of it

  /// "; 3 of 8 elements are wrong, out[5] by 7 times the bound"
  std::string words(std::size_t elements, std::size_t first, const std::string& worst_name) const {
    if (count == 1) return elements == 1 ? "" : fmt::format("; it is the only wrong one of {} elements", elements);
    const bool is_worse = worst != first && std::isfinite(ratio);
    return fmt::format("; {} of {} elements are wrong{}", count, elements,
                       is_worse ? fmt::format(", {} by {:.4g} times the bound", worst_name, ratio) : "");
  }
};

template <class T>
void compare_buffer(const Buffer& buffer, const ExpectedOutput& expected, const Bytes& output, const Bound& bound,
                    std::uint8_t poison, const ElementName& name, ComparisonResult& result) {
  const bool bounded = bound.comparison == Comparison::bounded;
  const std::size_t count = output.size() / sizeof(T);
  const std::size_t expected_count = expected.values.size() / (bounded ? sizeof(double) : sizeof(T));
  if (expected_count != count || (bounded && expected.magnitude.size() != count))
    throw std::logic_error(
        fmt::format("the oracle gives {} elements of {}, not {}", expected_count, expected.buffer, count));
  const auto name_of = [&](std::size_t i) { return name(expected.buffer, static_cast<std::int64_t>(i)); };
  T poisoned;
  std::memset(&poisoned, poison, sizeof poisoned);
  bool all_zero = count > 0;
  double worst_ratio = 0;
  WrongElements wrong;
  for (std::size_t i = 0; i < count; ++i) {
    if (bounded && expected.magnitude[i] == compare::kNotCompared) continue;
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
    worst_ratio = std::max(worst_ratio, ratio);
    all_zero = all_zero && static_cast<double>(got) == 0 && wanted == 0;
    const bool is_poison = std::memcmp(&got, &poisoned, sizeof got) == 0;
    if (ratio <= 1) {
      result.equals_poison = result.equals_poison || is_poison;
      continue;
    }
    if (wrong.count == 0) {
      const double most = bounded ? bound.relative * expected.magnitude[i] + bound.absolute : 0;
      result.verdict = Verdict::failed;
      result.buffer = expected.buffer;
      result.index = static_cast<std::int64_t>(i);
      result.elements = static_cast<std::int64_t>(count);
      result.element = name_of(i);
      result.got = fmt::format("{}", printed(got));
      // Not all whole numbers of 64 bits are doubles.
      result.wanted =
          bounded ? fmt::format("{}", wanted) : fmt::format("{}", printed(element_at<T>(expected.values, i)));
      result.is_poison = is_poison;
      result.wants_poison = may_be_poison<T>(wanted);
      result.detail =
          fmt::format("{} is {} where {} was expected{} (bound: {})", result.element, result.got, result.wanted,
                      words_of_error(static_cast<double>(got) - wanted, most, ratio), bound.formula);
    }
    ++wrong.count;
    if (ratio > wrong.ratio) {
      wrong.ratio = ratio;
      wrong.worst = i;
    }
  }
  result.error_ratio = std::max(result.error_ratio, worst_ratio);
  result.accuracy.add(accuracy_of(worst_ratio, bound, buffer.type));
  if (result.failed()) {
    result.detail += wrong.words(count, static_cast<std::size_t>(result.index), name_of(wrong.worst));
    return;
  }
  if (all_zero && std::ranges::any_of(expected.magnitude, [](double m) { return m > 0; })) {
    result.verdict = Verdict::mistrusted;
    result.detail = fmt::format("every element of {} is zero, as is what was expected", expected.buffer);
  }
}

/// The values of a few elements, as people write them.
template <class T>
std::string values_of(const Bytes& bytes, std::size_t first, std::size_t last) {
  std::string text;
  for (std::size_t i = first; i < last; ++i)
    text += fmt::format("{}{}", i == first ? "" : ", ", printed(element_at<T>(bytes, i)));
  return text;
}

}  // namespace

std::string flat_name(const std::string& buffer, std::int64_t index) {
  return fmt::format("{}[{}]", buffer, index);
}

ComparisonResult compare_outputs(const std::vector<Buffer>& buffers, const Expectation& expected,
                                 const std::vector<Bytes>& outputs, const std::vector<Bound>& bounds,
                                 std::uint8_t poison, const ElementName& name) {
  ComparisonResult result;
  for (std::size_t i = 0; i < buffers.size(); ++i) {
    const auto wanted = std::ranges::find(expected, buffers[i].name, &ExpectedOutput::buffer);
    if (wanted == expected.end()) throw std::logic_error("the oracle says nothing about " + buffers[i].name);
    with_storage_of(buffers[i].type, [&]<class T>(T) {
      compare_buffer<T>(buffers[i], *wanted, outputs.at(i), bounds.at(i), poison, name, result);
    });
    if (result.failed()) return result;
  }
  return result;
}

std::string inputs_of(const std::vector<Buffer>& buffers, const std::vector<Bytes>& inputs, const std::string& output,
                      std::int64_t index, const ElementName& name) {
  constexpr std::int64_t few = 8;
  const auto of = std::ranges::find(buffers, output, &Buffer::name);
  std::vector<std::string> words;
  std::size_t next = 0;
  for (const Buffer& buffer : buffers) {
    if (!buffer.is_input()) continue;
    const Bytes& bytes = inputs.at(next++);
    const bool is_alike = of != buffers.end() && buffer.count == of->count;
    if (buffer.count > few && !is_alike) continue;
    const auto at = static_cast<std::size_t>(index);
    words.push_back(with_storage_of(buffer.type, [&]<class T>(T) {
      return buffer.count > few ? fmt::format("{} is {}", name(buffer.name, index), values_of<T>(bytes, at, at + 1))
                                : fmt::format("{} is {{{}}}", buffer.name,
                                              values_of<T>(bytes, 0, static_cast<std::size_t>(buffer.count)));
    }));
  }
  return fmt::format("{}", fmt::join(words, ", "));
}

std::string difference(const Buffer& buffer, const Bytes& one, const Bytes& other, const ElementName& name) {
  if (one == other) return {};
  const std::size_t size = size_of(buffer.type);
  for (std::size_t at = 0; at + size <= one.size(); at += size)
    if (std::memcmp(&one[at], &other[at], size) != 0)
      return fmt::format("the bits of {} are {} and {}", name(buffer.name, static_cast<std::int64_t>(at / size)),
                         in_hex(&one[at], size), in_hex(&other[at], size));
  return {};
}

}  // namespace warpwright::conformance
