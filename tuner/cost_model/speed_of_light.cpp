// Computes the least possible time on a board, and checks measured times against it.
#include "tuner/cost_model/speed_of_light.hpp"

#include <algorithm>
#include <cmath>

namespace warpwright::tuner {

Work device_work(const Work& work, const Plan& plan) {
  double outputs = 0;
  double by_host = 0;
  for (const Buffer& buffer : plan.buffers)
    if (buffer.is_output()) outputs += static_cast<double>(buffer.bytes());
  for (const Step& step : plan.steps)
    if (const auto* host = std::get_if<HostWork>(&step.what))
      for (const HostAccess& access : host->accesses)
        if (access.writes && plan.buffer(access.buffer).is_output()) by_host += static_cast<double>(access.bytes);
  if (by_host == 0) return work;
  const double left = std::max(0.0, 1 - by_host / outputs);
  Work rest = work;
  for (const auto part :
       {&Work::bytes_read, &Work::bytes_written, &Work::operations, &Work::bus_to_device, &Work::bus_to_host})
    rest.*part *= left;
  return rest;
}

double bus_speed_of_light_us(const Work& work, const BusRates& bus) {
  const auto time = [](double bytes, double gbs) { return gbs > 0 ? bytes / (gbs * 1e3) : 0; };
  return std::max(time(work.bus_to_device, bus.to_device_gbs), time(work.bus_to_host, bus.to_host_gbs));
}

double speed_of_light_us(const Work& work, const Device& device, const BusRates& bus) {
  double shortest = 0;
  if (device.memory_bandwidth_gbs > 0) {
    const double written = std::max(0.0, work.bytes_written - static_cast<double>(device.l2_bytes));
    shortest = (work.bytes_read + written) / (device.memory_bandwidth_gbs * 1e3);
  }
  const bool is_double = work.arithmetic == ElementType::f64;
  const Lanes known = lanes_per_sm(device.compute_capability);
  const double matrix = is_double                ? known.fp64_matrix
                        : work.half_products > 0 ? known.half_matrix / work.half_products
                                                 : 0;
  const double lanes = std::max<double>(is_double ? device.fp64_lanes_per_sm : device.fp32_lanes_per_sm, matrix);
  const double flops_per_us = 2.0 * lanes * device.sm_count * device.sm_clock_mhz;
  if (flops_per_us > 0) shortest = std::max(shortest, work.operations / flops_per_us);
  return std::max(shortest, bus_speed_of_light_us(work, bus));
}

bool impossible(double time_us, double speed_of_light_us, double event_resolution_us, SpeedOfLightOptions options) {
  if (speed_of_light_us < options.resolution_factor * event_resolution_us) return false;
  return !(time_us + event_resolution_us >= speed_of_light_us * (1 - options.tolerance));
}

SensorCheck check_sensor(double once_us, double twice_us, double overhead_us, double tolerance) {
  const double once = once_us - overhead_us;
  const double twice = twice_us - overhead_us;
  if (!(once > 0) || !(twice > 0)) return {};
  SensorCheck check;
  check.ratio = twice / once;
  check.passed = std::abs(check.ratio / 2 - 1) <= tolerance;
  return check;
}

}  // namespace warpwright::tuner
