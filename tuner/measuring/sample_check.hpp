// Hardware forgives races: what tuning measures on a GPU has a covering sample judged on the host meanwhile.
#pragma once

#include <chrono>
#include <cstddef>
#include <future>
#include <list>
#include <optional>
#include <span>
#include <utility>

#include "tuner/measuring/measuring_gpu.hpp"
#include "tuner/tasks/budget.hpp"
#include "tuner/tasks/prepare.hpp"

namespace warpwright::tuner {

/// Of one problem's configurations those that it is given, beside everything else; nothing where the host cannot judge.
class SampleCheck {
 public:
  /// What became of one: `order` is as it was given.
  struct Simulated {
    std::size_t order = 0;
    conformance::PropertyReport report;
  };

  /// All must outlive it. It simulator nothing after `end`.
  SampleCheck(MeasuringGpu& bench, const Catalogue& catalogue, const Problem& problem, Budget::End end,
              const std::atomic<bool>& stop);

  /// Compiles for the host what it may be given.
  void expect(std::span<const std::pair<const Kernel*, Point>> configurations);

  /// A configuration that was found right on the device.
  void add(const CompiledConfiguration& prepared, std::size_t order);

  /// One that is done, in the order in which they were added. None: there is none.
  std::optional<Simulated> next();

  /// Whether one is on its way.
  bool expects() const { return !on_their_way_.empty(); }
  /// Until the next one is done, or for so long.
  void wait(std::chrono::milliseconds most) const;

 private:
  struct OnItsWay {
    std::size_t order = 0;
    std::future<conformance::PropertyReport> report;
  };

  MeasuringGpu& bench_;
  const Catalogue& catalogue_;
  const Problem& problem_;
  const Budget::End end_;
  const std::atomic<bool>& stop_;
  const bool judges_;
  std::list<OnItsWay> on_their_way_;
};

}  // namespace warpwright::tuner
