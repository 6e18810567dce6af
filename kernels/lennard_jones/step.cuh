// lennard_jones/step: one launch a step: the forces on an atom, its new velocity and where it goes.
#pragma once

#include "kernels/lennard_jones/walk.cuh"

namespace warpwright::lennard_jones {

/// How the kernel keeps where atoms are.
enum class coordinates {
  separate,  ///< all x, all y, all z
  packed     ///< x, y, z and nothing of an atom side by side: a neighbour takes one access
};

struct step_params {
  int block_size = 128;
  int unroll = 4;
  block::layout layout = block::layout::by_slot;
  int min_blocks = 1;      ///< blocks an SM has room for
  int skin_tenths = 10;    ///< how far beyond the cutoff lists reach, in tenths of an angstrom
  int rebuild_every = 20;  ///< steps from one making of the lists to the next
  coordinates places = coordinates::packed;
  bool operator==(const step_params&) const = default;
};

/// Where an atom is.
template <coordinates Places, class T>
__device__ __forceinline__ block::point<T> place_of(const T* __restrict__ places, long long atom, long long atoms) {
  if constexpr (Places == coordinates::packed) {
    const vec<T, 4> held = load_vector<4>(places + 4 * atom);
    return {held[0], held[1], held[2]};
  } else {
    return block::point_at<3>(places, atom, atoms);
  }
}

template <coordinates Places, class T>
__device__ __forceinline__ void put_place(T* __restrict__ places, const block::point<T>& at, long long atom,
                                          long long atoms) {
  if constexpr (Places == coordinates::packed) {
    store_vector(places + 4 * atom, vec<T, 4>{at.x, at.y, at.z, T(0)});
  } else {
    places[atom] = at.x;
    places[atoms + atom] = at.y;
    places[2 * atoms + atom] = at.z;
  }
}

/// to = from, kept as To and From. Grid: one thread an atom.
template <class T, int BlockSize, coordinates From, coordinates To>
__global__ void __launch_bounds__(BlockSize) repack(const T* __restrict__ from, T* __restrict__ to, long long atoms) {
  const long long atom = static_cast<long long>(blockIdx.x) * BlockSize + threadIdx.x;
  if (atom < atoms) put_place<To>(to, place_of<From>(from, atom, atoms), atom, atoms);
}

/// velocity += kick * force, then to = from + drift * velocity, for atoms whose rows hold all neighbours. Velocities
/// are all x, all y, all z. Grid: one thread an atom. Source: L. Verlet, Physical Review 159 (1967).
template <class T, step_params P>
__global__ void __launch_bounds__(P.block_size, P.min_blocks)
    step(const T* __restrict__ from, T* __restrict__ to, T* __restrict__ velocity, const int* __restrict__ length,
         const int* __restrict__ list, field<T> in, T kick, T drift, long long atoms, int capacity) {
  const long long atom = static_cast<long long>(blockIdx.x) * P.block_size + threadIdx.x;
  if (atom >= atoms) return;
  const auto place = [=](long long other) { return place_of<P.places>(from, other, atoms); };
  const block::point<T> here = place(atom);
  const block::point<T> sum = gather<P.layout, P.unroll>(place, here, length, list, in, atom, atoms, capacity);
  const auto kicked = [&](int axis, T force) {
    T& speed = velocity[axis * atoms + atom];
    return speed = fma(kick, force, speed);
  };
  const block::point<T> speed{kicked(0, sum.x), kicked(1, sum.y), kicked(2, sum.z)};
  put_place<P.places>(to, {fma(drift, speed.x, here.x), fma(drift, speed.y, here.y), fma(drift, speed.z, here.z)}, atom,
                      atoms);
}

}  // namespace warpwright::lennard_jones
