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
template <int M, int N, int K, class A, class B, class Sum, bool Saturates>
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
  if constexpr (Saturates)
    multiply_add_saturated<M, N, K, A, B>(sums, of_a, of_b);
  else
    multiply_add<M, N, K, A, B, Sum>(sums, of_a, of_b);
  for (int i = 0; i < M * N / 32; ++i) d[at(i)] = reinterpret_cast<Sum*>(sums)[i];
}
}
)";

/// The same by a warpgroup, with operands in shared memory without a swizzle: matrices of 8 rows of 16 bytes, two of
/// which hold the terms of 8 rows.
constexpr const char* kGroupText = R"(
#pragma once
#include "kernels/runtime/warpgroup_bytes.cuh"
#include "kernels/runtime/warpgroup_float8.cuh"
#include "kernels/runtime/warpgroup_half_sums.cuh"
#include "kernels/runtime/warpgroup_tf32.cuh"
namespace warpwright::trial {
template <int N, int K, class A, class B, class Sum, bool Saturates, bool AInRegisters>
__global__ void group_product(const unsigned char* all_a, const unsigned char* all_b, const unsigned char* all_c,
                              unsigned char* all_d) {
  const A* const a = reinterpret_cast<const A*>(all_a) + blockIdx.x * 64 * K;
  const B* const b = reinterpret_cast<const B*>(all_b) + blockIdx.x * K * N;
  const Sum* const c = reinterpret_cast<const Sum*>(all_c) + blockIdx.x * 64 * N;
  Sum* const d = reinterpret_cast<Sum*>(all_d) + blockIdx.x * 64 * N;
  constexpr int kPiece = 16 / sizeof(A);
  alignas(128) __shared__ A left[64 * K];
  alignas(128) __shared__ B right[N * K];
  const auto place = [](int row, int k) {
    return (row / 8 * 2 + k / kPiece) * 8 * kPiece + row % 8 * kPiece + k % kPiece;
  };
  for (int i = threadIdx.x; i < 64 * K; i += 128) left[place(i / K, i % K)] = a[i];
  for (int i = threadIdx.x; i < K * N; i += 128) right[place(i % N, i / N)] = b[i];
  fence_async();
  __syncthreads();
  const int first = threadIdx.x / 32 * 16, group = threadIdx.x % 32 / 4, member = threadIdx.x % 4;
  fragment_of_a<16, K, A> of_a;
  for (int i = 0; i < 16 / static_cast<int>(sizeof(A)); ++i) {
    constexpr int kTogether = 4 / sizeof(A);
    const int at = i / kTogether;
    const int row = first + group + at % 2 * 8, k = kTogether * member + i % kTogether + at / 2 * 4 * kTogether;
    reinterpret_cast<A*>(of_a)[i] = a[row * K + k];
  }
  fragment_of_warpgroup_sums<N, Sum> sums;
  const auto at = [&](int i) { return (first + group + i % 4 / 2 * 8) * N + i / 4 * 8 + 2 * member + i % 2; };
  for (int i = 0; i < N / 2; ++i) reinterpret_cast<Sum*>(sums)[i] = c[at(i)];
  const auto of_left = describe_matrix<swizzle::none>(left, 256, 128);
  const auto of_right = describe_matrix<swizzle::none>(right, 256, 128);
  products_fence(sums, of_a);
  if constexpr (Saturates && AInRegisters)
    multiply_add_saturated_async<N, A, B>(sums, of_a, of_right);
  else if constexpr (Saturates)
    multiply_add_saturated_async<N, A, B>(sums, of_left, of_right);
  else if constexpr (AInRegisters)
    multiply_add_async<N, A, B, Sum>(sums, of_a, of_right);
  else
    multiply_add_async<N, A, B, Sum>(sums, of_left, of_right);
  products_commit();
  products_wait<0>(sums);
  for (int i = 0; i < N / 2; ++i) d[at(i)] = reinterpret_cast<Sum*>(sums)[i];
}
}
)";

}  // namespace

SourceTree product_sources() {
  SourceTree all = headers_of_the_tree();
  all["product.cuh"] = kText;
  all["group_product.cuh"] = kGroupText;
  return all;
}

const std::vector<MatrixRow>& tried_warpgroup_rows() {
  static const std::vector<MatrixRow> rows = [] {
    std::vector<MatrixRow> all;
    for (int n = 8; n <= 256; n += 8) {
      const std::vector<MatrixRow> of_n = warpgroup_rows(n);
      const bool with_all = n == 8 || n == 48 || n == 256;
      for (std::size_t i = 0; i < of_n.size(); ++i) {
        if (!with_all && i != 0 && of_n[i].sum != "float16" && of_n[i].ptx_a != "u8") continue;
        if (!with_all && i != 0 && (of_n[i].ptx_a != of_n[i].ptx_b || of_n[i].saturates)) continue;
        for (const bool a_in_registers : {false, true}) {
          if (!with_all && a_in_registers != (n % 16 == 0)) continue;
          all.push_back(of_n[i]);
          all.back().a_in_registers = a_in_registers;
        }
      }
    }
    return all;
  }();
  return rows;
}

std::vector<std::string> group_product_entries() {
  std::vector<std::string> entries;
  for (const MatrixRow& row : tried_warpgroup_rows()) entries.push_back(product_entry(row));
  return entries;
}

std::string product_entry(const MatrixRow& row) {
  const auto name = [](const std::string& type) {
    return type != "float" && type.find("float") != std::string::npos ? "warpwright::" + type : type;
  };
  const std::string types = fmt::format("{}, {}, {}", name(row.a), name(row.b), name(row.sum));
  if (row.is_of_warpgroup())
    return fmt::format("warpwright::trial::group_product<{}, {}, {}, {}, {}>", row.n, row.k, types, row.saturates,
                       row.a_in_registers);
  return fmt::format("warpwright::trial::product<{}, {}, {}, {}, {}>", row.m, row.n, row.k, types, row.saturates);
}

std::vector<std::string> product_entries(int architecture) {
  std::vector<std::string> entries;
  for (const MatrixRow& row : matrix_rows())
    if (row.architecture <= architecture) entries.push_back(product_entry(row));
  return entries;
}

namespace {

simulator::Module compiled(const TemporaryFolder& folder, const std::string& header,
                           const std::vector<std::string>& entries) {
  const auto result = simulator::compile({.sources = product_sources(), .headers = {header}, .entries = entries},
                                         folder / (header + ".so"));
  if (!result.ok()) throw std::runtime_error(result.log);
  return simulator::Module(folder / (header + ".so"));
}

const simulator::Module& module_with(const MatrixRow& row) {
  static const TemporaryFolder folder;
  if (row.is_of_warpgroup()) {
    static const simulator::Module of_groups = compiled(folder, "group_product.cuh", group_product_entries());
    return of_groups;
  }
  static const simulator::Module of_warps = compiled(folder, "product.cuh", product_entries(90));
  return of_warps;
}

}  // namespace

std::size_t bytes_of_type(const std::string& type) {
  if (type.find("char") != std::string::npos || type.starts_with("float8")) return 1;
  if (type == "float16" || type == "bfloat16") return 2;
  return type == "double" ? 8 : 4;
}

void put(Bytes& to, std::size_t at, const std::string& type, double value) {
  const auto store = [&](auto element) { std::memcpy(to.data() + at * sizeof(element), &element, sizeof(element)); };
  if (type == "float16")
    store(float16(value));
  else if (type == "bfloat16")
    store(bfloat16(value));
  else if (type == "float8_e4m3")
    store(float8_e4m3(value));
  else if (type == "float8_e5m2")
    store(float8_e5m2(value));
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
  if (type == "float8_e4m3") return load(float8_e4m3());
  if (type == "float8_e5m2") return load(float8_e5m2());
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
                                .block = {.x = of.row.is_of_warpgroup() ? 128U : 32U},
                                .arguments = {pointer_to("a"), pointer_to("b"), pointer_to("c"), pointer_to("d")}}}}};
}

Bytes simulated(const Operands& of, unsigned adder) {
  std::vector<Bytes> contents{of.a, of.b, of.c, Bytes(of.c.size())};
  simulator::SimulationOptions options;
  options.device.compute_capability = 90;
  options.matrix_adder = static_cast<int>(adder);
  const simulator::Execution execution = simulator::simulate(product_plan(of), module_with(of.row), contents, options);
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
  const double u = row.sum == "double" ? 0x1p-53 : row.a.starts_with("float8") ? 0x1p-14 : 0x1p-24;
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
        const double roundings = std::ceil(row.k / 4.0) * (size * 0x1p-11 + 0x1p-24);
        const double error = std::fabs(static_cast<double>(of.at_d(d, product, line, column) - sum));
        if (!(error <= depth * u * size * (1 + 0x1p-10) + (row.sum == "float16" ? roundings : 0)))
          return fmt::format("{} of product {}: d[{}][{}] has an error of {:.3} u of its terms", row.instruction(),
                             product, line, column, error / u / size);
      }
  return {};
}

}  // namespace warpwright::built_ins
