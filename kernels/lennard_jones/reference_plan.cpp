// Builds a plan of the kernels in reference.cuh.
#include "kernels/lennard_jones/reference_plan.hpp"

#include <algorithm>

#include "kernels/lennard_jones/plans.hpp"
#include "kernels/lennard_jones/reference.cuh"

namespace warpwright::lennard_jones {
namespace {

std::string with_type(const Problem& problem, const std::string& function) {
  return function + "<" + std::string(name_of(problem.type())) + ">";
}

/// A launch with `count` threads, whose last argument is that number.
Step launch_over(std::int64_t count, const std::string& function, std::vector<Argument> arguments) {
  constexpr std::int64_t kBlock = 128;
  arguments.push_back(value(count));
  return {.what = Launch{.entry = "warpwright::lennard_jones::" + function,
                         .grid = {.x = static_cast<std::uint32_t>(divide_up(count, kBlock))},
                         .block = {.x = kBlock},
                         .arguments = std::move(arguments)}};
}

Step zeros(const char* buffer, std::int64_t count, ValueArgument zero) {
  return {.what = Memset{.buffer = buffer, .count = count, .value = std::move(zero)}};
}

/// Number of cells along an axis; each is wider than the reach by the possible roundings of positions and widths.
int cells_along(const Problem& problem) {
  constexpr double kSlack = 0.01;
  const double widest = std::max(kCutoff + 1, reach_of(problem).outer) + kSlack;
  return std::max(1, static_cast<int>(side_of(problem) / widest));
}

/// The plan under construction.
class Steps {
 public:
  Steps(const Problem& problem, Plan& plan)
      : problem_(problem), atoms_(problem.shape[0]), cells_(cells_along(problem)), plan_(plan) {}

  void scale() {
    scratch("sum", ElementType::f64, 1);
    add(zeros("sum", 1, value(0.0)));
    add(launch_over(3 * atoms_, with_type(problem_, "reference_squares"), {pointer_to("velocity"), pointer_to("sum")}));
    add(launch_over(3 * atoms_, with_type(problem_, "reference_scaled"),
                    {pointer_to("velocity"), pointer_to("sum"), pointer_to("velocity.expected"),
                     pointer_to("velocity.magnitude"), value(wanted_squares(problem_))}));
  }

  /// Prepares the lists for any kind of problem.
  void find_neighbors() {
    // Positions and velocities, each with its error.
    for (const char* name : {"state", "next", "speed"}) scratch(name, ElementType::f64, 4 * atoms_);
    for (const char* name : {"inner", "outer"}) {
      scratch(name, ElementType::i32, 1);
      add(zeros(name, 1, value(0)));
    }
    const std::int64_t all_cells = this->all_cells();
    for (const auto& [name, count] :
         {std::pair("count", all_cells), std::pair("filled", all_cells), std::pair("starts", all_cells),
          std::pair("found", atoms_), std::pair("members", atoms_)})
      scratch(name, ElementType::i32, count);
    begin("positions", "state");
    append(plan_.steps, cells_of("state"));
    crowd("state", "inner", reach_of(problem_).inner);
    if (!moves(problem_)) crowd("state", "outer", reach_of(problem_).outer);
    if (asks_forces(problem_))
      add(launch_over(atoms_, "reference_forces",
                      {pointer_to("state"), pointer_to("force.expected"), pointer_to("force.magnitude"),
                       pointer_to("starts"), pointer_to("members"), value(cells_), field()}));
    if (asks_energy(problem_)) energy();
    if (moves(problem_)) move();
    for (const Buffer& buffer : buffers(problem_))
      if (buffer.is_output() && buffer.name != "overflow")
        add(launch_over(buffer.count, "reference_lose",
                        {pointer_to("outer"), pointer_to(buffer.name + ".magnitude"), capacity()}));
    add(launch_over(atoms_, "reference_overflow",
                    {pointer_to("inner"), pointer_to("outer"), pointer_to("overflow.expected"),
                     pointer_to("overflow.magnitude"), capacity()}));
  }

 private:
  void add(Step step) { plan_.steps.push_back(std::move(step)); }
  void scratch(const char* name, ElementType type, std::int64_t count) {
    plan_.buffers.push_back({.name = name, .role = Role::scratch, .type = type, .count = count});
  }
  ValueArgument capacity() const { return value(static_cast<int>(problem_.integer("capacity"))); }
  ValueArgument field() const {
    return value_of("warpwright::lennard_jones::plain_field", plain_field{.side = side_of(problem_),
                                                                          .sigma = kSigma,
                                                                          .epsilon = kEpsilon,
                                                                          .cutoff = kCutoff,
                                                                          .unit = unit_roundoff(problem_.type())});
  }
  /// Including one for atoms outside the box.
  std::int64_t all_cells() const { return std::int64_t{cells_} * cells_ * cells_ + 1; }
  /// The steps that put the atoms of a state into cells.
  std::vector<Step> cells_of(const std::string& state) const {
    const ValueArgument side = value(side_of(problem_));
    return {zeros("count", all_cells(), value(0)),
            zeros("filled", all_cells(), value(0)),
            launch_over(atoms_, "reference_count", {pointer_to(state), pointer_to("count"), side, value(cells_)}),
            launch_over(all_cells(), "reference_starts", {pointer_to("count"), pointer_to("starts")}),
            launch_over(atoms_, "reference_fill",
                        {pointer_to(state), pointer_to("starts"), pointer_to("filled"), pointer_to("found"), side,
                         value(cells_)}),
            launch_over(atoms_, "reference_order",
                        {pointer_to(state), pointer_to("starts"), pointer_to("count"), pointer_to("found"),
                         pointer_to("members"), side, value(cells_)})};
  }
  void begin(const char* from, const char* to) {
    add(launch_over(atoms_, with_type(problem_, "reference_begin"), {pointer_to(from), pointer_to(to)}));
  }
  Step crowd_of(const std::string& state, const char* most, double reach) const {
    return launch_over(atoms_, "reference_crowd",
                       {pointer_to(state), pointer_to(most), pointer_to("starts"), pointer_to("members"), value(cells_),
                        value(side_of(problem_)), value(reach)});
  }
  void crowd(const std::string& state, const char* most, double reach) { add(crowd_of(state, most, reach)); }

  void energy() {
    begin("velocity", "speed");
    for (const char* name : {"energy.expected", "energy.magnitude"}) add(zeros(name, 2, value(0.0)));
    add(launch_over(
        atoms_, "reference_energy",
        {pointer_to("state"), pointer_to("speed"), pointer_to("energy.expected"), pointer_to("energy.magnitude"),
         pointer_to("starts"), pointer_to("members"), value(cells_), field(), value(kMass / 2)}));
  }

  void move() {
    constexpr int kNever = 1 << 30;
    begin("velocity", "speed");
    append(plan_.steps, verlet(
                            problem_, "state", "next", kNever, [](const std::string&) { return std::vector<Step>(); },
                            [&](const std::string& from, const std::string& to, double kick, double drift) {
                              std::vector<Step> evaluation = cells_of(from);
                              evaluation.push_back(crowd_of(from, "outer", reach_of(problem_).outer));
                              evaluation.push_back(launch_over(
                                  atoms_, "reference_step",
                                  {pointer_to(from), pointer_to(to), pointer_to("speed"), pointer_to("starts"),
                                   pointer_to("members"), value(cells_), field(), value(kick), value(drift)}));
                              return evaluation;
                            }));
    for (const auto& [from, output] : {std::pair("state", "positions"), std::pair("speed", "velocity")})
      add(launch_over(atoms_, "reference_end",
                      {pointer_to(from), pointer_to(std::string(output) + ".expected"),
                       pointer_to(std::string(output) + ".magnitude")}));
  }

  const Problem& problem_;
  const std::int64_t atoms_;
  const int cells_;  ///< along an axis
  Plan& plan_;
};

}  // namespace

Reference reference(const Problem& problem, const Device&) {
  const std::int64_t atoms = problem.shape[0];
  Plan plan;
  for (Buffer& buffer : buffers(problem)) {
    if (!buffer.is_input()) continue;
    buffer.role = Role::in;
    plan.buffers.push_back(std::move(buffer));
  }
  for (const Buffer& buffer : buffers(problem)) {
    if (!buffer.is_output()) continue;
    for (const char* part : {".expected", ".magnitude"}) {
      plan.buffers.push_back(
          {.name = buffer.name + part, .role = Role::out, .type = ElementType::f64, .count = buffer.count});
      if (atoms == 0 && buffer.count > 0)
        plan.steps.push_back(
            {.what = Memset{.buffer = buffer.name + part, .count = buffer.count, .value = value(0.0)}});
    }
  }
  if (atoms > 0) {
    Steps steps(problem, plan);
    scales(problem) ? steps.scale() : steps.find_neighbors();
  }
  // Sums over all atoms, one after another.
  const double depth = scales(problem) || asks_energy(problem) ? 3 * static_cast<double>(atoms) + 1 : 1;
  return {.source = "kernels/lennard_jones/reference.cuh", .plan = std::move(plan), .depth = depth};
}

}  // namespace warpwright::lennard_jones
