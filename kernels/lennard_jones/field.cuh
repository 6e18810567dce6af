// What the force of one atom on another depends on.
#pragma once

namespace warpwright::lennard_jones {

/// The box, as wide along every axis, and the potential 4 epsilon ((sigma / r)^12 - (sigma / r)^6) below the cutoff.
template <class T>
struct field {
  T side, inverse_side;
  T cutoff_squared;
  T sigma_squared;
  T turn;  ///< 1 / (2 sigma^6): r^-6 where the force turns
  T unit;  ///< 48 epsilon sigma^12, which sums of forces are multiplied by once
};

}  // namespace warpwright::lennard_jones
