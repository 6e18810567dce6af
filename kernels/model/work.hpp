// What a problem asks of any kernel: bytes, operations and steps of threads.
#pragma once

#include "kernels/model/element_type.hpp"

namespace warpwright {

/// All timed steps together.
struct Work {
  double bytes_read = 0;                      ///< distinct bytes of input
  double bytes_written = 0;                   ///< distinct bytes of output
  double operations = 0;                      ///< arithmetic; a fused multiply-add counts as two
  ElementType arithmetic = ElementType::f32;  ///< whose peak rate the operations have
  bool multiplies_halves = false;  ///< its products are of 16-bit numbers: matrix units, which libraries use, take them
  /// Elements touched or combined, one by one, by all threads together: what running it on a CPU takes. Shapes are
  /// drawn, traces scaled and limits set by it.
  double steps = 0;
  double bus_to_device = 0;  ///< bytes that must cross the bus, because the problem's data lie with the host
  double bus_to_host = 0;

  bool operator==(const Work&) const = default;
};

/// What the bus between host and device carries in either direction, GB/s; 0: not known.
struct BusRates {
  double to_device_gbs = 0;
  double to_host_gbs = 0;
};

}  // namespace warpwright
