// Operations of matrix units: products of small matrices, loads and stores of their rows, by a whole warp.
#include "kernels/runtime/simulator/engine/matrix_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <utility>

#include "kernels/core/random.hpp"
#include "kernels/runtime/common/half.cuh"
#include "kernels/runtime/simulator/engine/warp_unit.hpp"
#include "kernels/runtime/simulator/engine/warpgroup_unit.hpp"

namespace warpwright::simulator {
namespace {

constexpr unsigned lane_count = 32;
constexpr unsigned largest = 16 * 32;  ///< elements of a matrix

template <class T>
T& given_by(const Thread& lane) {
  return *reinterpret_cast<T*>(lane.value);
}

/// Number of the element in its matrix, row by row.
struct Place {
  const MatrixShape& shape;

  unsigned of_a(unsigned lane, unsigned element) const {
    if (shape.spread == Spread::evenly) return (element * lane_count + lane) % (shape.m * shape.k);
    const unsigned together = std::max(1U, 32 / bits_of_element(shape.a));
    const unsigned halves = shape.m / 8;
    const unsigned at = element / together;
    const unsigned row = lane / 4 + 8 * (at % halves);
    return row * shape.k + together * (lane % 4 + 4 * (at / halves)) + element % together;
  }
  unsigned of_b(unsigned lane, unsigned element) const {
    if (shape.spread == Spread::evenly) return (element * lane_count + lane) % (shape.k * shape.n);
    const unsigned together = std::max(1U, 32 / bits_of_element(shape.b));
    const unsigned row = together * (lane % 4 + 4 * (element / together)) + element % together;
    return row * shape.n + lane / 4;
  }
  unsigned of_sums(unsigned lane, unsigned element) const {
    if (shape.spread == Spread::evenly) return (element * lane_count + lane) % (shape.m * shape.n);
    return (lane / 4 + 8 * (element / 2)) * shape.n + 2 * (lane % 4) + element % 2;
  }
};

template <class T>
T element_at(const void* from, unsigned number) {
  T value;
  std::memcpy(&value, static_cast<const std::byte*>(from) + number * sizeof(T), sizeof(T));
  return value;
}

template <class T>
void put_at(void* to, unsigned number, T value) {
  std::memcpy(static_cast<std::byte*>(to) + number * sizeof(T), &value, sizeof(T));
}

constexpr std::uint32_t not_a_number = 0x7fffffff;

/// The next float towards zero of at most 24 digits; too large a number becomes infinite.
float cut_off(double value, int digits) {
  auto nearest = static_cast<float>(value);
  if (std::isfinite(nearest) && std::fabs(static_cast<double>(nearest)) > std::fabs(value))
    nearest = std::nextafter(nearest, 0.0F);
  if (!std::isfinite(nearest)) return nearest;
  const auto dropped = static_cast<unsigned>(std::numeric_limits<float>::digits - digits);
  return std::bit_cast<float>(std::bit_cast<std::uint32_t>(nearest) >> dropped << dropped);
}

double nearest_half(double value) {
  return static_cast<double>(float16(value));
}

/// Below the exponents of all products that are not zero.
constexpr int no_exponent = -1000;

/// The exponent of the smallest normal number.
int least_exponent(MatrixElement type) {
  constexpr int of_halves = -14, of_e4m3 = -6;
  if (type == MatrixElement::e4m3) return of_e4m3;
  if (type == MatrixElement::f16 || type == MatrixElement::e5m2) return of_halves;
  return std::numeric_limits<float>::min_exponent - 1;
}

bool is_float8(MatrixElement type) {
  return type == MatrixElement::e4m3 || type == MatrixElement::e5m2;
}

/// The exponent that is stored in a number: a subnormal one has that of the smallest normal number of its type.
int exponent_of(double value, int least) {
  return value == 0 ? no_exponent : std::max(std::ilogb(value), least);
}

/// 2 to that power, for a normal double.
double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// Products that are added at once, each with the sum of its factors' exponents.
class Terms {
 public:
  void add(double left, int least_left, double right, int least_right) {
    products_[count_] = left * right;
    // Not normalised: a product of two significands may be 2 or more.
    exponents_[count_++] =
        left == 0 || right == 0 ? no_exponent : exponent_of(left, least_left) + exponent_of(right, least_right);
  }
  unsigned count() const { return count_; }
  /// One addition of the unit: the sum, which is a float or a half, and all of them. Forgets them.
  double add_to(double sum, MatrixElement type, int extra_bits, int digits) {
    double plain = sum;
    int highest = exponent_of(sum, least_exponent(type));
    for (unsigned i = 0; i < count_; ++i) {
      plain += products_[i];
      highest = std::max(highest, exponents_[i]);
    }
    const unsigned count = std::exchange(count_, 0);
    if (std::isnan(plain)) return static_cast<double>(std::bit_cast<float>(not_a_number));
    if (std::isinf(plain) || highest == no_exponent) return plain;
    const int last = highest - (std::numeric_limits<float>::digits - 1) - extra_bits;
    const double up = power_of_two(-last);
    auto total = static_cast<std::int64_t>(sum * up);
    for (unsigned i = 0; i < count; ++i) total += static_cast<std::int64_t>(products_[i] * up);
    const double exact = static_cast<double>(total) * power_of_two(last);
    return type == MatrixElement::f16 ? nearest_half(exact) : static_cast<double>(cut_off(exact, digits));
  }

 private:
  static constexpr unsigned most = 32;
  double products_[most];
  int exponents_[most];
  unsigned count_ = 0;
};

/// The product of 8-bit floats as two products of halves.
double add_split_products(const MatrixAdder& adder, const MatrixShape& shape, double sum, const double* a,
                          const double* b, unsigned step) {
  const int least = least_exponent(MatrixElement::f16);
  double total = 0;
  for (unsigned part = 0; part < 2; ++part) {
    Terms terms;
    for (unsigned k = 0; k < shape.k; ++k)
      if (k % 4 / 2 == part) terms.add(a[k], least, b[std::size_t{k} * step], least);
    total = terms.add_to(total, shape.sum, adder.extra_bits, std::numeric_limits<float>::digits);
  }
  if (std::isnan(sum + total)) return static_cast<double>(std::bit_cast<float>(not_a_number));
  if (shape.sum == MatrixElement::f16) return nearest_half(sum + total);
  return static_cast<double>(static_cast<float>(sum) + static_cast<float>(total));
}

}  // namespace

const char* ptx_name(MatrixElement type) {
  constexpr const char* names[] = {"f16", "bf16", "tf32", "f32", "f64", "s8", "u8", "s32", "e4m3", "e5m2"};
  return names[static_cast<unsigned>(type)];
}

double value_of(const void* from, unsigned number, MatrixElement type) {
  switch (type) {
    case MatrixElement::f16:
      return element_at<float16>(from, number);
    case MatrixElement::bf16:
      return element_at<bfloat16>(from, number);
    case MatrixElement::tf32:
      return std::bit_cast<float>(element_at<std::uint32_t>(from, number) & 0xffffe000U);
    case MatrixElement::f32:
      return element_at<float>(from, number);
    case MatrixElement::f64:
      return element_at<double>(from, number);
    case MatrixElement::s8:
      return element_at<std::int8_t>(from, number);
    case MatrixElement::u8:
      return element_at<std::uint8_t>(from, number);
    case MatrixElement::s32:
      return element_at<std::int32_t>(from, number);
    case MatrixElement::e4m3:
      return element_at<float8_e4m3>(from, number);
    case MatrixElement::e5m2:
      return element_at<float8_e5m2>(from, number);
  }
  return 0;
}

void put_sum(void* to, unsigned number, MatrixElement type, double value) {
  switch (type) {
    case MatrixElement::f16:
      return put_at(to, number, float16(value));
    case MatrixElement::f32:
      return put_at(to, number, static_cast<float>(value));
    case MatrixElement::s32:
      return put_at(to, number, static_cast<std::uint32_t>(static_cast<std::int64_t>(value)));
    default:
      return put_at(to, number, value);
  }
}

double add_products(const MatrixAdder& adder, const MatrixShape& shape, double sum, const double* a, const double* b,
                    unsigned step) {
  if (shape.sum == MatrixElement::f64) {
    for (unsigned k = 0; k < shape.k; ++k) sum = std::fma(a[k], b[std::size_t{k} * step], sum);
    return sum;
  }
  if (shape.sum == MatrixElement::s32) {
    for (unsigned k = 0; k < shape.k; ++k) sum += a[k] * b[std::size_t{k} * step];
    constexpr double most = std::numeric_limits<std::int32_t>::max(), least = std::numeric_limits<std::int32_t>::min();
    return shape.saturates ? std::clamp(sum, least, most) : sum;
  }
  const bool of_float8 = is_float8(shape.a);
  const bool by_a_warp = shape.m == 16;
  if (of_float8 && by_a_warp && adder.splits_float8) return add_split_products(adder, shape, sum, a, b, step);
  const Float8Adder as =
      of_float8 ? adder.of_float8
                : Float8Adder{.width = shape.a == MatrixElement::tf32 ? adder.width_of_tfloats : adder.width_of_halves,
                              .extra_bits = adder.extra_bits,
                              .digits = std::numeric_limits<float>::digits};
  Terms terms;
  for (unsigned k = 0; k < shape.k; ++k) {
    terms.add(a[k], least_exponent(shape.a), b[std::size_t{k} * step], least_exponent(shape.b));
    if (terms.count() == as.width || k + 1 == shape.k) sum = terms.add_to(sum, shape.sum, as.extra_bits, as.digits);
  }
  return sum;
}

void MatrixUnit::begin(const SimulationOptions& options) {
  const auto drawn = static_cast<int>(Random(options.schedule.seed).below(std::size(matrix_adders)));
  const auto number = static_cast<unsigned>(options.matrix_adder.value_or(drawn));
  adder_ = matrix_adders[number % std::size(matrix_adders)];
}

std::string MatrixUnit::name_of(WarpOperation operation, const Thread& lane) {
  if (operation == WarpOperation::load_matrices || operation == WarpOperation::store_matrices) {
    const auto& rows = given_by<MatrixRows>(lane);
    return fmt::format("{}matrix.x{}{}", operation == WarpOperation::load_matrices ? "ld" : "st", rows.count,
                       rows.is_transposed ? ".trans" : "");
  }
  if (operation == WarpOperation::move_matrix)
    return given_by<MatrixMove>(lane).stores ? "store_matrix_sync" : "load_matrix_sync";
  if (operation == WarpOperation::start_product) return simulator::name_of(given_by<WarpgroupProduct>(lane));
  if (operation > WarpOperation::start_product) return simulator::name_of(operation);
  const MatrixShape& s = given_by<MatrixProduct>(lane).shape;
  const char* const sum = ptx_name(s.sum);
  return fmt::format("{} m{}n{}k{} {}{}.{}.{}.{}", s.spread == Spread::mma ? "mma.sync" : "wmma", s.m, s.n, s.k,
                     s.saturates ? "satfinite." : "", sum, ptx_name(s.a), ptx_name(s.b), sum);
}

bool MatrixUnit::same(WarpOperation operation, const Thread& a, std::uint64_t value_of_b) {
  if (operation == WarpOperation::load_matrices || operation == WarpOperation::store_matrices) {
    const auto& one = given_by<MatrixRows>(a);
    const auto& other = *reinterpret_cast<const MatrixRows*>(value_of_b);
    return one.count == other.count && one.is_transposed == other.is_transposed;
  }
  if (operation == WarpOperation::move_matrix)
    return given_by<MatrixMove>(a) == *reinterpret_cast<const MatrixMove*>(value_of_b);
  if (operation == WarpOperation::start_product)
    return are_same(given_by<WarpgroupProduct>(a), *reinterpret_cast<const WarpgroupProduct*>(value_of_b));
  if (operation > WarpOperation::start_product) return true;
  return given_by<MatrixProduct>(a).shape == reinterpret_cast<const MatrixProduct*>(value_of_b)->shape;
}

void MatrixUnit::complete(const Warp& warp, WarpOperation operation) const {
  if (operation == WarpOperation::multiply_matrices)
    return multiply(warp, given_by<MatrixProduct>(warp.lanes[0]).shape);
  const bool loads = operation == WarpOperation::load_matrices;
  if (!loads && operation != WarpOperation::store_matrices) return;
  // Lane 8 i + r has row r of matrix i. A lane has two neighbours of a row, or of a column.
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    auto& mine = given_by<MatrixRows>(warp.lanes[lane]);
    for (unsigned matrix = 0; matrix < mine.count; ++matrix) {
      for (unsigned second = 0; second < 2; ++second) {
        const unsigned along = 2 * (lane % 4) + second, across = lane / 4;
        const unsigned row = mine.is_transposed ? along : across, column = mine.is_transposed ? across : along;
        auto& words = given_by<MatrixRows>(warp.lanes[8 * matrix + row]).row;
        if (loads)
          put_at(mine.held, 2 * matrix + second, element_at<std::uint16_t>(words, column));
        else
          put_at(words, column, element_at<std::uint16_t>(mine.held, 2 * matrix + second));
      }
    }
  }
}

void MatrixUnit::multiply(const Warp& warp, const MatrixShape& shape) const {
  double a[largest], b[largest], sums[largest];
  const Place place{shape};
  const auto held = [](unsigned elements) { return elements / lane_count; };
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    const auto& mine = given_by<MatrixProduct>(warp.lanes[lane]);
    for (unsigned i = 0; i < held(shape.m * shape.k); ++i) a[place.of_a(lane, i)] = value_of(mine.a, i, shape.a);
    for (unsigned i = 0; i < held(shape.k * shape.n); ++i) b[place.of_b(lane, i)] = value_of(mine.b, i, shape.b);
    for (unsigned i = 0; i < held(shape.m * shape.n); ++i)
      sums[place.of_sums(lane, i)] = value_of(mine.sums, i, shape.sum);
  }
  for (unsigned row = 0; row < shape.m; ++row)
    for (unsigned column = 0; column < shape.n; ++column) {
      double& sum = sums[row * shape.n + column];
      sum = add_products(adder_, shape, sum, a + row * shape.k, b + column, shape.n);
    }
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    void* const to = given_by<MatrixProduct>(warp.lanes[lane]).sums;
    for (unsigned i = 0; i < held(shape.m * shape.n); ++i) put_sum(to, i, shape.sum, sums[place.of_sums(lane, i)]);
  }
}

}  // namespace warpwright::simulator
