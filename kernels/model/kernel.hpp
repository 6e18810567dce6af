// A kernel: one algorithm for a pattern, with its space, its default and its plan.
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

/// What the host target notes and does not hold against a kernel, and why that is no mistake there.
struct Lenience {
  StrictRule what = StrictRule::same_value_stores;
  std::string reason;  ///< for people; never empty

  bool operator==(const Lenience&) const = default;
};

/// The type-erased form that everything outside the kernel's folder works with.
struct Kernel {
  std::string pattern;
  std::string name;
  std::string source;  ///< the include path of its device file, filled in by the catalogue
  Space space;
  Point default_point;  ///< valid on every architecture
  std::function<Plan(const Point&, const Problem&, const Device&)> plan;
  /// Roundings on the longest path from an input to an output; 0 for kernels that only move or compare.
  std::function<double(const Point&, const Problem&, const Device&)> depth;
  /// Elements per dimension that one block handles: where shapes break.
  std::function<std::vector<std::int64_t>(const Point&)> tile;
  /// Whole shapes, beyond a few tiles, at which it breaks: where a second level of its own is filled. A problem of that
  /// variant, these numbers and types is asked about; its own shape is not looked at.
  std::function<std::vector<std::vector<std::int64_t>>(const Point&, const Problem&)> edges =
      [](const Point&, const Problem&) { return std::vector<std::vector<std::int64_t>>(); };
  /// Why it does not solve this problem on this device with these params; empty where it does.
  std::function<std::string(const Point&, const Problem&, const Device&)> refuses =
      [](const Point&, const Problem&, const Device&) { return std::string(); };
  /// Steps of all its threads together where they are not the pattern's; empty function: they are.
  std::function<double(const Point&, const Problem&)> steps = {};
  /// Arithmetic of all its threads together where it is not the pattern's least; empty function: it is.
  std::function<double(const Point&, const Problem&)> operations = {};
  /// Global loads of a thread that are under way together; 0: it does not say.
  std::function<int(const Point&)> loads_in_flight = [](const Point&) { return 0; };
  /// How often blocks hand on what the next one waits for, in the longest chain of them; 0: nobody waits so.
  std::function<double(const Point&, const Problem&)> handovers = [](const Point&, const Problem&) { return 0.0; };
  /// Whether its outputs have the same bits however its threads and blocks are scheduled; false: it does not say so.
  std::function<bool(const Point&, const Problem&)> deterministic = [](const Point&, const Problem&) { return false; };
  std::vector<Lenience> lenient = {};
  std::string file = {};  ///< of a job: its file as the command line has it; empty for kernels of the build

  /// "transpose/tiled"
  std::string full_name() const { return pattern + "/" + name; }
};

/// What a kernel's plan is made for.
struct PlanRequest {
  const std::string& pattern;
  const Problem& problem;
  const Device& device;
  std::string params;  ///< of the instance: "warpwright::transpose::tiled_params{.tile_dim = 32}"

  /// The C++ name of the instance of `function` (in the pattern's namespace) for these params, with the leading
  /// template arguments given: "warpwright::transpose::tiled<float, ...>".
  std::string entry(const std::string& function, const std::vector<std::string>& arguments) const;
};

/// A kernel as its folder writes it, over its own params aggregate P. The device function is
/// warpwright::<pattern>::<name> and P is declared beside it as <name>_params.
template <class P>
struct KernelOf {
  std::string pattern;
  std::string name;
  P default_params{};
  SpaceOf<P> space;
  std::function<Plan(const P&, const PlanRequest&)> plan;
  std::function<std::vector<std::int64_t>(const P&)> tile;
  std::function<double(const P&, const Problem&, const Device&)> depth = {};
  /// Shapes at which a second level of its own is filled, such as the sums of blocks by one block.
  std::function<std::vector<std::vector<std::int64_t>>(const P&, const Problem&)> edges = {};
  /// Empty text: it solves this problem on this device; else why not, for people: "needs a multiple of 4 elements".
  std::function<std::string(const P&, const Problem&, const Device&)> supports = {};
  std::function<double(const P&, const Problem&)> steps = {};  ///< of all threads, where they are not the pattern's
  std::function<double(const P&, const Problem&)> operations = {};   ///< likewise, its arithmetic
  std::function<int(const P&)> loads_in_flight = {};                 ///< global loads of a thread under way together
  std::function<double(const P&, const Problem&)> handovers = {};    ///< in the longest chain of blocks that wait so
  std::function<bool(const P&, const Problem&)> deterministic = {};  ///< where it declares itself so
  /// What the judge is strict about and this kernel rightly does: at most one reason for each.
  std::vector<Lenience> lenient = {};
  /// Axes that the plan alone reads: points that differ in nothing else share one instance of the device code.
  std::vector<std::string> launch_axes = {};
};

/// The point whose instance of the device code `point` runs: the default's value on every axis of `launch_axes`.
/// Throws std::invalid_argument for an axis that the space has not.
Point instance_point(const Space& space, const Point& point, const Point& default_point,
                     const std::vector<std::string>& launch_axes);

/// Throws std::invalid_argument for a declaration without a reason, or two of one thing.
void check_lenience(const std::string& kernel, const std::vector<Lenience>& lenient);

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
  check_lenience(kernel.full_name(), of.lenient);
  kernel.lenient = of.lenient;
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

/// For the kernels of which every configuration is deterministic.
template <class P>
bool always_deterministic(const P&, const Problem&) {
  return true;
}

/// Elements of a block whose threads have `coarsening` each.
template <class P>
std::int64_t tile_elements(const P& p) {
  return std::int64_t{p.block_size} * p.coarsening;
}
/// The same as the tile of a kernel of one dimension.
template <class P>
std::vector<std::int64_t> tile_extents(const P& p) {
  return {tile_elements(p)};
}

/// For the kernels of which every thread issues the loads of its `coarsening` before it uses the first.
template <class P>
int coarsening_in_flight(const P& p) {
  return p.coarsening;
}

/// Smallest k with k * divisor >= dividend. Both positive or zero dividend.
constexpr std::int64_t divide_up(std::int64_t dividend, std::int64_t divisor) {
  return (dividend + divisor - 1) / divisor;
}

}  // namespace warpwright
