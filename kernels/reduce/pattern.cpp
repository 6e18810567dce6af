// The pattern reduce: sum, product, minimum or maximum of an array.
#include "kernels/model/pattern.hpp"

#include <algorithm>
#include <cstring>
#include <random>

#include "kernels/block/associative.hpp"
#include "kernels/model/compensated.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/reduce/plans.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::reduce {
namespace {

template <class T>
ExpectedOutput reduced(const std::string& op, const Bytes& input, T identity) {
  const std::vector<T> elements = elements_of<T>(input);
  ExpectedOutput expected{.buffer = "out"};
  if constexpr (std::is_floating_point_v<T>) {
    if (op == "sum") {
      CompensatedSum sum;
      for (const T element : elements) sum.add(element);
      expected.values = bytes_of(std::vector{sum.value()});
      expected.magnitude = {sum.magnitude()};
      return expected;
    }
    if (op == "product") {
      CompensatedProduct product;
      for (const T element : elements) product.add(element);
      expected.values = bytes_of(std::vector{product.value()});
      expected.magnitude = {product.magnitude()};
      return expected;
    }
  } else if (op == "sum" || op == "product") {
    using Word = std::make_unsigned_t<T>;
    Word word = static_cast<Word>(identity);
    for (const T element : elements)
      word = op == "sum" ? word + static_cast<Word>(element) : word * static_cast<Word>(element);
    expected.values = bytes_of(std::vector{static_cast<T>(word)});
    return expected;
  }
  T best = identity;
  for (const T element : elements)
    if (op == "min" ? element < best : element > best) best = element;
  expected.values = bytes_of(std::vector{best});
  return expected;
}

Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs) {
  const auto nothing = identity(problem);
  return with_type_of<int, std::int64_t, float, double>(problem.type(), [&]<class T>(T start) {
    std::memcpy(&start, nothing.bytes.data(), sizeof start);
    return Expectation{reduced<T>(problem.option("op"), inputs[0], start)};
  });
}

Bound bound(const Problem& problem, const std::string&, const InputKind& input, double depth) {
  return associative_bound(problem, input, depth, "terms");
}

constexpr int kReferenceBlocksPerSm = 8;

Reference reference(const Problem& problem, const Device& device) {
  const bool bounded = bound(problem, "out", {}, 1).comparison == Comparison::bounded;
  const std::string type(name_of(problem.type()));
  const std::string wide = bounded ? "double" : type;
  const auto wide_type = *element_type_named(wide);
  const int blocks = device.sm_count * kReferenceBlocksPerSm;
  const std::int64_t count = problem.elements();

  Plan plan{.buffers = {buffers(problem)[0]}, .steps = {}};
  const auto add = [&](const std::string& to, const std::string& magnitude) {
    plan.buffers.push_back({.name = to, .role = Role::out, .type = wide_type, .count = 1});
    plan.buffers.push_back({.name = to + ".partials", .role = Role::scratch, .type = wide_type, .count = blocks});
    const auto step = [&](const std::string& from_type, const std::string& from, const std::string& into, int grid,
                          std::int64_t n) {
      plan.steps.push_back({.what = Launch{.entry = "warpwright::reduce::reference<" + from_type + ", " + wide + ", " +
                                                    operator_name(problem) + ", " + magnitude + ">",
                                           .grid = {.x = static_cast<std::uint32_t>(grid)},
                                           .block = {.x = 256},
                                           .arguments = {pointer_to(from), pointer_to(into), value(n)}}});
    };
    step(type, "in", to + ".partials", blocks, count);
    step(wide, to + ".partials", to, 1, blocks);
  };
  add("out.expected", "false");
  if (bounded) add("out.magnitude", "true");
  const double per_thread = static_cast<double>(count) / (blocks * 256.0) + 1;
  const double depth = per_thread + 10 + blocks / 256.0 + 1 + 10;
  return {.source = "kernels/reduce/reference.cuh",
          .plan = std::move(plan),
          .depth = problem.option("op") == "product" ? static_cast<double>(count) : depth};
}

template <class T>
std::vector<Bytes> shuffled(const Bytes& input) {
  std::vector<T> elements = elements_of<T>(input);
  std::shuffle(elements.begin(), elements.end(), std::mt19937_64(elements.size()));
  return {bytes_of(elements)};
}

std::string permutation(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const auto other =
      size_of(problem.type()) == 4 ? shuffled<std::uint32_t>(inputs[0]) : shuffled<std::uint64_t>(inputs[0]);
  return run(problem, inputs) == run(problem, other) ? "" : "a permutation of an exact input changed the result";
}

std::string concatenation(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const auto size = static_cast<std::ptrdiff_t>(size_of(problem.type()));
  const std::int64_t cut = problem.elements() / 3;
  const auto part = [&](std::int64_t from, std::int64_t count) {
    Problem smaller = problem;
    smaller.shape = {count};
    const auto begin = inputs[0].begin() + from * size;
    return run(smaller, {Bytes(begin, begin + count * size)})[0];
  };
  Bytes halves = part(0, cut);
  const Bytes second = part(cut, problem.elements() - cut);
  halves.insert(halves.end(), second.begin(), second.end());
  Problem two = problem;
  two.shape = {2};
  return run(two, {halves}) == run(problem, inputs) ? "" : "the parts of an exact input do not make up the whole";
}

}  // namespace

Pattern reduce_pattern() {
  return {
      .name = "reduce",
      .summary = "the sum, product, minimum or maximum of an array; NaN is ignored by min and max, integers wrap",
      .extents = {"elements"},
      .variants = {{"op", {"sum", "product", "min", "max"}}},
      .types = {{ElementType::f32}, {ElementType::f64}, {ElementType::i32}, {ElementType::i64}},
      .tuning_types = {{ElementType::f32}, {ElementType::f64}},
      .tuning_shapes = {{std::int64_t{1} << 26}},
      .trace_shape = {1 << 15},
      .buffers = buffers,
      .inputs = associative_inputs,
      .fills = [](const Problem& problem,
                  const std::string& kind) { return std::vector<Fill>{associative_fill(problem, kind)}; },
      .oracle = oracle,
      .reference = reference,
      .bound = bound,
      .work =
          [](const Problem& problem) {
            const auto count = static_cast<double>(problem.elements());
            const auto size = static_cast<double>(size_of(problem.type()));
            return Work{.bytes_read = count * size,
                        .bytes_written = size,
                        .operations = count,
                        .arithmetic = problem.type(),
                        .steps = count};
          },
      .amount = elements_as("elements"),
      .laws = {{.name = "permutation", .broken = permutation}, {.name = "concatenation", .broken = concatenation}},
  };
}

}  // namespace warpwright::reduce
