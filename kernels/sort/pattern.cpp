// The pattern sort: keys, alone or with values, in the order of some or all of their bits; stable.
#include "kernels/model/pattern.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <type_traits>
#include <utility>

#include "kernels/model/elements.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/storage.hpp"
#include "kernels/sort/data.cuh"
#include "kernels/sort/plans.hpp"

namespace warpwright::sort {
namespace {

template <class Use>
auto with_key_type(ElementType type, Use use) {
  return with_type_of<unsigned, int, float, double, unsigned long long>(type, use);
}

constexpr const char* kTwoDigits = "two_digits";

std::vector<Fill> fills(const Problem& problem, const std::string& kind) {
  // Values are original positions, so that an unstable sort shows.
  const Fill values = generic_fill(ElementType::u32, "position");
  const auto of_own = [&]<class Keys>(const char* name, Keys keys) {
    return make_fill("kernels/sort/data.cuh", instance(name, {std::string(name_of(problem.type()))}), keys);
  };
  return with_key_type(problem.type(), [&]<class T>(T) -> std::vector<Fill> {
    if (kind == "special") return {of_own("special_keys", special_keys<T>{}), values};
    if (kind == kTwoDigits) return {of_own("two_digit_keys", two_digit_keys<T>{}), values};
    return {generic_fill(problem.type(), kind), values};
  });
}

/// Maps each key to a number that is ordered as the problem orders keys; equal if it treats the keys as equal.
std::vector<std::uint64_t> places_in_order(const Problem& problem, const Bytes& keys) {
  return with_key_type(problem.type(), [&]<class T>(T) {
    using Bits = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
    constexpr int kWidth = 8 * sizeof(T);
    constexpr Bits kTop = Bits{1} << (kWidth - 1);
    const auto begin = static_cast<int>(problem.integer("begin_bit"));
    const int end = std::min(static_cast<int>(problem.integer("end_bit")), kWidth);
    std::vector<std::uint64_t> places;
    for (Bits bits : elements_of<Bits>(keys)) {
      if (std::is_floating_point_v<T> && bits >= kTop)
        bits = ~bits;
      else if (std::is_signed_v<T>)
        bits = static_cast<Bits>(bits + kTop);
      std::uint64_t place = 0;
      for (int bit = begin; bit < end; ++bit) place |= std::uint64_t{bits >> bit & 1} << bit;
      places.push_back(problem.option("order") == "descending" ? ~place : place);
    }
    return places;
  });
}

/// The elements of `size` bytes in that order.
Bytes gathered(const Bytes& from, const std::vector<std::size_t>& order, std::size_t size) {
  Bytes to(from.size());
  for (std::size_t i = 0; i < order.size() && !from.empty(); ++i)
    std::memcpy(&to[i * size], &from[order[i] * size], size);
  return to;
}

Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs) {
  const std::vector<std::uint64_t> places = places_in_order(problem, inputs[0]);
  std::vector<std::size_t> order(places.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, {}, [&](std::size_t i) { return places[i]; });
  return {{.buffer = "out", .values = gathered(inputs[0], order, size_of(problem.type()))},
          {.buffer = "values_out", .values = gathered(inputs[1], order, sizeof(unsigned))}};
}

constexpr std::uint32_t kPlainBlock = 128;
constexpr int kReferenceBits = 4;

Reference reference(const Problem& problem, const Device& device) {
  const std::int64_t n = problem.elements();
  const std::string type(name_of(problem.type()));
  const std::int64_t blocks = device.sm_count;
  const std::int64_t threads = blocks * kPlainBlock;
  const std::int64_t per_thread = divide_up(n, threads);
  const auto sort = [&](Plan& plan) {
    plan.buffers.push_back(scratch("counts", ElementType::i64, threads << kReferenceBits));
    const auto steps = [&](const Pass& pass) -> std::vector<Step> {
      const auto plain = [&](const std::string& entry, std::vector<Argument> arguments) {
        return launch_tiles(entry, blocks, kPlainBlock, std::move(arguments));
      };
      return {
          {.what = plain(instance("reference_count", {type}), {pass.keys, pointer_to("counts"), range_argument(problem),
                                                               pass.before, pass.index, value(per_thread), value(n)})},
          {.what = launch_tiles(instance("reference_scan", {"long long"}), 1, 1024,
                                {pointer_to("counts"), value(threads << kReferenceBits)})},
          {.what = plain(instance("reference_move", {type, pairs_text(problem)}),
                         {pass.keys, pass.values, pointer_to("counts"), pass.out, pass.values_out,
                          range_argument(problem), pass.before, pass.index, value(per_thread), value(n)})}};
    };
    add_passes(plan, steps, passes_of(problem, kReferenceBits) - 1, steps, ".expected");
  };
  return {.source = "kernels/sort/reference.cuh", .plan = sort_plan(problem, sort, ".expected"), .depth = 0};
}

Work work(const Problem& problem) {
  const auto n = static_cast<double>(problem.elements());
  const double bytes = n * (key_size(problem) + (has_values(problem) ? 4 : 0));
  return {.bytes_read = bytes, .bytes_written = bytes, .steps = n * static_cast<double>(1 + passes_of(problem, 8))};
}

std::string sorted(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  return std::ranges::is_sorted(places_in_order(problem, run(problem, inputs)[0])) ? "" : "keys are not in order";
}

/// Pairs of keys and values, regardless of order.
std::vector<std::pair<std::uint64_t, std::uint32_t>> as_set(const Problem& problem, const Bytes& keys,
                                                            const Bytes& values) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> set;
  const std::size_t size = size_of(problem.type());
  for (std::size_t i = 0; i * size < keys.size(); ++i) {
    set.emplace_back();
    std::memcpy(&set.back().first, &keys[i * size], size);
    if (!values.empty()) std::memcpy(&set.back().second, &values[i * sizeof(std::uint32_t)], sizeof(std::uint32_t));
  }
  std::ranges::sort(set);
  return set;
}

std::string permutation(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const std::vector<Bytes> outputs = run(problem, inputs);
  return as_set(problem, inputs[0], inputs[1]) == as_set(problem, outputs[0], outputs[1])
             ? ""
             : "the output holds other items than the input";
}

std::string idempotence(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const std::vector<Bytes> once = run(problem, inputs);
  return run(problem, once) == once ? "" : "sorting what is sorted changed it";
}

}  // namespace

Pattern sort_pattern() {
  std::vector<InputKind> data;
  for (const char* name : {"uniform", "few_values", "sorted", "reversed", "all_equal"})
    data.push_back({.name = name, .exact = true});
  return {
      .name = "sort",
      .summary = "keys in the order of their bits [begin_bit, end_bit), stable; floats as -NaN ... -0, 0 ... NaN",
      .extents = {"elements"},
      .variants = {{"items", {"keys", "pairs"}}, {"order", {"ascending", "descending"}}},
      .numbers = {{.name = "begin_bit", .low = 0, .high = 64, .preferred = 0, .edges = {8, 31}},
                  {.name = "end_bit", .low = 0, .high = 64, .preferred = 64, .edges = {32, 9}}},
      .types = {{ElementType::u32}, {ElementType::i32}, {ElementType::f32}, {ElementType::f64}, {ElementType::u64}},
      .data = std::move(data),
      .tuning_types = {{ElementType::u32}},
      .tuning_shapes = {{std::int64_t{1} << 24}},
      .tuning_settings = {{{"items", "keys"}}, {{"items", "pairs"}}},
      .trace_shape = {1 << 14},
      .buffers = [](const Problem& problem) { return buffers(problem); },
      .inputs =
          [](const Problem&) {
            std::vector<InputKind> inputs = generic_inputs(true);
            inputs.push_back({.name = kTwoDigits, .exact = true});
            return inputs;
          },
      .fills = fills,
      .oracle = oracle,
      .reference = reference,
      .bound = same_bits,
      .work = work,
      .amount =
          [](const Problem& problem) {
            return Amount{static_cast<double>(problem.elements()), has_values(problem) ? "pairs" : "keys"};
          },
      .laws = {{.name = "sorted", .broken = sorted, .input = kTwoDigits},
               {.name = "permutation", .broken = permutation, .input = "uniform"},
               {.name = "idempotence", .broken = idempotence, .input = "few_values"}},
  };
}

}  // namespace warpwright::sort
