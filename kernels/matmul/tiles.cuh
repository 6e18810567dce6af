// How a block shares a tile of C: which sums a thread has, and which elements of the operands it copies into shared
// memory, where tiles lie as [k][m] and [k][n].
#pragma once

#include "kernels/matmul/product.cuh"

namespace warpwright::matmul {

/// A block's tile, and how its threads share it.
struct tiling {
  int m, n, k;             ///< rows and columns of C, and terms of the sums that are in shared memory together
  int thread_m, thread_n;  ///< rows and columns of a thread
  int lanes_n;             ///< threads of a warp along a row of C
  int vector_width;        ///< neighbouring rows, and columns, that a thread has together
  int bank_pad;            ///< elements behind each row of a tile in shared memory
};

/// As the params of a kernel name it.
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

/// Elements from one row to the next of the tiles of A and of B in shared memory.
__host__ __device__ constexpr int pitch_a(const tiling& s) {
  return s.m + s.bank_pad;
}
__host__ __device__ constexpr int pitch_b(const tiling& s) {
  return s.n + s.bank_pad;
}

/// Elements of both tiles.
__host__ __device__ constexpr int tile_elements(const tiling& s) {
  return s.k * (pitch_a(s) + pitch_b(s));
}

/// Where the calling thread's rows and columns lie in the tile: vector_width neighbours, then those one tile row of
/// threads further on. So the threads of a warp read neighbouring vectors of shared memory.
template <tiling S>
class thread_place {
  static constexpr int threads_n = S.n / S.thread_n;
  static constexpr int lanes_m = 32 / S.lanes_n;
  static constexpr int warps_n = threads_n / S.lanes_n;
  static_assert(S.m / S.thread_m % lanes_m == 0 && threads_n % S.lanes_n == 0, "whole warps");
  static_assert(S.thread_m % S.vector_width == 0 && S.thread_n % S.vector_width == 0, "whole vectors");

 public:
  static constexpr int step_m = S.m / S.thread_m * S.vector_width;  ///< from a vector of rows to the next
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

/// The part of an operand that a block needs: rows of A or columns of B, called its places, by terms.
template <class T>
struct operand {
  const T* from;    ///< place 0, term 0
  long long pitch;  ///< from one row in memory to the next
  int places;       ///< that exist, at most those of a tile
  int whole_steps;  ///< of the first so many steps all of the tile exists, and vectors are aligned
};

/// What runs along a row of an operand in memory.
enum class along { terms, places };

__host__ __device__ constexpr along rows_of_b(form b) {
  return b == form::transposed ? along::terms : along::places;
}

/// How the threads of a block share the copy of Places x Terms elements into a tile [Terms][Pitch]: by vectors of Width
/// elements that are neighbours in global memory, one pass of all threads after the other. The steps of a block come in
/// turn.
template <class T, along Rows, int Places, int Terms, int Pitch, int Width, int Threads>
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
      : row_(static_cast<int>(threadIdx.x) / vectors),
        at_(static_cast<int>(threadIdx.x) % vectors * Width),
        next_(of.from + row_ * of.pitch + at_) {}

  /// Place and term, in the tile, of an element of the vector of a pass.
  __device__ __forceinline__ int place(int pass, int element) const {
    return Rows == along::terms ? row_ + pass * rows_a_pass : at_ + element;
  }
  __device__ __forceinline__ int term(int pass, int element) const {
    return Rows == along::terms ? at_ + element : row_ + pass * rows_a_pass;
  }

  /// Calls copy(pass, where its vector lies in the operand) for every pass, and goes on to the next step.
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

  /// Whether an element exists in the operand, which has `terms` terms for the step.
  __device__ __forceinline__ bool exists(const operand<T>& of, int terms, int pass, int element) const {
    return place(pass, element) < of.places && term(pass, element) < terms;
  }

  /// Where it goes in the tile.
  __device__ __forceinline__ T* target(T* tile, int pass, int element) const {
    return tile + term(pass, element) * Pitch + place(pass, element);
  }

 private:
  int row_, at_;
  const T* next_;  ///< the vector of the first pass of the step to come
};

template <class T, tiling S, int Width>
using copy_of_a = copy_share<T, along::terms, S.m, S.k, pitch_a(S), Width, threads_of(S)>;
template <class T, form B, tiling S, int Width>
using copy_of_b = copy_share<T, rows_of_b(B), S.n, S.k, pitch_b(S), Width, threads_of(S)>;

/// What a block has to do: its tile of C and the terms that it adds up. The blocks of a grid are numbered down `group`
/// rows of tiles, then to the right, so that those under way together share operands in the L2 cache. blockIdx.z counts
/// the parts that the sums are split into.
template <class T, form B, tiling S>
struct block_task {
  operand<T> a, b;
  int tile_row, tile_column;
  int steps;       ///< of S.k terms
  int last_terms;  ///< those of the last step

  /// Copies of `copy_width` elements are aligned where every row in memory is.
  __device__ __forceinline__ block_task(const T* all_a, const T* all_b, const extents& e, int group, int copy_width) {
    const auto tiles_m = static_cast<int>((e.m + S.m - 1) / S.m);
    const auto tiles_n = static_cast<int>((e.n + S.n - 1) / S.n);
    const auto block = static_cast<int>(blockIdx.x);
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
    const long long row = static_cast<long long>(tile_row) * S.m;
    const long long column = static_cast<long long>(tile_column) * S.n;
    a = {all_a + row * e.lda + first, e.lda, static_cast<int>(min(e.m - row, static_cast<long long>(S.m))), 0};
    b = {all_b + (B == form::transposed ? column * e.ldb + first : first * e.ldb + column), e.ldb,
         static_cast<int>(min(e.n - column, static_cast<long long>(S.n))), 0};
    if (a.places == S.m && e.lda % copy_width == 0) a.whole_steps = whole_steps;
    if (b.places == S.n && e.ldb % copy_width == 0) b.whole_steps = whole_steps;
  }

  /// Of the first so many steps all of both tiles exists, and vectors are aligned.
  __device__ __forceinline__ int whole_steps() const { return min(a.whole_steps, b.whole_steps); }

  /// Whether all of the tile of C exists.
  __device__ __forceinline__ bool is_whole() const { return a.places == S.m && b.places == S.n; }

  /// Terms of a step that exist.
  __device__ __forceinline__ int terms_of(int step) const { return step + 1 < steps ? S.k : last_terms; }
};

/// The sums of a thread.
template <class T, tiling S>
struct thread_sums {
  T of[S.thread_m][S.thread_n] = {};

  __device__ __forceinline__ void add(const T (&left)[S.thread_m], const T (&right)[S.thread_n]) {
#pragma unroll
    for (int i = 0; i < S.thread_m; ++i)
#pragma unroll
      for (int j = 0; j < S.thread_n; ++j) of[i][j] = fma(left[i], right[j], of[i][j]);
  }
};

/// Where a block's tile begins in C, of which the part blockIdx.z begins e.m rows behind the one before.
template <class T, form B, tiling S>
__device__ __forceinline__ T* tile_of_c(const block_task<T, B, S>& task, T* c, const extents& e) {
  const long long first = blockIdx.z * e.m + static_cast<long long>(task.tile_row) * S.m;
  return c + first * e.ldc + static_cast<long long>(task.tile_column) * S.n;
}

/// Writes a thread's sums where they exist in C. ReadsC: beta is not 0. IsWhole: all of the tile exists.
template <bool ReadsC, bool IsWhole, class T, form B, tiling S>
__device__ __forceinline__ void write_sums(const thread_sums<T, S>& sums, const block_task<T, B, S>& task, T* c,
                                           const extents& e, scale<T> by) {
  const thread_place<S> mine;
  T* const tile = tile_of_c(task, c, e);
#pragma unroll
  for (int i = 0; i < S.thread_m; ++i) {
    T* const to = tile + mine.row(i) * e.ldc;
#pragma unroll
    for (int j = 0; j < S.thread_n; ++j)
      if (IsWhole || (mine.row(i) < task.a.places && mine.column(j) < task.b.places))
        put_knowing<ReadsC>(to + mine.column(j), sums.of[i][j], by);
  }
}

/// Writes a thread's sums.
template <class T, form B, tiling S>
__device__ __forceinline__ void store_sums(const thread_sums<T, S>& sums, const block_task<T, B, S>& task, T* c,
                                           const extents& e, scale<T> by) {
  if (by.beta != T(0))
    write_sums<true, false>(sums, task, c, e, by);
  else if (task.is_whole())
    write_sums<false, true>(sums, task, c, e, by);
  else
    write_sums<false, false>(sums, task, c, e, by);
}

/// Reads a thread's elements of a row of a tile: vectors of Width, `Step` apart. `from` is the first.
template <int Width, int Step, class T, int Count>
__device__ __forceinline__ void read_row(T (&to)[Count], const T* from) {
#pragma unroll
  for (int i = 0; i < Count; i += Width) {
    const vec<T, Width> held = load_vector<Width>(from + i / Width * Step);
#pragma unroll
    for (int w = 0; w < Width; ++w) to[i + w] = held[w];
  }
}

/// What a thread multiplies at a term: its rows of A, its columns of B.
template <class T, tiling S>
struct thread_term {
  T left[S.thread_m];
  T right[S.thread_n];

  __device__ __forceinline__ void read(const T* tile_a, const T* tile_b, const thread_place<S>& mine, int term) {
    read_row<S.vector_width, thread_place<S>::step_m>(left, tile_a + term * pitch_a(S) + mine.row(0));
    read_row<S.vector_width, thread_place<S>::step_n>(right, tile_b + term * pitch_b(S) + mine.column(0));
  }
};

/// Adds the products of a tile whose first term `held[0]` has; a term is read before the one before it is used. Before
/// the last one is, `next` gets the first of what comes behind the tile: nobody here reads the tile any more.
template <class T, tiling S, class Next>
__device__ __forceinline__ void add_tile(thread_sums<T, S>& sums, thread_term<T, S> (&held)[2], const T* tile_a,
                                         const T* tile_b, const thread_place<S>& mine, Next next) {
  static_assert(S.k % 2 == 0, "held[0] has the first term of every tile");
#pragma unroll
  for (int term = 0; term < S.k; ++term) {
    if (term + 1 < S.k)
      held[(term + 1) % 2].read(tile_a, tile_b, mine, term + 1);
    else
      next(held[0]);
    sums.add(held[term % 2].left, held[term % 2].right);
  }
}

/// The same with little code, for steps of which there are few.
template <class T, tiling S>
__device__ __forceinline__ void add_tile_briefly(thread_sums<T, S>& sums, const T* tile_a, const T* tile_b,
                                                 const thread_place<S>& mine) {
#pragma unroll 1
  for (int term = 0; term < S.k; ++term) {
    thread_term<T, S> held;
    held.read(tile_a, tile_b, mine, term);
    sums.add(held.left, held.right);
  }
}

}  // namespace warpwright::matmul
