// Runs products of matrices of given operands in the simulator, and compares them with plain ones.
#include "kernels/runtime/built_in_tests/matrix_trial.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <stdexcept>

#include "kernels/core/random.hpp"
#include "kernels/runtime/built_in_tests/trial.hpp"
#include "kernels/runtime/common/half.cuh"
#include "kernels/runtime/simulator/module/compile.hpp"
#include "kernels/runtime/simulator/simulate.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright::built_ins {
namespace {

using Bytes = std::vector<std::byte>;

/// D = A B + C for `count` products, one warp each. All matrices lie row by row. Where a lane finds its elements is
/// written as in the PTX ISA, and not as in the simulator.
constexpr const char* kText = R"(
#pragma once
#include "kernels/runtime/matrix.cuh"
namespace warpwright::trial {
template <int M, int N, int K, class A, class B, class Sum>
__global__ void product(const unsigned char* all_a, const unsigned char* all_b, const unsigned char* all_c,
                        unsigned char* all_d) {
  const A* const a = reinterpret_cast<const A*>(all_a) + blockIdx.x * M * K;
  const B* const b = reinterpret_cast<const B*>(all_b) + blockIdx.x * K * N;
  const Sum* const c = reinterpret_cast<const Sum*>(all_c) + blockIdx.x * M * N;
  Sum* const d = reinterpret_cast<Sum*>(all_d) + blockIdx.x * M * N;
  constexpr int kTogether = sizeof(A) == 8 ? 1 : 4 / sizeof(A);
  const int group = threadIdx.x >> 2, member = threadIdx.x % 4;
  fragment_of_a<M, K, A> of_a;
  fragment_of_b<N, K, B> of_b;
  fragment_of_sums<M, N, Sum> sums;
  for (int i = 0; i < M * K / 32; ++i) {
    const int at = i / kTogether;
    const int row = M == 16 && at % 2 == 1 ? group + 8 : group;
    const int column = kTogether * member + i % kTogether + (M == 16 ? at / 2 : at) * 4 * kTogether;
    reinterpret_cast<A*>(of_a)[i] = a[row * K + column];
  }
  for (int i = 0; i < K * N / 32; ++i) {
    const int row = kTogether * member + i % kTogether + i / kTogether * 4 * kTogether;
    reinterpret_cast<B*>(of_b)[i] = b[row * N + group];
  }
  const auto at = [&](int i) { return (i < 2 ? group : group + 8) * N + 2 * member + i % 2; };
  for (int i = 0; i < M * N / 32; ++i) reinterpret_cast<Sum*>(sums)[i] = c[at(i)];
  multiply_add<M, N, K, A, B, Sum>(sums, of_a, of_b);
  for (int i = 0; i < M * N / 32; ++i) d[at(i)] = reinterpret_cast<Sum*>(sums)[i];
}
}
)";

}  // namespace

SourceTree product_sources() {
  SourceTree all = headers_of_the_tree();
  all["product.cuh"] = kText;
  return all;
}

std::string product_entry(const MatrixRow& row) {
  const auto name = [](const std::string& type) {
    return type.find("float16") != std::string::npos || type == "tfloat32" ? "warpwright::" + type : type;
  };
  return fmt::format("warpwright::trial::product<{}, {}, {}, {}, {}, {}>", row.m, row.n, row.k, name(row.a),
                     name(row.b), name(row.sum));
}

std::vector<std::string> product_entries(int architecture) {
  std::vector<std::string> entries;
  for (const MatrixRow& row : matrix_rows())
    if (row.architecture <= architecture) entries.push_back(product_entry(row));
  return entries;
}

namespace {

const simulator::Module& module() {
  static const TemporaryFolder folder;
  static const simulator::Module loaded = [] {
    const auto result =
        simulator::compile({.sources = product_sources(), .headers = {"product.cuh"}, .entries = product_entries(90)},
                           folder / "product.so");
    if (!result.ok()) throw std::runtime_error(result.log);
    return simulator::Module(folder / "product.so");
  }();
  return loaded;
}

}  // namespace

std::size_t bytes_of_type(const std::string& type) {
  if (type.find("char") != std::string::npos) return 1;
  if (type == "float16" || type == "bfloat16") return 2;
  return type == "double" ? 8 : 4;
}

void put(Bytes& to, std::size_t at, const std::string& type, double value) {
  const auto store = [&](auto element) { std::memcpy(to.data() + at * sizeof(element), &element, sizeof(element)); };
  if (type == "float16")
    store(float16(value));
  else if (type == "bfloat16")
    store(bfloat16(value));
  else if (type == "tfloat32")
    store(std::bit_cast<std::uint32_t>(static_cast<float>(value)) & 0xffffe000U);
  else if (type == "float")
    store(static_cast<float>(value));
  else if (type == "double")
    store(value);
  else if (type == "int")
    store(static_cast<std::int32_t>(value));
  else
    store(static_cast<std::uint8_t>(static_cast<std::int64_t>(value)));
}

double get(const Bytes& from, std::size_t at, const std::string& type) {
  const auto load = [&]<class T>(T element) {
    std::memcpy(&element, from.data() + at * sizeof(T), sizeof(T));
    return element;
  };
  if (type == "float16") return load(float16());
  if (type == "bfloat16") return load(bfloat16());
  if (type == "tfloat32" || type == "float") return load(float());
  if (type == "double") return load(double());
  if (type == "int") return load(std::int32_t());
  return type == "signed char" ? load(std::int8_t()) : static_cast<double>(load(std::uint8_t()));
}

Operands::Operands(const MatrixRow& of, int products) : row(of), count(products) {
  a.resize(elements(row.m * row.k) * bytes_of_type(row.a));
  b.resize(elements(row.k * row.n) * bytes_of_type(row.b));
  c.resize(elements(row.m * row.n) * bytes_of_type(row.sum));
}

Operands whole_numbers(const MatrixRow& row, int limit) {
  Operands of(row, 3);
  simulator::Random random(1);
  const auto fill = [&](Bytes& to, const std::string& type, int most) {
    for (std::size_t i = 0; i < to.size() / bytes_of_type(type); ++i) {
      const int low = type == "unsigned char" ? 0 : -most;
      put(to, i, type, low + static_cast<int>(random.below(static_cast<std::uint64_t>(most - low + 1))));
    }
  };
  fill(of.a, row.a, limit);
  fill(of.b, row.b, limit);
  fill(of.c, row.sum, 100);
  return of;
}

Operands random_numbers(const MatrixRow& row, int count, int range) {
  Operands of(row, count);
  simulator::Random random(2);
  const auto fill = [&](Bytes& to, const std::string& type) {
    for (std::size_t i = 0; i < to.size() / bytes_of_type(type); ++i) {
      const double size = std::ldexp(1.0, -static_cast<int>(random.below(static_cast<std::uint64_t>(range) + 1)));
      put(to, i, type, (static_cast<double>(random.next() >> 11) * 0x1p-52 - 1) * size);
    }
  };
  fill(of.a, row.a);
  fill(of.b, row.b);
  fill(of.c, row.sum);
  return of;
}

Plan product_plan(const Operands& of) {
  const auto buffer = [](const std::string& name, Role role, const Bytes& bytes) {
    return Buffer{
        .name = name, .role = role, .type = ElementType::u8, .count = static_cast<std::int64_t>(bytes.size())};
  };
  return {
      .buffers = {buffer("a", Role::in, of.a), buffer("b", Role::in, of.b), buffer("c", Role::in, of.c),
                  buffer("d", Role::out, of.c)},
      .steps = {{.what = Launch{.entry = product_entry(of.row),
                                .grid = {.x = static_cast<std::uint32_t>(of.count)},
                                .block = {.x = 32},
                                .arguments = {pointer_to("a"), pointer_to("b"), pointer_to("c"), pointer_to("d")}}}}};
}

Bytes simulated(const Operands& of, unsigned adder) {
  std::vector<Bytes> contents{of.a, of.b, of.c, Bytes(of.c.size())};
  simulator::SimulationOptions options;
  options.device.compute_capability = 90;
  options.matrix_adder = static_cast<int>(adder);
  const simulator::Execution execution = simulator::simulate(product_plan(of), module(), contents, options);
  if (!execution.clean()) throw std::runtime_error(simulator::describe(execution.findings.front()));
  return contents[3];
}

std::string wrong(const Operands& of, const Bytes& d) {
  const MatrixRow& row = of.row;
  for (int product = 0; product < of.count; ++product)
    for (int line = 0; line < row.m; ++line)
      for (int column = 0; column < row.n; ++column) {
        double sum = of.at_c(product, line, column);
        for (int k = 0; k < row.k; ++k) sum += of.at_a(product, line, k) * of.at_b(product, k, column);
        const double got = of.at_d(d, product, line, column);
        if (got != sum)
          return fmt::format("{} of product {}: d[{}][{}] is {}, not {}", row.instruction(), product, line, column, got,
                             sum);
      }
  return {};
}

std::string beyond_the_bound(const Operands& of, const Bytes& d) {
  const MatrixRow& row = of.row;
  const double u = row.sum == "double" ? 0x1p-53 : 0x1p-24;
  const double depth = row.sum == "double" ? row.k : 2.0 * (row.k + 2.0 * std::ceil(row.k / 4.0));
  for (int product = 0; product < of.count; ++product)
    for (int line = 0; line < row.m; ++line)
      for (int column = 0; column < row.n; ++column) {
        long double sum = of.at_c(product, line, column);
        double size = std::fabs(of.at_c(product, line, column));
        for (int k = 0; k < row.k; ++k) {
          const long double term = static_cast<long double>(of.at_a(product, line, k)) * of.at_b(product, k, column);
          sum += term;
          size += std::fabs(static_cast<double>(term));
        }
        const double last_rounding = row.sum == "float16" ? std::fabs(static_cast<double>(sum)) * 0x1p-11 + 0x1p-24 : 0;
        const double error = std::fabs(static_cast<double>(of.at_d(d, product, line, column) - sum));
        if (!(error <= depth * u * size * (1 + 0x1p-10) + last_rounding))
          return fmt::format("{} of product {}: d[{}][{}] has an error of {:.3} u of its terms", row.instruction(),
                             product, line, column, error / u / size);
      }
  return {};
}

}  // namespace warpwright::built_ins
