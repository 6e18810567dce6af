// Makes the plan of a job's oracle.
#include "kernels/job/reference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include "kernels/core/caveats.hpp"
#include "kernels/core/target.hpp"
#include "kernels/job/fills.hpp"
#include "kernels/model/program.hpp"
#include "kernels/runtime/input.hpp"

namespace warpwright::job {
namespace {

constexpr int kBlock = 256, kBlocksPerSm = 8;

std::string reference_path(const Job& job) {
  return job.name + ".oracle.cuh";
}

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
    if (job().oracle.kind == Oracle::Kind::files) {
      for (const Buffer& buffer : lowering_.shared_buffers(problem_))
        if (buffer.is_output()) from_file(buffer);
      return std::move(plan_);
    }
    const Renamed results = run(".result", false);
    bool needs_terms = false;
    for (const Buffer& buffer : lowering_.shared_buffers(problem_)) {
      if (!buffer.is_output()) continue;
      expect(buffer, results.at(buffer.name));
      const bool bounded = is_bounded(job(), buffer.type);
      needs_terms = needs_terms || (bounded && of_terms());
      if (bounded && !of_terms()) give(buffer, ".magnitude", buffer.name + ".expected", "magnitude<double>");
    }
    if (!needs_terms) return std::move(plan_);
    const Renamed terms = run(".terms", true);
    for (const Buffer& buffer : lowering_.shared_buffers(problem_))
      if (buffer.is_output() && is_bounded(job(), buffer.type))
        give(buffer, ".magnitude", terms.at(buffer.name), widen(buffer.type));
    return std::move(plan_);
  }

 private:
  const Job& job() const { return lowering_.job; }
  bool of_terms() const { return job().bound.kind == JobBound::Kind::depth && !job().bound.of_results; }
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

  /// Adds an out buffer of doubles that this function computes.
  void give(const Buffer& buffer, const std::string& suffix, const std::string& from, const std::string& function) {
    add(buffer, buffer.name + suffix, Role::out).type = ElementType::f64;
    launch(function, buffer.count, {pointer_to(from), pointer_to(buffer.name + suffix)});
  }

  void expect(const Buffer& buffer, const std::string& from) {
    if (is_bounded(job(), buffer.type)) return give(buffer, ".expected", from, widen(buffer.type));
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
    if (is_bounded(job(), buffer.type)) give(buffer, ".magnitude", buffer.name + ".expected", "magnitude<double>");
  }

  /// Adds the oracle's steps, and returns the names of its buffers. What it writes is scratch memory of the plan.
  Renamed run(const std::string& suffix, bool absolute) {
    const bool on_host = job().oracle.kind == Oracle::Kind::function;
    Renamed names;
    const Names known = names_of(job(), point_, problem_, device_);
    for (const JobBuffer& one : job().buffers) {
      const Buffer buffer = plan_buffer(one, known);
      if (on_host && buffer.role == Role::scratch) continue;
      const bool is_changed = absolute && buffer.is_input() && is_floating(buffer.type);
      if (buffer.role == Role::in && !is_changed && !on_host) continue;
      names[buffer.name] = buffer.name + suffix;
      add(buffer, buffer.name + suffix, Role::scratch);
      if (is_changed)
        launch(fmt::format("absolute<{}>", storage_name(buffer.type)), buffer.count,
               {pointer_to(buffer.name), pointer_to(buffer.name + suffix)});
      else if (buffer.is_input() && buffer.count > 0)
        plan_.steps.push_back({.what = Copy{.from = buffer.name, .to = buffer.name + suffix, .bytes = buffer.bytes()}});
    }
    const StepRequest request{.lowering = lowering_,
                              .point = point_,
                              .problem = problem_,
                              .device = device_,
                              .renamed = names,
                              .absolute = absolute};
    if (on_host) return call(request, names, suffix);
    for (Step& upload : uploads(lowering_, names, known)) plan_.steps.push_back(std::move(upload));
    const auto& steps = job().oracle.kind == Oracle::Kind::steps ? job().oracle.steps : job().steps;
    for (Step& step : plan_steps(steps, request)) plan_.steps.push_back(std::move(step));
    return names;
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
      if (buffer.count == 0) continue;
      if (buffer.is_input()) {
        plan_.steps.push_back({.what = Copy{.from = names.at(buffer.name), .to = there, .bytes = buffer.bytes()}});
        accesses.push_back({.buffer = there, .bytes = buffer.bytes()});
      }
      if (!buffer.is_output()) continue;
      accesses.push_back({.buffer = there, .bytes = buffer.bytes(), .writes = true});
      back.push_back({.what = Copy{.from = there, .to = names.at(buffer.name), .bytes = buffer.bytes()}});
    }
    plan_.steps.push_back({.what = Synchronise{}});
    HostWork work = host_call(job().oracle.steps.front(), on_host, job().oracle.source.filename().string());
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

bool is_bounded(const Job& job, ElementType type) {
  return is_floating(type) && (job.bound.kind == JobBound::Kind::depth || job.bound.kind == JobBound::Kind::guessed);
}

Bound bound_of(const Job& job, const Buffer& output, const InputKind& input, double depth) {
  if (!is_bounded(job, output.type)) {
    const bool bits = job.bound.kind == JobBound::Kind::bits;
    return {.comparison = bits ? Comparison::bits : Comparison::equal,
            .formula = bits ? "the same bits" : "the same values"};
  }
  if (job.bound.kind == JobBound::Kind::guessed)
    return {.comparison = Comparison::bounded,
            .relative = job.bound.relative,
            .absolute = job.bound.absolute,
            .formula = fmt::format("guessed: {} * |result| + {}", job.bound.relative, job.bound.absolute)};
  if (input.exact) return {.comparison = Comparison::bounded, .relative = 0, .absolute = 0, .formula = "exact"};
  // If the oracle has the arithmetic of the kernel, its results have the same rounding errors, so the bound is doubled.
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
  if (job.oracle.kind == Oracle::Kind::function) {
    std::ifstream in(job.oracle.source, std::ios::binary);
    sources[job.oracle.source.filename().string()] = {std::istreambuf_iterator<char>(in), {}};
  }
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
  if (job.bound.kind == JobBound::Kind::guessed)
    caveats.push_back(
        fmt::format("the bound is guessed: {} of the result and {}", job.bound.relative, job.bound.absolute));
  std::ranges::move(values_left_out(job, host_device()), std::back_inserter(caveats));
  if (!lowering.text.missing.empty())
    caveats.push_back(
        fmt::format("headers that were not found are left out: {}", fmt::join(lowering.text.missing, ", ")));
  return caveats;
}

}  // namespace warpwright::job
