// For tests: kernels given as text, for two simple patterns, in their own catalogue.
#pragma once

#include <string>
#include <vector>

#include "kernels/model/catalogue.hpp"
#include "kernels/model/compensated.hpp"
#include "kernels/model/elements.hpp"
#include "kernels/runtime/input.hpp"

namespace warpwright::conformance {

/// The one axis of these kernels.
struct TextParams {
  int block_size = 256;
};

/// Pattern: out = in, `elements` floats, bit by bit.
inline Pattern copying() {
  return {
      .name = "copying",
      .summary = "out = in",
      .extents = {"elements"},
      .types = {{ElementType::f32}},
      .tuning_types = {{ElementType::f32}},
      .tuning_shapes = {{1024}},
      .trace_shape = {1024},
      .buffers =
          [](const Problem& problem) {
            return std::vector<Buffer>{
                {.name = "in", .role = Role::in, .type = ElementType::f32, .count = problem.elements()},
                {.name = "out", .role = Role::out, .type = ElementType::f32, .count = problem.elements()}};
          },
      .inputs = [](const Problem&) { return generic_inputs(true); },
      .fills = [](const Problem&,
                  const std::string& kind) { return std::vector<Fill>{generic_fill(ElementType::f32, kind)}; },
      .oracle = [](const Problem&,
                   const std::vector<Bytes>& inputs) { return Expectation{{.buffer = "out", .values = inputs[0]}}; },
      .reference = {},
      .bound = [](const Problem&, const std::string&, const InputKind&,
                  double) { return Bound{.comparison = Comparison::bits, .formula = "the same bits"}; },
      .work = [](const Problem& problem) { return Work{.steps = static_cast<double>(problem.elements())}; }};
}

/// Pattern: out[0] = sum of `elements` floats, within the bound for the kernel's depth.
inline Pattern adding() {
  Pattern pattern = copying();
  pattern.name = "adding";
  pattern.buffers = [](const Problem& problem) {
    return std::vector<Buffer>{{.name = "in", .role = Role::in, .type = ElementType::f32, .count = problem.elements()},
                               {.name = "out", .role = Role::out, .type = ElementType::f32, .count = 1}};
  };
  pattern.inputs = [](const Problem&) { return generic_inputs(); };
  pattern.oracle = [](const Problem&, const std::vector<Bytes>& inputs) {
    CompensatedSum sum;
    for (const float element : elements_of<float>(inputs[0])) sum.add(element);
    return Expectation{{.buffer = "out", .values = bytes_of(std::vector{sum.value()}), .magnitude = {sum.magnitude()}}};
  };
  pattern.bound = [](const Problem&, const std::string&, const InputKind& input, double depth) {
    return Bound{.comparison = Comparison::bounded,
                 .relative = input.exact ? 0 : depth * unit_roundoff(ElementType::f32),
                 .absolute = input.exact ? 0 : depth * smallest_normal(ElementType::f32),
                 .formula = "depth * u * sum |terms|"};
  };
  return pattern;
}

/// The kernel named `text` of a pattern. `code` is its device code in namespace warpwright::<pattern>; it must define
/// text(const float* in, float* out, long long n), which is launched with `blocks(elements, block_size)` blocks.
struct TextKernel {
  std::string pattern = "copying";
  std::string code = {};
  std::function<std::int64_t(std::int64_t elements, int block_size)> blocks =
      [](std::int64_t elements, int block_size) { return divide_up(elements, block_size); };
  std::vector<int> block_sizes = {256};
  std::function<double(const TextParams&, const Problem&, const Device&)> depth = {};
  std::function<std::vector<std::vector<std::int64_t>>(const TextParams&, const Problem&)> edges = {};
  std::vector<ToleratedRule> lenient = {};
  TextParams default_params = {};

  Kernel kernel() const {
    KernelOf<TextParams> of{
        .pattern = pattern,
        .name = "text",
        .default_params = default_params,
        .space = SpaceOf<TextParams>{}.axis("block_size", &TextParams::block_size, block_sizes),
        .plan =
            [pattern = pattern, blocks = blocks](const TextParams& p, const PlanRequest& request) {
              const std::int64_t count = request.problem.elements();
              Plan plan{.buffers = (pattern == "copying" ? copying() : adding()).buffers(request.problem), .steps = {}};
              const std::int64_t grid = blocks(count, p.block_size);
              if (count == 0 && pattern == "adding")
                plan.steps.push_back({.what = Memset{.buffer = "out", .count = 1, .value = value(0.0F)}});
              else if (count > 0)
                plan.steps.push_back(
                    {.what = Launch{.entry = "warpwright::" + pattern + "::text",
                                    .grid = {.x = static_cast<std::uint32_t>(grid)},
                                    .block = {.x = static_cast<std::uint32_t>(p.block_size)},
                                    .arguments = {pointer_to("in"), pointer_to("out"), value(count)}}});
              return plan;
            },
        .tile = [](const TextParams& p) { return std::vector<std::int64_t>{p.block_size}; },
        .depth = depth,
        .edges = edges,
        .lenient = lenient};
    Kernel made = make_kernel<TextParams>(std::move(of));
    made.source = pattern + "/text.cuh";
    return made;
  }

  /// A catalogue with only this kernel and the runtime's device code.
  Catalogue catalogue_of() const {
    SourceTree sources = catalogue().sources();
    sources[pattern + "/text.cuh"] =
        "// A kernel of a test.\n#pragma once\n\n#include \"kernels/runtime/device.cuh\"\n\n"
        "namespace warpwright::" +
        pattern + " {\n" + code + "\n}\n";
    return {{copying(), adding()}, {kernel()}, std::move(sources)};
  }
};

}  // namespace warpwright::conformance
