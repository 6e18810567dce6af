// Queries the database for winners on other data sets.
#include "tuner/records/known_best.hpp"

#include <tuple>

#include "db/query/query.hpp"

namespace warpwright::tuner {

std::vector<KnownBest> best_on_other_data(Recorder& recorder, const Problem& problem) {
  std::vector<KnownBest> settings;
  for (const db::Best& best : db::best(
           recorder.store(), {.arch = recorder.arch(), .pattern = problem.pattern, .types = types_text(problem)})) {
    const auto& [trial, other] = std::tie(best.winner.trial, best.winner.problem);
    const bool alike = other.variant == variant_text(problem) && other.numbers == numbers_text(problem) &&
                       other.shape == shape_text(problem.shape);
    if (alike && other.data != problem.data && best.winner.is_measured() && trial.board_id == recorder.board_id())
      settings.emplace_back(best.winner.kernel, best.winner.params);
  }
  return settings;
}

}  // namespace warpwright::tuner
