// Asynchronous copies of any number of bytes, in the same pieces as on a GPU. Other headers of this folder use
// them.
#pragma once

#include "kernels/runtime/cpu_model/interface.cuh"

namespace warpwright::simulator {

/// A thread's share of a copy, and what waits for it: a barrier in shared memory, or the thread itself (null).
struct CopyShare {
  unsigned long long rank, size;
  void* barrier;
  const void* site;
};

/// Starts one thread's share of a copy, in pieces of 16, 8 or 4 bytes, as addresses and size allow. If they are
/// not multiples of 4, or the copy does not go from global to shared memory, the bytes are copied at once, as on a
/// GPU.
WARPWRIGHT_UNSEEN inline void start_copies(void* to, const void* from, unsigned long long bytes,
                                           const CopyShare& share) {
  const auto places = reinterpret_cast<unsigned long long>(to) | reinterpret_cast<unsigned long long>(from) | bytes;
  const unsigned piece = places % 16 == 0 ? 16 : places % 8 == 0 ? 8 : 4;
  const bool is_async =
      places % 4 == 0 && runtime->space_of(to) == Space::shared && runtime->space_of(from) != Space::shared;
  const unsigned step = is_async ? piece : 1;
  for (unsigned long long at = share.rank * step; at < bytes; at += share.size * step) {
    char* const target = static_cast<char*>(to) + at;
    const char* const source = static_cast<const char*>(from) + at;
    if (!is_async) {
      runtime->copy(target, source, step, share.site);
    } else if (share.barrier == nullptr) {
      runtime->async_copy(target, source, piece, share.site);
    } else {
      runtime->barrier_copy(target, source, piece, share.barrier, share.site);
    }
  }
}

}  // namespace warpwright::simulator
