// Moving atoms on the host, with forces copied from the device.
#pragma once

#if !defined(__CUDACC__)
namespace warpwright::lennard_jones {

/// velocity += kick * force, then positions += drift * velocity, for this many coordinates.
template <class T>
void move_on_host(const T* force, T* velocity, T* positions, T kick, T drift, long long coordinates) {
  for (long long i = 0; i < coordinates; ++i) {
    velocity[i] += kick * force[i];
    positions[i] += drift * velocity[i];
  }
}

}  // namespace warpwright::lennard_jones
#endif
