// Collects the times of libraries on a problem.
#include "reports/library_times.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "kernels/core/verdict.hpp"

namespace warpwright::reports {
namespace {

const db::Comparison* newest_comparison(const ProblemResults& results, db::Id baseline) {
  std::set<db::Id> trials;  // trials of the winner's configuration, in any session
  for (const db::TrialView& view : results.trials) {
    if (results.best && view.trial.configuration_id == results.best->winner.trial.configuration_id) {
      trials.insert(view.trial.id);
    }
  }
  const db::Comparison* newest = nullptr;
  for (const db::Comparison& comparison : results.comparisons) {
    if (comparison.baseline_id != baseline || !trials.contains(comparison.trial_id)) continue;
    if (!newest || comparison.created_at >= newest->created_at) newest = &comparison;
  }
  return newest;
}

std::optional<double> ratio_of(const ProblemResults& results, const db::Baseline& baseline,
                               const db::Comparison* comparison) {
  if (!results.best || !results.best->winner.is_measured()) return std::nullopt;
  if (comparison) return comparison->ratio;
  const double ours = results.best->winner.time_us().value_or(0);
  if (!baseline.median_us || baseline.mode != results.mode || !(ours > 0)) return std::nullopt;
  return *baseline.median_us / ours;
}

// Whether its knobs were chosen by a search.
bool is_tuned(const db::Baseline& baseline) {
  return !baseline.knobs.empty() && !baseline.is_default;
}

// Keeps the faster of two times.
void offer(std::optional<LibraryTime>& known, const LibraryTime& time) {
  if (!known || *time.baseline->median_us < *known->baseline->median_us) known = time;
}

}  // namespace

std::string LibraryTime::library() const {
  static const std::map<std::string, std::string> names{
      {"cub", "CUB"},       {"cublas", "cuBLAS"}, {"cudnn", "cuDNN"}, {"cufft", "cuFFT"},      {"curand", "cuRAND"},
      {"kokkos", "Kokkos"}, {"thrust", "Thrust"}, {"npp", "NPP"},     {"cusolver", "cuSOLVER"}};
  const auto found = names.find(baseline->implementation);
  return found == names.end() ? baseline->implementation : found->second;
}

std::string LibraryTime::name() const {
  std::string name = library();
  if (!baseline->version.empty()) name += " " + baseline->version;
  if (!baseline->idiom.empty()) name += ", " + baseline->idiom;
  if (!baseline->knobs.empty()) name += baseline->is_default ? ", default" : ", tuned";
  return name;
}

charts::Whose LibraryTime::whose() const {
  if (baseline->implementation != "kokkos") return charts::Whose::vendor;
  return is_tuned(*baseline) ? charts::Whose::kokkos_tuned : charts::Whose::kokkos_default;
}

bool LibraryTime::is_right() const {
  return baseline->verdict == verdict::passed && baseline->median_us.has_value();
}

std::vector<LibraryTime> library_times(const ProblemResults& results) {
  using Key = std::tuple<std::string, std::string, bool>;            // implementation, idiom, tuned
  std::map<Key, std::map<std::string, const db::Baseline*>> newest;  // the newest baseline for each choice of knobs
  for (const db::Baseline& baseline : results.baselines) {
    const Key key{baseline.implementation, baseline.idiom, is_tuned(baseline)};
    const db::Baseline*& known = newest[key][baseline.knobs];
    if (!known || known->created_at <= baseline.created_at) known = &baseline;
  }
  std::vector<LibraryTime> found;
  for (const auto& [key, by_knobs] : newest) {
    const db::Baseline* best =
        std::ranges::min_element(by_knobs, {}, [](const auto& entry) {
          const db::Baseline& baseline = *entry.second;
          return std::tuple(baseline.verdict != verdict::passed, baseline.median_us.value_or(1e300));
        })->second;
    const db::Comparison* comparison = newest_comparison(results, best->id);
    found.push_back({.baseline = best, .comparison = comparison, .ratio = ratio_of(results, *best, comparison)});
  }
  std::ranges::stable_sort(found, {}, [](const LibraryTime& time) {
    return std::tuple(!time.is_right(), time.whose() != charts::Whose::vendor, time.baseline->median_us.value_or(0));
  });
  return found;
}

FastestLibraries fastest_libraries(const ProblemResults& results) {
  FastestLibraries fastest;
  for (const LibraryTime& time : library_times(results)) {
    if (!time.is_right()) continue;
    offer(time.whose() == charts::Whose::vendor         ? fastest.vendor
          : time.whose() == charts::Whose::kokkos_tuned ? fastest.kokkos_tuned
                                                        : fastest.kokkos_default,
          time);
  }
  return fastest;
}

}  // namespace warpwright::reports
