// scan/stream: a persistent grid, one block on each SM, that keeps a ring of tiles in shared memory full by bulk
// copies. A tile is combined as soon as it is there, and scanned and stored some rounds later, when what lies before it
// is known: nobody waits for memory, or for a chain of other blocks. From sm_90.
//
// Block b has the tiles b, b + gridDim.x, ... in rounds 0, 1, ... What lies before a tile is what lay before the
// block's tile of the round before, that tile, and the tiles of other blocks since: of these the totals are read, and
// nothing that hangs on yet other tiles. The order of combination is that of the tiles, fixed for a size of the grid.
//
// Warps have roles. One thread loads; compute warps combine the tile of a round, then scan and store that of `delay`
// rounds before; one warp publishes the totals of tiles; look-back warps take turns with the rounds. Per stage of the
// ring there are four barriers: full (loaded), summed (combined), known (what lies before it), empty (used).
#pragma once

#include "kernels/scan/descriptors.cuh"
#include "kernels/scan/warp_part.cuh"

namespace warpwright::scan {

struct stream_params {
  int compute_warps = 8;
  int look_back_warps = 2;
  int coarsening = 8;    ///< elements of a tile per compute thread
  int vector_width = 4;  ///< elements per access
  int stages = 6;        ///< tiles in the ring
  int delay = 4;         ///< rounds between a tile's combination and its scan
  scan::restore restore = scan::restore::last_block;
  bool operator==(const stream_params&) const = default;
};

/// Threads of a block: the compute warps, the look-back warps, one that loads and one that publishes.
__host__ __device__ constexpr int stream_threads(const stream_params& p) {
  return (p.compute_warps + p.look_back_warps + 2) * 32;
}

/// Elements of a tile.
__host__ __device__ constexpr int stream_tile(const stream_params& p) {
  return p.compute_warps * 32 * p.coarsening;
}

namespace detail {

/// What the warps of a block tell each other about the tiles in the ring.
template <class T, stream_params P>
struct stream_board {
  phase_barrier full[P.stages];
  phase_barrier summed[P.stages];
  phase_barrier known[P.stages];
  phase_barrier empty[P.stages];
  T of_warp[P.stages][P.compute_warps];  ///< the combination of each compute warp's part
  T before[P.stages];                    ///< what lies before the tile
  T up_to[P.stages];                     ///< and with it
};

/// Where a round is: its stage of the ring, and the parity of its phase there.
template <stream_params P>
struct stream_round {
  int stage;
  unsigned parity;
  __device__ __forceinline__ explicit stream_round(long long round)
      : stage(static_cast<int>(round % P.stages)), parity(static_cast<unsigned>(round / P.stages) & 1) {}
};

/// What the calling block does of a scan of in[0..n), by one of its warps.
template <class T, class Op, kind Kind, stream_params P>
class stream_block {
  using board = stream_board<T, P>;
  using round_place = stream_round<P>;
  using part = warp_part<T, Op, P.coarsening, P.vector_width>;
  using descriptor = block::full_descriptor<T>;
  static constexpr int kTile = stream_tile(P);

 public:
  __device__ __forceinline__ stream_block(board& shared, T* ring, const T* in, T* out, unsigned long long* descriptors,
                                          long long n)
      : shared_(shared), ring_(ring), in_(in), out_(out), descriptors_(descriptors), n_(n) {
    const long long tiles = (n + kTile - 1) / kTile;
    rounds_ = (tiles - blockIdx.x + gridDim.x - 1) / gridDim.x;
  }

  /// By one thread: fills the ring. A tile that is not whole is not copied: compute warps read it where it is.
  __device__ __forceinline__ void fill_ring() {
    for (long long round = 0; round < rounds_; ++round) {
      const round_place at(round);
      const long long first = tile_of_round(round) * kTile;
      phase_wait(&shared_.empty[at.stage], at.parity ^ 1);
      if (first + kTile <= n_) {
        constexpr unsigned kBytes = kTile * sizeof(T);
        phase_arrive_expect(&shared_.full[at.stage], kBytes);
        bulk_copy(ring_ + at.stage * kTile, in_ + first, kBytes, &shared_.full[at.stage]);
      } else {
        phase_arrive(&shared_.full[at.stage]);
      }
    }
  }

  /// By every compute warp.
  __device__ __forceinline__ void compute(int warp) {
    for (long long round = 0; round < rounds_ + P.delay; ++round) {
      if (round < rounds_) sum_part(round, warp);
      if (round >= P.delay) scan_part(round - P.delay, warp);
    }
  }

  /// By one warp: says what every tile of the block makes, as soon as that is known.
  __device__ __forceinline__ void announce() {
    for (long long round = 0; round < rounds_; ++round) {
      const T total = total_of(round);
      if (is_first_lane()) descriptor::publish(descriptors_, tile_of_round(round), block::tile_state::aggregate, total);
      __syncwarp();
      if (is_first_lane()) phase_arrive(&shared_.empty[round_place(round).stage]);
    }
  }

  /// By every look-back warp: for its rounds, what lies before the tile.
  __device__ __forceinline__ void find_before(int warp) {
    for (long long round = warp; round < rounds_; round += P.look_back_warps) {
      const round_place at(round);
      const long long tile = tile_of_round(round);
      T before = since_own_tile_before(tile);
      if (round > 0) {
        const round_place earlier(round - 1);
        phase_wait(&shared_.known[earlier.stage], earlier.parity);
        before = Op::combine(shared_.up_to[earlier.stage], before);
      }
      const T total = total_of(round);
      __syncwarp();
      if (is_first_lane()) {
        shared_.before[at.stage] = before;
        shared_.up_to[at.stage] = Op::combine(before, total);
        phase_arrive(&shared_.known[at.stage]);
      }
    }
  }

 private:
  static __device__ __forceinline__ bool is_first_lane() { return threadIdx.x % 32 == 0; }

  __device__ __forceinline__ long long tile_of_round(long long round) const { return blockIdx.x + round * gridDim.x; }

  /// Reads a compute warp's part of a tile that is in the ring.
  __device__ __forceinline__ void load_part(part& mine, long long round, int warp) const {
    const long long first = tile_of_round(round) * kTile;
    if (first + kTile <= n_)
      mine.load(ring_ + round_place(round).stage * kTile + warp * part::size, part::size);
    else
      mine.load(in_ + first + warp * part::size, n_ - first - warp * part::size);
  }

  __device__ __forceinline__ void sum_part(long long round, int warp) {
    const round_place at(round);
    phase_wait(&shared_.full[at.stage], at.parity);
    part mine;
    load_part(mine, round, warp);
    const T value = mine.reduce();
    if (is_first_lane()) {
      shared_.of_warp[at.stage][warp] = value;
      phase_arrive(&shared_.summed[at.stage]);
    }
  }

  __device__ __forceinline__ void scan_part(long long round, int warp) {
    const round_place at(round);
    part mine;
    load_part(mine, round, warp);
    mine.scan();
    phase_wait(&shared_.known[at.stage], at.parity);
    const T before = Op::combine(shared_.before[at.stage], combined_parts(at.stage, warp));
    __syncwarp();
    if (is_first_lane()) phase_arrive(&shared_.empty[at.stage]);
    const long long first = tile_of_round(round) * kTile + warp * part::size;
    mine.template store<Kind>(out_ + first, n_ - first, before);
  }

  /// The combination of the first `warps` compute warps' parts, for every lane.
  __device__ __forceinline__ T combined_parts(int stage, int warps) const {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const T value = lane < warps ? shared_.of_warp[stage][lane] : Op::template identity<T>();
    return __shfl_sync(0xffffffffU, block::reduce_warp<Op>(value), 0);
  }

  /// Waits for the combination of a round's tile, for every lane.
  __device__ __forceinline__ T total_of(long long round) const {
    const round_place at(round);
    phase_wait(&shared_.summed[at.stage], at.parity);
    return combined_parts(at.stage, P.compute_warps);
  }

  /// The combination of the tiles that other blocks have since the block's own tile before this one, for lane 0.
  __device__ __forceinline__ T since_own_tile_before(long long tile) const {
    const long long own = tile - gridDim.x;
    T value = Op::template identity<T>();
    for (long long at = (own < 0 ? 0 : own + 1) + threadIdx.x % 32; at < tile; at += 32)
      value = Op::combine(value, block::detail::known<descriptor>(descriptors_, at).value);
    return block::reduce_warp<Op>(value);
  }

  board& shared_;
  T* ring_;
  const T* in_;
  T* out_;
  unsigned long long* descriptors_;
  long long n_;
  long long rounds_;
};

}  // namespace detail

/// Scans in[0..n) into out[0..n). Cooperative launch of blocks of stream_threads(P), no more than there are tiles;
/// dynamic shared memory for `stages` tiles of stream_tile(P) elements. Descriptors and *departed are as those of
/// decoupled_lookback. `in` and `out` are aligned to 16 bytes.
template <class T, class Op, kind Kind, stream_params P>
__global__ void __launch_bounds__(stream_threads(P), 1)
    stream(const T* __restrict__ in, T* __restrict__ out, unsigned long long* descriptors, unsigned* departed,
           long long n) {
  static_assert(P.delay + 2 <= P.stages, "a tile is used for `delay` rounds, and two more are under way");
  __shared__ detail::stream_board<T, P> shared;
  require_cooperative_launch();
  if (threadIdx.x == 0) {
    for (int stage = 0; stage != P.stages; ++stage) {
      phase_init(&shared.full[stage], 1);
      phase_init(&shared.summed[stage], P.compute_warps);
      phase_init(&shared.known[stage], 1);
      phase_init(&shared.empty[stage], P.compute_warps + 1);
    }
    fence_async();
  }
  __syncthreads();

  detail::stream_block<T, Op, Kind, P> mine(shared, detail::dynamic_shared<T>(), in, out, descriptors, n);
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int helper = warp - P.compute_warps;
  if (helper < 0) {
    mine.compute(warp);
  } else if (helper < P.look_back_warps) {
    mine.find_before(helper);
  } else if (helper == P.look_back_warps) {
    mine.announce();
  } else if (threadIdx.x % 32 == 0) {
    mine.fill_ring();
  }
  if constexpr (P.restore == restore::last_block) {
    __syncthreads();
    if (warp == 0) {
      const unsigned departed_before = block::depart(departed);
      const long long words = (n + stream_tile(P) - 1) / stream_tile(P) * block::full_descriptor<T>::words;
      block::zero_behind_last(departed_before, descriptors, words);
    }
  }
}

}  // namespace warpwright::scan
