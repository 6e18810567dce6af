// What is best for a problem with other data: worth a look with this data too.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tuner/records/recorder.hpp"

namespace warpwright::tuner {

/// Name of a kernel and its params, as the database spells them.
using KnownBest = std::pair<std::string, std::string>;

/// The best measured settings that the database holds for the problem on the recorder's board, one for each of its
/// other data sets. Once each of them is timed on all data sets, what is lost where the data is not known is known.
std::vector<KnownBest> best_on_other_data(Recorder& recorder, const Problem& problem);

}  // namespace warpwright::tuner
