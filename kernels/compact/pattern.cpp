// The pattern compact: the elements of an array that a predicate keeps, in their order, and their number.
#include "kernels/model/pattern.hpp"

#include <cmath>
#include <cstring>

#include "kernels/compact/data.cuh"
#include "kernels/compact/plans.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::compact {
namespace {

/// Neighbours of one fate in clustered data: more than a warp looks at together, and out of step with tiles.
constexpr long long kRun = 5000;

/// "kept:0.1" spreads the kept elements at random, "clustered:0.5" lets them come in runs.
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

std::vector<Fill> fills(const Problem& problem, const std::string& kind) {
  if (!is_data_set(kind)) return {generic_fill(problem.type(), kind)};
  return with_type_of<int, unsigned, long long, float, double>(problem.type(), [&]<class T>(T) -> std::vector<Fill> {
    const DataSet set = data_set(kind);
    return {make_fill(
        "kernels/compact/data.cuh", "warpwright::compact::kept_part<" + std::string(name_of(problem.type())) + ">",
        kept_part<T>{.threshold = static_cast<unsigned long long>(std::llround(set.kept * 0x1p32)), .run = set.run})};
  });
}

template <class T>
T first_of(const Bytes& bytes) {
  T first;
  std::memcpy(&first, bytes.data(), sizeof first);
  return first;
}

/// What the observation "head" shows of a right compaction.
Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs) {
  const bool of_any_sign = problem.option("predicate") == "non_zero";
  return with_type_of<int, unsigned, long long, float, double>(problem.type(), [&]<class T>(T) {
    Bytes head(inputs[0].size());
    std::int64_t kept = 0;
    for (std::size_t at = 0; at < head.size(); at += sizeof(T)) {
      T element;
      std::memcpy(&element, &inputs[0][at], sizeof element);
      if (of_any_sign ? element == T(0) : !(element > T(0))) continue;
      std::memcpy(&head[static_cast<std::size_t>(kept++) * sizeof(T)], &element, sizeof element);
    }
    return Expectation{{.buffer = "head", .values = std::move(head)},
                       {.buffer = "kept", .values = bytes_of(std::vector{kept})},
                       {.buffer = "tail", .values = bytes_of(std::vector<std::uint64_t>{0})}};
  });
}

constexpr std::uint32_t kPlainBlock = 256;

Launch plain_launch(const std::string& entry, int blocks, std::vector<Argument> arguments) {
  return {.entry = "warpwright::compact::" + entry,
          .grid = {.x = static_cast<std::uint32_t>(blocks)},
          .block = {.x = kPlainBlock},
          .arguments = std::move(arguments)};
}

/// Blocks that fill the device.
int plain_blocks(const Device& device) {
  return device.sm_count * 8;
}

/// Zeros of the problem's type, all bits of them.
ValueArgument zero(const Problem& problem) {
  return with_type_of<int, unsigned, long long, float, double>(
      problem.type(), [&](auto nothing) { return value_of(std::string(name_of(problem.type())), nothing); });
}

Observation observe(const Problem& problem, const Device& device) {
  const std::string type(name_of(problem.type()));
  const std::int64_t n = problem.elements();
  Plan plan{.buffers = {{.name = "out", .role = Role::in, .type = problem.type(), .count = n},
                        {.name = "count", .role = Role::in, .type = ElementType::i64, .count = 1},
                        {.name = kPoisonBuffer, .role = Role::in, .type = ElementType::u8, .count = 1},
                        {.name = "head", .role = Role::out, .type = problem.type(), .count = n},
                        {.name = "kept", .role = Role::out, .type = ElementType::i64, .count = 1},
                        {.name = "tail", .role = Role::out, .type = ElementType::u64, .count = 1}},
            .steps = {{.what = Copy{.from = "count", .to = "kept", .bytes = sizeof(std::int64_t)}},
                      {.what = Memset{.buffer = "tail", .count = 1, .value = value(std::uint64_t{0})}}}};
  if (n > 0) {
    const int blocks = plain_blocks(device);
    plan.steps.push_back(
        {.what = plain_launch("observe_head<" + type + ">", blocks,
                              {pointer_to("out"), pointer_to("count"), pointer_to("head"), value(n)})});
    plan.steps.push_back({.what = plain_launch("observe_tail<" + type + ">", blocks,
                                               {pointer_to("out"), pointer_to("count"), pointer_to(kPoisonBuffer),
                                                pointer_to("tail"), value(n)})});
  }
  return {.source = "kernels/compact/observe.cuh", .plan = std::move(plan)};
}

Reference reference(const Problem& problem, const Device& device) {
  const std::string arguments = "<" + std::string(name_of(problem.type())) + ", " + predicate_name(problem) + ">";
  const std::int64_t n = problem.elements();
  const int blocks = plain_blocks(device);
  const std::int64_t threads = std::int64_t{blocks} * kPlainBlock;
  const std::int64_t per_thread = divide_up(n, threads);
  Plan plan{.buffers = {buffers(problem)[0],
                        {.name = "head.expected", .role = Role::out, .type = problem.type(), .count = n},
                        {.name = "kept.expected", .role = Role::out, .type = ElementType::i64, .count = 1},
                        {.name = "tail.expected", .role = Role::out, .type = ElementType::u64, .count = 1},
                        {.name = "offsets", .role = Role::scratch, .type = ElementType::i64, .count = threads}},
            .steps = {{.what = Memset{.buffer = "head.expected", .count = n, .value = zero(problem)}},
                      {.what = Memset{.buffer = "kept.expected", .count = 1, .value = value(std::int64_t{0})}},
                      {.what = Memset{.buffer = "tail.expected", .count = 1, .value = value(std::uint64_t{0})}}}};
  if (n > 0) {
    Launch scan = plain_launch("reference_scan<long long>", 1,
                               {pointer_to("offsets"), pointer_to("kept.expected"), value(threads)});
    scan.block = {.x = 1};
    plan.steps.push_back(
        {.what = plain_launch("reference_count" + arguments, blocks,
                              {pointer_to("in"), pointer_to("offsets"), value(per_thread), value(n)})});
    plan.steps.push_back({.what = scan});
    plan.steps.push_back({.what = plain_launch("reference_write" + arguments, blocks,
                                               {pointer_to("in"), pointer_to("offsets"), pointer_to("head.expected"),
                                                value(per_thread), value(n)})});
  }
  return {.source = "kernels/compact/reference.cuh", .plan = std::move(plan), .depth = 0};
}

Work work(const Problem& problem) {
  const auto n = static_cast<double>(problem.elements());
  const auto size = static_cast<double>(size_of(problem.type()));
  return {.bytes_read = n * size,
          .bytes_written = n * size * data_set(problem.data).kept + sizeof(std::int64_t),
          .steps = n};
}

/// A problem like the given one over so many elements.
Problem resized(Problem problem, std::int64_t elements) {
  problem.shape = {elements};
  return problem;
}

/// The kept elements of observed outputs; nothing where the count cannot be one.
Bytes head_of(const Problem& problem, const std::vector<Bytes>& observed) {
  const auto kept = first_of<std::int64_t>(observed.at(1));
  if (kept < 0 || kept > problem.elements()) return {};
  return {observed[0].begin(), observed[0].begin() + static_cast<std::ptrdiff_t>(kept) *
                                                         static_cast<std::ptrdiff_t>(size_of(problem.type()))};
}

std::string concatenation(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const std::int64_t cut = problem.elements() / 3;
  const auto middle = inputs[0].begin() + cut * static_cast<std::ptrdiff_t>(size_of(problem.type()));
  const Problem front = resized(problem, cut);
  const Problem back = resized(problem, problem.elements() - cut);
  Bytes both = head_of(front, run(front, {Bytes(inputs[0].begin(), middle)}));
  const Bytes second = head_of(back, run(back, {Bytes(middle, inputs[0].end())}));
  both.insert(both.end(), second.begin(), second.end());
  return both == head_of(problem, run(problem, inputs)) ? "" : "what the parts keep is not what the whole keeps";
}

std::string idempotence(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const Bytes head = head_of(problem, run(problem, inputs));
  const Problem again = resized(problem, static_cast<std::int64_t>(head.size() / size_of(problem.type())));
  return head_of(again, run(again, {head})) == head ? "" : "compacting what was kept did not keep all of it";
}

}  // namespace

Pattern compact_pattern() {
  std::vector<InputKind> data;
  for (const char* name : {"kept:0.5", "kept:0", "kept:0.1", "kept:0.9", "kept:1", "clustered:0.5"})
    data.push_back({.name = name, .exact = true});
  return {
      .name = "compact",
      .summary =
          "the elements that a predicate keeps, in their order, and their number; nothing is written behind them",
      .extents = {"elements"},
      .variants = {{"predicate", {"positive", "non_zero"}}},
      .types = {{ElementType::f32}, {ElementType::f64}, {ElementType::i32}, {ElementType::i64}, {ElementType::u32}},
      .data = std::move(data),
      .tuning_types = {{ElementType::f32}},
      .tuning_shapes = {{std::int64_t{1} << 26}},
      .tuning_settings = {{{"data", "kept:0.5"}}},
      .trace_shape = {3 << 15},  // whole tiles of 24 elements a thread too
      .buffers = buffers,
      .inputs = [](const Problem&) { return generic_inputs(true); },
      .fills = fills,
      .observations = {{.name = "head", .of = observe}},
      .oracle = oracle,
      .reference = reference,
      .bound = [](const Problem&, const std::string&, const InputKind&,
                  double) { return Bound{.comparison = Comparison::bits, .formula = "the same bits"}; },
      .work = work,
      .laws = {{.name = "concatenation", .broken = concatenation, .input = "special"},
               {.name = "idempotence", .broken = idempotence, .input = "special"}},
  };
}

}  // namespace warpwright::compact
