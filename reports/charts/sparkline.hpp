// Sparkline: the best time of a problem from session to session.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace warpwright::reports::charts {

struct Sparkline {
  std::vector<std::optional<double>> times_us{};  // one per session, oldest first; empty: the session did not time it
};

// An <svg class="spark">, or a <span> with "one session" or "not timed" if there is no line to draw. Lower is better.
// Its axis spans at least 10 % of the time, so that noise looks flat. A session without a time is a gap in the line.
std::string sparkline(const Sparkline&);

}  // namespace warpwright::reports::charts
