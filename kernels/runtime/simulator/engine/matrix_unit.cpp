// Operations of matrix units: products of small matrices, and loads of their rows, by a whole warp.
#include "kernels/runtime/simulator/engine/matrix_unit.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

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

const char* ptx_name(MatrixElement type) {
  constexpr const char* names[] = {"f16", "bf16", "tf32", "f32", "f64", "s8", "u8", "s32"};
  return names[static_cast<unsigned>(type)];
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

/// The next float towards zero; too large a number becomes infinite.
float cut_off(double value) {
  auto nearest = static_cast<float>(value);
  if (std::isfinite(nearest) && std::fabs(static_cast<double>(nearest)) > std::fabs(value))
    nearest = std::nextafter(nearest, 0.0F);
  return nearest;
}

/// Below the exponents of all products that are not zero.
constexpr int no_exponent = -1000;

constexpr int least_exponent_of_floats = std::numeric_limits<float>::min_exponent - 1;

/// The exponent that is stored in a number: a subnormal one has that of the smallest normal number of its type.
int exponent_of(double value, int least) {
  return value == 0 ? no_exponent : std::max(std::ilogb(value), least);
}

/// 2 to that power, for a normal double.
double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

/// One addition of the unit: all of them at once.
float add_together(float sum, const double* products, const int* exponents, unsigned count, int extra_bits) {
  double plain = static_cast<double>(sum);
  int highest = exponent_of(plain, least_exponent_of_floats);
  for (unsigned i = 0; i < count; ++i) {
    plain += products[i];
    highest = std::max(highest, exponents[i]);
  }
  if (std::isnan(plain)) return std::bit_cast<float>(not_a_number);
  if (std::isinf(plain)) return static_cast<float>(plain);
  if (highest == no_exponent) return static_cast<float>(plain);
  const int last = highest - (std::numeric_limits<float>::digits - 1) - extra_bits;
  const double up = power_of_two(-last);
  auto total = static_cast<std::int64_t>(static_cast<double>(sum) * up);
  for (unsigned i = 0; i < count; ++i) total += static_cast<std::int64_t>(products[i] * up);
  return cut_off(static_cast<double>(total) * power_of_two(last));
}

}  // namespace

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
  }
  return 0;
}

float add_products(const MatrixAdder& adder, MatrixElement type, float sum, const double* a, const double* b,
                   unsigned step, unsigned count) {
  constexpr int least_exponent_of_halves = -14;
  const int least = type == MatrixElement::f16 ? least_exponent_of_halves : least_exponent_of_floats;
  const unsigned width = type == MatrixElement::tf32 ? adder.width_of_tfloats : adder.width_of_halves;
  constexpr unsigned most = 16;
  double products[most];
  int exponents[most];
  for (unsigned first = 0; first < count; first += width) {
    const unsigned together = std::min(width, count - first);
    for (unsigned i = 0; i < together; ++i) {
      const double left = a[first + i];
      const double right = b[(first + i) * step];
      products[i] = left * right;
      // Not normalised: a product of two significands may be 2 or more.
      exponents[i] = left == 0 || right == 0 ? no_exponent : exponent_of(left, least) + exponent_of(right, least);
    }
    sum = add_together(sum, products, exponents, together, adder.extra_bits);
  }
  return sum;
}

void MatrixUnit::begin(const SimulationOptions& options) {
  const auto drawn = static_cast<int>(Random(options.schedule.seed).below(std::size(matrix_adders)));
  const auto number = static_cast<unsigned>(options.matrix_adder.value_or(drawn));
  adder_ = matrix_adders[number % std::size(matrix_adders)];
}

std::string MatrixUnit::name_of(WarpOperation operation, const Thread& lane) {
  if (operation == WarpOperation::load_matrices) {
    const auto& load = given_by<MatrixLoad>(lane);
    return fmt::format("ldmatrix.x{}{}", load.count, load.is_transposed ? ".trans" : "");
  }
  if (operation == WarpOperation::move_matrix)
    return given_by<MatrixMove>(lane).stores ? "store_matrix_sync" : "load_matrix_sync";
  if (operation == WarpOperation::start_product) return simulator::name_of(given_by<WarpgroupProduct>(lane));
  if (operation > WarpOperation::start_product) return simulator::name_of(operation);
  const MatrixShape& s = given_by<MatrixProduct>(lane).shape;
  const auto of = [](MatrixElement type) { return ptx_name(type); };
  return fmt::format("{} m{}n{}k{} {}.{}.{}.{}", s.spread == Spread::mma ? "mma.sync" : "wmma", s.m, s.n, s.k,
                     of(s.sum), of(s.a), of(s.b), of(s.sum));
}

bool MatrixUnit::same(WarpOperation operation, const Thread& a, std::uint64_t value_of_b) {
  if (operation == WarpOperation::load_matrices) {
    const auto& one = given_by<MatrixLoad>(a);
    const auto& other = *reinterpret_cast<const MatrixLoad*>(value_of_b);
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
  if (operation != WarpOperation::load_matrices) return;
  // Lane 8 i + r has row r of matrix i. A lane gets two neighbours of a row, or of a column.
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    auto& load = given_by<MatrixLoad>(warp.lanes[lane]);
    for (unsigned matrix = 0; matrix < load.count; ++matrix) {
      const auto element = [&](unsigned row, unsigned column) -> std::uint32_t {
        const auto& words = given_by<MatrixLoad>(warp.lanes[8 * matrix + row]).row;
        return words[column / 2] >> 16 * (column % 2) & 0xffff;
      };
      const unsigned along = 2 * (lane % 4);
      const unsigned across = lane / 4;
      load.loaded[matrix] = load.is_transposed ? element(along, across) | element(along + 1, across) << 16
                                               : element(across, along) | element(across, along + 1) << 16;
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
      const double* const left = a + row * shape.k;
      const double* const right = b + column;
      if (shape.sum == MatrixElement::f64) {
        for (unsigned k = 0; k < shape.k; ++k) sum = std::fma(left[k], right[k * shape.n], sum);
      } else if (shape.sum == MatrixElement::s32) {
        for (unsigned k = 0; k < shape.k; ++k) sum += left[k] * right[k * shape.n];
      } else {
        sum = add_products(adder_, shape.a, static_cast<float>(sum), left, right, shape.n, shape.k);
      }
    }
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    void* const to = given_by<MatrixProduct>(warp.lanes[lane]).sums;
    for (unsigned i = 0; i < held(shape.m * shape.n); ++i) {
      const double sum = sums[place.of_sums(lane, i)];
      switch (shape.sum) {
        case MatrixElement::f16:
          put_at(to, i, float16(sum));
          break;
        case MatrixElement::f32:
          put_at(to, i, static_cast<float>(sum));
          break;
        case MatrixElement::s32:  // the lower bits
          put_at(to, i, static_cast<std::uint32_t>(static_cast<std::int64_t>(sum)));
          break;
        default:
          put_at(to, i, sum);
      }
    }
  }
}

}  // namespace warpwright::simulator
