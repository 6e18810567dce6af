// A ring of stages: a persistent grid with one block per SM loads tiles of an array into shared memory by bulk copies.
// A tile is combined as soon as it arrives, and finished some rounds later, when its prefix is known. So no warp waits
// for memory or for a chain of other blocks. From sm_90.
//
// Block b has the tiles b, b + gridDim.x, ... in rounds 0, 1, ... The prefix of a tile combines the prefix of the
// block's previous tile, that tile itself, and the tiles of other blocks in between. Only the totals of the latter are
// read, which depend on no other tiles. The operator must be commutative; the order of combination is fixed for a given
// grid size.
//
// Warps have roles. One thread loads; compute warps combine the tile of a round, then finish the tile of `delay` rounds
// before; one warp publishes the totals of tiles; look-back warps take rounds in turn. Each stage of the ring has four
// barriers: full (loaded), summed (combined), known (prefix known), empty (used).
#pragma once

#include "kernels/block/long_descriptor.cuh"
#include "kernels/block/reduce.cuh"
#include "kernels/block/scan.cuh"

namespace warpwright::block {

/// How the warps of a block share its work, and what the ring holds.
struct ring_shape {
  int compute_warps;
  int look_back_warps;
  int stages;  ///< tiles in the ring
  int delay;   ///< rounds between the combination of a tile and its output
};

/// The shape that params ask for.
template <class P>
__host__ __device__ constexpr ring_shape ring_of(const P& p) {
  return {p.compute_warps, p.look_back_warps, p.stages, p.delay};
}

/// Threads of a block: the compute warps, the look-back warps, one that loads and one that publishes.
__host__ __device__ constexpr int ring_threads(const ring_shape& shape) {
  return (shape.compute_warps + shape.look_back_warps + 2) * 32;
}

/// The work of the calling block on in[0..n). Part is a warp's part of a tile; each lane has an object of it. `element`
/// and `total` are types, `size` is its length; load(from, left) reads it, of which the first `left` elements exist;
/// reduce() returns the total in lane 0; scan() prepares it for output. Prefix holds the combination of all totals;
/// total holds that of as many tiles as there are blocks. A tile has one part for each compute warp. Packs: pack(to)
/// writes the kept elements of the part, whose number is its total, over the input in the ring; then nothing is loaded
/// a second time, and scan() is not needed.
template <class Part, class Op, class Prefix, ring_shape S, bool Packs = false>
class ring {
  static_assert(S.delay + 2 <= S.stages, "a tile is used for `delay` rounds, and two more are under way");
  using element = typename Part::element;
  using total = typename Part::total;
  using descriptor = full_descriptor<total>;
  /// Descriptors that a look-back lane reads together: those of a whole round on a device of 256 SMs.
  static constexpr int kTogether = 8;

 public:
  /// Elements of a tile.
  static constexpr int tile = S.compute_warps * Part::size;

  /// Messages between the warps of a block about the tiles in the ring, in shared memory.
  struct shared_storage {
    phase_barrier full[S.stages];
    phase_barrier summed[S.stages];
    phase_barrier known[S.stages];
    phase_barrier empty[S.stages];
    total of_warp[S.stages][S.compute_warps];  ///< the combination of each compute warp's part
    Prefix before[S.stages][S.compute_warps];  ///< the prefix of each of these parts
    Prefix up_to[S.stages];                    ///< the prefix of the tile, and the prefix including the tile
  };

  /// To be called by all threads of a cooperative launch, with no more blocks than tiles. `stages` is dynamic shared
  /// memory for S.stages tiles, aligned to 16 bytes like `in`. Every tile has a descriptor, all zero.
  __device__ __forceinline__ ring(shared_storage& shared, element* stages, const element* in,
                                  unsigned long long* descriptors, long long n)
      : shared_(shared), stages_(stages), in_(in), descriptors_(descriptors), n_(n) {
    require_cooperative_launch();
    if (threadIdx.x == 0) {
      for (int stage = 0; stage != S.stages; ++stage) {
        phase_init(&shared.full[stage], 1);
        phase_init(&shared.summed[stage], S.compute_warps);
        phase_init(&shared.known[stage], 1);
        phase_init(&shared.empty[stage], S.compute_warps + 1);
      }
      fence_async();
    }
    __syncthreads();
    rounds_ = static_cast<int>((tiles() - blockIdx.x + gridDim.x - 1) / gridDim.x);
  }

  /// Does all the work; called by all threads. Whole compute warps call end(part, first, before) for each part that is
  /// ready: it begins at in[first], which may be past the end, and `before` is its prefix. With Packs they call
  /// end(packed, total, first, before): `packed` is in shared memory, written by pack.
  template <class End>
  __device__ __forceinline__ void run(End end) {
    const int warp = static_cast<int>(threadIdx.x) / 32;
    const int helper = warp - S.compute_warps;
    if (helper < 0) {
      compute(warp, end);
    } else if (helper < S.look_back_warps) {
      find_before(helper);
    } else if (helper == S.look_back_warps) {
      announce();
    } else if (threadIdx.x % 32 == 0) {
      fill();
    }
  }

  /// Called by all threads after run: the last block of the grid sets all descriptors to zero. *departed is 0 before
  /// and after the launch.
  __device__ __forceinline__ void restore(unsigned* departed) {
    __syncthreads();
    if (threadIdx.x / 32 == 0) zero_behind_last(depart(departed), descriptors_, tiles() * descriptor::words);
  }

 private:
  /// The stage of a round in the ring, and the parity of its phase there.
  struct place {
    int stage;
    unsigned parity;
    __device__ __forceinline__ explicit place(int round)
        : stage(round % S.stages), parity(static_cast<unsigned>(round / S.stages) & 1) {}
  };

  /// By one thread: fills the ring. An incomplete tile is not copied; compute warps read it from global memory.
  __device__ __forceinline__ void fill() {
    for (int round = 0; round < rounds_; ++round) {
      const place at(round);
      const long long first = tile_of_round(round) * tile;
      phase_wait(&shared_.empty[at.stage], at.parity ^ 1);
      if (first + tile <= n_) {
        constexpr unsigned kBytes = tile * sizeof(element);
        phase_arrive_expect(&shared_.full[at.stage], kBytes);
        bulk_copy(stages_ + at.stage * tile, in_ + first, kBytes, &shared_.full[at.stage]);
      } else {
        phase_arrive(&shared_.full[at.stage]);
      }
    }
  }

  /// By every compute warp.
  template <class End>
  __device__ __forceinline__ void compute(int warp, End end) {
    for (int round = 0; round < rounds_ + S.delay; ++round) {
      if (round < rounds_) sum_part(round, warp);
      if (round >= S.delay) end_part(round - S.delay, warp, end);
    }
  }

  /// By one warp: publishes the total of every tile of the block, as soon as it is known.
  __device__ __forceinline__ void announce() {
    for (int round = 0; round < rounds_; ++round) {
      const total of_tile = __shfl_sync(0xffffffffU, up_to_parts(round), 31);
      if (is_first_lane()) descriptor::publish(descriptors_, tile_of_round(round), tile_state::aggregate, of_tile);
      __syncwarp();
      if (is_first_lane()) phase_arrive(&shared_.empty[place(round).stage]);
    }
  }

  /// By every look-back warp: finds the prefixes of the tiles of its rounds.
  __device__ __forceinline__ void find_before(int warp) {
    for (int round = warp; round < rounds_; round += S.look_back_warps) {
      const place at(round);
      auto before = static_cast<Prefix>(since_own_tile_before(tile_of_round(round)));
      if (round > 0) {
        const place earlier(round - 1);
        phase_wait(&shared_.known[earlier.stage], earlier.parity);
        before = Op::combine(shared_.up_to[earlier.stage], before);
      }
      before = __shfl_sync(0xffffffffU, before, 0);
      const auto of_parts = static_cast<Prefix>(up_to_parts(round));
      const Prefix up_to_part = Op::combine(before, of_parts);
      const Prefix before_part = __shfl_up_sync(0xffffffffU, up_to_part, 1);
      const int lane = static_cast<int>(threadIdx.x) % 32;
      if (lane < S.compute_warps) shared_.before[at.stage][lane] = lane == 0 ? before : before_part;
      if (lane == 31) shared_.up_to[at.stage] = up_to_part;
      __syncwarp();
      if (is_first_lane()) phase_arrive(&shared_.known[at.stage]);
    }
  }

  static __device__ __forceinline__ bool is_first_lane() { return threadIdx.x % 32 == 0; }

  __device__ __forceinline__ long long tiles() const { return (n_ + tile - 1) / tile; }
  __device__ __forceinline__ long long tile_of_round(int round) const {
    return blockIdx.x + static_cast<long long>(round) * gridDim.x;
  }

  /// The address of a compute warp's part of a tile in the ring.
  __device__ __forceinline__ element* stage_of_part(int round, int warp) const {
    return stages_ + place(round).stage * tile + warp * Part::size;
  }

  /// Reads a compute warp's part of a tile that is in the ring.
  __device__ __forceinline__ void load_part(Part& mine, int round, int warp) const {
    const long long first = tile_of_round(round) * tile;
    if (first + tile <= n_)
      mine.load(stage_of_part(round, warp), Part::size);
    else
      mine.load(in_ + first + warp * Part::size, n_ - first - warp * Part::size);
  }

  __device__ __forceinline__ void sum_part(int round, int warp) {
    const place at(round);
    phase_wait(&shared_.full[at.stage], at.parity);
    Part mine;
    load_part(mine, round, warp);
    const total value = mine.reduce();
    if (is_first_lane()) {
      shared_.of_warp[at.stage][warp] = value;
      phase_arrive(&shared_.summed[at.stage]);
    }
    if constexpr (Packs) {
      __syncwarp();
      mine.pack(stage_of_part(round, warp));
      __syncwarp();
    }
  }

  template <class End>
  __device__ __forceinline__ void end_part(int round, int warp, End end) {
    const place at(round);
    const long long first = tile_of_round(round) * tile + warp * Part::size;
    if constexpr (Packs) {
      const Prefix before = before_part(at, warp);
      end(stage_of_part(round, warp), shared_.of_warp[at.stage][warp], first, before);
      fence_async();
      __syncwarp();
      if (is_first_lane()) phase_arrive(&shared_.empty[at.stage]);
    } else {
      Part mine;
      load_part(mine, round, warp);
      mine.scan();
      const Prefix before = before_part(at, warp);
      __syncwarp();
      if (is_first_lane()) phase_arrive(&shared_.empty[at.stage]);
      end(mine, first, before);
    }
  }

  /// Waits for the prefix of a compute warp's part of a tile; every lane gets it.
  __device__ __forceinline__ Prefix before_part(const place& at, int warp) const {
    phase_wait(&shared_.known[at.stage], at.parity);
    return shared_.before[at.stage][warp];
  }

  /// Waits for the parts of a round's tile. Each lane gets the combination of the parts up to its own number; lanes
  /// beyond the last part get that of all.
  __device__ __forceinline__ total up_to_parts(int round) const {
    const place at(round);
    phase_wait(&shared_.summed[at.stage], at.parity);
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const total own = lane < S.compute_warps ? shared_.of_warp[at.stage][lane] : Op::template identity<total>();
    return inclusive_scan_warp<Op>(own);
  }

  /// The combination of other blocks' tiles between the block's previous tile and this one, for lane 0.
  __device__ __forceinline__ total since_own_tile_before(long long of) const {
    const long long own = of - gridDim.x;
    total value = Op::template identity<total>();
    for (long long at = (own < 0 ? 0 : own + 1) + threadIdx.x % 32; at < of; at += 32 * kTogether) {
      tile_descriptor<total> seen[kTogether];
#pragma unroll
      for (int i = 0; i != kTogether; ++i)
        seen[i] = at + 32 * i < of ? descriptor::read(descriptors_, at + 32 * i)
                                   : tile_descriptor<total>{tile_state::aggregate, Op::template identity<total>()};
#pragma unroll
      for (int i = 0; i != kTogether; ++i) {
        if (seen[i].state == tile_state::unknown) seen[i] = detail::known<descriptor>(descriptors_, at + 32 * i);
        value = Op::combine(value, seen[i].value);
      }
    }
    return reduce_warp<Op>(value);
  }

  shared_storage& shared_;
  element* stages_;
  const element* in_;
  unsigned long long* descriptors_;
  long long n_;
  int rounds_;
};

}  // namespace warpwright::block
