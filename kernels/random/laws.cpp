// The laws of random numbers.
#include "kernels/random/laws.hpp"

#include <fmt/format.h>

#include <cmath>

#include "kernels/model/elements.hpp"
#include "kernels/random/plans.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::random {
namespace {

/// Number of values from which moments are computed, for any shape of the problem.
constexpr std::int64_t kSample = 1 << 14;
/// Allowed deviation of a moment in standard deviations; a correct sample exceeds it once in 2e8 cases.
constexpr double kDeviations = 6;

std::vector<double> numbers_of(ElementType type, const Bytes& bytes) {
  return with_type_of<unsigned, float, double>(type, [&]<class T>(T) {
    std::vector<double> numbers;
    for (const T number : elements_of<T>(bytes))
      numbers.push_back(static_cast<double>(number) * (std::is_integral_v<T> ? 0x1p-32 : 1));
    return numbers;
  });
}

/// Mean, variance and covariance of neighbours in a sample are those of the distribution.
std::string moments(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  Problem sample = problem;
  sample.shape = {kSample};
  const std::vector<double> numbers = numbers_of(problem.type(), run(sample, inputs)[0]);
  const double mean = is_normal(problem) ? 0 : 0.5;
  const double variance = is_normal(problem) ? 1 : 1.0 / 12;
  const double fourth = is_normal(problem) ? 3 : 1.0 / 80;
  const auto n = static_cast<double>(kSample);
  double first = 0;
  double second = 0;
  double beside = 0;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double off = numbers[i] - mean;
    first += off / n;
    second += off * off / n;
    if (i > 0) beside += off * (numbers[i - 1] - mean) / (n - 1);
  }
  const auto wrong = [&](const char* what, double found, double expected, double deviation) {
    // False for NaN too.
    return std::fabs(found - expected) <= kDeviations * deviation
               ? std::string()
               : fmt::format("the {} of {} numbers is {} where {} was expected, within {}", what, kSample, found,
                             expected, kDeviations * deviation);
  };
  std::string broken = wrong("mean", mean + first, mean, std::sqrt(variance / n));
  if (broken.empty()) broken = wrong("variance", second, variance, std::sqrt((fourth - variance * variance) / n));
  if (broken.empty()) broken = wrong("covariance of neighbours", beside, 0, variance / std::sqrt(n - 1));
  return broken;
}

/// Numbers generated from two offsets continue each other as in a single run.
std::string chunks(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const std::int64_t cut = problem.elements() / 3;
  const auto part = [&](std::int64_t from, std::int64_t count) {
    Problem smaller = problem;
    smaller.shape = {count};
    smaller.numbers["offset"] += static_cast<double>(from);
    return run(smaller, inputs)[0];
  };
  Bytes both = part(0, cut);
  const Bytes second = part(cut, problem.elements() - cut);
  both.insert(both.end(), second.begin(), second.end());
  return both == run(problem, inputs)[0] ? "" : "two parts of the sequence do not give what the whole gives";
}

/// The same seed repeats the same numbers; another seed gives others.
std::string seeds(const Problem& problem, const std::vector<Bytes>& inputs, const Runner& run) {
  const Bytes once = run(problem, inputs)[0];
  if (once != run(problem, inputs)[0]) return "the same seed did not give the same numbers";
  // So few numbers may be equal by chance.
  if (problem.elements() < 16) return {};
  std::vector<Bytes> other = inputs;
  other[0] = bytes_of(std::vector{elements_of<std::uint64_t>(inputs[0])[0] + 1});
  return once == run(problem, other)[0] ? "another seed gave the same numbers" : "";
}

}  // namespace

std::vector<Law> laws() {
  return {
      {.name = "moments", .broken = moments}, {.name = "chunks", .broken = chunks}, {.name = "seeds", .broken = seeds}};
}

}  // namespace warpwright::random
