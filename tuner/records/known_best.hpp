// What the database knows of a problem before a session begins.
#pragma once

#include <string_view>
#include <vector>

#include "tuner/records/recorder.hpp"

namespace warpwright::tuner {

/// A configuration that was among the best somewhere.
struct KnownBest {
  const Kernel* kernel = nullptr;
  Point params = {};
  double us = 0;              ///< its time there
  bool is_finalist = false;   ///< of this problem on this board; if not, of one that is like it
  bool is_best = false;       ///< the best finalist
  bool is_predicted = false;  ///< the model's best of this problem on this board
};

/// First the finalists of the problem on the recorder's board, of that provenance, the best first. Then the best
/// configurations of what is like it, the most similar first: other data, sizes, types and boards, and predictions.
/// (With each data set's best timed on all data sets, the database can tell what serves unknown data best.)
/// Configurations that no longer exist in the catalogue are left out. `all_sizes`: in place of what is similar, the
/// best of each other size on this board, of that provenance, with those near it.
std::vector<KnownBest> known_best(Recorder& recorder, const Problem& problem, std::string_view provenance,
                                  bool all_sizes = false);

}  // namespace warpwright::tuner
