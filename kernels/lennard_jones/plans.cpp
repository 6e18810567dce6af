// Plans shared by the kernels of lennard_jones.
#include "kernels/lennard_jones/plans.hpp"

#include <algorithm>
#include <numbers>

#include "kernels/runtime/storage.hpp"

namespace warpwright::lennard_jones {

void append(std::vector<Step>& to, std::vector<Step> steps) {
  for (Step& step : steps) to.push_back(std::move(step));
}

std::vector<Buffer> buffers(const Problem& problem) {
  const auto coordinates = [&](const char* name, Role role) {
    return Buffer{.name = name, .role = role, .type = problem.type(), .count = 3 * problem.shape[0]};
  };
  const Buffer overflow{.name = "overflow", .role = Role::out, .type = ElementType::i32, .count = 1};
  if (scales(problem)) return {coordinates("velocity", Role::inout)};
  if (asks_energy(problem))
    return {coordinates("positions", Role::in),
            coordinates("velocity", Role::in),
            {.name = "energy", .role = Role::out, .type = problem.type(), .count = 2},
            overflow};
  if (moves(problem)) return {coordinates("positions", Role::inout), coordinates("velocity", Role::inout), overflow};
  return {coordinates("positions", Role::in), coordinates("force", Role::out), overflow};
}

double neighbors_within(double reach) {
  return 4 / std::pow(kLattice, 3) * 4 / 3 * std::numbers::pi * std::pow(reach, 3);
}

double walking_steps(const Problem& problem, double times_made) {
  const auto atoms = static_cast<double>(problem.shape[0]);
  const double cells = 27 * std::pow((kCutoff + 2) / kLattice, 3) * 4;
  // Work of a launch for any number of atoms, because there may be many steps.
  constexpr double kLaunches = 1000;
  return (atoms > 0 ? evaluations(problem) * kLaunches : 0) +
         atoms * (evaluations(problem) * std::min(atoms, neighbors_within(kCutoff + 2)) +
                  times_made * (std::min(atoms, cells) + 8));
}

Lists::Lists(const Problem& problem, int block_size, rows where, list_of held, double skin, int cells_across)
    : layout(where), which(held), reach(kCutoff + skin), cells_per_reach(cells_across) {
  // Makes cells wider than the reach, to allow for roundings of positions and widths.
  constexpr double kSlack = 0.01;
  const auto cells = static_cast<int>(side_of(problem) * cells_per_reach / (reach + kSlack));
  sort = {.type = problem.type(),
          .dim = 3,
          .block_size = block_size,
          .sorted = true,
          .positions = "wrapped",
          .bodies = problem.shape[0],
          .grid = {.width = static_cast<float>(side_of(problem) / cells), .cells = cells}};
  capacity = static_cast<int>(problem.integer("capacity"));
}

std::vector<Buffer> Lists::scratch() const {
  std::vector<Buffer> made = block::cell_sort_buffers(sort);
  const auto add = [&](const char* name, ElementType type, std::int64_t count) {
    made.push_back({.name = name, .role = Role::scratch, .type = type, .count = count});
  };
  add("length", ElementType::i32, sort.bodies);
  add("list", ElementType::i32, room_of(layout, sort.bodies, capacity));
  add("wrapped", sort.type, 3 * sort.bodies);
  return made;
}

std::vector<Step> Lists::steps(const Problem& problem, const std::string& positions) const {
  const std::string block = std::to_string(sort.block_size);
  const std::string type(name_of(sort.type));
  const std::string begin = "warpwright::lennard_jones::";
  const auto over = [&](const std::string& entry, std::int64_t threads, std::vector<Argument> arguments) {
    return Step{.what = Launch{.entry = begin + entry,
                               .grid = {.x = static_cast<std::uint32_t>(divide_up(threads, sort.block_size))},
                               .block = {.x = static_cast<std::uint32_t>(sort.block_size)},
                               .arguments = std::move(arguments)}};
  };
  std::vector<Step> all{
      over("wrap_positions<" + type + ", " + block + ">", 3 * sort.bodies,
           {pointer_to(positions), pointer_to("wrapped"), real(problem, side_of(problem)), value(3 * sort.bodies)})};
  append(all, block::cell_sort_steps(sort));
  const std::string where = layout == rows::by_body ? "by_body" : layout == rows::by_slot ? "by_slot" : "by_four";
  all.push_back(
      over("make_lists<" + type + ", " + block + ", " + begin + "rows::" + where + ", " + begin +
               "list_of::" + (which == list_of::all ? "all" : "after") + ", " + std::to_string(cells_per_reach) + ">",
           sort.bodies,
           {pointer_to("sorted"), pointer_to("order"), pointer_to("starts"), pointer_to("length"), pointer_to("list"),
            pointer_to("overflow"), real(problem, side_of(problem)), real(problem, reach * reach),
            block::grid_argument(sort.grid), value(sort.bodies), value(capacity)}));
  return all;
}

ValueArgument field_argument(const Problem& problem) {
  return with_type_of<float, double>(problem.type(), [&]<class T>(T) {
    return value_of("warpwright::lennard_jones::field<" + std::string(name_of(problem.type())) + ">",
                    field_of<T>(problem));
  });
}

Step force_launch(const Problem& problem, std::string entry, const std::string& positions, const std::string& force,
                  const Lists& lists) {
  return {.what =
              Launch{.entry = std::move(entry),
                     .grid = {.x = static_cast<std::uint32_t>(divide_up(problem.shape[0], lists.sort.block_size))},
                     .block = {.x = static_cast<std::uint32_t>(lists.sort.block_size)},
                     .arguments = {pointer_to(positions), pointer_to("length"), pointer_to("list"), pointer_to(force),
                                   field_argument(problem), value(problem.shape[0]), value(lists.capacity)}}};
}

Plan plan_with_lists(const Problem& problem, const Lists& lists) {
  Plan plan{.buffers = buffers(problem), .steps = {}};
  plan.steps.push_back({.what = Memset{.buffer = "overflow", .count = 1, .value = value(0)}, .timed = false});
  if (problem.shape[0] == 0) return plan;
  for (Buffer& buffer : lists.scratch()) plan.buffers.push_back(std::move(buffer));
  for (Step& step : lists.steps(problem, "positions")) {
    step.timed = false;
    plan.steps.push_back(std::move(step));
  }
  return plan;
}

Plan force_plan(const PlanRequest& request, const std::string& function, const Lists& lists,
                const std::vector<Step>& before) {
  const Problem& problem = request.problem;
  Plan plan = plan_with_lists(problem, lists);
  if (problem.shape[0] == 0) return plan;
  append(plan.steps, before);
  plan.steps.push_back(force_launch(problem, request.entry(function, {std::string(name_of(problem.type()))}),
                                    "positions", "force", lists));
  return plan;
}

std::vector<Step> verlet(const Problem& problem, const std::string& positions, const std::string& next,
                         int rebuild_every, const std::function<std::vector<Step>(const std::string& from)>& rebuild,
                         const std::function<std::vector<Step>(const std::string& from, const std::string& to,
                                                               double kick, double drift)>& launch) {
  const std::int64_t steps = problem.integer("steps");
  if (steps == 0) return {};
  const double dt = time_step(problem);
  const double kick = dt / kMass;
  std::string here = positions;
  std::string there = next;
  std::vector<Step> all;
  const auto repeated = [&](std::int64_t times) {
    Repeat repeat{.times = times, .steps = launch(here, there, kick, dt)};
    if (here != there) repeat.swaps = {{here, there}};
    return Step{.what = std::move(repeat)};
  };
  const auto evaluations = [&](std::int64_t times) {
    if (times == 0) return;
    all.push_back(repeated(times));
    if (times % 2 == 1) std::swap(here, there);
  };
  // Evaluation 0 has half a kick, evaluations 1 to steps - 1 a full one, and the last one half a kick and no drift.
  append(all, rebuild(here));
  append(all, launch(here, there, kick / 2, dt));
  std::swap(here, there);
  const std::int64_t first = std::min<std::int64_t>(steps - 1, rebuild_every - 1);
  evaluations(first);
  const std::int64_t left = steps - 1 - first;
  if (left >= rebuild_every) {
    std::vector<Step> round = rebuild(here);
    round.push_back(repeated(rebuild_every));
    all.push_back({.what = Repeat{.times = left / rebuild_every, .steps = std::move(round)}});
  }
  if (left % rebuild_every > 0) append(all, rebuild(here));
  evaluations(left % rebuild_every);
  append(all, launch(here, there, kick / 2, 0));
  return all;
}

}  // namespace warpwright::lennard_jones
