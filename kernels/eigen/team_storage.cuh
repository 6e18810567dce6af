// Where teams of threads keep their matrices: in shared memory, or in square arrays in global memory.
#pragma once

#include "kernels/eigen/team.cuh"

namespace warpwright::eigen {

enum class where { shared, global };

/// Where a team's two squares are (matrix and vectors).
struct layout {
  where matrix_in, vectors_in;
  int bank_pad;
};

/// The number of squares of a matrix that lie in global memory.
__host__ __device__ constexpr int global_squares(const layout& of) {
  return (of.matrix_in == where::global ? 1 : 0) + (of.vectors_in == where::global ? 1 : 0);
}

/// Numbers in one square of an n x n matrix whose entries have `parts` numbers.
__host__ __device__ constexpr int square_numbers(const layout& of, int n, int parts) {
  return parts * n * (n + of.bank_pad);
}

/// Numbers that a team keeps in shared memory: its squares there, and c and e of n / 2 pairs. A multiple of the size of
/// an entry, so that the next team's entries are aligned.
__host__ __device__ constexpr int shared_numbers(const layout& of, int n, int parts) {
  const int squares = (2 - global_squares(of)) * square_numbers(of, n, parts);
  return (squares + (1 + parts) * (n / 2) + parts - 1) / parts * parts;
}

/// Bytes of shared memory for this many teams: their numbers, followed by a place for each of their rows.
__host__ __device__ constexpr int shared_bytes(const layout& of, int n, int parts, int number_bytes, int teams) {
  return teams * (shared_numbers(of, n, parts) * number_bytes + n * 4);
}

/// The storage of team `team` of `teams` in a block, for the matrix `number`.
template <class T, entries E, int N, layout Layout>
__device__ __forceinline__ team_storage<T, E, N, Layout.bank_pad> storage_of(int team, int teams, long long number,
                                                                             T* scratch) {
  constexpr int kSquare = square_numbers(Layout, N, parts<E>);
  constexpr int kNumbers = shared_numbers(Layout, N, parts<E>);
  extern __shared__ __align__(16) unsigned char staging[];
  T* const numbers = reinterpret_cast<T*>(staging);
  T* mine = numbers + team * kNumbers;
  T* far = scratch + number * global_squares(Layout) * kSquare;
  const auto take = [&](where in) {
    T*& next = in == where::shared ? mine : far;
    T* const taken = next;
    next += kSquare;
    return taken;
  };
  team_storage<T, E, N, Layout.bank_pad> of{};
  of.matrix = take(Layout.matrix_in);
  of.vectors = take(Layout.vectors_in);
  of.c = mine;
  of.e = mine + N / 2;
  of.ranks = reinterpret_cast<int*>(numbers + teams * kNumbers) + team * N;
  return of;
}

}  // namespace warpwright::eigen
