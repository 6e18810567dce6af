// Chooses the winner among the trials of a cell: over all sessions, by which configurations were measured together.
#include <algorithm>
#include <limits>
#include <string_view>
#include <tuple>

#include "db/query/cells.hpp"
#include "kernels/core/statistics.hpp"

namespace warpwright::db {
namespace {

// A session's measurements of a cell: for each configuration the trial of the final rounds, or else the newest one.
struct Measured {
  std::map<Id, const Candidate*> trials{};  // by configuration
  const Candidate* winner = nullptr;        // the winner of its final rounds; null if it had none
};

// Sort key of a trial in its session: the winner of the final rounds is the least. (Only winners have certificates. A
// ranking may have been forgotten.)
auto order_in_session(const Candidate& one) {
  return std::tuple(one.rank.value_or(std::numeric_limits<int>::max()), !one.is_certified, one.time_us,
                    std::string_view(one.identity));
}

bool is_finalist(const Candidate& one) {
  return one.rank || one.is_certified;
}

// The sessions that had final rounds, in the order of the rounds.
std::vector<Measured> ranked_sessions(const std::vector<Candidate>& candidates) {
  std::map<Id, Measured> sessions;
  for (const Candidate& one : candidates) {
    Measured& session = sessions[one.session];
    const Candidate*& known = session.trials[one.configuration];
    if (!known || std::tuple(is_finalist(one), newer(one, *known)) > std::tuple(is_finalist(*known), false))
      known = &one;
    if (is_finalist(one) && (!session.winner || order_in_session(one) < order_in_session(*session.winner)))
      session.winner = &one;
  }
  std::vector<Measured> found;
  for (auto& [id, session] : sessions)
    if (session.winner) found.push_back(std::move(session));
  std::ranges::sort(found, [](const Measured& a, const Measured& b) { return newer(*b.winner, *a.winner); });
  return found;
}

// Whether `one` is faster than `other`, whose times are multiplied by `drift`, beyond the intervals of both.
bool is_faster(const Candidate& one, const Candidate& other, double drift) {
  return one.high_us.value_or(one.time_us) < other.low_us.value_or(other.time_us) * drift;
}

// Whether a trial of the winner's session is slower than the winner.
bool is_behind(const Candidate& one, const Candidate& winner) {
  if (!one.selection.empty() && one.selection == winner.selection) return &one != &winner && !one.tied;
  return one.stopped_early || is_faster(winner, one, 1);
}

// How much longer the later session took for the same configurations; 1 if they have none in common.
double drift_between(const Measured& earlier, const Measured& later) {
  std::vector<double> ratios;
  for (const auto& [configuration, before] : earlier.trials) {
    const auto found = later.trials.find(configuration);
    if (found == later.trials.end()) continue;
    const Candidate* after = found->second;
    const bool alike = time_kind(before->mode) == time_kind(after->mode);
    if (alike && !before->stopped_early && !after->stopped_early && before->time_us > 0)
      ratios.push_back(after->time_us / before->time_us);
  }
  return ratios.empty() ? 1 : median(std::move(ratios));
}

// Compares the winner of each session in turn with the best so far.
const Candidate& best_of(const std::vector<Measured>& sessions) {
  const Measured* seen_in = nullptr;
  const Candidate* best = nullptr;
  for (const Measured& session : sessions) {
    const auto beside = best ? session.trials.find(best->configuration) : session.trials.end();
    const Candidate* next = session.winner;
    if (beside != session.trials.end()) {
      if (!is_behind(*beside->second, *session.winner)) next = is_finalist(*beside->second) ? beside->second : best;
    } else if (best && time_kind(best->mode) == time_kind(next->mode) &&
               !is_faster(*next, *best, drift_between(*seen_in, session))) {
      next = best;
    }
    if (next != best) seen_in = &session;
    best = next;
  }
  return *best;
}

// Of predictions: the most robust one of those that are equal to the fastest.
const Candidate& best_prediction(const std::map<Id, const Candidate*>& newest) {
  const std::vector<const Candidate*> equals = equals_of(newest);
  return **std::ranges::min_element(equals, {}, [](const Candidate* one) {
    return std::tuple(!one->full_property, one->loss_elsewhere, one->time_us,
                      one->rank.value_or(std::numeric_limits<int>::max()), std::string_view(one->identity));
  });
}

}  // namespace

const Candidate& winner_of(const Cell& cell) {
  const bool by_time = cell.objective == Objective::time;
  if (by_time && cell.kind == Kind::measured && std::ranges::any_of(cell.candidates, is_finalist))
    return best_of(ranked_sessions(cell.candidates));
  const std::map<Id, const Candidate*> newest =
      newest_of(cell.candidates, *std::ranges::min_element(cell.candidates, newer));
  if (by_time && cell.kind == Kind::predicted) return best_prediction(newest);
  return *std::ranges::min_element(newest, {}, [&](const auto& entry) {
            const Candidate& one = *entry.second;
            return std::tuple(by_time && one.stopped_early, cost_of(cell.objective, one.time_us, one.joules),
                              one.rank.value_or(std::numeric_limits<int>::max()), std::string_view(one.identity));
          })->second;
}

}  // namespace warpwright::db
