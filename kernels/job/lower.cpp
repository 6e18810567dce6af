// Makes a pattern and a kernel from a job.
#include "kernels/job/lower.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <regex>
#include <set>

#include "kernels/core/target.hpp"
#include "kernels/core/vocabulary.hpp"
#include "kernels/job/compared.hpp"
#include "kernels/job/fills.hpp"
#include "kernels/job/inputs.hpp"
#include "kernels/job/laws.hpp"
#include "kernels/job/lowering.hpp"
#include "kernels/job/read_parts.hpp"
#include "kernels/job/reference.hpp"
#include "kernels/job/shapes.hpp"
#include "kernels/job/tensor_maps.hpp"
#include "kernels/job/text/constants.hpp"
#include "kernels/job/text/signatures.hpp"
#include "kernels/job/text/tokens.hpp"
#include "kernels/job/text/two_texts.hpp"
#include "kernels/job/textures.hpp"
#include "kernels/runtime/input.hpp"

namespace warpwright::job {
namespace {

using Shared = std::shared_ptr<const Lowering>;

/// The words in a source's code and directives, without its comments.
std::set<std::string> words_of_code(const std::string& text, const std::string& file) {
  const Tokens tokens(text, file);
  std::set<std::string> words;
  for (std::size_t i = 0; i < tokens.size(); ++i)
    if (tokens.is_word(i) || tokens[i].kind == TokenKind::directive)
      for (std::string& word : words_in(tokens.view(i))) words.insert(std::move(word));
  return words;
}

/// Decides how params are passed to the source, where the job does not say so.
void settle_reach(Lowering& lowering) {
  std::set<std::string> of_templates;
  for (const JobStep& step : lowering.job.steps) {
    if (step.kernel.empty()) continue;
    const GlobalFunction& function = function_of(lowering.job, lowering.text.kernels, step);
    for (const std::string& argument : step.template_arguments.value_or(template_names(function)))
      for (std::string& name : words_in(argument)) of_templates.insert(std::move(name));
  }
  const std::set<std::string> words = words_of_code(lowering.text.text, lowering.source);
  for (Param& param : lowering.job.params) {
    const bool is_of_template = of_templates.contains(param.name);
    if (param.reach == Reach::template_argument && !is_of_template)
      param.place.fail(
          fmt::format("no launched kernel has {} as a template parameter: give \"template\" in the step", param.name));
    if (param.reach != Reach::unsaid) continue;
    param.reach = is_of_template ? Reach::template_argument : words.contains(param.macro) ? Reach::macro : Reach::plan;
  }
}

/// Blanks the lines of the source that define macros which the job also defines. A constant of the source with a
/// param's name is initialised by a macro instead.
void give_way(Lowering& lowering) {
  std::set<std::string> macros;
  for (Param& param : lowering.job.params) {
    if (param.reach != Reach::macro) continue;
    if (lowering.text.constants.contains(param.macro)) {
      const std::string macro = std::string(param_macro_prefix) + param.macro;
      initialise_by(lowering.text.text, param.macro, macro);
      param.macro = macro;
    }
    macros.insert(param.macro);
  }
  for (const Extent& extent : lowering.job.extents)
    if (!extent.macro.empty()) macros.insert(extent.macro);
  for (const auto& [macro, value] : lowering.job.defines) macros.insert(macro);
  std::string& text = lowering.text.text;
  for (const std::string& macro : macros) {
    const std::regex line("(^|\n)([ \t]*#[ \t]*define[ \t]+" + macro + "([ \t][^\n]*)?)(?=\n|$)");
    for (std::smatch found; std::regex_search(text, found, line);)
      text.erase(static_cast<std::size_t>(found.position(2)), static_cast<std::size_t>(found.length(2)));
  }
}

Space space_of(const Shared& lowering) {
  std::vector<Axis> axes;
  for (const Param& param : lowering->job.params) axes.push_back(param.axis);
  std::vector<Constraint> constraints;
  const auto add = [&](const std::string& name, auto holds) {
    constraints.push_back({name, [lowering, holds](const Point& point, const Surroundings& around) {
                             Problem problem{.pattern = lowering->job.pattern()};
                             problem.shape.assign(lowering->job.extents.size(), 1);
                             for (const Number& number : lowering->job.numbers)
                               problem.numbers[number.name] = number.preferred;
                             return holds(names_of(lowering->job, point, problem, around.device), around.device);
                           }});
  };
  std::set<std::string, std::less<>> of_problem;
  for (const Extent& extent : lowering->job.extents) of_problem.insert(extent.name);
  for (const Rule& rule : lowering->job.constraints) {
    for (const std::string& name : rule.holds.names())
      if (of_problem.contains(name))
        lowering->job.root.find("constraints")
            ->fail(fmt::format("\"{}\" asks about {}, and the space is that of every shape: write it in \"takes\"",
                               rule.name, name));
    add(rule.name, [holds = rule.holds](const Names& names, const Device&) { return holds.is_true(names); });
  }
  // If the size of a block depends only on params, a constraint compares it with the device's limit.
  for (const JobStep& step : lowering->job.steps)
    if (!step.kernel.empty() && !block_depends_on_problem(lowering->job, step))
      add("threads of a block of " + step.kernel,
          [step](const Names& names, const Device& device) { return is_block_allowed(step, names, device); });
  return {std::move(axes), std::move(constraints)};
}

Plan plan_of(const Lowering& lowering, const Point& point, const Problem& problem, const Device& device) {
  const Names names = names_of(lowering.job, point, problem, device);
  Plan plan{.buffers = lowering.shared_buffers(problem), .steps = {}};
  for (const JobBuffer& buffer : lowering.job.buffers)
    if (buffer.role == Role::scratch) plan.buffers.push_back(plan_buffer(buffer, names));
  plan.steps = uploads(lowering, {}, names);
  for (Step& step :
       plan_steps(lowering.job.steps, {.lowering = lowering, .point = point, .problem = problem, .device = device}))
    plan.steps.push_back(std::move(step));
  plan.definitions = definitions_of(lowering, point, problem, device);
  return plan;
}

std::string refusal(const Lowering& lowering, const Point& point, const Problem& problem, const Device& device) {
  const Job& job = lowering.job;
  if (is_empty(job, problem)) return "a job takes no empty problem";
  if (job.oracle.kind == Oracle::Kind::files && problem.shape != job.shapes.front())
    return "its answers are files, for " + shape_text(job.shapes.front());
  const Names names = names_of(job, point, problem, device);
  for (const Rule& rule : job.takes)
    if (!rule.holds.is_true(names)) return "takes " + rule.name;
  const auto fault_of = [&](const JobStep& step, const Names& known) {
    std::string fault = loop_fault(step, known);
    if (fault.empty()) fault = texture_fault(job, step, known);
    return fault.empty() ? tensor_map_fault(job, step, known) : fault;
  };
  std::string fault = first_fault(job.steps, names, [&](const JobStep& step, const Names& known) {
    std::string found = fault_of(step, known);
    if (found.empty()) found = launch_fault(step, known, device);
    return found.empty() ? bounds_fault(lowering, step, known) : found;
  });
  if (fault.empty()) fault = first_fault(job.oracle.steps, names, fault_of);
  if (!fault.empty() || job.oracle.kind != Oracle::Kind::default_configuration) return fault;
  const Point oracle = lowering.preferred();
  if (point != oracle) fault = refusal(lowering, oracle, problem, host_device());
  return fault.empty() ? fault
                       : "without an oracle, results are compared with the default configuration, which " + fault;
}

Work work_of(const Lowering& lowering, const Problem& problem) {
  const Job& job = lowering.job;
  const Names names = names_of(job, problem);
  Work work{.arithmetic = problem.type()};
  double elements = 0;
  // A shape may be so large that no buffer could hold it: it counts as too much work, and is not drawn.
  for (const JobBuffer& buffer : job.buffers) {
    if (buffer.role == Role::scratch) continue;
    const double count = static_cast<double>(buffer.count.value(names)) * buffer.lanes;
    const double bytes = count * static_cast<double>(size_of(buffer.element));
    if (buffer.is_input()) work.bytes_read += bytes;
    if (buffer.is_output()) work.bytes_written += bytes;
    elements += count;
  }
  const auto take = [&](const std::optional<Expression>& given, double& figure) {
    if (given) figure = static_cast<double>(given->value(names));
  };
  take(job.work.read, work.bytes_read);
  take(job.work.written, work.bytes_written);
  work.counts_whole_buffers = !job.work.read || !job.work.written;
  take(job.work.operations, work.operations);
  work.steps = std::max(elements, work.operations / 2);
  take(job.work.steps, work.steps);
  return work;
}

void add_launched(const std::vector<JobStep>& steps, std::set<std::string>& kernels) {
  for (const JobStep& step : steps) {
    add_launched(step.steps, kernels);
    if (!step.kernel.empty()) kernels.insert(step.kernel);
  }
}

/// The name of the kernel that the job launches. If it launches several, the name of the job.
std::string kernel_name(const Job& job) {
  std::set<std::string> kernels;
  add_launched(job.steps, kernels);
  std::string name = kernels.size() == 1 ? *kernels.begin() : job.name;
  std::ranges::replace(name, ':', '_');
  return name;
}

Kernel kernel_of(const Shared& lowering) {
  const Job& job = lowering->job;
  Kernel kernel{.pattern = job.pattern(),
                .name = kernel_name(job),
                .source = lowering->source,
                .space = space_of(lowering),
                .default_point = lowering->preferred(),
                .plan = {},
                .depth = {},
                .tile = {}};
  kernel.plan = [lowering](const Point& point, const Problem& problem, const Device& device) {
    return plan_of(*lowering, point, problem, device);
  };
  kernel.depth = [lowering](const Point& point, const Problem& problem, const Device& device) {
    return static_cast<double>(lowering->job.bound.depth.value(names_of(lowering->job, point, problem, device)));
  };
  kernel.tile = [lowering](const Point& point) { return tile_of(*lowering, point); };
  kernel.edges = [lowering](const Point&, const Problem&) { return lowering->job.check_shapes; };
  kernel.refuses = [lowering](const Point& point, const Problem& problem, const Device& device) {
    return refusal(*lowering, point, problem, device);
  };
  // Each thread costs at least one step. Steps that the job states are taken as they are. Otherwise, if a block has
  // more threads than results, all its threads are assumed to do as much work as those with a result.
  kernel.steps = [lowering](const Point& point, const Problem& problem) {
    const Names names = names_of(lowering->job, point, problem, host_device());
    const auto threads = static_cast<double>(threads_of(lowering->job.steps, names));
    const double steps = work_of(*lowering, problem).steps;
    if (lowering->job.work.steps) return std::max(threads, steps);
    double results = 1, of_block = 1;
    for (const JobBuffer& buffer : lowering->job.buffers)
      if (buffer.is_output())
        results = std::max(results, static_cast<double>(buffer.count.value(names)) * buffer.lanes);
    const FirstLaunch first = first_launch(lowering->job.steps, names);
    for (const Expression& extent : first.step.block) of_block *= static_cast<double>(extent.value(first.names));
    return std::max(threads, steps * std::clamp(threads / results, 1.0, std::max(of_block, 1.0)));
  };
  kernel.lenient = job.lenient;
  kernel.keeps_state = job.keeps_state;
  kernel.file = job.file.string();
  for (const Param& param : job.params)
    if (param.reach == Reach::plan && lowering->text.host_constants.contains(param.name))
      kernel.host_constants.push_back(param.name);
  const std::string rejected =
      kernel.space.rejected_by(kernel.default_point, {.types = {ElementType::f32}, .device = host_device()});
  if (!rejected.empty())
    (job.root.find("params") == nullptr ? job.root : *job.root.find("params"))
        .fail(fmt::format("the default configuration {} is none: it breaks \"{}\"; give params a \"default\"",
                          kernel.space.text(kernel.default_point), rejected));
  return kernel;
}

ElementType main_type(const Job& job) {
  for (const JobBuffer& buffer : job.buffers)
    if (buffer.is_output()) return buffer.element;
  return job.buffers.front().element;
}

Pattern pattern_of(const Shared& lowering) {
  const Job& job = lowering->job;
  const bool has_data = std::ranges::any_of(
      job.buffers, [](const JobBuffer& buffer) { return !buffer.data.word.empty() || buffer.data.always; });
  const bool exact_data = job.bound.kind == JobBound::Kind::equal || job.bound.kind == JobBound::Kind::bits;
  Pattern pattern;
  pattern.name = job.pattern();
  pattern.summary = job.summary;
  pattern.numbers = job.numbers;
  pattern.types = pattern.tuning_types = {{main_type(job)}};
  pattern.data = {{.name = has_data ? kGiven : "uniform", .exact = exact_data}};
  pattern.tuning_shapes = job.shapes;
  for (const Extent& extent : job.extents) pattern.extents.push_back(extent.name);
  pattern.buffers = [lowering](const Problem& problem) { return lowering->shared_buffers(problem); };
  pattern.inputs = [kinds = inputs_of(*lowering)](const Problem&) { return kinds; };
  pattern.fills = [lowering](const Problem& problem, const std::string& kind) {
    return fills_of(*lowering, problem, kind);
  };
  pattern.reference = [lowering](const Problem& problem, const Device& device) {
    return reference_of(*lowering, problem, device);
  };
  pattern.bound = [lowering](const Problem& problem, const std::string& output, const InputKind& input, double depth) {
    for (const Buffer& buffer : lowering->shared_buffers(problem))
      if (buffer.name == output) return bound_of(lowering->job, buffer, input, depth);
    throw std::invalid_argument("no buffer " + output);
  };
  pattern.element_name = [lowering](const Problem& problem, const std::string& output, std::int64_t index) {
    return element_name(*find_buffer(lowering->job, output), names_of(lowering->job, problem), index);
  };
  pattern.work = [lowering](const Problem& problem) { return work_of(*lowering, problem); };
  if (job.work.amount)
    pattern.amount = [lowering](const Problem& problem) {
      const JobWork& work = lowering->job.work;
      return Amount{static_cast<double>(work.amount->value(names_of(lowering->job, problem))), work.unit};
    };
  for (const JobLaw& law : job.laws) pattern.laws.push_back(law_of(law, lowering));
  pattern.caveats = caveats_of(*lowering);
  return pattern;
}

/// Makes every step and buffer once, for the first shape, so that mistakes are reported before anything runs.
void try_out(const Lowered& lowered, const Lowering& lowering) {
  const Problem problem = make_problem(lowered.pattern, lowered.pattern.types.front(), {}, lowering.job.shapes.front());
  const Device& device = host_device();
  for (const auto& shape : lowering.job.shapes) {
    Problem one = problem;
    one.shape = shape;
    if (const std::string reason = lowered.kernel.refuses(lowered.kernel.default_point, one, device); !reason.empty())
      lowering.job.root.find("shapes")->fail(
          fmt::format("the shape {} is not taken by the default configuration: {}", shape_text(shape), reason));
  }
  (void)lowered.kernel.plan(lowered.kernel.default_point, problem, device);
  (void)lowered.pattern.reference(problem, device);
  for (const Fill& fill : lowered.pattern.fills(problem, lowered.pattern.data.front().name))
    if (fill.function) (void)fill.function->call(0);
}

/// Adds the kernels that the steps launch. Throws at a step whose kernel is not in the file.
void add_kernels(const Job& job, const std::vector<GlobalFunction>& known, const std::vector<JobStep>& steps,
                 std::vector<std::string>& kernels) {
  for (const JobStep& step : steps) {
    add_kernels(job, known, step.steps, kernels);
    if (!step.kernel.empty()) kernels.push_back(function_of(job, known, step).name);
  }
}

bool names_params(const Job& job, const std::vector<JobArgument>& arguments) {
  const auto names_one = [&](const Expression& expression) {
    return std::ranges::any_of(job.params, [&](const Param& param) { return expression.names().contains(param.name); });
  };
  return std::ranges::any_of(arguments, [&](const JobArgument& one) {
    return (one.value && names_one(*one.value)) || names_one(one.offset) ||
           std::ranges::any_of(one.values, names_one) || names_params(job, one.members);
  });
}

/// Gives arguments to steps without any, and to launches the clusters of their kernels. Arguments of an oracle whose
/// kernel takes the same as the first launch are the launch's, unless these name params.
void name_arguments(const Lowering& lowering, std::vector<JobStep>& steps, const JobStep* launch = nullptr) {
  const Job& job = lowering.job;
  for (JobStep& step : steps) {
    name_arguments(lowering, step.steps, launch);
    if (step.kernel.empty()) continue;
    const GlobalFunction& function = function_of(job, lowering.text.kernels, step);
    if (!function.cluster_dims.empty() && step.place.find("cluster") == nullptr)
      step.cluster = cluster_of(job, function, step);
    if (step.arguments) continue;
    const bool is_same = launch != nullptr && launch->arguments && !names_params(job, *launch->arguments) &&
                         take_the_same(function, function_of(job, lowering.text.kernels, *launch));
    step.arguments = is_same ? *launch->arguments : arguments_of(job, function, step);
  }
}

/// Leaves out the file's other kernels, since this job must not fail if they do not compile.
void read_sources(Lowering& lowering) {
  const Job& job = lowering.job;
  try {
    const PlainFile file(job.source, job.include);
    std::vector<std::string> kernels;
    add_kernels(job, file.kernels(), job.steps, kernels);
    add_kernels(job, file.kernels(), job.oracle.steps, kernels);
    lowering.text = file.text(kernels);
    if (job.oracle.kind == Oracle::Kind::function)
      lowering.oracle = host_text(job.oracle.function.source, job.include, job.oracle.function.call.function);
    read_data_functions(lowering);
  } catch (const JobError&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw JobError(error.what());
  }
}

}  // namespace

Lowered lower(const Job& job) {
  auto made = std::make_shared<Lowering>();
  made->job = job;
  read_sources(*made);
  name_arguments(*made, made->job.steps);
  if (made->job.oracle.kind == Oracle::Kind::steps)
    name_arguments(*made, made->job.oracle.steps, &first_launch(made->job.steps).step);
  check_names(made->job);
  // Each job has a text of its own, without the kernels that it does not launch.
  made->source = (job.source.stem() == job.name ? "" : job.name + ".") + job.source.filename().string();
  settle_reach(*made);
  give_way(*made);
  made->cutoffs = compared_numbers(made->text.text);
  mark_two_texts(made->text.text, made->source);
  const Shared lowering = made;
  Lowered lowered{
      .pattern = pattern_of(lowering), .kernel = kernel_of(lowering), .sources = reference_sources(*lowering)};
  lowered.sources.merge(data_functions(*lowering));
  lowered.sources[lowering->source] = lowering->text.text;
  lowered.pattern.trace_shape = trace_shape_of(lowered.pattern, lowered.kernel, job.check_shapes);
  try_out(lowered, *lowering);
  return lowered;
}

}  // namespace warpwright::job
