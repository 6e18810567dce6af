// Collects the times of libraries on a problem.
#include "reports/library_times.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "kernels/core/verdict.hpp"
#include "reports/charts/numbers.hpp"

namespace warpwright::reports {
namespace {

// Keeps the faster one.
void offer(std::optional<LibraryTime>& known, const LibraryTime& time) {
  if (!known || *time.baseline->median_us < *known->baseline->median_us) known = time;
}

}  // namespace

std::string LibraryTime::library() const {
  static const std::map<std::string, std::string> names{
      {"cub", "CUB"},           {"cublas", "cuBLAS"},    {"cudnn", "cuDNN"},   {"cufft", "cuFFT"},
      {"curand", "cuRAND"},     {"kokkos", "Kokkos"},    {"thrust", "Thrust"}, {"npp", "NPP"},
      {"cusolver", "cuSOLVER"}, {"cusparse", "cuSPARSE"}};
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
  return db::is_tuned(*baseline) ? charts::Whose::kokkos_tuned : charts::Whose::kokkos_default;
}

bool LibraryTime::is_right() const {
  return baseline->verdict == verdict::passed && baseline->median_us.has_value();
}

std::string ratio_text(const LibraryTime& time, int decimals) {
  return (time.is_apart() ? "~" : "") + charts::ratio(*time.ratio, decimals);
}

std::vector<LibraryTime> library_times(const ProblemResults& results) {
  if (results.baselines.empty()) return {};
  const db::Trial* ours = results.best ? &results.best->winner.trial : nullptr;
  std::set<db::Id> same;  // trials of the best configuration
  for (const db::TrialView& view : results.trials)
    if (ours && view.trial.configuration_id == ours->configuration_id) same.insert(view.trial.id);
  std::vector<LibraryTime> found;
  for (const db::LibraryBeside& one : db::libraries_beside(ours, same, results.baselines, results.comparisons))
    found.push_back({one});
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
