// Ranks predicted trials.
#include "db/query/predicted_ranking.hpp"

#include "db/query/band.hpp"

namespace warpwright::db {

std::vector<Ranked> ranked_predictions(std::span<const Trial> fastest_first) {
  constexpr std::size_t least = 8;
  std::vector<Ranked> ranked;
  for (const Trial& trial : fastest_first) {
    const bool tied = in_band(*trial.predicted_us, *fastest_first.front().predicted_us);
    if (!tied && ranked.size() >= least) break;
    ranked.push_back({.trial_id = trial.id, .rank = static_cast<int>(ranked.size()) + 1, .tied = tied});
  }
  return ranked;
}

}  // namespace warpwright::db
