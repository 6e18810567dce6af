// What is compiled ahead of them, and laws of libraries.
#include "tuner/measuring/compile_ahead.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <stdexcept>

#include "conformance/checks/checker.hpp"
#include "conformance/checks/problem_setup.hpp"
#include "kernels/runtime/input.hpp"
#include "kernels/runtime/messages/support_program.hpp"

namespace warpwright::tuner {
namespace {

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
      conformance::compiled_or_throw(shop.compiler, shop.device, program_of(observation.plan, observation.source),
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

std::shared_future<Built> compile_support(const Workshop& shop, const std::vector<TuneItem>& items) {
  std::set<ElementType> types;
  for (const TuneItem& item : items) {
    const Pattern& pattern = shop.catalogue.pattern(item.problem.pattern);
    for (const ElementType type : conformance::session_types(pattern, item.problem, shop.device)) types.insert(type);
  }
  return shop.compiler.compile(shop.device.arch(), {gpu::support_program({types.begin(), types.end()})}).front();
}

void compile_ahead(const Workshop& shop, const std::vector<TuneItem>& items, const TuneRequest& request) {
  const std::string target = shop.device.arch();
  for (const TuneItem& item : items) {
    const Pattern& pattern = shop.catalogue.pattern(item.problem.pattern);
    const conformance::SessionPrograms programs = conformance::session_programs(
        pattern, item.problem, session_inputs(pattern, item.problem, request.seed), shop.device);
    shop.compiler.compile(target, {programs.fills});
    shop.compiler.compile(target, {programs.reference});
    shop.compiler.compile(target, programs.observations);
  }
  if (request.strategy_name() == "exhaustive" && request.budget_evaluations == 0)
    for (const TuneItem& item : items)
      for (const Kernel* kernel : item.kernels) {
        std::vector<Program> programs;
        for (const Point& point : points_for(*kernel, item.problem, shop.device, request.params))
          programs.push_back(conformance::program_for(shop.catalogue, *kernel, point, item.problem, shop.device));
        shop.compiler.compile(target, programs);
      }
}

}  // namespace warpwright::tuner
