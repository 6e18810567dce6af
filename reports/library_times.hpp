// The times of libraries on a problem, and which of them pages show beside ours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/charts/values.hpp"
#include "reports/model.hpp"

namespace warpwright::reports {

// A library's time. For each implementation and idiom there are its default and its fastest knobs, each with its newest
// time.
struct LibraryTime {
  const db::Baseline* baseline = nullptr;
  const db::Comparison* comparison = nullptr;  // the newest comparison with the winner's configuration; null if there
                                               // is none
  std::optional<double> ratio{};  // its time divided by ours: from paired samples if there are any, else from the
                                  // medians; empty beside a prediction

  // "CUB", "Kokkos"
  std::string library() const;
  // "CUB 3.0.1, device_reduce", "Kokkos 5.0.2, mdrange, default"
  std::string name() const;
  // A vendor's library, or Kokkos with knobs that a search chose or with its defaults.
  charts::Whose whose() const;
  bool is_right() const;  // its results are right and it has a time
};

// All libraries; those without a time come last.
std::vector<LibraryTime> library_times(const ProblemResults&);

// The fastest vendor's library, the fastest Kokkos with tuned knobs, and with default knobs.
struct FastestLibraries {
  std::optional<LibraryTime> vendor{};
  std::optional<LibraryTime> kokkos_tuned{};
  std::optional<LibraryTime> kokkos_default{};
};
FastestLibraries fastest_libraries(const ProblemResults&);

// A vendor's library that takes less than this times our time is faster.
inline constexpr double faster_below = 0.99;

}  // namespace warpwright::reports
