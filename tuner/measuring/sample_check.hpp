// Hardware forgives races: a covering sample of what tuning measures on a GPU is checked in the simulator meanwhile.
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

/// Checks the configurations of one problem that it is given, beside everything else; none where the simulator cannot.
class SampleCheck {
 public:
  /// What became of one: `order` is as it was given.
  struct Checked {
    std::size_t order = 0;
    conformance::PropertyReport report;
  };

  /// All must outlive it.
  SampleCheck(MeasuringGpu& simulator, const Catalogue& catalogue, const Problem& problem,
              const std::atomic<bool>& stop);

  /// Compiles for the simulator what it may be given.
  void expect(std::span<const std::pair<const Kernel*, Point>> configurations);

  /// A configuration that was found right on the device. It is checked until `end`.
  void add(const CompiledConfiguration& prepared, std::size_t order, Budget::End end);

  /// One that is done, in the order in which they were added. None: there is none.
  std::optional<Checked> next();

  /// Whether one is on its way.
  bool expects() const { return !on_their_way_.empty(); }
  /// Waits until the next one is done, or for so long; for any thread.
  std::function<void(std::chrono::milliseconds most)> until_next() const;

 private:
  struct OnItsWay {
    std::size_t order = 0;
    std::shared_future<conformance::PropertyReport> report;
  };

  MeasuringGpu& simulator_;
  const Catalogue& catalogue_;
  const Problem& problem_;
  const std::atomic<bool>& stop_;
  const bool can_check_;
  std::list<OnItsWay> on_their_way_;
};

}  // namespace warpwright::tuner
