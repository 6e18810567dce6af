// The plain iteration in double that large results are compared with. It is checked itself against the CPU oracle.
#pragma once

#include "kernels/block/reduce.cuh"
#include "kernels/richardson/sweep.cuh"

namespace warpwright::richardson {

/// The constants of the reference, the same for all sweeps.
struct reference_rule {
  double alpha;
  double tolerance;  ///< below 0: sweeps never end early
  long long rows;
  int sweeps;  ///< later sweeps leave x unchanged and continue only the magnitudes
};

/// x and its magnitude before the first sweep. Any grid of one dimension.
template <class T>
__global__ void widen(const T* start, double* x, double* magnitude, long long rows) {
  const long long stride = static_cast<long long>(gridDim.x) * blockDim.x;
  for (long long at = static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x; at < rows; at += stride) {
    x[at] = static_cast<double>(start[at]);
    magnitude[at] = fabs(x[at]);
  }
}

/// A sweep over all rows, one warp per row; entry(row, k) returns entry k of a row and its column.
template <class T, class Entry>
__device__ void reference_rows(Entry entry, const T* f, const double* x, const double* magnitude, double* next,
                               double* next_magnitude, double* taken, unsigned long long* largest,
                               const reference_rule& rule, int sweep) {
  const bool has_stopped =
      sweep >= rule.sweeps ||
      (sweep > 0 && __longlong_as_double(static_cast<long long>(largest[sweep - 1])) <= rule.tolerance);
  const long long warps = static_cast<long long>(gridDim.x) * (blockDim.x / 32);
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (long long row = (static_cast<long long>(blockIdx.x) * blockDim.x + threadIdx.x) / 32; row < rule.rows;
       row += warps) {
    double product = 0;
    double diagonal = 0;
    double terms = 0;
    for (long long k = lane; k < entry.count(row); k += 32) {
      const double value = static_cast<double>(entry.value(row, k));
      const long long column = entry.column(row, k);
      product = fma(value, x[column], product);
      terms = fma(fabs(value), fabs(x[column]), terms);
      if (column == row)
        diagonal += value;
      else
        terms = fma(fabs(value), magnitude[column], terms);
    }
    product = block::reduce_warp<addition>(product);
    diagonal = block::reduce_warp<addition>(diagonal);
    terms = block::reduce_warp<addition>(terms);
    if (lane != 0) continue;
    const double residual = product - static_cast<double>(f[row]);
    next[row] = has_stopped ? x[row] : fma(rule.alpha, residual, x[row]);
    const double before = fabs(1 + rule.alpha * diagonal) * magnitude[row] + fabs(x[row]);
    next_magnitude[row] =
        fmax(magnitude[row], fma(fabs(rule.alpha), terms + fabs(static_cast<double>(f[row])), before));
    if (rule.tolerance < 0 || has_stopped) continue;
    if (row == 0) *taken = sweep + 1;
    atomicMax(largest + sweep, static_cast<unsigned long long>(__double_as_longlong(fabs(residual))));
  }
}

template <class T>
struct dense_matrix {
  const T* a;
  long long rows;
  __device__ long long count(long long) const { return rows; }
  __device__ T value(long long row, long long k) const { return a[row * rows + k]; }
  __device__ long long column(long long, long long k) const { return k; }
};

template <class T>
struct sparse_matrix {
  const long long* starts;
  const int* columns;
  const T* a;
  __device__ long long count(long long row) const { return starts[row + 1] - starts[row]; }
  __device__ T value(long long row, long long k) const { return a[starts[row] + k]; }
  __device__ long long column(long long row, long long k) const { return columns[starts[row] + k]; }
};

/// Grid: one-dimensional, any number of whole warps.
template <class T>
__global__ void reference_dense(const T* a, const T* f, const double* x, const double* magnitude, double* next,
                                double* next_magnitude, double* taken, unsigned long long* largest, reference_rule rule,
                                int sweep) {
  reference_rows(dense_matrix<T>{a, rule.rows}, f, x, magnitude, next, next_magnitude, taken, largest, rule, sweep);
}

template <class T>
__global__ void reference_sparse(const long long* starts, const int* columns, const T* a, const T* f, const double* x,
                                 const double* magnitude, double* next, double* next_magnitude, double* taken,
                                 unsigned long long* largest, reference_rule rule, int sweep) {
  reference_rows(sparse_matrix<T>{starts, columns, a}, f, x, magnitude, next, next_magnitude, taken, largest, rule,
                 sweep);
}

}  // namespace warpwright::richardson
