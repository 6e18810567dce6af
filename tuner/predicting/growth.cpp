// Traces a user's kernel at several sizes.
#include "tuner/predicting/growth.hpp"

#include <array>
#include <cmath>

#include "conformance/checks/case_plan.hpp"

namespace warpwright::tuner {
namespace {

using simulator::AccessCounts;

constexpr std::array<Count, 18> kCounts{&AccessCounts::global_load_requests,
                                        &AccessCounts::global_load_sectors,
                                        &AccessCounts::global_store_requests,
                                        &AccessCounts::global_store_sectors,
                                        &AccessCounts::shared_load_requests,
                                        &AccessCounts::shared_store_requests,
                                        &AccessCounts::shared_load_wavefronts,
                                        &AccessCounts::shared_store_wavefronts,
                                        &AccessCounts::barriers,
                                        &AccessCounts::global_atomics,
                                        &AccessCounts::shared_least_wavefronts,
                                        &AccessCounts::constant_bytes,
                                        &AccessCounts::shared_atomic_requests,
                                        &AccessCounts::shared_atomic_wavefronts,
                                        &AccessCounts::shuffles,
                                        &AccessCounts::votes,
                                        &AccessCounts::reductions,
                                        &AccessCounts::matched_values};

double all_of(const AccessCounts& counts) {
  return static_cast<double>(counts.global_load_requests + counts.global_store_requests + counts.shared_load_requests +
                             counts.shared_atomic_requests + counts.shared_store_requests);
}

/// The counts of the default configuration on a problem; nothing if it fails there.
std::optional<AccessCounts> counts_of(const TuningContext& context, worker::Process& process, const Kernel& kernel,
                                      const Problem& problem) {
  conformance::Case traced;
  traced.kernel = &kernel;
  traced.params = kernel.default_point;
  traced.target = context.host();
  traced.problem = problem;
  traced.input = traced_input();
  if (conformance::refusal_of(traced, host_device(context.host()))) return std::nullopt;
  std::optional<conformance::CountedAccess> access;
  host_checker(context, process)
      .check_and_count(traced, {.inputs = {}, .expected = {}, .unknown = "only its accesses are counted"}, access);
  if (!access) return std::nullopt;
  return access->counts;
}

}  // namespace

double grown(double count, double other, double extent, double at, double full) {
  if (count <= 0 || other <= 0) return 1;
  // Growth that is nearly a whole power is one, and what is missing is a constant. Slow growth, as of a logarithm, is
  // not: a straight line would overestimate it by far.
  constexpr double kNearly = 0.1;
  constexpr double kLeastLinear = 0.6;
  const double power = std::log(count / other) / std::log(extent / at);
  const double whole = power < 1 && power > kLeastLinear ? 1 : std::round(power);
  if (whole < 1 || power > whole + kNearly || (whole > 1 && power < whole - kNearly))
    return std::pow(full / extent, std::max(power, 0.0));
  const double of_power = std::min((count - other) / (1 - std::pow(at / extent, whole)) / count, 1.0);
  return 1 - of_power + of_power * std::pow(full / extent, whole);
}

void Growth::add(const AccessCounts& counts, const AccessCounts& other, double extent, double at, double full) {
  all_ *= grown(all_of(counts), all_of(other), extent, at, full);
  if (factors_.empty())
    for (const Count count : kCounts)
      if (counts.*count > 0) factors_.emplace_back(count, 1);
  for (auto& [count, factor] : factors_)
    factor *= grown(static_cast<double>(counts.*count), static_cast<double>(other.*count), extent, at, full);
}

double Growth::of(Count count) const {
  for (const auto& [one, factor] : factors_)
    if (one == count) return factor;
  return all_;
}

std::optional<Growth> measured_growth(const TuningContext& context, worker::Process& process, const Kernel& kernel,
                                      const Problem& problem) {
  const Problem traced = conformance::traced_problem(context.catalogue, problem);
  Growth growth;
  if (traced.shape == problem.shape) return growth;
  const auto counts = counts_of(context, process, kernel, traced);
  if (!counts) return std::nullopt;
  for (std::size_t i = 0; i < traced.shape.size(); ++i) {
    const std::int64_t extent = traced.shape[i];
    if (extent == problem.shape[i]) continue;
    Problem other = traced;
    other.shape[i] = extent > 1 ? extent / 2 : 2;
    const auto others = counts_of(context, process, kernel, other);
    if (!others) return std::nullopt;
    growth.add(*counts, *others, static_cast<double>(extent), static_cast<double>(other.shape[i]),
               static_cast<double>(problem.shape[i]));
  }
  return growth;
}

}  // namespace warpwright::tuner
