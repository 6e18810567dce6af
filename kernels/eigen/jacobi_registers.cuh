// eigen/jacobi_registers: a lane keeps one row of its matrix, and one of the vectors, in registers.
#pragma once

#include "kernels/block/groups.cuh"
#include "kernels/eigen/rotation.cuh"

namespace warpwright::eigen {

/// How a lane learns the rotations of other lanes' columns.
enum class exchange { shared, shuffle };

struct jacobi_registers_params {
  int block_size = 128;
  int warps = 16;  ///< warps for which an SM has registers
  int unroll = 4;  ///< stages per iteration, so that renaming registers costs nothing
  exchange turns_by = exchange::shared;
  bool operator==(const jacobi_registers_params&) const = default;
};

/// Lanes for a matrix of n rows (2 to 32): n rounded up to a power of two.
__host__ __device__ constexpr int lanes_of(int n) {
  int lanes = 2;
  while (lanes < n) lanes *= 2;
  return lanes;
}

/// x times a generator of the finite field of L elements, in which addition is exclusive or. The powers of the
/// generator are all numbers from 1 to L - 1. `One`, a power of two, represents 1. Source: R. Lidl, H. Niederreiter,
/// Finite Fields, 1997, table D (x + 1, x^2 + x + 1, x^3 + x + 1, x^4 + x + 1, x^5 + x^2 + 1).
template <int L, int One = 1>
__device__ __forceinline__ constexpr int times_generator(int x) {
  return (x & One * L / 2) != 0 ? (2 * x) ^ (One * (L == 2 ? 3 : L == 32 ? 37 : L + 3)) : 2 * x;
}

/// A power of the generator times One (at first One itself), and the next four powers.
template <int L, int One>
class generator_powers {
 public:
  __device__ __forceinline__ generator_powers() {
    of_[0] = One;
#pragma unroll
    for (int k = 1; k < 5; ++k) of_[k] = times_generator<L, One>(of_[k - 1]);
  }
  __device__ __forceinline__ void advance() {
#pragma unroll
    for (int k = 0; k < 4; ++k) of_[k] = of_[k + 1];
    of_[4] = times_generator<L, One>(of_[4]);
  }
  __device__ __forceinline__ int power() const {
    return of_[0] / One;
  }
  /// Calls visit(m, sum) for every m from 1 to L / 2 - 1, where sum = start + power * 2 m in the field. In Gray code
  /// order each step is one addition.
  template <class Visit>
  __device__ __forceinline__ void for_products(int start, Visit&& visit) const {
#pragma unroll
    for (int i = 1; i < L / 2; ++i) {
      start ^= of_[(i & 1) != 0 ? 1 : (i & 2) != 0 ? 2 : (i & 4) != 0 ? 3 : 4];
      visit(i ^ i / 2, start);
    }
  }

 private:
  int of_[5];
};

/// The rotation of a lane's column u with its partner w: u becomes c u - conj(e) w, and w becomes c w + e u.
template <class T, entries E>
struct column_rotation {
  T c;
  entry<T, E> e;
};

/// The rotations of a warp's columns. Each lane publishes its own and reads those of others by their place; if two lane
/// numbers differ by x (exclusive or), their places differ by place_of(x).
template <exchange By, int BlockSize, class T, entries E>
class rotations_of_warp;

template <int BlockSize, class T, entries E>
class rotations_of_warp<exchange::shuffle, BlockSize, T, E> {
 public:
  static constexpr int place_unit = 1;
  __device__ __forceinline__ int own_place() const { return block::thread_block_tile<32>{}.thread_rank(); }
  __device__ __forceinline__ void publish(const column_rotation<T, E>& own) { own_ = own; }
  __device__ __forceinline__ column_rotation<T, E> at(int place) const {
    const block::thread_block_tile<32> warp;
    column_rotation<T, E> rot{warp.shfl(own_.c, place), {warp.shfl(own_.e.re, place)}};
    if constexpr (E == entries::complex) rot.e.im = warp.shfl(own_.e.im, place);
    return rot;
  }

 private:
  column_rotation<T, E> own_;
};

template <int BlockSize, class T, entries E>
class rotations_of_warp<exchange::shared, BlockSize, T, E> {
 public:
  static constexpr int place_unit = (E == entries::complex ? 4 : 2) * static_cast<int>(sizeof(T));
  __device__ __forceinline__ rotations_of_warp() {
    __shared__ __align__(16) unsigned char staging[BlockSize * place_unit];
    staging_ = staging;
  }
  __device__ __forceinline__ int own_place() const { return place_unit * static_cast<int>(threadIdx.x); }
  __device__ __forceinline__ void publish(const column_rotation<T, E>& own) {
    const block::thread_block_tile<32> warp;
    T* const to = reinterpret_cast<T*>(staging_ + own_place());
    warp.sync();
    if constexpr (E == entries::complex) {
      to[0] = own.c;
      store_vector(to + 2, vec<T, 2>{{own.e.re, own.e.im}});
    } else {
      store_vector(to, vec<T, 2>{{own.c, own.e.re}});
    }
    warp.sync();
  }
  __device__ __forceinline__ column_rotation<T, E> at(int place) const {
    const T* const from = reinterpret_cast<const T*>(staging_ + place);
    if constexpr (E == entries::complex) {
      const vec<T, 2> e = load_vector<2>(from + 2);
      return {from[0], {e[0], e[1]}};
    } else {
      const vec<T, 2> both = load_vector<2>(from);
      return {both[0], {both[1]}};
    }
  }

 private:
  unsigned char* staging_;
};

/// An entry of another lane.
template <class T>
__device__ __forceinline__ real_entry<T> shuffled(real_entry<T> x, int lane_mask) {
  return {block::thread_block_tile<32>{}.shfl_xor(x.re, lane_mask)};
}
template <class T>
__device__ __forceinline__ complex_entry<T> shuffled(complex_entry<T> x, int lane_mask) {
  const block::thread_block_tile<32> warp;
  return {warp.shfl_xor(x.re, lane_mask), warp.shfl_xor(x.im, lane_mask)};
}

/// Moves register (i ^ by) to register i.
template <int L, class Entry>
__device__ __forceinline__ void move_by(Entry (&of)[L], int by) {
#pragma unroll
  for (int bit = 1; bit < L; bit *= 2)
#pragma unroll
    for (int i = 0; i < L; ++i) {
      if ((i & bit) != 0) continue;
      const Entry low = of[i];
      const Entry high = of[i + bit];
      of[i] = (by & bit) != 0 ? high : low;
      of[i + bit] = (by & bit) != 0 ? low : high;
    }
}

/// Row r of a matrix and of its vectors, in lane r of L. In each stage rows r and r ^ step are partners. Steps are the
/// powers of the generator, so any L - 1 consecutive stages meet each pair once. Register i has column r ^ (step times
/// i). So in every lane and stage, register 0 has the diagonal entry, register 1 has the partner's column, and the
/// columns in registers 2 m and 2 m + 1 are partners.
template <class T, entries E, int L, class Rotations>
class row_of_lane {
 public:
  generator_powers<L, Rotations::place_unit> steps;
  entry<T, E> matrix[L];
  entry<T, E> vectors[L];

  /// Returns whether any pair of the warp was rotated in this stage. All lanes call it.
  __device__ __forceinline__ bool rotate(Rotations& rotations, T most_negligible) {
    const block::thread_block_tile<32> warp;
    const int lane = warp.thread_rank();
    const int step = steps.power();
    const bool is_first = lane < (lane ^ step);
    const T own = matrix[0].re;
    const T other = warp.shfl_xor(own, step);
    const entry<T, E> of_other = shuffled(matrix[1], step);
    const entry<T, E> between = is_first ? matrix[1] : of_other;
    const bool is_more = squared_size(between) > most_negligible * most_negligible;
    if (!warp.any(is_more)) return false;
    rotation<T, E> by{T(1), {}, T(0)};
    if (is_more) by = rotation_of<E>(is_first ? own : other, is_first ? other : own, between);
    const entry<T, E> e = is_first ? by.e : negated(conjugate(by.e));
    rotations.publish({by.c, e});
    matrix[0].re = is_first ? own - by.step : own + by.step;
    if (is_more) matrix[1] = entry<T, E>{};
    rotate_columns(vectors[0], vectors[1], by.c, e);
    steps.for_products(rotations.own_place(), [&](int m, int place) {
      const column_rotation<T, E> of_column = rotations.at(place);
      entry<T, E>& x = matrix[2 * m];
      entry<T, E>& y = matrix[2 * m + 1];
      rotate_columns(x, y, of_column.c, of_column.e);
      rotate_columns(vectors[2 * m], vectors[2 * m + 1], of_column.c, of_column.e);
      const entry<T, E> of_x = shuffled(y, step);
      const entry<T, E> of_y = shuffled(x, step);
      x = mixed(by.c, x, negated(e), of_x);
      y = mixed(by.c, y, negated(e), of_y);
    });
    return true;
  }

  /// Goes to the next stage.
  __device__ __forceinline__ void advance() {
    steps.advance();
    rename(matrix);
    rename(vectors);
  }

 private:
  static __device__ __forceinline__ void rename(entry<T, E> (&of)[L]) {
    entry<T, E> before[L];
#pragma unroll
    for (int i = 0; i < L; ++i) before[i] = of[i];
#pragma unroll
    for (int i = 0; i < L; ++i) of[i] = before[times_generator<L>(i)];
  }
};

/// Computes values and vectors of `matrices` matrices of up to 32 rows. Grid: block_size / lanes_of(N) matrices per
/// block.
template <class T, entries E, int N, jacobi_registers_params P>
__global__ void __launch_bounds__(P.block_size, P.warps * 32 / P.block_size)
    jacobi_registers(const T* __restrict__ matrix, T* __restrict__ values, T* __restrict__ vectors,
                     long long matrices) {
  constexpr int kLanes = lanes_of(N);
  constexpr int kStages = kLanes - 1;
  constexpr long long kSquare = parts<E> * N * N;
  const block::thread_block_tile<32> warp;
  const int row = warp.thread_rank() % kLanes;
  const long long at = static_cast<long long>(blockIdx.x) * (P.block_size / kLanes) + threadIdx.x / kLanes;
  const bool is_row = row < N && at < matrices;

  using warp_rotations = rotations_of_warp<P.turns_by, P.block_size, T, E>;
  row_of_lane<T, E, kLanes, warp_rotations> own;
  T largest = 0;
#pragma unroll
  for (int column = 0; column < kLanes; ++column) {
    own.matrix[column] = entry<T, E>{};
    own.vectors[column] = entry<T, E>{};
    if (column < N && is_row) own.matrix[column] = load_entry<E>(matrix + at * kSquare, column * N + row);
    largest = fmax(largest, largest_part(own.matrix[column]));
  }
#pragma unroll
  for (int distance = kLanes / 2; distance > 0; distance /= 2)
    largest = fmax(largest, warp.shfl_xor(largest, distance));
  const T scale = scale_for(largest);
  T squares = 0;
#pragma unroll
  for (int column = 0; column < kLanes; ++column) {
    own.matrix[column] = scaled(own.matrix[column], scale);
    squares += squared_size(own.matrix[column]);
  }
  own.vectors[0].re = 1;
  move_by(own.matrix, row);
#pragma unroll
  for (int distance = kLanes / 2; distance > 0; distance /= 2) squares += warp.shfl_xor(squares, distance);
  const T most_negligible = negligible<N>(squares);

  warp_rotations rotations;
  int quiet = 0;  // consecutive stages without a rotation
#pragma unroll 1
  for (int stage = 0; stage < most_sweeps * kStages && quiet < kStages; stage += P.unroll)
#pragma unroll
    for (int more = 0; more < P.unroll; ++more) {
      quiet = own.rotate(rotations, most_negligible) ? 0 : quiet + 1;
      own.advance();
    }

  const T value = own.matrix[0].re;
  int place = 0;
#pragma unroll
  for (int distance = 1; distance < kLanes; ++distance) {
    const T one = warp.shfl_xor(value, distance);
    const int other = row ^ distance;
    if (other < N && (one < value || (one == value && other < row))) ++place;
  }
  if (is_row) values[at * N + place] = value / scale;

  // Register i is to have column (step times i) in all lanes, so the row is divided by step.
  const int step = own.steps.power();
  int quotient = row;
  for (int power = step; power != 1; power = times_generator<kLanes>(power))
    quotient = times_generator<kLanes>(quotient);
  move_by(own.vectors, quotient);
  const int first = warp.thread_rank() - row;
  const auto store = [&](int column, const entry<T, E>& x) {
    const int to = warp.shfl(place, first + column);
    if (is_row && column < N) store_entry(vectors + at * kSquare, to * N + row, x);
  };
  store(0, own.vectors[0]);
  store(step, own.vectors[1]);
  own.steps.for_products(0, [&](int m, int place_of_column) {
    const int column = place_of_column / warp_rotations::place_unit;
    store(column, own.vectors[2 * m]);
    store(column ^ step, own.vectors[2 * m + 1]);
  });
}

}  // namespace warpwright::eigen
