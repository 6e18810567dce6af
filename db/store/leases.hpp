// Which evaluations are under way: leases by which several runs of `tune` on one file share the work.
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

// What stands about an evaluation.
enum class Lease {
  ours,  // for this session to do
  free,  // nobody has it
  held,  // another session does it
  done,  // another session has done it, and stored what came of it
};

// What one session has claimed. An evaluation is known by a key that all runs make alike before they begin with it. A
// claim holds as long as its lease, which renew() lengthens: what a killed session had claimed is free when that is
// over, and every take() removes such rows. Nothing is right or wrong by a claim: who has one, and whose lease was over
// meanwhile, still looks whether the trial is there before it stores its own.
class Leases {
 public:
  static constexpr std::chrono::seconds usual_lease{30};
  static constexpr std::chrono::milliseconds ask_again{200};  // for what another session has claimed

  // Milliseconds since 1970.
  using Clock = std::function<std::int64_t()>;
  static std::int64_t system_clock();

  // The store must outlive it.
  Leases(Store& store, Id session_id, std::chrono::milliseconds lease = usual_lease, Clock clock = system_clock);
  // Gives back everything.
  ~Leases();
  Leases(const Leases&) = delete;
  Leases& operator=(const Leases&) = delete;

  // Leases of these, in their order, what is free, but no more than `at_most`. Says of each what stands about it now.
  std::vector<Lease> take(std::span<const std::string> keys, std::size_t at_most);
  // Leases one also where it is done, for the caller has no use for what came of it. False where another holds it.
  bool take_done(const std::string& key);
  // It is done, which the other runs see together with what else the transaction around this stores. False where its
  // lease was over, and another has claimed it since.
  bool finish(const std::string& key);
  // It is left undone.
  void give_back(const std::string& key);
  // To be called at least every quarter of a lease while anything is claimed; writes no more often than that.
  void renew();
  // Waits for `future`; what is claimed stays so meanwhile.
  template <class T>
  void keep_until(const std::future<T>& future) {
    while (future.wait_for(std::min(beat(), ask_again)) == std::future_status::timeout) renew();
  }
  // How many sessions share the file, with this one, as of the last take().
  std::int64_t runs() const { return runs_; }
  // How often renew() has something to do.
  std::chrono::milliseconds beat() const { return lease_ / 4; }

 private:
  std::int64_t end_of_lease() const;
  // The session is there also while it has nothing claimed; counts who else is.
  void be_present();

  Store& store_;
  Id session_id_;
  std::chrono::milliseconds lease_;
  Clock clock_;
  std::int64_t runs_ = 1;
  std::int64_t renewed_ = clock_();
};

// What a session has claimed and not done, where that is anything.
struct LeasedBy {
  Id session_id = 0;
  std::int64_t count = 0;
  double seconds_left = 0;  // of its lease; none or less: it was killed, and the next run sweeps this
};
std::vector<LeasedBy> leases_held(const Store&);
// In words: no damage, whatever became of the session.
std::string text_of(const LeasedBy&);

}  // namespace warpwright::db
