// Ranks predicted trials.
#include "db/query/predicted_ranking.hpp"

#include <algorithm>
#include <tuple>

#include "db/query/band.hpp"
#include "db/query/elsewhere.hpp"

namespace warpwright::db {
namespace {

// What equals lose elsewhere.
Elsewhere::Losses losses_elsewhere(const Store& store, std::span<const Trial* const> equals) {
  if (equals.size() < 2) return {};
  std::vector<Id> configurations;
  configurations.reserve(equals.size());
  for (const Trial* one : equals) configurations.push_back(one->configuration_id);
  return Elsewhere(store, equals.front()->problem_id, *equals.front()->board_id).of(configurations);
}

std::span<const Trial* const> equals_among(std::span<const Trial* const> fastest_first) {
  const double least = *fastest_first.front()->predicted_us;
  const auto end =
      std::ranges::find_if(fastest_first, [&](const Trial* one) { return !in_band(*one->predicted_us, least); });
  return fastest_first.first(static_cast<std::size_t>(end - fastest_first.begin()));
}

}  // namespace

const Trial* preferred_prediction(const Store& store, std::span<const Trial* const> fastest_first) {
  const auto equals = equals_among(fastest_first);
  const Elsewhere::Losses losses = losses_elsewhere(store, equals);
  return *std::ranges::min_element(equals, {}, [&](const Trial* one) { return losses.of(one->configuration_id); });
}

std::vector<Ranked> ranked_predictions(const Store& store, std::span<const Trial> fastest_first) {
  constexpr std::size_t least = 8;
  if (fastest_first.empty()) return {};
  std::vector<const Trial*> order;
  order.reserve(fastest_first.size());
  for (const Trial& trial : fastest_first) order.push_back(&trial);
  const std::size_t equals = equals_among(order).size();
  const Elsewhere::Losses losses = losses_elsewhere(store, std::span(order).first(equals));
  std::ranges::stable_sort(std::span(order).first(equals), {}, [&](const Trial* one) {
    return std::tuple(!one->full_property, losses.of(one->configuration_id), *one->predicted_us);
  });
  order.resize(std::min(order.size(), std::max(equals, least)));
  std::vector<Ranked> ranked;
  for (std::size_t i = 0; i < order.size(); ++i)
    ranked.push_back({.trial_id = order[i]->id, .rank = static_cast<int>(i) + 1, .tied = i < equals});
  return ranked;
}

}  // namespace warpwright::db
