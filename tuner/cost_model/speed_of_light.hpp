// The speed of light of a problem, that is the least time physically possible, and checks of measured times against it.
#pragma once

#include "kernels/core/device.hpp"
#include "kernels/model/plan.hpp"
#include "kernels/model/work.hpp"

namespace warpwright::tuner {

/// The least possible time in microseconds: the larger of (bytes read + max(0, bytes written - L2)) / peak bandwidth
/// and operations / peak rate; for doubles the rate of matrix units if they are faster. It holds for samples that start
/// with a clean, cold L2. The peak rate is 2 * lanes * SMs * clock, so `sm_clock_mhz` must be the highest clock of the
/// board. Terms with a 0 in `device` are left out. If data crosses the bus and `bus` knows its rates, the time is at
/// least that of the slower direction; both directions work at the same time.
double speed_of_light_us(const Work& work, const Device& device, const BusRates& bus = {});

/// The part of the work that the device and the bus do, if the plan's host steps write some outputs themselves.
Work device_work(const Work& work, const Plan& plan);

/// The term of the bus alone; 0 if nothing crosses it or its rate is not known.
double bus_speed_of_light_us(const Work& work, const BusRates& bus);

struct SpeedOfLightOptions {
  double tolerance = 0.03;       ///< relative tolerance, because published figures of boards are rounded
  double resolution_factor = 4;  ///< a least time below this many event resolutions proves nothing
};

/// Whether a time is below the least possible time, and the latter is well above the event resolution.
bool impossible(double time_us, double speed_of_light_us, double event_resolution_us, SpeedOfLightOptions options = {});

struct SensorCheck {
  double ratio = 0;  ///< (time of twice the work - overhead) / (time of the work - overhead)
  bool passed = false;
};

/// The sensor check of a session: twice the work must take twice the time, within `tolerance` (relative). `overhead_us`
/// is the time of an empty launch. Times that do not exceed the overhead never pass.
SensorCheck check_sensor(double once_us, double twice_us, double overhead_us = 0, double tolerance = 0.1);

}  // namespace warpwright::tuner
