// What measuring and predicting share: the points of a kernel, their plans and programs, occupancy, search spaces.
#pragma once

#include <atomic>
#include <vector>

#include "kernels/core/target.hpp"
#include "kernels/runtime/build/build_service.hpp"
#include "tuner/cost_model/speed_of_light.hpp"
#include "tuner/records/recorder.hpp"
#include "tuner/search/strategy.hpp"
#include "tuner/tasks/param_filter.hpp"

namespace warpwright::tuner {

/// What both ways of tuning work with. `stop` becomes true when the user asks to end.
struct TuningContext {
  const Catalogue& catalogue;
  worker::BuildService& build;
  Device device;
  const std::atomic<bool>& stop;

  /// The simulator target that stands in for the device.
  std::string host() const { return host_target(device.compute_capability); }
};

/// The points that a kernel is tuned over, with their place on the axes.
struct PointSet {
  std::vector<Point> points;
  SearchSpace space;
};
PointSet point_set(const Kernel& kernel, const Problem& problem, const Device& device, const ParamFilter& params = {});

/// The configuration with its plan for `device`; built and occupancy are still to come.
CompiledConfiguration prepare(const Kernel& kernel, const Point& params, const Problem& problem, const Device& device);

/// Adds the compiled program and the occupancy of its launches; a program whose kernels do not take what the plan
/// passes has not compiled.
void complete(CompiledConfiguration& prepared, CompiledProgram built, const Device& device);

/// The configuration's resources exceed what the device can launch: which, with numbers; else empty.
std::string refuses_launch(const CompiledConfiguration& prepared, const Device& device);

}  // namespace warpwright::tuner
