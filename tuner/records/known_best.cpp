// Queries the database for what is known of a problem and of problems like it.
#include "tuner/records/known_best.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

#include "db/query/query.hpp"
#include "db/query/views.hpp"
#include "kernels/core/vocabulary.hpp"

namespace warpwright::tuner {
namespace {

constexpr std::size_t kMostFinalists = 8, kMostSimilar = 8;

class Known {
 public:
  explicit Known(const Catalogue& catalogue) : catalogue_(catalogue) {}

  void add(const db::TrialView& view, bool is_finalist, bool is_predicted = false) {
    try {
      const Kernel& kernel = catalogue_.kernel(view.pattern + "/" + view.kernel);
      Point params = kernel.space.parse(view.params, kernel.default_point);
      const bool is_known = std::ranges::any_of(
          found_, [&](const KnownBest& one) { return one.kernel == &kernel && one.params == params; });
      if (is_known) return;
      found_.push_back({.kernel = &kernel,
                        .params = std::move(params),
                        .us = view.time_us().value_or(0),
                        .is_finalist = is_finalist,
                        .is_best = is_finalist && found_.empty(),
                        .is_predicted = is_predicted});
    } catch (const std::invalid_argument&) {  // the kernel is gone, or its axes have changed
    }
  }

  std::size_t size() const { return found_.size(); }
  std::vector<KnownBest> take() { return std::move(found_); }

 private:
  const Catalogue& catalogue_;
  std::vector<KnownBest> found_;
};

}  // namespace

std::vector<KnownBest> known_best(Recorder& recorder, const Problem& problem, std::string_view wanted, bool all_sizes) {
  const db::Store& store = recorder.store();
  const db::Id problem_id = recorder.problem_id(problem);
  Known known(recorder.catalogue());
  const auto add_finalist = [&](db::Id trial_id) {
    if (known.size() < kMostFinalists) known.add(db::view_of(store, trial_id), true);
  };
  std::vector<std::tuple<double, std::size_t, const db::TrialView*>> similar;
  std::vector<db::Id> of_other_sizes;
  const std::vector<db::BestOfCell> all = db::best_of_cells(store, {.pattern = problem.pattern});
  for (const auto& [winner, tied] : all) {
    const auto& [trial, other] = std::tie(winner.trial, winner.problem);
    const bool is_here = trial.board_id == recorder.board_id();
    if (is_here && trial.problem_id == problem_id && trial.provenance == wanted) {
      known.add(winner, true);
      std::ranges::for_each(tied, add_finalist);
      continue;
    }
    const Shape shape = parse_shape(other.shape);
    if (other.variant != variant_text(problem) || other.numbers != numbers_text(problem) ||
        shape.size() != problem.shape.size())
      continue;
    if (all_sizes) {
      if (!is_here || trial.provenance != wanted || other.types != types_text(problem) || other.data != problem.data)
        continue;
      of_other_sizes.push_back(trial.id);
      of_other_sizes.insert(of_other_sizes.end(), tied.begin(), tied.end());
      for (const db::Trial& next : store.ranking(trial.problem_id, recorder.board_id(), wanted))
        of_other_sizes.push_back(next.id);
      continue;
    }
    const double distance = shape_distance(shape, problem.shape) + (other.types == types_text(problem) ? 0 : 2) +
                            (is_here ? 0 : 1) + (winner.is_measured() ? 0 : 1);
    similar.emplace_back(distance, similar.size(), &winner);
  }
  for (const db::Trial& trial : store.ranking(problem_id, recorder.board_id(), wanted)) add_finalist(trial.id);
  for (const db::Id id : of_other_sizes) known.add(db::view_of(store, id), false);
  std::ranges::sort(similar);
  similar.resize(std::min(similar.size(), kMostSimilar));
  for (const auto& [distance, place, best] : similar)
    known.add(*best, false,
              best->trial.provenance == provenance::predicted && best->trial.problem_id == problem_id &&
                  best->trial.board_id == recorder.board_id());
  return known.take();
}

}  // namespace warpwright::tuner
