// Scans of a section that lies in shared memory, by all threads of a block: the classic algorithms. The operator is
// associative and need not commute.
//
// Each is a struct of static members: `slot(i)` is where element i lies, `elements` how long the array is with all that
// the algorithm needs, and `scan<Op>(held)` does it. Before, element i is in held[slot(i)], stored by whatever thread;
// afterwards results[slot(i)] is the scan, inclusive or exclusive as `is_exclusive` says, for all threads to read. scan
// gives `results`, and total(results) is the combination of all. Size and Threads are powers of two, Size is a multiple
// of Threads; blocks have one dimension. The functions named ..._cost say on the host too what each of them takes.
#pragma once

#include "kernels/block/reduce.cuh"
#include "kernels/runtime/device.cuh"

namespace warpwright::block {

/// How a level keeps what it reads apart from what it writes.
enum class buffering {
  temporary,     ///< in registers, between two barriers
  double_buffer  ///< levels go back and forth between two arrays, with one barrier each
};

/// Which threads work at the nodes of a tree's level.
enum class mapping {
  modulo,     ///< those whose element the node is: warps diverge
  contiguous  ///< the first ones
};

/// What a section takes.
struct section_cost {
  int elements;  ///< of shared memory
  int depth;     ///< combinations between an element and a result, at most
};

namespace detail {

/// How many levels a tree over so many elements has.
__host__ __device__ constexpr int levels_over(int size) {
  int levels = 0;
  while (1 << levels < size) ++levels;
  return levels;
}

/// Calls use(i) for the last element i of every node of 2 * stride elements that the calling thread looks after.
template <int Size, int Threads, mapping Mapping, class Use>
__device__ __forceinline__ void for_each_node(int stride, Use use) {
  const int thread = static_cast<int>(threadIdx.x);
  if constexpr (Mapping == mapping::modulo) {
    for (int i = thread; i < Size; i += Threads)
      if ((i + 1) % (2 * stride) == 0) use(i);
  } else {
    for (int node = thread; node < Size / (2 * stride); node += Threads) use((node + 1) * 2 * stride - 1);
  }
}

/// The last element of every node becomes the combination of the node's elements, level by level.
template <class Op, class Section, class T>
__device__ __forceinline__ void up_sweep(T* held) {
#pragma unroll
  for (int stride = 1; stride != Section::size; stride *= 2) {
    __syncthreads();
    Section::for_each_node(stride, [&](int i) {
      held[Section::slot(i)] = Op::combine(held[Section::slot(i - stride)], held[Section::slot(i)]);
    });
  }
}

}  // namespace detail

__host__ __device__ constexpr section_cost kogge_stone_cost(int size, buffering b) {
  return {b == buffering::double_buffer ? 2 * size : size, detail::levels_over(size)};
}

/// Every element is combined with the one 1, 2, 4, ... before it. Size log2(Size) - (Size - 1) combinations.
/// Sources: W. Hillis, G. Steele, Communications of the ACM 29 (1986); P. Kogge, H. Stone, IEEE Transactions on
/// Computers C-22 (1973).
template <int Size, int Threads, buffering Buffering>
struct kogge_stone {
  static constexpr int size = Size;
  static constexpr bool is_exclusive = false;
  static constexpr int elements = kogge_stone_cost(Size, Buffering).elements;

  static __host__ __device__ constexpr int slot(int i) { return i; }

  template <class Op, class T>
  static __device__ __forceinline__ T* scan(T* held) {
    if constexpr (Buffering == buffering::double_buffer)
      return scan_back_and_forth<Op>(held, held + Size);
    else
      return scan_in_place<Op>(held);
  }

  template <class T>
  static __device__ __forceinline__ T total(const T* results) {
    return results[Size - 1];
  }

 private:
  /// Element i one level on.
  template <class Op, class T>
  static __device__ __forceinline__ T next(const T* held, int i, int distance) {
    return i >= distance ? Op::combine(held[i - distance], held[i]) : held[i];
  }

  template <class Op, class T>
  static __device__ __forceinline__ T* scan_in_place(T* held) {
    constexpr int kOwn = Size / Threads;
    const int thread = static_cast<int>(threadIdx.x);
#pragma unroll
    for (int distance = 1; distance != Size; distance *= 2) {
      T own[kOwn];
      __syncthreads();
#pragma unroll
      for (int k = 0; k != kOwn; ++k) own[k] = next<Op>(held, thread + k * Threads, distance);
      __syncthreads();
#pragma unroll
      for (int k = 0; k != kOwn; ++k) held[thread + k * Threads] = own[k];
    }
    __syncthreads();
    return held;
  }

  template <class Op, class T>
  static __device__ __forceinline__ T* scan_back_and_forth(T* from, T* to) {
    const int thread = static_cast<int>(threadIdx.x);
#pragma unroll
    for (int distance = 1; distance != Size; distance *= 2) {
      __syncthreads();
#pragma unroll
      for (int i = thread; i < Size; i += Threads) to[i] = next<Op>(from, i, distance);
      T* const filled = to;
      to = from;
      from = filled;
    }
    __syncthreads();
    return from;
  }
};

__host__ __device__ constexpr section_cost brent_kung_cost(int size, int pad) {
  return {size + size / 32 * pad, 2 * detail::levels_over(size)};
}

/// Up a tree, and down again to the elements that are no node's last. 2 Size - 2 - log2(Size) combinations. Pad
/// elements are added after every 32. Source: R. Brent, H. Kung, IEEE Transactions on Computers C-31 (1982).
template <int Size, int Threads, mapping Mapping, int Pad>
struct brent_kung {
  static constexpr int size = Size;
  static constexpr bool is_exclusive = false;
  static constexpr int elements = brent_kung_cost(Size, Pad).elements;

  static __host__ __device__ constexpr int slot(int i) { return padded<Pad>(i); }

  template <class Use>
  static __device__ __forceinline__ void for_each_node(int stride, Use use) {
    detail::for_each_node<Size, Threads, Mapping>(stride, use);
  }

  template <class Op, class T>
  static __device__ __forceinline__ T* scan(T* held) {
    detail::up_sweep<Op, brent_kung>(held);
#pragma unroll
    for (int stride = Size / 4; stride != 0; stride /= 2) {
      __syncthreads();
      for_each_node(stride, [&](int i) {
        if (i + stride < Size) held[slot(i + stride)] = Op::combine(held[slot(i)], held[slot(i + stride)]);
      });
    }
    __syncthreads();
    return held;
  }

  template <class T>
  static __device__ __forceinline__ T total(const T* results) {
    return results[slot(Size - 1)];
  }
};

/// One element more holds the total, which the way down overwrites.
__host__ __device__ constexpr section_cost blelloch_cost(int size, int pad, int every) {
  return {size + size / every * pad + 1, 2 * detail::levels_over(size)};
}

/// Up a tree, then down it with what lies before each node. 2 (Size - 1) combinations. Pad elements are added after
/// every Every. Source: G. Blelloch, IEEE Transactions on Computers 38 (1989).
template <int Size, int Threads, int Pad, int Every>
struct blelloch {
  static constexpr int size = Size;
  static constexpr bool is_exclusive = true;
  static constexpr int elements = blelloch_cost(Size, Pad, Every).elements;

  static __host__ __device__ constexpr int slot(int i) { return padded<Pad, Every>(i); }

  template <class Use>
  static __device__ __forceinline__ void for_each_node(int stride, Use use) {
    detail::for_each_node<Size, Threads, mapping::contiguous>(stride, use);
  }

  template <class Op, class T>
  static __device__ __forceinline__ T* scan(T* held) {
    detail::up_sweep<Op, blelloch>(held);
    __syncthreads();
    if (threadIdx.x == 0) {
      held[elements - 1] = held[slot(Size - 1)];
      held[slot(Size - 1)] = Op::template identity<T>();
    }
#pragma unroll
    for (int stride = Size / 2; stride != 0; stride /= 2) {
      __syncthreads();
      for_each_node(stride, [&](int i) {
        const T first_half = held[slot(i - stride)];
        const T before = held[slot(i)];
        held[slot(i - stride)] = before;
        held[slot(i)] = Op::combine(before, first_half);
      });
    }
    __syncthreads();
    return held;
  }

  template <class T>
  static __device__ __forceinline__ T total(const T* results) {
    return results[elements - 1];
  }
};

__host__ __device__ constexpr section_cost coarsened_cost(int size, int threads, int pad) {
  const section_cost totals = kogge_stone_cost(threads, buffering::double_buffer);
  return {size + size / 32 * pad + totals.elements, size / threads + totals.depth};
}

/// Three phases: every thread scans neighbouring elements, all scan the threads' totals, every thread adds what lies
/// before its own. With T threads 2 (Size - T) combinations and those of the totals. Pad elements are added after every
/// 32.
template <int Size, int Threads, int Pad>
struct coarsened {
  static constexpr int size = Size;
  static constexpr bool is_exclusive = false;
  static constexpr int elements = coarsened_cost(Size, Threads, Pad).elements;
  using totals_scan = kogge_stone<Threads, Threads, buffering::double_buffer>;

  static __host__ __device__ constexpr int slot(int i) { return padded<Pad>(i); }

  template <class Op, class T>
  static __device__ __forceinline__ T* scan(T* held) {
    constexpr int kOwn = Size / Threads;
    const int thread = static_cast<int>(threadIdx.x);
    const int first = thread * kOwn;
    T* const totals = held + (elements - totals_scan::elements);

    __syncthreads();
    T value = held[slot(first)];
#pragma unroll
    for (int k = 1; k != kOwn; ++k) {
      value = Op::combine(value, held[slot(first + k)]);
      held[slot(first + k)] = value;
    }
    totals[thread] = value;
    const T* const up_to = totals_scan::template scan<Op>(totals);
    if (thread > 0) {
      const T before = up_to[thread - 1];
#pragma unroll
      for (int k = 0; k != kOwn - 1; ++k) held[slot(first + k)] = Op::combine(before, held[slot(first + k)]);
      held[slot(first + kOwn - 1)] = up_to[thread];
    }
    __syncthreads();
    return held;
  }

  template <class T>
  static __device__ __forceinline__ T total(const T* results) {
    return results[slot(Size - 1)];
  }
};

}  // namespace warpwright::block
