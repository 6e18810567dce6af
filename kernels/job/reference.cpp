// Makes the plan of a job's oracle.
#include "kernels/job/reference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <limits>

#include "kernels/core/caveats.hpp"
#include "kernels/core/target.hpp"
#include "kernels/job/fills.hpp"
#include "kernels/job/inputs.hpp"
#include "kernels/model/program.hpp"
#include "kernels/runtime/input.hpp"

namespace warpwright::job {
namespace {

constexpr int kBlock = 256, kBlocksPerSm = 8;
constexpr std::byte kOtherFill{0xFF};
constexpr const char* kExactFormula =
    "exact, since the inputs are small whole numbers; if results are rounded even then, say \"exact\": false";

/// Whether right outputs of that type may differ. Integers may if the guessed bound is at least 1.
bool may_be_off(const JobBound& bound, ElementType type) {
  if (!is_floating(type)) return bound.kind == JobBound::Kind::guessed && bound.absolute >= 1 && size_of(type) < 8;
  return bound.kind == JobBound::Kind::depth || bound.kind == JobBound::Kind::guessed;
}

/// In a folder, as no source of a kernel is.
std::string reference_path(const Job& job) {
  return job.name + "/oracle.cuh";
}

/// The path of an oracle's function among the sources.
std::string function_path(const Job& job) {
  return fmt::format("{}/{}.host.cpp", job.name, job.oracle.function.source.filename().string());
}

/// The inputs for which the oracle is run.
enum class Inputs { as_given, absolute, nudged };
/// Of the golden ratio, Euler's number, and the roots of the first primes. With each, inputs are nudged otherwise, so
/// that the effects of those near each other, or in a column, do not cancel in all runs.
constexpr std::array<unsigned, 8> kNudgeSteps{0x9e3779b9U, 0xb7e15162U, 0x6a09e667U, 0xbb67ae85U,
                                              0x3c6ef372U, 0xa54ff53aU, 0x510e527fU, 0x9b05688cU};
/// Where all effects cancel in these runs, the neighbours of the result say how large they are. Few results have few
/// neighbours, so there are all runs.
constexpr std::size_t kUsualNudges = 3;
constexpr std::int64_t kFewResults = 1024;

/// By how many rounding errors nudged inputs are off.
constexpr double kMostNudge = 16, kLeastNudge = 8;

class ReferencePlan {
 public:
  ReferencePlan(const Lowering& lowering, const Problem& problem, const Device& device)
      : lowering_(lowering), problem_(problem), device_(device), point_(lowering.preferred()) {
    for (Buffer buffer : lowering.shared_buffers(problem)) {
      if (!buffer.is_input()) continue;
      buffer.role = Role::in;
      plan_.buffers.push_back(buffer);
    }
    plan_.definitions = definitions_of(lowering, point_, problem, device);
  }

  Plan made() {
    std::vector<Buffer> outputs = lowering_.shared_buffers(problem_);
    std::erase_if(outputs, [](const Buffer& buffer) { return !buffer.is_output(); });
    if (job().oracle.kind == Oracle::Kind::files)
      for (const Buffer& buffer : outputs) from_file(buffer);
    else
      from_steps(outputs);
    for (const Buffer& buffer : outputs) leave_out(buffer);
    return std::move(plan_);
  }

 private:
  const Job& job() const { return lowering_.job; }
  const Compared& compared(const Buffer& buffer) const { return find_buffer(job(), buffer.name)->compared; }
  bool is_of_written(const Buffer& buffer) const {
    return compared(buffer).kind == Compared::Kind::where_written && job().oracle.kind != Oracle::Kind::files;
  }
  bool is_of_terms(const Buffer& buffer) const {
    return job().bound.kind == JobBound::Kind::depth && !job().bound.of_results && is_floating(buffer.type);
  }
  static std::string widen(ElementType type) { return fmt::format("widen<{}>", storage_name(type)); }

  Buffer& add(Buffer buffer, const std::string& name, Role role) {
    buffer.name = name;
    buffer.role = role;
    plan_.buffers.push_back(std::move(buffer));
    return plan_.buffers.back();
  }

  void launch(const std::string& function, std::int64_t count, std::vector<Argument> arguments) {
    if (count == 0) return;
    const std::int64_t blocks =
        std::min<std::int64_t>(divide_up(count, kBlock), std::int64_t{device_.sm_count} * kBlocksPerSm);
    arguments.push_back(ValueArgument(value(count)));
    plan_.steps.push_back({.what = Launch{.entry = "warpwright::job::" + function,
                                          .grid = {.x = static_cast<std::uint32_t>(blocks)},
                                          .block = {.x = kBlock},
                                          .arguments = std::move(arguments)}});
  }

  void from_steps(const std::vector<Buffer>& outputs) {
    const Renamed results = run(".result");
    for (const Buffer& buffer : outputs) {
      expect(buffer, results.at(buffer.name));
      if (is_bounded(job(), buffer) && !is_of_terms(buffer))
        give(buffer, ".magnitude", buffer.name + ".expected", "magnitude<double>");
    }
    if (std::ranges::any_of(outputs, [&](const Buffer& buffer) { return is_of_terms(buffer); })) {
      const Renamed terms = run(".terms", Inputs::absolute);
      std::int64_t count = 0;
      for (const Buffer& buffer : outputs) {
        count += buffer.count;
        if (is_of_terms(buffer)) give(buffer, ".known", terms.at(buffer.name), widen(buffer.type), Role::scratch);
      }
      const std::size_t nudges = count <= kFewResults ? kNudgeSteps.size() : kUsualNudges;
      for (nudge_ = 0; nudge_ < nudges; ++nudge_)
        take_condition(outputs, run(fmt::format(".nudged{}", nudge_), Inputs::nudged));
      for (const Buffer& buffer : outputs)
        if (is_of_terms(buffer)) give(buffer, ".magnitude", buffer.name + ".known", "with_neighbours");
    }
    if (std::ranges::none_of(outputs, [&](const Buffer& buffer) { return is_of_written(buffer); })) return;
    const Renamed again = run(".again", Inputs::as_given, kOtherFill);
    for (const Buffer& buffer : outputs)
      if (is_of_written(buffer))
        launch("compare_written", buffer.count,
               {in_bytes(results.at(buffer.name)), in_bytes(again.at(buffer.name)),
                pointer_to(buffer.name + ".magnitude"), value(static_cast<std::int64_t>(size_of(buffer.type)))});
  }

  void take_condition(const std::vector<Buffer>& outputs, const Renamed& nudged) {
    for (const Buffer& buffer : outputs)
      if (is_of_terms(buffer))
        launch(fmt::format("conditioned<{}>", storage_name(buffer.type)), buffer.count,
               {pointer_to(buffer.name + ".expected"), pointer_to(nudged.at(buffer.name)),
                pointer_to(buffer.name + ".known"), value(kLeastNudge * unit_roundoff(buffer.type))});
  }

  static Argument in_bytes(const std::string& buffer) {
    return BufferArgument{.buffer = buffer, .as = "unsigned char"};
  }

  /// Marks the elements that the job does not compare.
  void leave_out(const Buffer& buffer) {
    const JobBuffer& of = *find_buffer(job(), buffer.name);
    const Names names = names_of(job(), problem_);
    const auto elements = [&](const Expression& expression) {
      const Value number = expression.value(names);
      if (!is_whole(number) || number < 0)
        of.place.fail(fmt::format("\"compare\" of {}: \"{}\" is {}, no number of elements", of.name, expression.text(),
                                  static_cast<double>(number)));
      return static_cast<std::int64_t>(number) * of.lanes;
    };
    if (of.compared.kind != Compared::Kind::range && of.compared.kind != Compared::Kind::rows) return;
    const std::int64_t first = elements(of.compared.first), second = elements(of.compared.second);
    const bool is_range = of.compared.kind == Compared::Kind::range;
    if (!is_range && second == 0) of.place.fail("a pitch of 0: how many elements has a row?");
    launch(is_range ? "compare_range" : "compare_rows", buffer.count,
           {pointer_to(buffer.name + ".magnitude"), value(first), value(second)});
  }

  /// Adds a buffer of doubles that this function computes.
  void give(const Buffer& buffer, const std::string& suffix, const std::string& from, const std::string& function,
            Role role = Role::out) {
    add(buffer, buffer.name + suffix, role).type = ElementType::f64;
    launch(function, buffer.count, {pointer_to(from), pointer_to(buffer.name + suffix)});
  }

  void expect(const Buffer& buffer, const std::string& from) {
    if (is_bounded(job(), buffer)) return give(buffer, ".expected", from, widen(buffer.type));
    add(buffer, buffer.name + ".expected", Role::out);
    if (buffer.count > 0)
      plan_.steps.push_back({.what = Copy{.from = from, .to = buffer.name + ".expected", .bytes = buffer.bytes()}});
  }

  void from_file(const Buffer& buffer) {
    const std::string file = job().oracle.files.at(buffer.name).lexically_relative(job().file.parent_path()).string();
    add(buffer, buffer.name + ".result", Role::scratch);
    const std::string functor = file_functor(job(), file, buffer.type);
    launch(fmt::format("read_file<{}, {}>", storage_name(buffer.type), functor), buffer.count,
           {pointer_to(buffer.name + ".result")});
    expect(buffer, buffer.name + ".result");
    if (is_bounded(job(), buffer)) give(buffer, ".magnitude", buffer.name + ".expected", "magnitude<double>");
  }

  /// Adds the oracle's steps, and returns the names of its buffers. What it writes is scratch memory of the plan. Where
  /// only written elements are compared, this memory holds `fill` before.
  Renamed run(const std::string& suffix, Inputs inputs = Inputs::as_given, std::byte fill = std::byte{0}) {
    const bool on_host = job().oracle.kind == Oracle::Kind::function;
    Renamed names;
    const Names known = names_of(job(), point_, problem_, device_);
    for (const JobBuffer& one : job().buffers) {
      const Buffer buffer = plan_buffer(one, known);
      if (on_host && buffer.role == Role::scratch) continue;
      const bool is_changed = inputs != Inputs::as_given && buffer.is_input() && is_floating(buffer.type);
      if (buffer.role == Role::in && !is_changed && !on_host) continue;
      names[buffer.name] = buffer.name + suffix;
      add(buffer, buffer.name + suffix, Role::scratch);
      if (is_of_written(buffer) && buffer.count > 0)
        plan_.steps.push_back({.what = Memset{.buffer = buffer.name + suffix,
                                              .count = buffer.bytes(),
                                              .value = {.type = "unsigned char", .bytes = {fill}}}});
      if (is_changed)
        change(one, buffer, inputs, suffix, known);
      else if (buffer.is_input() && buffer.count > 0)
        plan_.steps.push_back({.what = Copy{.from = buffer.name, .to = buffer.name + suffix, .bytes = buffer.bytes()}});
    }
    const StepRequest request{.lowering = lowering_,
                              .point = point_,
                              .problem = problem_,
                              .device = device_,
                              .renamed = names,
                              .absolute = inputs == Inputs::absolute};
    if (on_host) return call(request, names, suffix);
    for (Step& upload : uploads(lowering_, names, known)) plan_.steps.push_back(std::move(upload));
    const auto& steps = job().oracle.kind == Oracle::Kind::steps ? job().oracle.steps : job().steps;
    for (Step& step : plan_steps(steps, request)) plan_.steps.push_back(std::move(step));
    return names;
  }

  /// Nudged data stay within the range that the job gives for them.
  void change(const JobBuffer& of, const Buffer& buffer, Inputs inputs, const std::string& suffix, const Names& known) {
    std::vector<Argument> arguments{pointer_to(buffer.name), pointer_to(buffer.name + suffix)};
    if (inputs == Inputs::absolute)
      return launch(fmt::format("absolute<{}>", storage_name(buffer.type)), buffer.count, std::move(arguments));
    const auto end = [&](const Expression& given, double otherwise) {
      return value(of.data.kind == Data::Kind::between ? static_cast<double>(given.value(known)) : otherwise);
    };
    constexpr double kAny = std::numeric_limits<double>::infinity();
    const auto number = static_cast<int>(&of - job().buffers.data());
    for (const ValueArgument& argument : {value(kMostNudge * unit_roundoff(buffer.type)), end(of.data.first, -kAny),
                                          end(of.data.second, kAny), value(number), value(kNudgeSteps.at(nudge_))})
      arguments.emplace_back(argument);
    launch(fmt::format("nudged<{}>", storage_name(buffer.type)), buffer.count, std::move(arguments));
  }

  /// A function on the CPU needs buffers in the CPU's memory.
  Renamed call(const StepRequest& request, const Renamed& names, const std::string& suffix) {
    StepRequest on_host = request;
    std::vector<HostAccess> accesses;
    std::vector<Step> back;
    for (const Buffer& buffer : lowering_.shared_buffers(problem_)) {
      const std::string there = buffer.name + suffix + ".host";
      add(buffer, there, Role::scratch).where = Where::pageable;
      on_host.renamed[buffer.name] = there;
      if (buffer.count == 0) {
        accesses.push_back({.buffer = there});
        continue;
      }
      if (buffer.is_input() || is_of_written(buffer)) {
        plan_.steps.push_back({.what = Copy{.from = names.at(buffer.name), .to = there, .bytes = buffer.bytes()}});
        accesses.push_back({.buffer = there, .bytes = buffer.bytes()});
      }
      if (!buffer.is_output()) continue;
      accesses.push_back({.buffer = there, .bytes = buffer.bytes(), .writes = true});
      back.push_back({.what = Copy{.from = there, .to = names.at(buffer.name), .bytes = buffer.bytes()}});
    }
    plan_.steps.push_back({.what = Synchronise{}});
    HostWork work = host_call(job().oracle.function.call, lowering_.oracle, function_path(job()), on_host);
    work.accesses = accesses;
    plan_.steps.push_back({.what = std::move(work)});
    for (Step& step : back) plan_.steps.push_back(std::move(step));
    return names;
  }

  const Lowering& lowering_;
  const Problem& problem_;
  const Device& device_;
  Point point_;
  Plan plan_;
  std::size_t nudge_ = 0;  ///< which of the steps nudges inputs
};

}  // namespace

std::vector<Step> uploads(const Lowering& lowering, const Renamed& renamed, const Names& names) {
  std::vector<Step> steps;
  for (const JobBuffer& buffer : lowering.job.buffers) {
    if (buffer.symbol.empty()) continue;
    const auto found = renamed.find(buffer.name);
    const Buffer planned = plan_buffer(buffer, names);
    if (planned.count == 0) continue;
    steps.push_back({.what = ConstantUpload{.symbol = buffer.symbol,
                                            .buffer = found == renamed.end() ? buffer.name : found->second,
                                            .bytes = planned.bytes()},
                     .timed = false});
  }
  return steps;
}

/// For an output that the tolerances of the job do not concern.
std::string equality_of(const JobBound& bound, ElementType type) {
  if (bound.kind == JobBound::Kind::bits) return "the same bits";
  if (bound.kind == JobBound::Kind::equal) return "the same values";
  return size_of(type) == 8 ? "the same values, as always for integers of 64 bits"
                            : "the same values, since integers may differ only if \"absolute\" is 1 or more";
}

/// "1e-05 times the right value, plus 0.001"
std::string tolerance_of(const JobBound& bound) {
  if (bound.relative == 0) return fmt::format("{}", bound.absolute);
  return fmt::format("{} times the right value", bound.relative) +
         (bound.absolute == 0 ? "" : fmt::format(", plus {}", bound.absolute));
}

bool is_bounded(const Job& job, const Buffer& output) {
  return may_be_off(job.bound, output.type) || find_buffer(job, output.name)->compared.kind != Compared::Kind::all;
}

Bound bound_of(const Job& job, const Buffer& output, const InputKind& input, double depth) {
  if (!may_be_off(job.bound, output.type)) {
    const bool bits = job.bound.kind == JobBound::Kind::bits;
    return {.comparison = is_bounded(job, output) ? Comparison::bounded
                          : bits                  ? Comparison::bits
                                                  : Comparison::equal,
            .formula = equality_of(job.bound, output.type)};
  }
  if (job.bound.kind == JobBound::Kind::guessed && !is_floating(output.type))
    return {.comparison = Comparison::bounded,
            .absolute = job.bound.absolute,
            .formula = fmt::format("guessed: {}", job.bound.absolute)};
  if (job.bound.kind == JobBound::Kind::guessed)
    return {.comparison = Comparison::bounded,
            .relative = job.bound.relative,
            .absolute = job.bound.absolute,
            .formula = fmt::format("guessed: {} * |result| + {}", job.bound.relative, job.bound.absolute)};
  if (input.exact) return {.comparison = Comparison::bounded, .relative = 0, .absolute = 0, .formula = kExactFormula};
  // An oracle with the kernel's arithmetic has rounding errors of the same size, so the bound is doubled.
  const bool is_wide = job.oracle.kind == Oracle::Kind::function || job.oracle.kind == Oracle::Kind::files;
  const double times = is_wide ? 1 : 2;
  return {.comparison = Comparison::bounded,
          .relative = times * depth * unit_roundoff(output.type),
          .absolute = times * depth * smallest_normal(output.type),
          .formula = fmt::format("{}depth * u * {} + {}depth * smallest normal", is_wide ? "" : "2 * ",
                                 job.bound.of_results ? "|result|" : "sum |terms|", is_wide ? "" : "2 * ")};
}

Reference reference_of(const Lowering& lowering, const Problem& problem, const Device& device) {
  return {.source = reference_path(lowering.job), .plan = ReferencePlan(lowering, problem, device).made(), .depth = 1};
}

SourceTree reference_sources(const Lowering& lowering) {
  const Job& job = lowering.job;
  SourceTree sources;
  std::string text = "// The oracle of " + job.pattern() + ".\n#include \"kernels/job/oracle.cuh\"\n";
  for (const auto& [path, content] : data_sources(job)) {
    sources[path] = content;
    text += "#include \"" + path + "\"\n";
  }
  if (job.oracle.kind == Oracle::Kind::default_configuration || job.oracle.kind == Oracle::Kind::steps)
    text += lowering.text.text;
  sources[reference_path(job)] = text;
  if (job.oracle.kind == Oracle::Kind::function) sources[function_path(job)] = lowering.oracle.text;
  return sources;
}

std::vector<std::string> caveats_of(const Lowering& lowering) {
  const Job& job = lowering.job;
  std::vector<std::string> caveats;
  if (job.oracle.kind == Oracle::Kind::default_configuration)
    caveats.push_back(
        fmt::format("{}: without an oracle, {}", kValuesNotChecked,
                    std::ranges::all_of(job.params, [](const Param& param) { return param.axis.values.size() == 1; })
                        ? "the only configuration is compared with itself"
                        : "they are compared with those of the default configuration"));
  if (job.oracle.kind == Oracle::Kind::files)
    caveats.emplace_back("answers are compared with files, for their one shape");
  if (job.bound.kind == JobBound::Kind::guessed && std::ranges::any_of(job.buffers, [&](const JobBuffer& buffer) {
        return buffer.is_output() && may_be_off(job.bound, buffer.element);
      }))
    caveats.push_back(fmt::format("the bound is guessed: results may be off by {}{}", tolerance_of(job.bound),
                                  job.inputs.empty() ? ", so extreme values are not tested" : ""));
  if (std::string untested = untested_inputs(lowering); !untested.empty()) caveats.push_back(std::move(untested));
  std::ranges::move(restrict_overlaps(lowering), std::back_inserter(caveats));
  std::ranges::move(values_left_out(job, host_device()), std::back_inserter(caveats));
  if (!lowering.text.missing.empty())
    caveats.push_back(
        fmt::format("headers that were not found are left out: {}", fmt::join(lowering.text.missing, ", ")));
  return caveats;
}

}  // namespace warpwright::job
