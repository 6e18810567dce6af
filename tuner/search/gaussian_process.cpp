// Fits the covariance by likelihood, and updates the predictions of candidates.
#include "tuner/search/gaussian_process.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <utility>

namespace warpwright::tuner {
namespace {

constexpr std::array strengths{0.02, 0.1, 0.4, 1.2, 4.0, 15.0};
constexpr std::array decays{0.08, 0.25, 0.7, 2.0, 9.0};
constexpr std::array noises{1e-3, 1e-2, 5e-2, 0.2};
constexpr int usual_strength = 2, usual_decay = 1, usual_noise = 1;
constexpr int passes = 2;

using Four = float __attribute__((vector_size(16)));

Four four(const float* from) {
  Four result;
  std::memcpy(&result, from, sizeof result);
  return result;
}

/// The sum of a[i] * b[i] for i < n.
float dot(const float* a, const float* b, std::size_t n) {
  std::array<Four, 4> sums = {};
  std::size_t i = 0;
  for (; i + 16 <= n; i += 16)
    for (std::size_t part = 0; part < 4; ++part) sums[part] += four(a + i + 4 * part) * four(b + i + 4 * part);
  for (; i + 4 <= n; i += 4) sums[0] += four(a + i) * four(b + i);
  const Four all = sums[0] + sums[1] + sums[2] + sums[3];
  float sum = all[0] + all[1] + all[2] + all[3];
  for (; i < n; ++i) sum += a[i] * b[i];
  return sum;
}

/// How often each value can be halved beyond what all can. Empty if the values are few, or not evenly spaced.
std::vector<std::uint16_t> halvings(const std::vector<std::int64_t>& values) {
  constexpr std::size_t few = 8;
  if (values.size() <= few) return {};
  std::vector<std::uint16_t> times;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool even = i == 0 || values[i] - values[i - 1] == values[1] - values[0];
    if (!even || values[i] <= 0) return {};
    times.push_back(static_cast<std::uint16_t>(std::countr_zero(static_cast<std::uint64_t>(values[i]))));
  }
  const std::uint16_t least = std::ranges::min(times);
  for (std::uint16_t& time : times) time = static_cast<std::uint16_t>(time - least);
  return times;
}

}  // namespace

/// Computes how likely some observations are.
class GaussianProcess::Likelihood {
 public:
  Likelihood(const std::vector<Axis>& axes, const std::vector<const std::vector<int>*>& points,
             const std::vector<double>& values)
      : axes_(axes), values_(values.begin(), values.end()), factor_(points.size() * points.size()) {
    for (const Axis& axis : axes) {
      std::vector<std::uint16_t>& own = distances_.emplace_back();
      for (const std::vector<int>* const row : points)
        for (const std::vector<int>* const column : points)
          own.push_back(static_cast<std::uint16_t>(std::abs(axis.place(*row) - axis.place(*column))));
    }
  }

  /// The product of the covariances of all axes but one, for each pair of points; all of them if there is no such axis.
  std::vector<float> product_without(std::size_t left_out) const {
    std::vector<float> product(factor_.size(), 1.0F);
    for (std::size_t axis = 0; axis < axes_.size(); ++axis)
      if (axis != left_out) multiply(product, axis);
    return product;
  }

  void multiply(std::vector<float>& product, std::size_t axis) const {
    const std::size_t n = values_.size();
    for (std::size_t row = 0; row < n; ++row)
      for (std::size_t i = row * n; i < row * n + row; ++i) product[i] *= axes_[axis].covariance[distances_[axis][i]];
  }

  /// The negative logarithm of the posterior density, up to a constant, at the best scale of the values.
  double cost(const std::vector<float>& covariances, int noise) {
    const std::size_t n = values_.size();
    std::vector<float> white(n);
    double logs = 0, squares = 0;
    for (std::size_t row = 0; row < n; ++row) {
      float* const own = &factor_[row * n];
      for (std::size_t column = 0; column < row; ++column) {
        const float* const other = &factor_[column * n];
        own[column] = (covariances[row * n + column] - dot(own, other, column)) / other[column];
      }
      const double rest = 1 + noises[static_cast<std::size_t>(noise)] - static_cast<double>(dot(own, own, row));
      own[row] = static_cast<float>(std::sqrt(std::max(rest, 1e-6)));
      white[row] = (values_[row] - dot(own, white.data(), row)) / own[row];
      logs += std::log(own[row]);
      squares += static_cast<double>(white[row]) * white[row];
    }
    const auto count = static_cast<double>(n);
    return logs + 0.5 * count * std::log(squares / count + 1e-12) + prior();
  }

 private:
  /// The prior: each step away from the usual strength and decay makes an axis less likely.
  double prior() const {
    double sum = 0;
    for (const Axis& axis : axes_)
      sum += std::pow(axis.strength - usual_strength, 2) + std::pow(axis.decay - usual_decay, 2);
    return sum;
  }

  const std::vector<Axis>& axes_;
  std::vector<float> values_;
  std::vector<float> factor_;
  std::vector<std::vector<std::uint16_t>> distances_;  ///< for each axis, of each pair of points
};

void GaussianProcess::Axis::update_covariance() {
  const double factor = strengths[static_cast<std::size_t>(strength)];
  const double rate = decays[static_cast<std::size_t>(decay)];
  covariance.clear();
  for (int distance = 0; distance < size; ++distance)
    covariance.push_back(static_cast<float>((1 + factor * std::exp(-rate * distance)) / (1 + factor)));
}

GaussianProcess::GaussianProcess(const std::vector<int>& axis_sizes,
                                 const std::vector<std::vector<std::int64_t>>& axis_values)
    : noise_(usual_noise) {
  const auto add = [this](std::size_t axis, std::vector<std::uint16_t> places) {
    const int size = places.empty() ? 0 : std::ranges::max(places) + 1;
    if (size < 2) return;
    axes_.push_back(
        {.number = axis, .places = std::move(places), .size = size, .strength = usual_strength, .decay = usual_decay});
    axes_.back().update_covariance();
  };
  for (std::size_t axis = 0; axis < axis_sizes.size(); ++axis) {
    std::vector<std::uint16_t> indices(static_cast<std::size_t>(axis_sizes[axis]));
    std::iota(indices.begin(), indices.end(), std::uint16_t{0});
    add(axis, std::move(indices));
  }
  for (std::size_t axis = 0; axis < axis_values.size(); ++axis) add(axis, halvings(axis_values[axis]));
}

GaussianProcess::Coordinates GaussianProcess::coordinates(const std::vector<int>& point) const {
  Coordinates result;
  for (const Axis& axis : axes_) result.push_back(static_cast<std::uint16_t>(axis.place(point)));
  return result;
}

float GaussianProcess::covariance(const Coordinates& a, const Coordinates& b) const {
  float product = 1;
  for (std::size_t axis = 0; axis < axes_.size(); ++axis)
    product *= axes_[axis].covariance[static_cast<std::size_t>(std::abs(a[axis] - b[axis]))];
  return product;
}

void GaussianProcess::fit_noise(Likelihood& likelihood) {
  const std::vector<float> product = likelihood.product_without(axes_.size());
  double least = likelihood.cost(product, noise_);
  const int before = noise_;
  for (const int noise : {before - 1, before + 1}) {
    if (noise < 0 || noise >= static_cast<int>(noises.size())) continue;
    if (const double cost = likelihood.cost(product, noise); cost < least) {
      least = cost;
      noise_ = noise;
    }
  }
}

/// Moves the strength or the decay of an axis by one step, if that is more likely.
void GaussianProcess::fit_axis(Likelihood& likelihood, std::size_t number) {
  Axis& axis = axes_[number];
  const std::vector<float> others = likelihood.product_without(number);
  const Axis before = axis;
  Axis chosen = axis;
  std::optional<double> least;
  for (const auto& [strength, decay] : {std::pair(0, 0), {-1, 0}, {1, 0}, {0, -1}, {0, 1}}) {
    axis.strength = before.strength + strength;
    axis.decay = before.decay + decay;
    if (axis.strength < 0 || axis.strength >= static_cast<int>(strengths.size())) continue;
    if (axis.decay < 0 || axis.decay >= static_cast<int>(decays.size())) continue;
    if (axis.size == 2 && decay != 0) continue;  // has the same effect as another strength
    axis.update_covariance();
    std::vector<float> product = others;
    likelihood.multiply(product, number);
    if (const double cost = likelihood.cost(product, noise_); !least || cost < *least) {
      least = cost;
      chosen = axis;
    }
  }
  axis = chosen;
}

void GaussianProcess::fit(const std::vector<const std::vector<int>*>& points, const std::vector<double>& values) {
  observed_.clear();
  factor_.clear();
  explained_.clear();
  candidates_.clear();
  Likelihood likelihood(axes_, points, values);
  for (int pass = 0; pass < passes; ++pass) {
    fit_noise(likelihood);
    for (std::size_t axis = 0; axis < axes_.size(); ++axis) fit_axis(likelihood, axis);
  }
}

/// Solves for the column of the factor that belongs to a point, by forward substitution.
void GaussianProcess::extend(std::vector<float>& column, const Coordinates& at) const {
  for (std::size_t i = 0; i < observed_.size(); ++i) {
    const float* const row = factor_[i].data();
    column.push_back((covariance(at, observed_[i]) - dot(column.data(), row, i)) / row[i]);
  }
}

void GaussianProcess::observe(const std::vector<int>& point) {
  const Coordinates own = coordinates(point);
  const std::size_t n = observed_.size();
  std::vector<float> row;
  row.reserve(n + 1);
  extend(row, own);
  const double rest =
      1 + noises[static_cast<std::size_t>(noise_)] - static_cast<double>(dot(row.data(), row.data(), n));
  row.push_back(static_cast<float>(std::sqrt(std::max(rest, 1e-6))));
  for (Candidate& candidate : candidates_) {
    const float entry = (covariance(own, candidate.at) - dot(row.data(), candidate.column.data(), n)) / row[n];
    candidate.column.push_back(entry);
    candidate.variance = std::max(candidate.variance - entry * entry, 0.0F);
  }
  observed_.push_back(own);
  factor_.push_back(std::move(row));
  explained_.push_back(0);
}

void GaussianProcess::explain(const std::vector<std::optional<double>>& values) {
  for (std::size_t i = 0; i < observed_.size(); ++i) {
    const float* const row = factor_[i].data();
    explained_[i] = values[i] ? (static_cast<float>(*values[i]) - dot(row, explained_.data(), i)) / row[i] : 0;
  }
  for (Candidate& candidate : candidates_)
    candidate.mean = dot(candidate.column.data(), explained_.data(), observed_.size());
}

void GaussianProcess::add_candidate(const std::vector<int>& point) {
  Candidate candidate{.at = coordinates(point)};
  candidate.column.reserve(2 * observed_.size());
  extend(candidate.column, candidate.at);
  for (const float entry : candidate.column) candidate.variance = std::max(candidate.variance - entry * entry, 0.0F);
  candidate.mean = dot(candidate.column.data(), explained_.data(), observed_.size());
  candidates_.push_back(std::move(candidate));
}

}  // namespace warpwright::tuner
