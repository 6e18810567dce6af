// The best configurations of a problem on other data sets, which are worth trying on this data set too.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tuner/records/recorder.hpp"

namespace warpwright::tuner {

/// The kernel's name and params, as written in the database.
using KnownBest = std::pair<std::string, std::string>;

/// The best measured settings in the database for the problem on the recorder's board, one for each other data set.
/// Once each of them is timed on all data sets, the database can tell which settings serve unknown data best.
std::vector<KnownBest> best_on_other_data(Recorder& recorder, const Problem& problem);

}  // namespace warpwright::tuner
