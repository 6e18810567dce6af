// The space and plan of lennard_jones/step.
#include "kernels/lennard_jones/step.cuh"

#include "kernels/lennard_jones/plans.hpp"

namespace warpwright::lennard_jones {
namespace {

using P = step_params;

Plan plan(const P& p, const PlanRequest& request) {
  const Problem& problem = request.problem;
  Plan plan{.buffers = buffers(problem),
            .steps = {{.what = Memset{.buffer = "overflow", .count = 1, .value = value(0)}}}};
  if (problem.shape[0] == 0 || problem.integer("steps") == 0) return plan;
  const Lists lists = lists_of(p, problem);
  for (Buffer& buffer : lists.scratch()) plan.buffers.push_back(std::move(buffer));
  const bool packs = p.places == coordinates::packed;
  const std::string here = packs ? "packed" : "positions";
  const auto add_places = [&](const std::string& name) {
    plan.buffers.push_back(
        {.name = name, .role = Role::scratch, .type = problem.type(), .count = (packs ? 4 : 3) * problem.shape[0]});
  };
  if (packs) add_places(here);
  add_places("next");
  const std::string type(name_of(problem.type()));
  const auto over_atoms = [&](std::string entry, std::vector<Argument> arguments) {
    return Step{.what = Launch{.entry = std::move(entry),
                               .grid = {.x = static_cast<std::uint32_t>(divide_up(problem.shape[0], p.block_size))},
                               .block = {.x = static_cast<std::uint32_t>(p.block_size)},
                               .arguments = std::move(arguments)}};
  };
  const auto launch = [&](const std::string& from, const std::string& to, double kick, double drift) {
    return std::vector<Step>{over_atoms(request.entry("step", {type}),
                                        {pointer_to(from), pointer_to(to), pointer_to("velocity"), pointer_to("length"),
                                         pointer_to("list"), field_argument(problem), real(problem, kick),
                                         real(problem, drift), value(problem.shape[0]), value(lists.capacity)})};
  };
  const auto repack = [&](const std::string& from, const std::string& to) {
    const auto kept = [&](const std::string& buffer) {
      return std::string("warpwright::lennard_jones::coordinates::") + (buffer == "positions" ? "separate" : "packed");
    };
    return over_atoms("warpwright::lennard_jones::repack<" + type + ", " + std::to_string(p.block_size) + ", " +
                          kept(from) + ", " + kept(to) + ">",
                      {pointer_to(from), pointer_to(to), value(problem.shape[0])});
  };
  const auto rebuild = [&](const std::string& from) {
    std::vector<Step> steps;
    if (packs) steps.push_back(repack(from, "positions"));
    for (Step& step : lists.steps(problem, packs ? "positions" : from)) steps.push_back(std::move(step));
    return steps;
  };
  if (packs) plan.steps.push_back(repack("positions", here));
  for (Step& step : verlet(problem, here, "next", p.rebuild_every, rebuild, launch))
    plan.steps.push_back(std::move(step));
  if (packs) plan.steps.push_back(repack(here, "positions"));
  return plan;
}

}  // namespace

Kernel step_kernel() {
  KernelOf<P> of = moving_kernel<P>("step", plan);
  of.space.axis("places", &P::places,
                {{coordinates::separate, "warpwright::lennard_jones::coordinates::separate"},
                 {coordinates::packed, "warpwright::lennard_jones::coordinates::packed"}});
  return make_kernel(std::move(of));
}

}  // namespace warpwright::lennard_jones
