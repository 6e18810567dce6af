// Sessions for problems.
#include "tuner/tune/session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "conformance/checker.hpp"
#include "kernels/runtime/input.hpp"

namespace warpwright::tuner {
namespace {

/// What a session needs beside the configurations.
struct SupportPrograms {
  Program fills, reference;
  std::vector<Program> observations;
};

SupportPrograms support_programs(const Pattern& pattern, const Problem& problem, const std::vector<Input>& inputs,
                                 const Device& device) {
  const Reference reference = pattern.reference(problem, device);
  SupportPrograms programs{.fills = {}, .reference = program_of(reference.plan, reference.source), .observations = {}};
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

Built compiled(const Workshop& shop, const Program& program, const std::string& what) {
  Built built = shop.compiler.compile_one(shop.device.arch(), program);
  if (!built.ok) throw std::runtime_error(fmt::format("{} does not compile: {}", what, built.log));
  return built;
}

/// Runs a callable; gives what is observed of its outputs.
std::vector<Bytes> observed_run(const Workshop& shop, worker::GpuClient& client, const Pattern& pattern,
                                const worker::CallableOffer& offer, const gpu::CallableChoice& choice,
                                const std::vector<Bytes>& inputs) {
  const std::vector<Buffer> buffers = pattern.buffers(choice.problem);
  std::vector<Bytes> outputs = client.run_callable(choice, buffers, inputs, conformance::kPoison);
  const NamedObservation* named = find_observation(pattern, offer.observation);
  if (named == nullptr) return outputs;
  const Observation observation = named->of(choice.problem, shop.device);
  const Built built =
      compiled(shop, program_of(observation.plan, observation.source), "the observation of " + pattern.name);
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

gpu::SessionSetup session_setup(const Workshop& shop, const Problem& problem, const std::vector<Input>& inputs) {
  const Pattern& pattern = shop.catalogue.pattern(problem.pattern);
  const Reference reference = pattern.reference(problem, shop.device);
  const SupportPrograms programs = support_programs(pattern, problem, inputs, shop.device);
  gpu::SessionSetup setup{.buffers = pattern.buffers(problem),
                          .inputs = {},
                          .fills = compiled(shop, programs.fills, "the data of " + pattern.name),
                          .observations = {},
                          .reference_plan = reference.plan,
                          .reference = compiled(shop, programs.reference, "the reference of " + pattern.name),
                          .reference_depth = reference.depth};
  for (const Input& input : inputs)
    setup.inputs.push_back({.text = input_text(input), .fill = fill_plan(pattern, problem, input, shop.device)});
  for (std::size_t i = 0; i < pattern.observations.size(); ++i)
    setup.observations.push_back(
        {.name = pattern.observations[i].name,
         .plan = pattern.observations[i].of(problem, shop.device).plan,
         .built = compiled(shop, programs.observations.at(i), "the observation of " + pattern.name)});
  return setup;
}

std::vector<std::vector<Bound>> session_bounds(const Pattern& pattern, const Problem& problem, const Device& device,
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

std::string broken_law(const Workshop& shop, worker::GpuClient& client, const Problem& problem,
                       const worker::CallableOffer& offer, const worker::KnobsOffer& knobs, std::uint64_t seed) {
  const Pattern& pattern = shop.catalogue.pattern(problem.pattern);
  Problem small = problem;
  small.shape = pattern.trace_shape;
  for (const std::string& name : offer.laws) {
    const auto law = std::ranges::find(pattern.laws, name, &Law::name);
    if (law == pattern.laws.end()) return fmt::format("{} has no law '{}'", pattern.name, name);
    const Input input{.kind = law->input.empty() ? pattern.inputs(small).front().name : law->input, .seed = seed};
    const Runner runner = [&](const Problem& asked, const std::vector<Bytes>& inputs) {
      return observed_run(shop, client, pattern, offer, {.name = offer.name(), .knobs = knobs.knobs, .problem = asked},
                          inputs);
    };
    if (const std::string broken = law->broken(small, generate_inputs(pattern, small, input), runner); !broken.empty())
      return fmt::format("law '{}': {}", name, broken);
  }
  return {};
}

Built compile_ahead(const Workshop& shop, const std::vector<TuneItem>& items, const TuneRequest& request) {
  const std::string target = shop.device.arch();
  std::set<ElementType> types;
  for (const TuneItem& item : items) {
    const Pattern& pattern = shop.catalogue.pattern(item.problem.pattern);
    for (const Buffer& buffer : pattern.buffers(item.problem)) types.insert(buffer.type);
    for (const NamedObservation& observation : pattern.observations)
      for (const Buffer& buffer : observation.of(item.problem, shop.device).plan.buffers) types.insert(buffer.type);
  }
  const auto support = shop.compiler.compile(target, {gpu::support_program({types.begin(), types.end()})}).front();
  for (const TuneItem& item : items) {
    const Pattern& pattern = shop.catalogue.pattern(item.problem.pattern);
    const SupportPrograms programs =
        support_programs(pattern, item.problem, session_inputs(pattern, item.problem, request.seed), shop.device);
    shop.compiler.compile(target, {programs.fills});
    shop.compiler.compile(target, {programs.reference});
    shop.compiler.compile(target, programs.observations);
  }
  if (request.strategy_name() == "exhaustive" && request.budget_evaluations == 0)
    for (const TuneItem& item : items)
      for (const Kernel* kernel : item.kernels) {
        std::vector<Program> programs;
        for (const Point& point : points_for(*kernel, item.problem, shop.device))
          programs.push_back(conformance::program_for(shop.catalogue, *kernel, point, item.problem, shop.device));
        shop.compiler.compile(target, programs);
      }
  return support.get();
}

}  // namespace warpwright::tuner
