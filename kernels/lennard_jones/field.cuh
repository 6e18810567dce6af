// What the force of one atom on another depends on.
#pragma once

namespace warpwright::lennard_jones {

/// The box, as wide along every axis, and the potential 4 epsilon ((sigma / r)^12 - (sigma / r)^6) below the cutoff.
template <class T>
struct field {
  T side, inverse_side;
  T cutoff_squared;
  T sigma_squared;
  T epsilon24;  ///< 24 epsilon
};

}  // namespace warpwright::lennard_jones
