// Checks a covering sample of the measured configurations in the simulator meanwhile, because hardware hides races.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <future>
#include <list>
#include <optional>
#include <span>
#include <utility>

#include "tuner/measuring/measuring_gpu.hpp"
#include "tuner/tasks/budget.hpp"
#include "tuner/tasks/prepare.hpp"

namespace warpwright::tuner {

/// Checks given configurations of one problem in parallel with everything else; none if they cannot be simulated.
class SampleCheck {
 public:
  /// The result of one; `order` is as given to add().
  struct Checked {
    std::size_t order = 0;
    conformance::PropertyReport report;
  };

  /// All must outlive it.
  SampleCheck(MeasuringGpu& simulator, const Catalogue& catalogue, const Problem& problem,
              const std::atomic<bool>& stop);

  /// Compiles configurations for the simulator that may be added later.
  void expect(std::span<const std::pair<const Kernel*, Point>> configurations,
              worker::Urgency urgency = worker::Urgency::usual);

  /// Adds a configuration that was right on the device. It is checked until `end`.
  void add(const CompiledConfiguration& configuration, std::size_t order, Budget::End end);

  /// The next finished one, in the order in which they were added; empty if there is none.
  std::optional<Checked> next();

  /// Whether a check is in progress.
  bool expects() const { return !running_.empty(); }
  /// Waits until the next one is finished, or for the given time. Thread-safe.
  std::function<void(std::chrono::milliseconds most)> until_next() const;

 private:
  struct RunningCheck {
    std::size_t order = 0;
    std::shared_future<conformance::PropertyReport> report;
  };

  MeasuringGpu& simulator_;
  const Catalogue& catalogue_;
  const Problem& problem_;
  const std::atomic<bool>& stop_;
  const bool can_check_;
  std::list<RunningCheck> running_;
};

}  // namespace warpwright::tuner
