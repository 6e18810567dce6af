// The pattern compact: the elements of an array that a predicate keeps, in order, and their number (selection);
// followed by the rejected elements (partition); or put back to their places (split).
#include "kernels/model/pattern.hpp"

#include <cmath>

#include "kernels/compact/checks.hpp"
#include "kernels/compact/data.cuh"
#include "kernels/compact/laws.hpp"
#include "kernels/compact/plans.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::compact {
namespace {

/// Length of runs of kept or rejected elements in clustered data: longer than what a warp processes together, and not a
/// multiple of tiles.
constexpr long long kRun = 5000;

/// "kept:0.1" scatters the kept elements at random; in "clustered:0.5" they come in runs.
struct DataSet {
  double kept = 0.5;
  long long run = 1;
};

DataSet data_set(const std::string& name) {
  const std::size_t colon = name.find(':');
  return {.kept = std::stod(name.substr(colon + 1)), .run = name.starts_with("clustered") ? kRun : 1};
}

bool is_data_set(const std::string& kind) {
  return kind.find(':') != std::string::npos;
}

Fill fill_of_in(const Problem& problem, const std::string& kind) {
  if (!is_data_set(kind)) return generic_fill(problem.type(), kind);
  return with_type_of<int, unsigned, long long, float, double>(problem.type(), [&]<class T>(T) {
    const DataSet set = data_set(kind);
    return make_fill(
        "kernels/compact/data.cuh", "warpwright::compact::kept_part<" + std::string(name_of(problem.type())) + ">",
        kept_part<T>{.threshold = static_cast<unsigned long long>(std::llround(set.kept * 0x1p32)), .run = set.run});
  });
}

std::vector<Fill> fills(const Problem& problem, const std::string& kind) {
  std::vector<Fill> made{fill_of_in(problem, kind)};
  if (operation_of(problem) == operation::split)
    made.push_back(generic_fill(problem.type(), is_data_set(kind) ? "uniform" : kind));
  return made;
}

Work work(const Problem& problem) {
  const auto n = static_cast<double>(problem.elements());
  const double all = n * static_cast<double>(size_of(problem.type()));
  const double kept = all * data_set(problem.data).kept;
  Work work{.bytes_read = all, .bytes_written = kept + sizeof(std::int64_t), .steps = n};
  if (operation_of(problem) == operation::partition) work.bytes_written = all + sizeof(std::int64_t);
  if (operation_of(problem) == operation::split) {
    work.bytes_read = all + kept;
    work.bytes_written = all;
  }
  return work;
}

}  // namespace

Pattern compact_pattern() {
  std::vector<InputKind> data;
  for (const char* name : {"kept:0.5", "kept:0", "kept:0.1", "kept:0.9", "kept:1", "clustered:0.5"})
    data.push_back({.name = name, .exact = true});
  return {
      .name = "compact",
      .summary =
          "the elements that a predicate keeps, in order: alone, in front of the others, or put back among zeros",
      .extents = {"elements"},
      .variants = {{"op", {"select", "partition", "split"}}, {"predicate", {"positive", "non_zero"}}},
      .types = {{ElementType::f32}, {ElementType::f64}, {ElementType::i32}, {ElementType::i64}, {ElementType::u32}},
      .data = std::move(data),
      .tuning_types = {{ElementType::f32}},
      .tuning_shapes = {{std::int64_t{1} << 26}},
      .tuning_settings = {{{"op", "select"}}, {{"op", "partition"}}, {{"op", "split"}}},
      .trace_shape = {3 << 15},  // whole tiles of 24 elements per thread too
      .buffers = buffers,
      .inputs = [](const Problem&) { return generic_inputs(true); },
      .fills = fills,
      .observations = {{.name = "head", .of = observe}, {.name = "rest reversed", .of = observe_reversed}},
      .oracle = oracle,
      .reference = reference,
      .bound = same_bits,
      .work = work,
      .amount = elements_as("elements"),
      .laws = laws(),
  };
}

}  // namespace warpwright::compact
