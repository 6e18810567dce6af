// The work that a problem requires of any kernel: bytes, operations, steps, and what its rates count.
#pragma once

#include <string>

#include "kernels/model/element_type.hpp"

namespace warpwright {

/// The work of all timed steps together.
struct Work {
  double bytes_read = 0;                      ///< distinct bytes of input
  double bytes_written = 0;                   ///< distinct bytes of output
  double operations = 0;                      ///< arithmetic; a fused multiply-add counts as two
  ElementType arithmetic = ElementType::f32;  ///< the type of the operations, which decides their peak rate
  /// On tensor cores, each of its multiplications takes the time of at least so many of 16-bit numbers; 0: they are not
  /// used.
  double half_products = 0;
  /// Elements that all threads together read or combine, one by one, which is the cost in the simulator. It limits
  /// shapes that are drawn, and scales traces.
  double steps = 0;
  double bus_to_device = 0;  ///< bytes that must cross the bus, since the problem's data are in the CPU's memory
  double bus_to_host = 0;
  /// The bytes are those of all buffers, since nobody stated how many a kernel must read and write.
  bool counts_whole_buffers = false;

  bool operator==(const Work&) const = default;
};

/// What rates of a problem count, and how many of them solving it takes: {1 << 24, "keys"} gives keys/s.
struct Amount {
  double count = 0;
  std::string unit;
};

/// Rates of the bus between CPU and GPU in each direction, in GB/s; 0: unknown.
struct BusRates {
  double to_device_gbs = 0;
  double to_host_gbs = 0;
};

}  // namespace warpwright
