// The physical floor of a measurement, and the check that the clock is a clock: what a time may not be.
#pragma once

#include "kernels/core/device.hpp"
#include "kernels/model/plan.hpp"
#include "kernels/model/work.hpp"

namespace warpwright::tuner {

/// No kernel can be faster, in microseconds: the larger of (bytes read + max(0, bytes written - L2)) / peak bandwidth
/// and operations / peak rate, for doubles that of matrix units where they have more lanes. Holds for samples that
/// start with a clean cold L2. The peak rate is 2 * lanes * SMs * clock: `sm_clock_mhz` must be the highest that the
/// board reaches; terms with a figure of 0 in `device` are left out. Nor can it be faster than the bus, whose
/// directions work side by side: the larger of the bytes that cross it and its rate there, where `bus` knows it.
double speed_of_light_us(const Work& work, const Device& device, const BusRates& bus = {});

/// What is left of the work for the device and the bus where the host itself writes part of a plan's outputs.
Work device_work(const Work& work, const Plan& plan);

/// The term of the bus alone; 0 where there is none, or it is not known.
double bus_speed_of_light_us(const Work& work, const BusRates& bus);

struct SpeedOfLightOptions {
  double tolerance = 0.03;       ///< a time may be so much below the floor: figures of boards are rounded
  double resolution_factor = 4;  ///< floors below so many event resolutions prove nothing
};

/// Whether a time is below what is physically possible, and the floor is well above the event resolution.
bool impossible(double time_us, double speed_of_light_us, double event_resolution_us, SpeedOfLightOptions options = {});

struct SensorCheck {
  double ratio = 0;  ///< (time of twice the work - overhead) / (time of the work - overhead)
  bool passed = false;
};

/// Decides the sensor check of a session: twice the work must take twice the time, within `tolerance` (relative).
/// `overhead_us` is what an empty launch takes. Times that do not exceed the overhead never pass.
SensorCheck check_sensor(double once_us, double twice_us, double overhead_us = 0, double tolerance = 0.1);

}  // namespace warpwright::tuner
