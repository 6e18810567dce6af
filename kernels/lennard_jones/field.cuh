// The constants on which the force between atoms depends.
#pragma once

namespace warpwright::lennard_jones {

/// The cubic box, and the potential 4 epsilon ((sigma / r)^12 - (sigma / r)^6) below the cutoff.
template <class T>
struct field {
  T side, inverse_side;
  T cutoff_squared;
  T sigma_squared;
  T turn;  ///< 1 / (2 sigma^6), the value of r^-6 at which the force changes sign
  T unit;  ///< 48 epsilon sigma^12, by which sums of forces are multiplied once
};

}  // namespace warpwright::lennard_jones
