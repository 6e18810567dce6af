// Writes the trials of one GPU into the store, which the threads of all GPUs share.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "tuner/measuring/measuring_gpu.hpp"
#include "tuner/records/recorder.hpp"

namespace warpwright::tuner {

/// Every use of the store locks `store_mutex`; nothing waits for a GPU meanwhile.
class TrialWriter {
 public:
  /// Both must outlive it.
  TrialWriter(std::mutex& store_mutex, Recorder& recorder) : store_mutex_(store_mutex), recorder_(recorder) {}

  /// Calls `use(recorder)` while no other thread uses the store.
  template <class Use>
  auto with_store(const Use& use) {
    const std::scoped_lock lock(store_mutex_);
    return use(recorder_);
  }

  /// For functions that do not use the store.
  const Recorder& recorder() const { return recorder_; }

  /// A measured trial with its ids, key and resources filled in.
  db::Trial new_trial(const CompiledConfiguration& configuration, const Problem& problem,
                      std::optional<std::string> key = {});

  db::Id store(const CompiledConfiguration& configuration, const db::Trial& trial,
               const std::vector<gpu::Sample>& samples);

  /// A trial without times, of a configuration that turned out wrong after it was measured.
  void store_wrong(const CompiledConfiguration& configuration, const Problem& problem, Verdict verdict,
                   const std::string& detail);

  /// The same, with the counterexample that a property test found.
  void store_wrong(const CompiledConfiguration& configuration, const Problem& problem,
                   const conformance::PropertyReport& report);

 private:
  std::mutex& store_mutex_;
  Recorder& recorder_;
};

/// For callers that have already locked the store.
db::Id store_trial(Recorder& recorder, const CompiledConfiguration& configuration, const db::Trial& trial,
                   const std::vector<gpu::Sample>& samples);

}  // namespace warpwright::tuner
