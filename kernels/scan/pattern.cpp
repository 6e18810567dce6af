// The pattern scan: all prefixes of an array under sum, product, minimum or maximum.
#include "kernels/model/pattern.hpp"

#include "kernels/block/associative.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/storage.hpp"
#include "kernels/scan/data.cuh"
#include "kernels/scan/oracle.hpp"
#include "kernels/scan/plans.hpp"

namespace warpwright::scan {
namespace {

constexpr const char* kEarlySum = "early_sum";

std::vector<InputKind> inputs(const Problem& problem) {
  std::vector<InputKind> kinds = associative_inputs(problem);
  if (problem.option("op") != "product") kinds.push_back({.name = kEarlySum, .exact = !is_floating(problem.type())});
  return kinds;
}

std::vector<Fill> fills(const Problem& problem, const std::string& kind) {
  if (kind != kEarlySum) return {associative_fill(problem, kind)};
  return with_type_of<int, long long, float, double>(problem.type(), [&]<class T>(T) -> std::vector<Fill> {
    return {make_fill("kernels/scan/data.cuh",
                      "warpwright::scan::early_sum<" + std::string(name_of(problem.type())) + ">", early_sum<T>{})};
  });
}

Bound bound(const Problem& problem, const std::string&, const InputKind& input, double depth) {
  return associative_bound(problem, input, depth, "terms of the prefix");
}

constexpr std::uint32_t kReferenceBlock = 256;

Reference reference(const Problem& problem, const Device& device) {
  const bool bounded = bound(problem, "out", {}, 1).comparison == Comparison::bounded;
  const std::string type(name_of(problem.type()));
  const std::string wide = bounded ? "double" : type;
  const auto wide_type = *element_type_named(wide);
  const std::int64_t n = problem.elements();
  const std::int64_t blocks = std::int64_t{device.sm_count} * 8;
  const std::int64_t per_block = divide_up(n, blocks);
  const std::string inclusive = problem.option("kind") == "inclusive" ? "true" : "false";

  Plan plan{.buffers = {buffers(problem)[0]}, .steps = {}};
  const auto step = [&](const std::string& function, const std::string& template_arguments, std::int64_t grid,
                        std::uint32_t block, std::vector<Argument> arguments) {
    plan.steps.push_back({.what = Launch{.entry = "warpwright::scan::" + function + "<" + template_arguments + ">",
                                         .grid = {.x = static_cast<std::uint32_t>(grid)},
                                         .block = {.x = block},
                                         .arguments = std::move(arguments)}});
  };
  const auto add = [&](const std::string& to, const std::string& magnitude) {
    const std::string totals = to + ".totals";
    const std::string types = type + ", " + wide + ", " + operator_name(problem);
    plan.buffers.push_back({.name = to, .role = Role::out, .type = wide_type, .count = n});
    plan.buffers.push_back({.name = totals, .role = Role::scratch, .type = wide_type, .count = blocks});
    if (n == 0) return;
    step("reference_totals", types + ", " + magnitude, blocks, kReferenceBlock,
         {pointer_to("in"), pointer_to(totals), value(per_block), value(n)});
    step("reference_before", wide + ", " + operator_name(problem), 1, 1, {pointer_to(totals), value(blocks)});
    step("reference_scan", types + ", " + inclusive + ", " + magnitude, blocks, kReferenceBlock,
         {pointer_to("in"), pointer_to(totals), pointer_to(to), value(per_block), value(n)});
  };
  add("out.expected", "false");
  if (bounded) add("out.magnitude", "true");
  const double depth = 2 * static_cast<double>(per_block) / kReferenceBlock + 2 + 10 + static_cast<double>(blocks) + 11;
  return {.source = "kernels/scan/reference.cuh",
          .plan = std::move(plan),
          .depth = problem.option("op") == "product" ? static_cast<double>(n) : depth};
}

Work work(const Problem& problem) {
  const auto n = static_cast<double>(problem.elements());
  const auto size = static_cast<double>(size_of(problem.type()));
  return {.bytes_read = n * size, .bytes_written = n * size, .operations = n, .arithmetic = problem.type(), .steps = n};
}

Problem of_kind(Problem problem, const std::string& kind) {
  problem.variant["kind"] = kind;
  return problem;
}

/// For inputs that cause no rounding: compares with the inclusive form of the problem, whose results are known.
std::string last_is_reduction(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  if (problem.elements() == 0) return "";
  const Problem inclusive = of_kind(problem, "inclusive");
  return with_type_of<int, std::int64_t, float, double>(problem.type(), [&]<class T>(T) -> std::string {
    const T last = elements_of<T>(run(inclusive, inputs)[0]).back();
    const T all = elements_of<T>(plain_scan(problem, inputs[0])).back();
    return last == all ? "" : "the last result is not the reduction of an exact input";
  });
}

std::string difference_is_input(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const Bytes results = run(of_kind(problem, "inclusive"), inputs)[0];
  Problem two = of_kind(problem, "inclusive");
  two.shape = {2};
  return with_type_of<int, std::int64_t, float, double>(problem.type(), [&]<class T>(T) -> std::string {
    const std::vector<T> scanned = elements_of<T>(results);
    const std::vector<T> elements = elements_of<T>(inputs[0]);
    for (std::size_t i = 1; i < scanned.size(); ++i)
      if (elements_of<T>(plain_scan(two, bytes_of(std::vector{scanned[i - 1], elements[i]}))).back() != scanned[i])
        return "result " + std::to_string(i) + " is not the one before it combined with the element";
    return "";
  });
}

std::string shifted(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  return with_type_of<int, std::int64_t, float, double>(problem.type(), [&]<class T>(T) -> std::string {
    const std::vector<T> inclusive = elements_of<T>(run(of_kind(problem, "inclusive"), inputs)[0]);
    const std::vector<T> exclusive = elements_of<T>(run(of_kind(problem, "exclusive"), inputs)[0]);
    for (std::size_t i = 1; i < inclusive.size(); ++i)
      if (exclusive[i] != inclusive[i - 1])
        return "exclusive result " + std::to_string(i) + " is not inclusive " + std::to_string(i - 1) +
               " of an exact input";
    return "";
  });
}

}  // namespace

Pattern scan_pattern() {
  return {
      .name = "scan",
      .summary = "all prefixes of an array under an operator; NaN is ignored by min and max, integers wrap",
      .extents = {"elements"},
      .variants = {{"op", {"sum", "product", "min", "max"}}, {"kind", {"inclusive", "exclusive"}}},
      .types = {{ElementType::f32}, {ElementType::f64}, {ElementType::i32}, {ElementType::i64}},
      .tuning_types = {{ElementType::f32}},
      .tuning_shapes = {{std::int64_t{1} << 26}},
      .trace_shape = {3 << 15},  // also complete tiles of 12 or 24 elements per thread
      .buffers = buffers,
      .inputs = inputs,
      .fills = fills,
      .oracle = oracle,
      .reference = reference,
      .bound = bound,
      .work = work,
      .amount = elements_as("elements"),
      .laws = {{.name = "last is the reduction", .broken = last_is_reduction},
               {.name = "difference is the input", .broken = difference_is_input},
               {.name = "exclusive is inclusive shifted", .broken = shifted}},
  };
}

}  // namespace warpwright::scan
