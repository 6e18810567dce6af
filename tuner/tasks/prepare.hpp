// Shared by measuring and predicting: points of a kernel, their plans and programs, occupancy.
#pragma once

#include <atomic>
#include <memory>
#include <vector>

#include "conformance/checks/answer_cache.hpp"
#include "conformance/checks/page_cache.hpp"
#include "kernels/core/target.hpp"
#include "kernels/runtime/build/build_service.hpp"
#include "tuner/cost_model/speed_of_light.hpp"
#include "tuner/records/recorder.hpp"
#include "tuner/search/strategy.hpp"
#include "tuner/tasks/param_filter.hpp"

namespace warpwright::tuner {

/// `stop` becomes true when the user interrupts the run.
struct TuningContext {
  const Catalogue& catalogue;
  worker::BuildService& build;
  Device device;
  const std::atomic<bool>& stop;
  /// The oracles' answers, for all configurations and threads.
  std::shared_ptr<conformance::AnswerCache> answers = std::make_shared<conformance::AnswerCache>();
  /// Likewise the pages of inputs that blocks of large problems needed.
  std::shared_ptr<conformance::PageCache> pages = std::make_shared<conformance::PageCache>();

  /// The simulator target that simulates the device.
  std::string host() const { return host_target(device.compute_capability); }
};

/// The points over which a kernel is tuned, with their value indices on the axes.
struct PointSet {
  std::vector<Point> points;
  SearchSpace space;
};
PointSet point_set(const Kernel& kernel, const Problem& problem, const Device& device, const ParamFilter& params = {});

/// The configuration with its plan for `device`, not yet compiled.
CompiledConfiguration prepare(const Kernel& kernel, const Point& params, const Problem& problem, const Device& device);

/// Adds the compiled program and the occupancy of its launches. If the plan's arguments do not fit the program, it
/// counts as not compiled.
void complete(CompiledConfiguration& configuration, CompiledProgram built, const Device& device);

/// Which of the device's limits the configuration exceeds, with numbers; empty if it can be launched.
std::string refuses_launch(const CompiledConfiguration& configuration, const Device& device);

}  // namespace warpwright::tuner
