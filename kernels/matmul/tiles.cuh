// How a block shares a tile of C: which sums a thread has, and which elements of the operands it copies into shared
// memory. Tiles lie there as [k][m] and [k][n]: for each term, all rows or columns.
#pragma once

#include "kernels/matmul/product.cuh"

namespace warpwright::matmul {

/// A block's tile, and how its threads share it.
struct tiling {
  int m, n, k;             ///< rows and columns of C, and terms in shared memory at a time
  int thread_m, thread_n;  ///< rows and columns per thread
  int lanes_n;             ///< threads of a warp along a row of C
  int vector_width;        ///< neighbouring rows, and columns, that a thread processes together
  int bank_pad;            ///< elements added after each row of a tile in shared memory
};

/// The tiling that the params of a kernel describe.
template <class P>
__host__ __device__ constexpr tiling tiling_of(const P& p) {
  return {.m = p.tile_m,
          .n = p.tile_n,
          .k = p.tile_k,
          .thread_m = p.thread_m,
          .thread_n = p.thread_n,
          .lanes_n = p.lanes_n,
          .vector_width = p.vector_width,
          .bank_pad = p.bank_pad};
}

__host__ __device__ constexpr int threads_of(const tiling& s) {
  return s.m / s.thread_m * (s.n / s.thread_n);
}

/// Distance between rows of the tiles of A and of B in shared memory, in elements.
__host__ __device__ constexpr int pitch_a(const tiling& s) {
  return s.m + s.bank_pad;
}
__host__ __device__ constexpr int pitch_b(const tiling& s) {
  return s.n + s.bank_pad;
}

/// Number of consecutive terms in a row of an operand that one copy moves together, because an asynchronous copy has at
/// least 4 bytes. They lie together in the tile, as [k / together][m][together]. One for elements of 4 bytes and more.
__host__ __device__ constexpr int terms_together_in(int element_bytes) {
  return element_bytes < 4 ? 4 / element_bytes : 1;
}
template <class T>
inline constexpr int terms_together = terms_together_in(static_cast<int>(sizeof(T)));

/// Elements of both tiles together.
__host__ __device__ constexpr int tile_elements(const tiling& s) {
  return s.k * (pitch_a(s) + pitch_b(s));
}

/// The positions of the calling thread's rows and columns in the tile: vector_width neighbours, then those one row of
/// threads further on. So the threads of a warp read neighbouring vectors of shared memory.
template <tiling S>
class thread_place {
  static constexpr int threads_n = S.n / S.thread_n;
  static constexpr int lanes_m = 32 / S.lanes_n;
  static constexpr int warps_n = threads_n / S.lanes_n;
  static_assert(S.m / S.thread_m % lanes_m == 0 && threads_n % S.lanes_n == 0, "whole warps");
  static_assert(S.thread_m % S.vector_width == 0 && S.thread_n % S.vector_width == 0, "whole vectors");

 public:
  static constexpr int step_m = S.m / S.thread_m * S.vector_width;  ///< from one vector of rows to the next
  static constexpr int step_n = threads_n * S.vector_width;

  __device__ __forceinline__ thread_place() {
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    first_row_ = (warp / warps_n * lanes_m + lane / S.lanes_n) * S.vector_width;
    first_column_ = (warp % warps_n * S.lanes_n + lane % S.lanes_n) * S.vector_width;
  }

  __device__ __forceinline__ int row(int i) const {
    return first_row_ + i / S.vector_width * step_m + i % S.vector_width;
  }
  __device__ __forceinline__ int column(int j) const {
    return first_column_ + j / S.vector_width * step_n + j % S.vector_width;
  }

 private:
  int first_row_, first_column_;
};

/// The part of an operand that a block needs: rows of A or columns of B (both called places), and terms.
template <class T>
struct operand {
  const T* from;    ///< place 0, term 0
  long long pitch;  ///< from one row in memory to the next
  int places;       ///< places that exist, at most those of a tile
  int whole_steps;  ///< number of first steps whose tile is complete, with aligned vectors
};

/// What changes along a row of an operand in memory.
enum class along { terms, places };

__host__ __device__ constexpr along rows_of_b(form b) {
  return b == form::transposed ? along::terms : along::places;
}

/// Terms of B that lie together in its tile.
template <class T, form B>
inline constexpr int terms_of_b_together = rows_of_b(B) == along::terms ? terms_together<T> : 1;

/// How the threads of a block share the copy of Places x Terms elements into a tile [Terms][Pitch], or [Terms /
/// Together][Pitch][Together]: by vectors of Width neighbouring elements of global memory, in passes of all threads.
/// The steps of a block are copied in order.
template <class T, along Rows, int Places, int Terms, int Pitch, int Together, int Width, int Threads>
class copy_share {
  static constexpr int row = Rows == along::terms ? Terms : Places;
  static constexpr int vectors = row / Width;
  static constexpr int rows_a_pass = Threads / vectors;
  static_assert(row % Width == 0 && Threads % vectors == 0, "a pass copies whole rows");
  static_assert(Places * Terms % (Width * Threads) == 0, "all threads copy as much");

 public:
  static constexpr int passes = Places * Terms / (Width * Threads);
  static constexpr int width = Width;
  static constexpr along rows = Rows;

  __device__ __forceinline__ explicit copy_share(const operand<T>& of)
      : copy_share(of, static_cast<int>(threadIdx.x)) {}
  /// The share of the thread of that number.
  __device__ __forceinline__ copy_share(const operand<T>& of, int thread)
      : row_(thread / vectors), at_(thread % vectors * Width), next_(of.from + row_ * of.pitch + at_) {}

  /// Place and term in the tile, for an element of a pass's vector.
  __device__ __forceinline__ int place(int pass, int element) const {
    return Rows == along::terms ? row_ + pass * rows_a_pass : at_ + element;
  }
  __device__ __forceinline__ int term(int pass, int element) const {
    return Rows == along::terms ? at_ + element : row_ + pass * rows_a_pass;
  }

  /// Calls copy(pass, address of its vector in the operand) for every pass, and advances to the next step.
  template <class Copy>
  __device__ __forceinline__ void for_each(const operand<T>& of, Copy copy) {
    const T* from = next_;
#pragma unroll
    for (int pass = 0; pass < passes; ++pass) {
      copy(pass, from);
      from += rows_a_pass * of.pitch;
    }
    next_ += Rows == along::terms ? Terms : Terms * of.pitch;
  }

  /// Whether an element exists in the operand, if the step has `terms` terms.
  __device__ __forceinline__ bool exists(const operand<T>& of, int terms, int pass, int element) const {
    return place(pass, element) < of.places && term(pass, element) < terms;
  }

  /// The address of the element in the tile.
  template <class U>
  __device__ __forceinline__ U* target(U* tile, int pass, int element) const {
    const int t = term(pass, element);
    return tile + t / Together * Together * Pitch + place(pass, element) * Together + t % Together;
  }

 private:
  int row_, at_;
  const T* next_;  ///< the vector of the first pass of the next step
};

/// copy_share for operands whose tile has elements of type `Tile`.
template <class T, class Tile, tiling S, int Width>
using copy_of_a = copy_share<T, along::terms, S.m, S.k, pitch_a(S), terms_together<Tile>, Width, threads_of(S)>;
template <class T, class Tile, form B, tiling S, int Width>
using copy_of_b = copy_share<T, rows_of_b(B), S.n, S.k, pitch_b(S), terms_of_b_together<Tile, B>, Width, threads_of(S)>;

/// Where a tile of `size` places begins, out of `count`, if its nominal position is `begin`. If it would reach past the
/// end, it is moved back until it is complete, provided that there are enough places and vectors of `width` stay
/// aligned.
__device__ __forceinline__ long long begin_of_tile(long long begin, int size, long long count, int width) {
  const long long last = count - size;
  return last % width == 0 ? max(min(begin, last), 0LL) : begin;
}

/// The task of a block: its tile of C and its terms. Blocks are numbered down `group` rows of tiles, then to the right,
/// so that blocks running at the same time share operands in the L2 cache. blockIdx.z is the number of the part, if
/// sums are split, and blockIdx.y that of the product. Copies of WidthA elements of A and of WidthB of B are aligned if
/// every row in memory is.
template <class T, form B, tiling S, int WidthA, int WidthB>
struct block_task {
  operand<T> a, b;
  int tile_row, tile_column;
  int steps;       ///< steps of S.k terms
  int last_terms;  ///< terms of the last step

  __device__ __forceinline__ block_task(const T* all_a, const T* all_b, const extents& e, int group)
      : block_task(all_a, all_b, e, group, static_cast<int>(blockIdx.x)) {}
  /// The task of that number.
  __device__ __forceinline__ block_task(const T* all_a, const T* all_b, const extents& e, int group, int block) {
    const auto tiles_m = static_cast<int>((e.m + S.m - 1) / S.m);
    const auto tiles_n = static_cast<int>((e.n + S.n - 1) / S.n);
    const int top = block / (group * tiles_n) * group;
    const int height = min(group, tiles_m - top);
    tile_row = top + block % (group * tiles_n) % height;
    tile_column = block % (group * tiles_n) / height;
    const long long terms = ((e.k + S.k - 1) / S.k + gridDim.z - 1) / gridDim.z * S.k;
    const long long first = min(blockIdx.z * terms, e.k);
    const long long left = min(terms, e.k - first);
    steps = static_cast<int>((left + S.k - 1) / S.k);
    last_terms = static_cast<int>(left - (steps - 1LL) * S.k);
    const auto whole_steps = static_cast<int>(left / S.k);
    a = {of_product(all_a, e.m * e.lda) + row(e) * e.lda + first, e.lda,
         static_cast<int>(min(e.m - row(e), static_cast<long long>(S.m))), 0};
    b = {of_product(all_b, elements_of_b<B>(e)) +
             (B == form::transposed ? column(e) * e.ldb + first : first * e.ldb + column(e)),
         e.ldb, static_cast<int>(min(e.n - column(e), static_cast<long long>(S.n))), 0};
    if (a.places == S.m && e.lda % WidthA == 0) a.whole_steps = whole_steps;
    if (b.places == S.n && e.ldb % WidthB == 0) b.whole_steps = whole_steps;
  }

  static __device__ __forceinline__ int tiles_of(const extents& e) {
    return static_cast<int>((e.m + S.m - 1) / S.m * ((e.n + S.n - 1) / S.n));
  }

  /// First row and column of the tile in C.
  __device__ __forceinline__ long long row(const extents& e) const {
    return begin_of_tile(static_cast<long long>(tile_row) * S.m, S.m, e.m, 1);
  }
  __device__ __forceinline__ long long column(const extents& e) const {
    constexpr int kWidth = rows_of_b(B) == along::places ? WidthB : 1;
    return begin_of_tile(static_cast<long long>(tile_column) * S.n, S.n, e.n, kWidth);
  }

  /// How many first rows and columns belong to earlier tiles, which write them.
  __device__ __forceinline__ int rows_before(const extents& e) const {
    return static_cast<int>(static_cast<long long>(tile_row) * S.m - row(e));
  }
  __device__ __forceinline__ int columns_before(const extents& e) const {
    return static_cast<int>(static_cast<long long>(tile_column) * S.n - column(e));
  }

  /// Number of first steps for which both tiles are complete and vectors are aligned.
  __device__ __forceinline__ int whole_steps() const { return min(a.whole_steps, b.whole_steps); }

  /// Whether the whole tile lies in C and belongs to this block.
  __device__ __forceinline__ bool is_whole(const extents& e) const {
    return a.places == S.m && b.places == S.n && rows_before(e) == 0 && columns_before(e) == 0;
  }

  /// Number of terms of a step that exist.
  __device__ __forceinline__ int terms_of(int step) const { return step + 1 < steps ? S.k : last_terms; }
};

/// The sums of a thread.
template <class Sum, tiling S>
struct thread_sums {
  Sum of[S.thread_m][S.thread_n] = {};

  template <class T>
  __device__ __forceinline__ void add(const T (&left)[S.thread_m], const T (&right)[S.thread_n]) {
#pragma unroll
    for (int i = 0; i < S.thread_m; ++i)
#pragma unroll
      for (int j = 0; j < S.thread_n; ++j)
        of[i][j] = fma(static_cast<Sum>(left[i]), static_cast<Sum>(right[j]), of[i][j]);
  }
};

/// The address of a block's tile in C of its product, or in part number blockIdx.z of all products.
template <class Task, class Sum>
__device__ __forceinline__ Sum* tile_of_c(const Task& task, Sum* c, const extents& e) {
  return c + ((static_cast<long long>(blockIdx.z) * gridDim.y + blockIdx.y) * e.m + task.row(e)) * e.ldc +
         task.column(e);
}

/// Writes those of a thread's sums that lie in C and belong to the block. ReadsC: beta is not 0. IsWhole: all of them
/// do.
template <bool ReadsC, bool IsWhole, class Sum, tiling S, class Task>
__device__ __forceinline__ void write_sums(const thread_sums<Sum, S>& sums, const Task& task, Sum* c, const extents& e,
                                           scale<Sum> by) {
  const thread_place<S> mine;
  Sum* const tile = tile_of_c(task, c, e);
  const int rows_before = task.rows_before(e);
  const int columns_before = task.columns_before(e);
#pragma unroll
  for (int i = 0; i < S.thread_m; ++i) {
    Sum* const to = tile + mine.row(i) * e.ldc;
    const bool is_mine = mine.row(i) >= rows_before && mine.row(i) < task.a.places;
#pragma unroll
    for (int j = 0; j < S.thread_n; ++j)
      if (IsWhole || (is_mine && mine.column(j) >= columns_before && mine.column(j) < task.b.places))
        put_knowing<ReadsC>(to + mine.column(j), sums.of[i][j], by);
  }
}

/// Writes a thread's sums.
template <class Sum, tiling S, class Task>
__device__ __forceinline__ void store_sums(const thread_sums<Sum, S>& sums, const Task& task, Sum* c, const extents& e,
                                           scale<Sum> by) {
  if (by.beta != Sum(0))
    write_sums<true, false>(sums, task, c, e, by);
  else if (task.is_whole(e))
    write_sums<false, true>(sums, task, c, e, by);
  else
    write_sums<false, false>(sums, task, c, e, by);
}

/// Reads a thread's elements of a tile row with Terms terms: vectors of Width places, `Step` apart. `from` is the
/// first.
template <int Width, int Step, class T, int Terms, int Count>
__device__ __forceinline__ void read_row(T (&to)[Terms][Count], const T* from) {
#pragma unroll
  for (int i = 0; i < Count; i += Width) {
    const vec<T, Width* Terms> held = load_vector<Width * Terms>(from + i / Width * Step * Terms);
#pragma unroll
    for (int w = 0; w < Width * Terms; ++w) to[w % Terms][i + w / Terms] = held[w];
  }
}

/// A thread's factors for a group of terms: its rows of A and its columns of B. T is the element type of the tiles.
template <class T, form B, tiling S>
struct thread_terms {
  static constexpr int count = terms_together<T>;

  T left[count][S.thread_m];
  T right[count][S.thread_n];

  /// Reads the terms from group * count on.
  __device__ __forceinline__ void read(const T* tile_a, const T* tile_b, const thread_place<S>& mine, int group) {
    using place = thread_place<S>;
    constexpr int W = S.vector_width;
    read_row<W, place::step_m>(left, tile_a + (group * pitch_a(S) + mine.row(0)) * count);
    constexpr int kTogether = terms_of_b_together<T, B>;
#pragma unroll
    for (int term = 0; term < count; term += kTogether)
      read_row<W, place::step_n>(reinterpret_cast<T(&)[kTogether][S.thread_n]>(right[term]),
                                 tile_b + (group * count + term) * pitch_b(S) + mine.column(0) * kTogether);
  }

  /// Written without a loop, because the compiler did not unroll the loops around it.
  __device__ __forceinline__ void add_to(thread_sums<sum_of<T>, S>& sums) const {
    static_assert(count <= 2);
    sums.add(left[0], right[0]);
    if constexpr (count == 2) sums.add(left[1], right[1]);
  }
};

/// Adds the products of a tile. On entry `held[0]` has its first terms. Terms are read before the previous ones are
/// used. `next` is called before the last ones are used, when nobody reads the tile any more, and loads the first terms
/// of the next tile.
template <class Sum, class T, form B, tiling S, class Next>
__device__ __forceinline__ void add_tile(thread_sums<Sum, S>& sums, thread_terms<T, B, S> (&held)[2], const T* tile_a,
                                         const T* tile_b, const thread_place<S>& mine, Next next) {
  constexpr int kGroups = S.k / terms_together<T>;
  static_assert(S.k % (2 * terms_together<T>) == 0, "held[0] has the first terms of every tile");
#pragma unroll
  for (int group = 0; group < kGroups; ++group) {
    if (group + 1 < kGroups)
      held[(group + 1) % 2].read(tile_a, tile_b, mine, group + 1);
    else
      next(held[0]);
    held[group % 2].add_to(sums);
  }
}

/// The same in less code, if there are few steps.
template <form B, class Sum, class T, tiling S>
__device__ __forceinline__ void add_tile_briefly(thread_sums<Sum, S>& sums, const T* tile_a, const T* tile_b,
                                                 const thread_place<S>& mine) {
#pragma unroll 1
  for (int group = 0; group < S.k / terms_together<T>; ++group) {
    thread_terms<T, B, S> held;
    held.read(tile_a, tile_b, mine, group);
    held.add_to(sums);
  }
}

}  // namespace warpwright::matmul
