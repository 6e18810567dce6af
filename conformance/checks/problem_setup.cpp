// Makes the setup of a problem on a GPU.
#include "conformance/checks/problem_setup.hpp"

#include <fmt/format.h>

#include <set>
#include <stdexcept>

#include "kernels/runtime/input.hpp"

namespace warpwright::conformance {

ProblemPrograms problem_programs(const Pattern& pattern, const Problem& problem, const std::vector<Input>& inputs,
                                 const Device& device) {
  const Reference reference = pattern.reference(problem, device);
  ProblemPrograms programs{.fills = {}, .reference = program_of(reference.plan, reference.source), .observations = {}};
  std::vector<Plan> plans;
  std::vector<Fill> fills;
  for (const Input& input : inputs) {
    plans.push_back(fill_plan(pattern, problem, input, device));
    for (Fill& fill : fills_of(pattern, problem, input)) fills.push_back(std::move(fill));
  }
  programs.fills = fill_program(plans, fills);
  for (const NamedObservation& named : pattern.observations) {
    const Observation observation = named.of(problem, device);
    programs.observations.push_back(program_of(observation.plan, observation.source));
  }
  return programs;
}

std::vector<ElementType> problem_types(const Pattern& pattern, const Problem& problem, const Device& device) {
  std::set<ElementType> types;
  for (const Buffer& buffer : pattern.buffers(problem)) types.insert(buffer.type);
  for (const NamedObservation& observation : pattern.observations)
    for (const Buffer& buffer : observation.of(problem, device).plan.buffers) types.insert(buffer.type);
  return {types.begin(), types.end()};
}

gpu::ProblemSetup problem_setup(const Pattern& pattern, const Problem& problem, const std::vector<Input>& inputs,
                                const Device& device, worker::Compiler& compiler) {
  const auto compiled = [&](const Program& program, const std::string& what) {
    return compiled_or_throw(compiler, device, program, what + " of " + pattern.name);
  };
  const Reference reference = pattern.reference(problem, device);
  const ProblemPrograms programs = problem_programs(pattern, problem, inputs, device);
  gpu::ProblemSetup setup{.buffers = pattern.buffers(problem),
                          .inputs = {},
                          .fills = compiled(programs.fills, "the data"),
                          .observations = {},
                          .reference_plan = reference.plan,
                          .reference = compiled(programs.reference, "the reference"),
                          .reference_depth = reference.depth};
  for (const Input& input : inputs)
    setup.inputs.push_back({.text = input_text(input), .fill = fill_plan(pattern, problem, input, device)});
  for (std::size_t i = 0; i < pattern.observations.size(); ++i)
    setup.observations.push_back({.name = pattern.observations[i].name,
                                  .plan = pattern.observations[i].of(problem, device).plan,
                                  .built = compiled(programs.observations.at(i), "the observation")});
  return setup;
}

double slow_bus_us(const Work& work) {
  constexpr double kBytesPerUs = 8e3;
  return (work.bus_to_device + work.bus_to_host) / kBytesPerUs;
}

std::vector<std::vector<Bound>> problem_bounds(const Pattern& pattern, const Problem& problem, const Device& device,
                                               const std::vector<Input>& inputs, double depth,
                                               const std::string& observation) {
  const auto observed = observed_buffers(pattern, problem, device, observation);
  std::vector<std::vector<Bound>> made;
  for (const Input& input : inputs) {
    const InputKind kind = input_kind(pattern, problem, input.kind);
    auto& of_input = made.emplace_back();
    for (const Buffer& buffer : observed) of_input.push_back(pattern.bound(problem, buffer.name, kind, depth));
  }
  return made;
}

CompiledProgram compiled_or_throw(worker::Compiler& compiler, const Device& device, const Program& program,
                                  const std::string& what) {
  CompiledProgram built = compiler.compile_one(device.arch(), program);
  if (!built.ok) throw std::runtime_error(fmt::format("{} does not compile: {}", what, built.log));
  return built;
}

}  // namespace warpwright::conformance
