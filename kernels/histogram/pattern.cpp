// The pattern histogram: how many keys of an array fall in each bin.
#include "kernels/model/pattern.hpp"

#include <algorithm>
#include <numeric>
#include <random>

#include "kernels/histogram/plans.hpp"
#include "kernels/model/elements.hpp"

namespace warpwright::histogram {
namespace {

using binned::with_key;
using Counts = std::vector<std::uint32_t>;

Counts counted(const Problem& problem, const Bytes& keys) {
  Counts counts(static_cast<std::size_t>(problem.integer("bins")));
  with_key(problem, [&]<class Key>(Key) {
    for (const Key key : elements_of<Key>(keys))
      if (const std::size_t bin = binned::bin_of(key, counts.size()); bin < counts.size()) ++counts[bin];
  });
  return counts;
}

Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs) {
  return {{.buffer = "out", .values = bytes_of(counted(problem, inputs[0]))}};
}

Reference reference(const Problem& problem, const Device& device) {
  constexpr int kBlock = 256;
  const std::int64_t bins = problem.integer("bins");
  Plan plan{.buffers = {buffers(problem)[0],
                        {.name = "out.expected", .role = Role::out, .type = ElementType::u32, .count = bins}},
            .steps = {{.what = Memset{.buffer = "out.expected", .count = bins, .value = value(0U)}}}};
  if (problem.elements() > 0)
    plan.steps.push_back(
        {.what = Launch{.entry = "warpwright::histogram::reference<" + std::string(name_of(problem.type())) + ">",
                        .grid = {.x = static_cast<std::uint32_t>(persistent_blocks(problem, device, kBlock, 8))},
                        .block = {.x = kBlock},
                        .arguments = {pointer_to("in"), pointer_to("out.expected"), value(static_cast<unsigned>(bins)),
                                      value(problem.elements())}}});
  return {.source = "kernels/histogram/reference.cuh", .plan = std::move(plan)};
}

Work work(const Problem& problem) {
  const auto count = static_cast<double>(problem.elements());
  const double bins = problem.number("bins");
  return {.bytes_read = count * static_cast<double>(size_of(problem.type())),
          .bytes_written = bins * sizeof(std::uint32_t),
          .steps = count + bins};
}

/// The bins counted by the kernel under test.
Counts counts_of(const Problem& problem, const Bytes& keys, const Runner& run) {
  return elements_of<std::uint32_t>(run(problem, {keys})[0]);
}

std::string sum(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const Counts counts = counts_of(problem, inputs[0], run);
  const auto total = std::accumulate(counts.begin(), counts.end(), std::uint32_t{0});
  return total == static_cast<std::uint32_t>(problem.elements()) ? "" : "the bins do not add up to the number of keys";
}

std::string permutation(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const Bytes shuffled = with_key(problem, [&]<class Key>(Key) {
    std::vector<Key> keys = elements_of<Key>(inputs[0]);
    std::shuffle(keys.begin(), keys.end(), std::mt19937_64(keys.size()));
    return bytes_of(keys);
  });
  return counts_of(problem, shuffled, run) == counts_of(problem, inputs[0], run)
             ? ""
             : "a permutation of the keys changed the counts";
}

/// The most skewed input: all keys equal the first one.
std::string equal_keys(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const Bytes equal = with_key(problem, [&]<class Key>(Key) {
    std::vector<Key> keys = elements_of<Key>(inputs[0]);
    if (!keys.empty()) std::fill(keys.begin(), keys.end(), keys.front());
    return bytes_of(keys);
  });
  const Counts counts = counts_of(problem, equal, run);
  const auto others = std::ranges::count(counts, 0U);
  if (problem.elements() == 0) return others == std::ssize(counts) ? "" : "no keys were counted";
  const bool one_bin = others == std::ssize(counts) - 1;
  const auto count = static_cast<std::uint32_t>(problem.elements());
  return one_bin && std::ranges::max(counts) == count ? "" : "equal keys are not all in one bin";
}

std::string concatenation(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const std::int64_t cut = problem.elements() / 3;
  const auto middle = inputs[0].begin() + cut * static_cast<std::ptrdiff_t>(size_of(problem.type()));
  const auto part = [&](std::int64_t count, const Bytes& keys) {
    Problem smaller = problem;
    smaller.shape = {count};
    return counts_of(smaller, keys, run);
  };
  Counts both = part(cut, Bytes(inputs[0].begin(), middle));
  const Counts second = part(problem.elements() - cut, Bytes(middle, inputs[0].end()));
  std::ranges::transform(both, second, both.begin(), std::plus());
  return both == counts_of(problem, inputs[0], run) ? ""
                                                    : "the counts of the parts do not add up to those of the whole";
}

}  // namespace

Pattern histogram_pattern() {
  return {
      .name = "histogram",
      .summary =
          "how many keys fall in each bin, modulo 2^32: whole numbers below the number of bins, or even ranges of "
          "[0, 1) for floats; other keys are not counted",
      .extents = {"elements"},
      .numbers = {binned::bins()},
      .types = binned::types(),
      .data = binned::data(),
      .tuning_types = {{ElementType::u8}},
      .tuning_shapes = {{std::int64_t{1} << 28}},
      .tuning_settings = {{{"bins", "256"}}},
      .trace_shape = {1 << 16},
      .buffers = buffers,
      .inputs = binned::inputs,
      .fills = binned::fills,
      .oracle = oracle,
      .reference = reference,
      .bound = same_values,
      .work = work,
      .amount = elements_as("keys"),
      .laws = {{.name = "sum", .broken = sum, .input = "zipf"},
               {.name = "permutation", .broken = permutation, .input = "exact"},
               {.name = "equal keys", .broken = equal_keys, .input = "uniform"},
               {.name = "concatenation", .broken = concatenation, .input = "zipf"}},
  };
}

}  // namespace warpwright::histogram
