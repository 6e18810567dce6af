// A Gaussian process over the value indices of a space's axes: predicts a value, and how uncertain it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace warpwright::tuner {

/// The covariance of two points is the product over the axes of (1 + strength * exp(-decay * distance)) / (1 +
/// strength), where distance is the difference of their value indices. The product is a sum over all subsets of axes:
/// effects of single axes are learned from few points, and interactions from more. Strength and decay of each axis, and
/// the noise, are chosen by likelihood. Sources: C. E. Rasmussen, C. K. I. Williams, Gaussian Processes for Machine
/// Learning, 2006; the covariance: M. O. Stitson et al., Support Vector Regression with ANOVA Decomposition Kernels,
/// Advances in Kernel Methods, 1999.
///
/// An axis of many evenly spaced numbers, such as 32, 64, 96, ..., is a factor twice: by index, and by how often its
/// value can be halved. Powers of two among block sizes, and values of the same alignment, behave alike.
///
/// Observed points and candidates are added one by one. Each keeps its part of the covariance's triangular factor, so
/// that an additional observation takes time proportional to the observed points times the candidates.
class GaussianProcess {
 public:
  /// `axis_values` as in SearchSpace.
  explicit GaussianProcess(const std::vector<int>& axis_sizes,
                           const std::vector<std::vector<std::int64_t>>& axis_values = {});

  /// Chooses strengths, decays and noise for these observations, beginning with the present ones. Forgets all observed
  /// points and candidates. Takes time proportional to the axes times the cube of the points.
  void fit(const std::vector<const std::vector<int>*>& points, const std::vector<double>& values);

  /// Adds an observed point, whose value is given by explain().
  void observe(const std::vector<int>& point);

  /// The values of the observed points, in the order of observe(). An unknown value is replaced by its prediction from
  /// the points before it.
  void explain(const std::vector<std::optional<double>>& values);

  /// Adds a point to predict; candidates are numbered from 0.
  void add_candidate(const std::vector<int>& point);

  double mean(std::size_t candidate) const { return candidates_[candidate].mean; }
  /// At least zero; 1 far from all observed points.
  double variance(std::size_t candidate) const { return candidates_[candidate].variance; }

 private:
  struct Axis {
    std::size_t number = 0;                  ///< among the axes of the space
    std::vector<std::uint16_t> places = {};  ///< of its values; their distances count
    int size = 0;                            ///< number of places
    int strength = 0, decay = 0;             ///< among the values that fit() chooses from
    std::vector<float> covariance = {};      ///< by distance
    int place(const std::vector<int>& point) const { return places[static_cast<std::size_t>(point[number])]; }
    void update_covariance();
  };
  using Coordinates = std::vector<std::uint16_t>;
  struct Candidate {
    Coordinates at;
    std::vector<float> column = {};
    float mean = 0, variance = 1;
  };

  class Likelihood;

  Coordinates coordinates(const std::vector<int>& point) const;
  float covariance(const Coordinates& a, const Coordinates& b) const;
  void extend(std::vector<float>& column, const Coordinates& at) const;
  void fit_noise(Likelihood& likelihood);
  void fit_axis(Likelihood& likelihood, std::size_t axis);

  std::vector<Axis> axes_;  ///< those with more than one value
  int noise_;               ///< among the values that fit() chooses from
  std::vector<Coordinates> observed_;
  std::vector<std::vector<float>> factor_;  ///< its rows, one for each observed point
  std::vector<float> explained_;            ///< the inverse of the factor times the values
  std::vector<Candidate> candidates_;
};

}  // namespace warpwright::tuner
