// A kernel: one algorithm for a pattern, with its space, its default configuration and its plan.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "kernels/core/device.hpp"
#include "kernels/core/verdict.hpp"
#include "kernels/model/plan.hpp"
#include "kernels/model/problem.hpp"
#include "kernels/model/space.hpp"

namespace warpwright {

/// A rule whose findings are tolerated for a kernel, and why they are no mistakes there.
struct ToleratedRule {
  StrictRule what = StrictRule::same_value_stores;
  std::string reason;  ///< for people; never empty

  bool operator==(const ToleratedRule&) const = default;
};

/// A kernel without the type of its params: the form that all code outside of the kernel's folder uses.
struct Kernel {
  std::string pattern;
  std::string name;
  std::string source;  ///< the include path of its device file; the catalogue fills it in
  Space space;
  Point default_point;  ///< valid on every architecture
  std::function<Plan(const Point&, const Problem&, const Device&)> plan;
  /// Number of roundings on the longest path from an input to an output; 0 for kernels that only move or compare.
  std::function<double(const Point&, const Problem&, const Device&)> depth;
  /// Number of elements per dimension that one block handles. Checks draw shapes near it.
  std::function<std::vector<std::int64_t>(const Point&)> tile;
  /// Other shapes at which the kernel may break, for example where a second level of a tree fills up. They may depend
  /// on the problem's variant, numbers and types, but not on its shape.
  std::function<std::vector<std::vector<std::int64_t>>(const Point&, const Problem&)> edges =
      [](const Point&, const Problem&) { return std::vector<std::vector<std::int64_t>>(); };
  /// Why the kernel cannot solve this problem on this device with these params; empty if it can.
  std::function<std::string(const Point&, const Problem&, const Device&)> refuses =
      [](const Point&, const Problem&, const Device&) { return std::string(); };
  /// Steps of all threads together, if they differ from the pattern's. An empty function: they do not.
  std::function<double(const Point&, const Problem&)> steps = {};
  /// Operations of all threads together, if they differ from the pattern's minimum. An empty function: they do not.
  std::function<double(const Point&, const Problem&)> operations = {};
  /// Number of global loads that a thread has in flight at the same time; 0: unknown.
  std::function<int(const Point&)> loads_in_flight = [](const Point&) { return 0; };
  /// Length of the longest chain of blocks in which each waits for a value from the one before; 0: there is no such
  /// chain.
  std::function<double(const Point&, const Problem&)> handovers = [](const Point&, const Problem&) { return 0.0; };
  /// Whether outputs have the same bits for every schedule of threads and blocks; false: not guaranteed.
  std::function<bool(const Point&, const Problem&)> deterministic = [](const Point&, const Problem&) { return false; };
  std::vector<ToleratedRule> lenient = {};
  /// Why variables of its device code may hold values from one run of its plan to the next, which then use them; empty:
  /// they must not.
  std::string keeps_state = {};
  std::string file = {};  ///< the job file, as on the command line; empty for kernels of the build
  /// Params that are constants of the job's host code: no macro can set them.
  std::vector<std::string> host_constants = {};

  /// "transpose/tiled"
  std::string full_name() const { return pattern + "/" + name; }
};

/// What a kernel's plan is made for.
struct PlanRequest {
  const std::string& pattern;
  const Problem& problem;
  const Device& device;
  std::string params;  ///< of the instance: "warpwright::transpose::tiled_params{.tile_dim = 32}"

  /// The C++ name of the instance of `function` (in the pattern's namespace) for these params, preceded by the given
  /// template arguments: "warpwright::transpose::tiled<float, ...>".
  std::string entry(const std::string& function, const std::vector<std::string>& arguments) const;
};

/// A kernel as its author writes it, with its params as an aggregate P. The device function is
/// warpwright::<pattern>::<name>. P is declared in the same file, as <name>_params.
template <class P>
struct KernelOf {
  std::string pattern;
  std::string name;
  P default_params{};
  SpaceOf<P> space;
  std::function<Plan(const P&, const PlanRequest&)> plan;
  std::function<std::vector<std::int64_t>(const P&)> tile;
  std::function<double(const P&, const Problem&, const Device&)> depth = {};
  /// Shapes at which a second level fills up, such as one block that adds the sums of all blocks.
  std::function<std::vector<std::vector<std::int64_t>>(const P&, const Problem&)> edges = {};
  /// An empty text if the kernel solves this problem on this device, or else why not: "needs a multiple of 4 elements".
  std::function<std::string(const P&, const Problem&, const Device&)> supports = {};
  std::function<double(const P&, const Problem&)> steps = {};  ///< of all threads, if they differ from the pattern's
  std::function<double(const P&, const Problem&)> operations = {};   ///< likewise, operations
  std::function<int(const P&)> loads_in_flight = {};                 ///< global loads that a thread has in flight
  std::function<double(const P&, const Problem&)> handovers = {};    ///< the longest chain of waiting blocks
  std::function<bool(const P&, const Problem&)> deterministic = {};  ///< whether outputs never depend on the schedule
  /// Findings that are tolerated, each kind at most once, with the reason why they are right here.
  std::vector<ToleratedRule> lenient = {};
  /// Why a run may use what an earlier run left in variables of the device code; empty: it must not.
  std::string keeps_state = {};
  /// Axes that only the plan reads: configurations that differ only in these share one instance of the device code.
  std::vector<std::string> launch_axes = {};
};

/// The point whose instance of the device code `point` runs: it has the default's value on every axis of `launch_axes`.
/// Throws std::invalid_argument for an unknown axis.
Point instance_point(const Space& space, const Point& point, const Point& default_point,
                     const std::vector<std::string>& launch_axes);

/// Throws std::invalid_argument if a kind has no reason, or is declared twice.
void check_tolerated_rules(const std::string& kernel, const std::vector<ToleratedRule>& lenient);

template <class P>
Kernel make_kernel(KernelOf<P> of) {
  Kernel kernel{.pattern = of.pattern,
                .name = of.name,
                .source = {},
                .space = of.space.space(),
                .default_point = of.space.point(of.default_params),
                .plan = {},
                .depth = {},
                .tile = {}};
  instance_point(kernel.space, kernel.default_point, kernel.default_point, of.launch_axes);
  check_tolerated_rules(kernel.full_name(), of.lenient);
  kernel.lenient = of.lenient;
  kernel.keeps_state = of.keeps_state;
  kernel.plan = [of, space = kernel.space, defaults = kernel.default_point](const Point& point, const Problem& problem,
                                                                            const Device& device) {
    const std::string params = "warpwright::" + of.pattern + "::" + of.name + "_params" +
                               space.text(instance_point(space, point, defaults, of.launch_axes));
    return of.plan(of.space.params(point), {of.pattern, problem, device, params});
  };
  kernel.depth = [of](const Point& point, const Problem& problem, const Device& device) {
    return of.depth ? of.depth(of.space.params(point), problem, device) : 0.0;
  };
  kernel.tile = [of](const Point& point) { return of.tile(of.space.params(point)); };
  if (of.edges)
    kernel.edges = [of](const Point& point, const Problem& problem) {
      return of.edges(of.space.params(point), problem);
    };
  if (of.supports)
    kernel.refuses = [of](const Point& point, const Problem& problem, const Device& device) {
      return of.supports(of.space.params(point), problem, device);
    };
  if (of.steps)
    kernel.steps = [of](const Point& point, const Problem& problem) {
      return of.steps(of.space.params(point), problem);
    };
  if (of.operations)
    kernel.operations = [of](const Point& point, const Problem& problem) {
      return of.operations(of.space.params(point), problem);
    };
  if (of.loads_in_flight)
    kernel.loads_in_flight = [of](const Point& point) { return of.loads_in_flight(of.space.params(point)); };
  if (of.handovers)
    kernel.handovers = [of](const Point& point, const Problem& problem) {
      return of.handovers(of.space.params(point), problem);
    };
  kernel.deterministic = [of](const Point& point, const Problem& problem) {
    return of.deterministic && of.deterministic(of.space.params(point), problem);
  };
  return kernel;
}

/// For kernels all of whose configurations are deterministic.
template <class P>
bool always_deterministic(const P&, const Problem&) {
  return true;
}

/// Elements per block, if each thread has `coarsening` elements.
template <class P>
std::int64_t tile_elements(const P& p) {
  return std::int64_t{p.block_size} * p.coarsening;
}
/// The same as the tile of a one-dimensional kernel.
template <class P>
std::vector<std::int64_t> tile_extents(const P& p) {
  return {tile_elements(p)};
}

/// For kernels in which every thread issues all its `coarsening` loads before it uses the first value.
template <class P>
int coarsening_in_flight(const P& p) {
  return p.coarsening;
}

/// Smallest k with k * divisor >= dividend, for dividend >= 0 and divisor > 0.
constexpr std::int64_t divide_up(std::int64_t dividend, std::int64_t divisor) {
  return (dividend + divisor - 1) / divisor;
}

}  // namespace warpwright
