// Estimates the time of a plan from its launches, its passes over memory, its threads, and its copies over the bus.
#include "tuner/cost_model/plan_estimate.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace warpwright::tuner {
namespace {

constexpr double kLaunchUs = 3;
constexpr double kBusBytesPerUs = 25e3;  ///< PCIe 4.0 with 16 lanes, in each direction
/// How much longer bytes take than from pinned memory: the driver copies pageable memory once more, and pages of
/// managed memory come one fault at a time.
constexpr double kPageable = 4, kFaults = 8;
constexpr double kCpuBytesPerUs = 2e3;  ///< one core that reads, computes and writes

double thread_count(const Launch& launch) {
  return static_cast<double>(launch.grid.count()) * static_cast<double>(launch.block.count());
}

/// The time of a plan's transfers and of its steps on the CPU. Transfers in one stream follow each other, and so do
/// those in one direction.
class TimeOutside {
 public:
  explicit TimeOutside(const Plan& plan) : plan_(plan) {
    add(plan.steps, 1);
    for (const Buffer& buffer : plan.buffers)
      if (!transferred_.contains(buffer.name) && buffer.role != Role::scratch) {
        const double bytes = static_cast<double>(buffer.bytes()) * (buffer.role == Role::inout ? 2 : 1);
        if (buffer.where == Where::pinned) alone_ += bytes / kBusBytesPerUs;
        if (buffer.where == Where::managed) alone_ += kFaults * bytes / kBusBytesPerUs;
      }
  }

  double us() const {
    double longest = std::max(directions_[0], directions_[1]);
    for (const auto& [stream, us] : streams_) longest = std::max(longest, us);
    return alone_ + longest;
  }

 private:
  void add(const std::vector<Step>& steps, double times) {
    for (const Step& step : steps) {
      if (const auto* repeat = std::get_if<Repeat>(&step.what)) {
        add(repeat->steps, times * static_cast<double>(repeat->times));
      } else if (const auto* copy = std::get_if<Copy>(&step.what)) {
        const Where from = transferred(copy->from);
        const Where to = transferred(copy->to);
        if ((from == Where::device) == (to == Where::device)) continue;
        const double factor = from == Where::pageable || to == Where::pageable ? kPageable : 1;
        add(step.stream, from == Where::device, factor * times * static_cast<double>(copy->bytes));
      } else if (const auto* prefetch = std::get_if<Prefetch>(&step.what)) {
        transferred(prefetch->buffer);
        add(step.stream, prefetch->to_host, times * static_cast<double>(prefetch->bytes));
      } else if (const auto* work = std::get_if<HostWork>(&step.what)) {
        for (const HostAccess& access : work->accesses)
          alone_ += times * static_cast<double>(access.bytes) / kCpuBytesPerUs;
      }
    }
  }

  void add(int stream, bool to_host, double bytes) {
    streams_[stream] += bytes / kBusBytesPerUs;
    directions_[to_host ? 1 : 0] += bytes / kBusBytesPerUs;
  }

  Where transferred(const std::string& name) {
    transferred_.insert(name);
    return plan_.buffer(name).where;
  }

  const Plan& plan_;
  std::set<std::string> transferred_;
  std::map<int, double> streams_;
  std::array<double, 2> directions_{};  ///< to the device, to the host
  double alone_ = 0;                    ///< what kernels read and write over the bus, and steps on the CPU
};

}  // namespace

double estimated_us(const Plan& plan, const Device& device) {
  const std::vector<PlannedLaunch> launches = launches_of(plan);
  double most = 1;
  double runs = 0;
  for (const PlannedLaunch& one : launches) {
    most = std::max(most, thread_count(one.launch));
    runs += static_cast<double>(one.times);
  }
  double bytes = 0;
  for (const Buffer& buffer : plan.buffers)
    if (buffer.role != Role::scratch)
      bytes += static_cast<double>(buffer.bytes()) * (buffer.role == Role::inout ? 2 : 1);
  const double filled = std::min(most / (static_cast<double>(device.sm_count) * device.max_threads_per_sm), 1.0);
  const double pass_us = device.memory_bandwidth_gbs > 0 ? bytes / device.memory_bandwidth_gbs / 1e3 / filled : 0;
  const double outside_us = TimeOutside(plan).us();
  // Then the launches share the data, each a part of it.
  if (outside_us > 0) return outside_us + runs * kLaunchUs + pass_us;
  double sum = 0;
  for (const auto& [launch, times] : launches)
    sum += static_cast<double>(times) * (kLaunchUs + (2 * thread_count(launch) >= most ? pass_us : 0));
  return sum;
}

}  // namespace warpwright::tuner
