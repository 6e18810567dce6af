// This run's share of the work on one problem, and how its results reach the database.
#pragma once

#include <future>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "db/store/leases.hpp"
#include "tuner/predicting/evaluation.hpp"

namespace warpwright::tuner {

/// Runs on one database share the work: a run evaluates the configurations that it has leased, and reuses results that
/// other runs have stored. The lease of a run that was killed expires, and another run does its work.
class WorkShare {
 public:
  /// Accesses are stored as those of the simulator target `simulator`. Recorder and leases must outlive it.
  WorkShare(Recorder& recorder, db::Leases& leases, std::string simulator)
      : recorder_(recorder), leases_(leases), simulator_(std::move(simulator)) {}

  /// See db::Leases.
  std::vector<db::Lease> take(std::span<const std::string> keys, std::size_t at_most) {
    return leases_.take(keys, at_most);
  }
  bool take_done(const std::string& key) { return leases_.take_done(key); }
  void give_back(const std::string& key) { leases_.give_back(key); }
  void renew() { leases_.renew(); }
  template <class T>
  void wait(const std::future<T>& future) {
    leases_.keep_until(future);
  }

  /// Stores the evaluation if it is not in the database yet, and ends the lease of that key; both or neither. Only the
  /// first few counterexamples of each kernel are stored as such; the trials name all of them.
  void finish(Evaluation& evaluation, const std::string& key);

  /// The number of evaluations to lease, at most `limit`, if `left` remain: the more runs there are, and the fewer
  /// evaluations remain, the smaller.
  std::size_t fair_part(std::size_t left, std::size_t workers, std::size_t limit) const;

  /// The newest trial of the evaluation in the database.
  std::optional<db::Trial> stored(const Evaluation& evaluation) const;
  /// Whether another run has stored it since this one began.
  bool is_from_beside(const db::Trial& trial) const { return recorder_.is_from_beside(trial); }

  Recorder& recorder() const { return recorder_; }

 private:
  void store(Evaluation& evaluation);

  Recorder& recorder_;
  db::Leases& leases_;
  std::string simulator_;
  std::map<const Kernel*, int> stored_counterexamples_;
};

}  // namespace warpwright::tuner
