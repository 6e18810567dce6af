// Estimates the time of a plan from its launches, its passes over memory and its threads.
#include "tuner/cost_model/plan_estimate.hpp"

#include <algorithm>

namespace warpwright::tuner {
namespace {

constexpr double kLaunchUs = 3;

double thread_count(const Launch& launch) {
  return static_cast<double>(launch.grid.count()) * static_cast<double>(launch.block.count());
}

}  // namespace

double estimated_us(const Plan& plan, const Device& device) {
  const std::vector<PlannedLaunch> launches = launches_of(plan);
  double most = 1;
  for (const PlannedLaunch& one : launches) most = std::max(most, thread_count(one.launch));
  double bytes = 0;
  for (const Buffer& buffer : plan.buffers)
    if (buffer.role != Role::scratch)
      bytes += static_cast<double>(buffer.bytes()) * (buffer.role == Role::inout ? 2 : 1);
  const double filled = std::min(most / (static_cast<double>(device.sm_count) * device.max_threads_per_sm), 1.0);
  const double pass_us = device.memory_bandwidth_gbs > 0 ? bytes / device.memory_bandwidth_gbs / 1e3 / filled : 0;
  double sum = 0;
  for (const auto& [launch, times] : launches)
    sum += static_cast<double>(times) * (kLaunchUs + (2 * thread_count(launch) >= most ? pass_us : 0));
  return sum;
}

}  // namespace warpwright::tuner
