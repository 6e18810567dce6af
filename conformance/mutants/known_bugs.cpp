// Patterns, oracles and plans of the known bugs.
#include "conformance/mutants/known_bugs.hpp"

#include <fmt/format.h>

#include <bit>

#include "kernels/model/elements.hpp"
#include "kernels/model/kernel.hpp"
#include "kernels/runtime/input.hpp"

namespace warpwright {

/// Generated from conformance/mutants/known_bugs/*.cuh.
const SourceTree& known_bug_sources();

namespace conformance {
namespace {

using Ints = std::vector<std::int32_t>;
using MakePlan = std::function<Plan(Plan, std::int64_t count)>;

std::int32_t wrapped_sum(std::int32_t a, std::int32_t b) {
  return static_cast<std::int32_t>(static_cast<std::uint32_t>(a) + static_cast<std::uint32_t>(b));
}

Buffer ints(const std::string& name, Role role, std::int64_t count) {
  return {.name = name, .role = role, .type = ElementType::i32, .count = count};
}

/// A wrong or correct form of a kernel.
struct Form {
  std::string name;
  MakePlan plan;  ///< called with the buffers of the problem
};

struct KnownBug {
  std::string name;
  std::function<std::vector<Buffer>(std::int64_t count)> outputs;
  std::function<std::vector<Ints>(const Ints& in)> oracle;  ///< returns one vector per output
  std::int64_t tile;
  std::vector<Form> forms;  ///< the correct form first
};

std::vector<Buffer> one_per_element(std::int64_t count) {
  return {ints("out", Role::out, count)};
}

Launch launch(const std::string& entry, std::int64_t threads, int block, std::vector<Argument> arguments) {
  return {.entry = "warpwright::known_bugs::" + entry,
          .grid = {.x = static_cast<std::uint32_t>(divide_up(threads, block))},
          .block = {.x = static_cast<std::uint32_t>(block)},
          .shared_bytes = 0,
          .arguments = std::move(arguments),
          .cooperative = false};
}

/// A plan of one launch with a thread per element; arguments (in, out, count).
MakePlan plain(const std::string& entry, int block) {
  return [=](Plan plan, std::int64_t count) {
    plan.steps.push_back({.what = launch(entry, count, block, {pointer_to("in"), pointer_to("out"), value(count)})});
    return plan;
  };
}

MakePlan in_place_plan(bool right) {
  return [right](Plan plan, std::int64_t count) {
    const auto padded =
        static_cast<std::int64_t>(std::bit_ceil(static_cast<std::uint64_t>(std::max<std::int64_t>(count, 2))));
    plan.buffers.push_back(ints("work", Role::scratch, padded));
    plan.steps.push_back(
        {.what = launch("pad<>", padded, 64, {pointer_to("in"), pointer_to("work"), value(count), value(padded)})});
    for (std::int64_t half = padded / 2; half > 0; half = right ? half / 2 : 0)
      plan.steps.push_back({.what = launch(right ? "fold<true>" : "fold<false>", half, 64,
                                           {pointer_to("work"), pointer_to("out"), value(half)})});
    return plan;
  };
}

MakePlan append_plan(bool right) {
  return [right](Plan plan, std::int64_t count) {
    plan.steps.push_back({.what = Memset{.buffer = "list", .count = count, .value = value(0)}});
    plan.steps.push_back({.what = Memset{.buffer = "length", .count = 1, .value = value(0)}});
    plan.steps.push_back({.what = launch(right ? "append<true>" : "append<false>", count, 64,
                                         {pointer_to("in"), pointer_to("list"), pointer_to("length"), value(count)})});
    return plan;
  };
}

/// A plan of a single-pass scan, in which each block passes its sum on to the next.
MakePlan single_pass_plan(const std::string& entry) {
  return [entry](Plan plan, std::int64_t count) {
    const std::int64_t blocks = divide_up(count, 32);
    plan.buffers.push_back(ints("sums", Role::scratch, blocks + 1));
    for (const auto& [name, size] : {std::pair{"flags", blocks + 1}, std::pair{"ticket", std::int64_t{1}}}) {
      plan.buffers.push_back({.name = name, .role = Role::scratch, .type = ElementType::u32, .count = size});
      plan.steps.push_back({.what = Memset{.buffer = name, .count = size, .value = value(0U)}});
    }
    plan.steps.push_back({.what = launch(entry, count, 32,
                                         {pointer_to("in"), pointer_to("out"), pointer_to("sums"), pointer_to("flags"),
                                          pointer_to("ticket"), value(count)})});
    return plan;
  };
}

/// A kernel that computes one sum for each block of `block` elements.
KnownBug sums_of_blocks(const std::string& name, int block) {
  return {.name = name,
          .outputs = [=](std::int64_t count) { return std::vector{ints("out", Role::out, divide_up(count, block))}; },
          .oracle =
              [=](const Ints& in) {
                Ints sums(static_cast<std::size_t>(divide_up(static_cast<std::int64_t>(in.size()), block)), 0);
                for (std::size_t i = 0; i < in.size(); ++i) {
                  auto& sum = sums[i / static_cast<std::size_t>(block)];
                  sum = wrapped_sum(sum, in[i]);
                }
                return std::vector<Ints>{sums};
              },
          .tile = block,
          .forms = {{"right", plain(name + "<true>", block)}, {"wrong", plain(name + "<false>", block)}}};
}

/// Inclusive prefix sums that restart every `part` elements; 0 means never.
std::vector<Ints> prefix_sums(const Ints& in, std::size_t part) {
  Ints sums = in;
  for (std::size_t i = 1; i < in.size(); ++i)
    if (part == 0 || i % part != 0) sums[i] = wrapped_sum(sums[i - 1], in[i]);
  return {sums};
}

std::vector<KnownBug> make_known_bugs() {
  const auto kogge_stone = [](const std::string& form) {
    return plain("kogge_stone<warpwright::known_bugs::kogge_stone_form::" + form + ", 128>", 128);
  };
  const auto volatile_chain = [](const std::string& form) {
    return single_pass_plan("volatile_chain<warpwright::known_bugs::volatile_chain_form::" + form + ">");
  };
  return {
      {.name = "in_place_reduction",
       .outputs = [](std::int64_t) { return std::vector{ints("out", Role::out, 1)}; },
       .oracle =
           [](const Ints& in) {
             std::int32_t sum = 0;
             for (const std::int32_t term : in) sum = wrapped_sum(sum, term);
             return std::vector<Ints>{Ints{sum}};
           },
       .tile = 64,
       .forms = {{"right", in_place_plan(true)}, {"wrong", in_place_plan(false)}}},
      sums_of_blocks("warp_tail", 64),
      {.name = "kogge_stone",
       .outputs = one_per_element,
       .oracle = [](const Ints& in) { return prefix_sums(in, 128); },
       .tile = 128,
       .forms = {{"right", kogge_stone("right")},
                 {"without_temporary", kogge_stone("without_temporary")},
                 {"without_second_barrier", kogge_stone("without_second_barrier")}}},
      {.name = "guarded_barrier",
       .outputs = one_per_element,
       .oracle =
           [](const Ints& in) {
             Ints moved = in;
             for (std::size_t i = 0; i < in.size(); ++i)
               if (i % 64 != 0) moved[i] = in[i - 1];
             return std::vector<Ints>{moved};
           },
       .tile = 64,
       .forms = {{"right", plain("guarded_barrier<true, 64>", 64)},
                 {"wrong", plain("guarded_barrier<false, 64>", 64)}}},
      {.name = "append",
       .outputs =
           [](std::int64_t count) {
             return std::vector{ints("list", Role::out, count), ints("length", Role::out, 1)};
           },
       .oracle =
           [](const Ints& in) {
             Ints list(in.size(), 0);
             std::size_t length = 0;
             for (const std::int32_t element : in)
               if (element > 0) list[length++] = 7;
             return std::vector<Ints>{list, Ints{static_cast<std::int32_t>(length)}};
           },
       .tile = 64,
       .forms = {{"right", append_plan(true)}, {"wrong", append_plan(false)}}},
      sums_of_blocks("block_of_96", 96),
      {.name = "single_pass_scan",
       .outputs = one_per_element,
       .oracle = [](const Ints& in) { return prefix_sums(in, 0); },
       .tile = 32,
       .forms = {{"right", single_pass_plan("single_pass_scan<true>")},
                 {"without_ticket", single_pass_plan("single_pass_scan<false>")}}},
      {.name = "volatile_chain",
       .outputs = one_per_element,
       .oracle = [](const Ints& in) { return prefix_sums(in, 0); },
       .tile = 32,
       .forms = {{"right", volatile_chain("right")},
                 {"without_fence", volatile_chain("without_fence")},
                 {"without_reading_fence", volatile_chain("without_reading_fence")},
                 {"fence_of_block", volatile_chain("fence_of_block")}}},
  };
}

std::vector<Buffer> buffers_of(const KnownBug& bug, std::int64_t count) {
  std::vector<Buffer> buffers{ints("in", Role::in, count)};
  for (Buffer& buffer : bug.outputs(count)) buffers.push_back(std::move(buffer));
  return buffers;
}

Pattern pattern_of(const KnownBug& bug) {
  Pattern pattern;
  pattern.name = bug.name;
  pattern.summary = "a known bug and its correct form";
  pattern.extents = {"elements"};
  pattern.types = {{ElementType::i32}};
  pattern.trace_shape = {1024};
  pattern.buffers = [bug](const Problem& problem) { return buffers_of(bug, problem.elements()); };
  pattern.inputs = [](const Problem&) {
    return std::vector<InputKind>{{.name = "exact", .exact = true}, {.name = "uniform"}, {.name = "position"}};
  };
  pattern.fills = [](const Problem&, const std::string& kind) {
    return std::vector<Fill>{generic_fill(ElementType::i32, kind)};
  };
  pattern.work = [](const Problem& problem) {
    const auto count = static_cast<double>(problem.elements());
    return Work{.bytes_read = count * sizeof(std::int32_t), .steps = count};
  };
  pattern.oracle = [bug](const Problem&, const std::vector<Bytes>& inputs) {
    const Ints in = elements_of<std::int32_t>(inputs.at(0));
    const auto outputs = bug.outputs(static_cast<std::int64_t>(in.size()));
    const auto values = bug.oracle(in);
    Expectation expected;
    for (std::size_t i = 0; i < outputs.size(); ++i)
      expected.push_back({.buffer = outputs[i].name, .values = bytes_of(values.at(i)), .magnitude = {}});
    return expected;
  };
  pattern.bound = same_values;
  return pattern;
}

struct FormParams {
  int block_size = 0;
};

Kernel kernel_of(const KnownBug& bug, const Form& form) {
  const auto space = SpaceOf<FormParams>{}.axis("block_size", &FormParams::block_size, {static_cast<int>(bug.tile)});
  Kernel kernel;
  kernel.pattern = bug.name;
  kernel.name = form.name;
  kernel.source = "conformance/mutants/known_bugs/" + bug.name + ".cuh";
  kernel.space = space.space();
  kernel.default_point = {bug.tile};
  kernel.plan = [bug, form](const Point&, const Problem& problem, const Device&) {
    Plan plan{.buffers = buffers_of(bug, problem.elements()), .steps = {}};
    if (problem.elements() > 0) return form.plan(std::move(plan), problem.elements());
    for (const Buffer& buffer : bug.outputs(0))
      plan.steps.push_back({.what = Memset{.buffer = buffer.name, .count = buffer.count, .value = value(0)}});
    return plan;
  };
  kernel.depth = [](const Point&, const Problem&, const Device&) { return 0.0; };
  kernel.tile = [tile = bug.tile](const Point&) { return std::vector<std::int64_t>{tile}; };
  return kernel;
}

}  // namespace

const char* const kKnownBug = "known bug";

const Catalogue& known_bugs() {
  static const Catalogue catalogue_of_bugs = [] {
    std::vector<Pattern> patterns;
    std::vector<Kernel> kernels;
    for (const KnownBug& bug : make_known_bugs()) {
      patterns.push_back(pattern_of(bug));
      for (const Form& form : bug.forms) kernels.push_back(kernel_of(bug, form));
    }
    SourceTree sources = catalogue().sources();
    sources.insert(known_bug_sources().begin(), known_bug_sources().end());
    return Catalogue(std::move(patterns), std::move(kernels), std::move(sources));
  }();
  return catalogue_of_bugs;
}

std::vector<Mutant> all_known_bugs() {
  std::vector<Mutant> mutants;
  for (const Kernel& kernel : known_bugs().kernels())
    mutants.push_back({.kernel = &kernel,
                       .mutation = {.rule = kKnownBug,
                                    .file = kernel.source,
                                    .line = 1,
                                    .change = kernel.name,
                                    .text = known_bugs().sources().at(kernel.source),
                                    .equivalent = kernel.name == "right" ? "the correct form" : ""}});
  return mutants;
}

}  // namespace conformance
}  // namespace warpwright
