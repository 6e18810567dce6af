// Shared by the Kokkos ports: the execution space of a stream, views of our buffers, the version.
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>

#ifdef KOKKOS_ENABLE_CUDA
#include "kernels/runtime/baselines/cuda_check.hpp"
#endif

#include "kernels/model/callable.hpp"
#include "kernels/model/space.hpp"

namespace warpwright::baselines {

using KokkosSpace = Kokkos::DefaultExecutionSpace;
using KokkosMemory = KokkosSpace::memory_space;

/// A row-major array over memory that is not Kokkos'. `Data` is `const float**` and the like.
template <class Data>
using KokkosView = Kokkos::View<Data, Kokkos::LayoutRight, KokkosMemory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
/// The same for elements that are only read, in no order: on CUDA through the read-only cache.
template <class Data>
using KokkosGather = Kokkos::View<Data, Kokkos::LayoutRight, KokkosMemory,
                                  Kokkos::MemoryTraits<Kokkos::Unmanaged | Kokkos::RandomAccess>>;

/// Initialises Kokkos on the current device at the first call; it is never finalised, because worker processes simply
/// end.
inline KokkosSpace kokkos_space([[maybe_unused]] Stream stream) {
  [[maybe_unused]] static const bool is_initialised = [] {
#ifdef KOKKOS_ENABLE_CUDA
    int device = 0;
    check(cudaGetDevice(&device), "cudaGetDevice");
    Kokkos::initialize(Kokkos::InitializationSettings().set_device_id(device).set_disable_warnings(true));
#else
    Kokkos::initialize();
#endif
    return true;
  }();
#ifdef KOKKOS_ENABLE_CUDA
  return KokkosSpace(stream);
#else
  return KokkosSpace();
#endif
}

/// "4.6.2 (Cuda)"
inline std::string kokkos_version() {
  return std::to_string(KOKKOS_VERSION / 10000) + "." + std::to_string(KOKKOS_VERSION / 100 % 100) + "." +
         std::to_string(KOKKOS_VERSION % 100) + " (" + KokkosSpace::name() + ")";
}

/// 1 / sqrt(x): Kokkos::rsqrt where Kokkos has it.
template <class T>
KOKKOS_INLINE_FUNCTION T inverse_root(const T x) {
#if KOKKOS_VERSION >= 40600
  return Kokkos::rsqrt(x);
#else
  return T(1) / std::sqrt(x);
#endif
}

struct NoKnobs {};

/// A Kokkos port that uses that idiom. `port` has what the ports of a pattern share. `prepare` takes (request) or
/// (request, knobs). The default values of knobs are Kokkos' own defaults.
template <class Prepare, class Knobs = NoKnobs>
Callable kokkos_port(Callable port, std::string idiom, Prepare prepare, const SpaceOf<Knobs>& space = {}) {
  port.implementation = "kokkos";
  port.idiom = std::move(idiom);
  port.version = kokkos_version();
  port.knobs = space.space();
  port.default_knobs = space.point({});
  if constexpr (std::is_invocable_v<Prepare, const CallableRequest&>)
    port.prepare = prepare;
  else
    port.prepare = [space, prepare](const CallableRequest& request) {
      return prepare(request, space.params(request.knobs));
    };
  return port;
}

/// The constraints of ports whose knobs are the tile of an MDRangePolicy (tile_first and tile_second; 0: Kokkos'
/// default).
template <class Knobs>
void require_launchable_tiles(SpaceOf<Knobs>& space) {
  space.require("both tile sizes or none", [](const Knobs& k) { return (k.tile_first == 0) == (k.tile_second == 0); })
      .require("a tile of 64 to 1024 threads", [](const Knobs& k) {
        const int threads = k.tile_first * k.tile_second;
        return threads == 0 || (threads >= 64 && threads <= 1024);
      });
}

/// A policy with that team size, or Kokkos::AUTO for 0, and `scratch` bytes of team scratch memory. Throws
/// CallableRefusal for more threads than `body` can have, or more memory than there is: Kokkos itself would end the
/// process.
template <class Body, class Tag>
Kokkos::TeamPolicy<KokkosSpace> team_policy(const KokkosSpace& space, int league, int team_size, int vector_length,
                                            std::size_t scratch_bytes, const Body& body, Tag tag) {
  using Policy = Kokkos::TeamPolicy<KokkosSpace>;
  if (scratch_bytes > static_cast<std::size_t>(Policy::scratch_size_max(0)))
    throw CallableRefusal("needs " + std::to_string(scratch_bytes) + " bytes of scratch memory");
  const auto scratch = static_cast<int>(scratch_bytes);
  Policy automatic(space, league, Kokkos::AUTO, vector_length);
  automatic.set_scratch_size(0, Kokkos::PerTeam(scratch));
  if (team_size == 0) return automatic;
  const int most = automatic.team_size_max(body, tag);
  if (team_size > most)
    throw CallableRefusal("teams of " + std::to_string(team_size) + ": at most " + std::to_string(most));
  Policy policy(space, league, team_size, vector_length);
  policy.set_scratch_size(0, Kokkos::PerTeam(scratch));
  return policy;
}

/// A policy with teams of `threads`, a power of two, or of the largest smaller power of two that `body` can have.
template <class Body, class Tag>
Kokkos::TeamPolicy<KokkosSpace> team_policy_of(const KokkosSpace& space, int league, int threads,
                                               std::size_t scratch_bytes, const Body& body, Tag tag) {
  const int most = team_policy(space, league, 0, 1, scratch_bytes, body, tag).team_size_max(body, tag);
  while (threads > std::max(most, 1)) threads /= 2;
  return team_policy(space, league, threads, 1, scratch_bytes, body, tag);
}

/// Whether threads run in parallel; otherwise one thread adds up everything in order.
inline constexpr bool kKokkosIsParallel =
#ifdef KOKKOS_ENABLE_CUDA
    true;
#else
    false;
#endif

}  // namespace warpwright::baselines
