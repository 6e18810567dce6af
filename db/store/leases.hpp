// Leases of evaluations, by which several runs of `tune` on one file share the work.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <future>
#include <span>
#include <string>
#include <vector>

#include "db/store/store.hpp"

namespace warpwright::db {

// The state of an evaluation.
enum class Lease {
  ours,  // leased by this session
  free,  // not leased
  held,  // leased by another session
  done,  // another session has done it, and stored the result
};

// The leases of one session. An evaluation is identified by a key that all runs compute in the same way before they
// begin it. A lease lasts until it expires; renew() extends it. The leases of a killed session expire, and every take()
// removes expired ones. Correctness does not depend on leases: before a run stores a trial, it checks whether the trial
// is already stored, since its lease may have expired meanwhile.
class Leases {
 public:
  static constexpr std::chrono::seconds usual_lease{30};
  static constexpr std::chrono::milliseconds ask_again{200};  // for evaluations leased by another session

  // Milliseconds since 1970.
  using Clock = std::function<std::int64_t()>;
  static std::int64_t system_clock();

  // The store must outlive it.
  Leases(Store& store, Id session_id, std::chrono::milliseconds lease = usual_lease, Clock clock = system_clock);
  // Releases all leases.
  ~Leases();
  Leases(const Leases&) = delete;
  Leases& operator=(const Leases&) = delete;

  // Leases those of the keys that are free, in their order, but at most `at_most`. Returns the present state of each
  // key.
  std::vector<Lease> take(std::span<const std::string> keys, std::size_t at_most);
  // Leases one even if it is done, because the caller cannot use the stored result. False if another session has leased
  // it.
  bool take_done(const std::string& key);
  // Marks it as done. Other runs see this together with the other changes of the surrounding transaction. False if the
  // lease had expired and another session has leased it since.
  bool finish(const std::string& key);
  // Releases a lease without a result.
  void give_back(const std::string& key);
  // To be called at least every quarter of a lease while anything is leased; writes no more often than that.
  void renew();
  // Waits for `future` and renews leases meanwhile.
  template <class T>
  void keep_until(const std::future<T>& future) {
    while (future.wait_for(std::min(beat(), ask_again)) == std::future_status::timeout) renew();
  }
  // The number of sessions that share the file, including this one, at the last take().
  std::int64_t runs() const { return runs_; }
  // How often renew() needs to be called.
  std::chrono::milliseconds beat() const { return lease_ / 4; }

 private:
  std::int64_t end_of_lease() const;
  // Records that the session is active, even without leases, and counts the other active ones.
  void be_present();

  Store& store_;
  Id session_id_;
  std::chrono::milliseconds lease_;
  Clock clock_;
  std::int64_t runs_ = 1;
  std::int64_t renewed_ = clock_();
};

// The unfinished evaluations that a session has leased.
struct LeasedBy {
  Id session_id = 0;
  std::int64_t count = 0;
  double seconds_left = 0;  // until its lease expires; not positive: the session was killed, and the next run removes
                            // its leases
};
std::vector<LeasedBy> leases_held(const Store&);
// In words. Such leases are no damage, even if the session was killed.
std::string text_of(const LeasedBy&);

}  // namespace warpwright::db
