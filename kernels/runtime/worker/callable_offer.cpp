// Describing callables to the parent.
#include "kernels/runtime/messages/callable_offer.hpp"

namespace warpwright::worker {

BaselineInfo offer(const Callable& callable) {
  return {.pattern = callable.pattern,
          .implementation = callable.implementation,
          .idiom = callable.idiom,
          .version = callable.version,
          .missing = callable.missing,
          .synchronises = callable.synchronises,
          .observation = callable.observation,
          .has_oracle = callable.has_oracle,
          .laws = callable.laws,
          .knobs = {}};
}

BaselineInfo offer(const Callable& callable, const Problem& problem, const Device& device) {
  BaselineInfo made = offer(callable);
  if (!callable.missing.empty()) return made;
  for (const Point& point : callable.knobs.points({.types = problem.types, .device = device}))
    made.knobs.push_back({.knobs = point,
                          .text = point.empty() ? "" : callable.knobs.text(point),
                          .depth = callable.depth(problem, point, device),
                          .is_default = point == callable.default_knobs});
  return made;
}

}  // namespace warpwright::worker
