// Oracle and observations of the compact pattern.
#include "kernels/compact/checks.hpp"

#include <algorithm>
#include <utility>

#include "kernels/compact/plans.hpp"
#include "kernels/compact/predicates.cuh"
#include "kernels/model/elements.hpp"
#include "kernels/model/kernel.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::compact {
namespace {

/// Calls use(T()) with the problem's element type.
template <class Use>
auto with_element(const Problem& problem, Use use) {
  return with_type_of<int, unsigned, long long, float, double>(problem.type(), use);
}

constexpr std::uint32_t kPlainBlock = 256;

Launch plain_launch(const std::string& entry, int blocks, std::vector<Argument> arguments) {
  return {.entry = "warpwright::compact::" + entry,
          .grid = {.x = static_cast<std::uint32_t>(blocks)},
          .block = {.x = kPlainBlock},
          .arguments = std::move(arguments)};
}

/// Number of blocks that fill the device.
int plain_blocks(const Device& device) {
  return device.sm_count * 8;
}

/// A zero of the problem's type, with all bits zero.
ValueArgument zero(const Problem& problem) {
  return with_element(problem, [&](auto nothing) { return value_of(std::string(name_of(problem.type())), nothing); });
}

Buffer elements(const std::string& name, Role role, const Problem& problem) {
  return {.name = name, .role = role, .type = problem.type(), .count = problem.elements()};
}

Buffer number(const std::string& name, Role role, ElementType type = ElementType::i64) {
  return {.name = name, .role = role, .type = type, .count = 1};
}

Observation observed(const Problem& problem, const Device& device, bool is_reversed) {
  const operation op = operation_of(problem);
  const std::string type = "<" + std::string(name_of(problem.type())) + ">";
  const std::int64_t n = problem.elements();
  Plan plan{.buffers = {elements("out", Role::in, problem)}, .steps = {}};
  if (op != operation::split) plan.buffers.push_back(number("count", Role::in));
  if (op == operation::select)
    plan.buffers.push_back({.name = kPoisonBuffer, .role = Role::in, .type = ElementType::u8, .count = 1});
  plan.buffers.push_back(elements("head", Role::out, problem));
  if (op != operation::split) {
    plan.buffers.push_back(number("kept", Role::out));
    plan.steps.push_back({.what = Copy{.from = "count", .to = "kept", .bytes = sizeof(std::int64_t)}});
  }
  if (op == operation::select) {
    plan.buffers.push_back(number("tail", Role::out, ElementType::u64));
    plan.steps.push_back({.what = Memset{.buffer = "tail", .count = 1, .value = value(std::uint64_t{0})}});
  }
  const auto add = [&](const std::string& function, std::vector<Argument> arguments) {
    arguments.push_back(value(n));
    plan.steps.push_back({.what = plain_launch(function + type, plain_blocks(device), std::move(arguments))});
  };
  if (n > 0 && op == operation::select) {
    add("observe_head", {pointer_to("out"), pointer_to("count"), pointer_to("head")});
    add("observe_tail", {pointer_to("out"), pointer_to("count"), pointer_to(kPoisonBuffer), pointer_to("tail")});
  } else if (n > 0 && op == operation::partition && is_reversed) {
    add("observe_reversed", {pointer_to("out"), pointer_to("count"), pointer_to("head")});
  } else if (n > 0) {
    plan.steps.push_back({.what = Copy{.from = "out", .to = "head", .bytes = plan.buffer("out").bytes()}});
  }
  return {.source = "kernels/compact/observe.cuh", .plan = std::move(plan)};
}

}  // namespace

std::vector<bool> kept_of(const Problem& problem, const Bytes& in) {
  const bool of_any_sign = problem.option("predicate") == "non_zero";
  return with_element(problem, [&]<class T>(T) {
    std::vector<bool> kept;
    for (const T x : elements_of<T>(in)) kept.push_back(of_any_sign ? non_zero::keeps(x) : positive::keeps(x));
    return kept;
  });
}

Expectation oracle(const Problem& problem, const std::vector<Bytes>& inputs) {
  const operation op = operation_of(problem);
  const std::vector<bool> kept = kept_of(problem, inputs[0]);
  return with_element(problem, [&]<class T>(T) -> Expectation {
    const std::vector<T> in = elements_of<T>(inputs[0]);
    std::vector<T> head(in.size());
    std::size_t count = 0;
    if (op == operation::split) {
      const std::vector<T> packed = elements_of<T>(inputs[1]);
      for (std::size_t i = 0; i < in.size(); ++i)
        if (kept[i]) head[i] = packed[count++];
      return {{.buffer = "head", .values = bytes_of(head)}};
    }
    for (std::size_t i = 0; i < in.size(); ++i)
      if (kept[i]) head[count++] = in[i];
    Expectation expected{{.buffer = "head", .values = {}},
                         {.buffer = "kept", .values = bytes_of(std::vector{static_cast<std::int64_t>(count)})}};
    if (op == operation::select)
      expected.push_back(
          {.buffer = "tail", .values = bytes_of(std::vector<std::uint64_t>{(in.size() - count) * sizeof(T)})});
    else
      for (std::size_t i = 0; i < in.size(); ++i)
        if (!kept[i]) head[count++] = in[i];
    expected[0].values = bytes_of(head);
    return expected;
  });
}

Observation observe(const Problem& problem, const Device& device) {
  return observed(problem, device, false);
}

Observation observe_reversed(const Problem& problem, const Device& device) {
  return observed(problem, device, true);
}

Reference reference(const Problem& problem, const Device& device) {
  const operation op = operation_of(problem);
  const std::string of = "<" + std::string(name_of(problem.type())) + ", " + predicate_name(problem) + ">";
  const std::int64_t n = problem.elements();
  const int blocks = plain_blocks(device);
  const std::int64_t threads = std::int64_t{blocks} * kPlainBlock;
  const std::int64_t per_thread = divide_up(n, threads);
  const bool is_split = op == operation::split;
  const std::string kept = is_split ? "kept" : "kept.expected";
  Plan plan{.buffers = {elements("in", Role::in, problem)}, .steps = {}};
  if (is_split) plan.buffers.push_back(elements("packed", Role::in, problem));
  plan.buffers.push_back(elements("head.expected", Role::out, problem));
  plan.buffers.push_back(number(kept, is_split ? Role::scratch : Role::out));
  plan.buffers.push_back({.name = "offsets", .role = Role::scratch, .type = ElementType::i64, .count = threads});
  plan.steps.push_back({.what = Memset{.buffer = kept, .count = 1, .value = value(std::int64_t{0})}});
  if (op == operation::select) {
    plan.buffers.push_back(number("tail.expected", Role::out, ElementType::u64));
    plan.steps.push_back({.what = Memset{.buffer = "tail.expected", .count = 1, .value = value(std::uint64_t{0})}});
    plan.steps.push_back({.what = Memset{.buffer = "head.expected", .count = n, .value = zero(problem)}});
  }
  if (n > 0) {
    Launch scan =
        plain_launch("reference_scan<long long>", 1, {pointer_to("offsets"), pointer_to(kept), value(threads)});
    scan.block = {.x = 1};
    plan.steps.push_back(
        {.what = plain_launch("reference_count" + of, blocks,
                              {pointer_to("in"), pointer_to("offsets"), value(per_thread), value(n)})});
    plan.steps.push_back({.what = scan});
    if (op == operation::select) {
      const auto size = static_cast<std::int64_t>(size_of(problem.type()));
      plan.steps.push_back(
          {.what = plain_launch("reference_tail<long long>", 1,
                                {pointer_to(kept), pointer_to("tail.expected"), value(size), value(n)})});
    }
    std::vector<Argument> arguments{pointer_to("in"), pointer_to("offsets"), pointer_to("head.expected"),
                                    value(per_thread), value(n)};
    if (op == operation::partition) arguments.insert(arguments.begin() + 2, pointer_to(kept));
    if (is_split) arguments.insert(arguments.begin() + 1, pointer_to("packed"));
    constexpr const char* kWriters[]{"reference_write", "reference_partition", "reference_split"};
    plan.steps.push_back({.what = plain_launch(kWriters[static_cast<int>(op)] + of, blocks, std::move(arguments))});
  }
  return {.source = "kernels/compact/reference.cuh", .plan = std::move(plan), .depth = 0};
}

}  // namespace warpwright::compact
