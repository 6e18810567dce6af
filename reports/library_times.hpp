// The times of libraries on a problem, and which of them pages show beside ours.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "db/query/libraries.hpp"
#include "reports/charts/values.hpp"
#include "reports/model.hpp"

namespace warpwright::reports {

// A library's time, in the words of a page. For each implementation and idiom there are its default and its
// fastest knobs.
struct LibraryTime : db::LibraryBeside {
  // "CUB", "Kokkos"
  std::string library() const;
  // "CUB 3.0.1, device_reduce", "Kokkos 5.0.2, mdrange, default"
  std::string name() const;
  // A vendor's library, or Kokkos with knobs that a search chose or with its defaults.
  charts::Whose whose() const;
  bool is_right() const;  // its results are right and it has a time
  // Whether it has a ratio that was not measured with ours in alternating rounds.
  bool is_apart() const { return ratio && !comparison; }
};

// "1.02"; "~1.02" if they were not measured in alternating rounds. It must have a ratio.
std::string ratio_text(const LibraryTime&, int decimals);

// Those without a time come last.
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
