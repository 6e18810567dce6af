// Describing callables to the parent.
#include "kernels/runtime/messages/callable_offer.hpp"

#include <nlohmann/json.hpp>

namespace warpwright::worker {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(KnobsInfo, knobs, text, depth, is_default)

using nlohmann::json;

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

void to_json(json& to, const BaselineInfo& offer) {
  to = {{"pattern", offer.pattern},
        {"implementation", offer.implementation},
        {"idiom", offer.idiom},
        {"version", offer.version},
        {"missing", offer.missing},
        {"synchronises", offer.synchronises},
        {"observation", offer.observation},
        {"has_oracle", offer.has_oracle},
        {"laws", offer.laws},
        {"knobs", offer.knobs}};
}

void from_json(const json& from, BaselineInfo& offer) {
  offer = {.pattern = from.at("pattern"),
           .implementation = from.at("implementation"),
           .idiom = from.at("idiom"),
           .version = from.at("version"),
           .missing = from.at("missing"),
           .synchronises = from.at("synchronises"),
           .observation = from.at("observation"),
           .has_oracle = from.at("has_oracle"),
           .laws = from.at("laws"),
           .knobs = from.at("knobs")};
}

}  // namespace warpwright::worker
