// Compiles programs before they are needed; checks the laws of libraries.
#include "tuner/measuring/compile_ahead.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "conformance/checks/case_plan.hpp"
#include "conformance/checks/problem_setup.hpp"
#include "conformance/checks/run_plan.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/messages/support_program.hpp"

namespace warpwright::tuner {
namespace {

/// Runs a callable and returns the observed form of its outputs.
std::vector<Bytes> observed_run(const TuningContext& context, worker::GpuClient& client, const Pattern& pattern,
                                const worker::BaselineInfo& library, const gpu::CallableChoice& choice,
                                const std::vector<Bytes>& inputs) {
  const std::vector<Buffer> buffers = pattern.buffers(choice.problem);
  std::vector<Bytes> outputs = client.run_callable(choice, buffers, inputs, conformance::kPoison);
  const NamedObservation* named = find_observation(pattern, library.observation);
  if (named == nullptr) return outputs;
  const Observation observation = named->of(choice.problem, context.device);
  const CompiledProgram built = conformance::compiled_or_throw(context.build.compiler, context.device,
                                                               program_of(observation.plan, observation.source),
                                                               "the observation of " + pattern.name);
  return conformance::observed_by(
      observation,
      conformance::run_plan_on_gpu(client.process(), client.info().index, observation.plan, built,
                                   conformance::given_to(observation, buffers, inputs, outputs, conformance::kPoison)));
}

}  // namespace

std::vector<Input> session_inputs(const Pattern& pattern, const Problem& problem, std::uint64_t seed) {
  return {{.kind = pattern.inputs(problem).front().name, .seed = seed},
          {.kind = std::string(kOwnData), .seed = seed + 1}};
}

std::string broken_law(const TuningContext& context, worker::GpuClient& client, const Problem& problem,
                       const worker::BaselineInfo& library, const worker::KnobsInfo& knobs, std::uint64_t seed) {
  const Pattern& pattern = context.catalogue.pattern(problem.pattern);
  const Problem small = conformance::traced_problem(context.catalogue, problem);
  for (const std::string& name : library.laws) {
    const auto law = std::ranges::find(pattern.laws, name, &Law::name);
    if (law == pattern.laws.end()) return fmt::format("{} has no law '{}'", pattern.name, name);
    const Input input{.kind = law->input.empty() ? pattern.inputs(small).front().name : law->input, .seed = seed};
    const Runner runner = [&](const Problem& asked, const std::vector<Bytes>& inputs) {
      return observed_run(context, client, pattern, library,
                          {.name = library.name(), .knobs = knobs.knobs, .problem = asked}, inputs);
    };
    if (const std::string broken = law->broken(small, generate_inputs(pattern, small, input), runner); !broken.empty())
      return fmt::format("law '{}': {}", name, broken);
  }
  return {};
}

worker::CompileResult compile_support(const TuningContext& context, const std::vector<TuningTask>& tasks) {
  std::set<ElementType> types;
  for (const TuningTask& task : tasks) {
    const Pattern& pattern = context.catalogue.pattern(task.problem.pattern);
    for (const ElementType type : conformance::problem_types(pattern, task.problem, context.device)) types.insert(type);
  }
  return context.build.compiler.compile(context.device.arch(), {gpu::support_program({types.begin(), types.end()})})
      .front();
}

void compile_ahead(const TuningContext& context, const std::vector<TuningTask>& tasks, const TuningRequest& request) {
  const std::string target = context.device.arch();
  for (const TuningTask& task : tasks) {
    const Pattern& pattern = context.catalogue.pattern(task.problem.pattern);
    const conformance::ProblemPrograms programs = conformance::problem_programs(
        pattern, task.problem, session_inputs(pattern, task.problem, request.seed), context.device);
    context.build.compiler.compile(target, {programs.fills});
    context.build.compiler.compile(target, {programs.reference});
    context.build.compiler.compile(target, programs.observations);
  }
  if (request.strategy_name() == "exhaustive" && request.budget_evaluations == 0)
    for (const TuningTask& task : tasks)
      for (const Kernel* kernel : task.kernels) {
        std::vector<Program> programs;
        for (const Point& point : points_for(*kernel, task.problem, context.device, request.params))
          programs.push_back(conformance::program_for(context.catalogue, *kernel, point, task.problem, context.device));
        context.build.compiler.compile(target, programs);
      }
}

}  // namespace warpwright::tuner
