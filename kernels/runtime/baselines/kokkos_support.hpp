// Shared by the Kokkos ports: the execution space of a stream, views of our buffers, the version.
#pragma once

#include <Kokkos_Core.hpp>
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
/// default) and, if they have it, LaunchBounds (max_threads; 0: none).
template <class Knobs>
void require_launchable_tiles(SpaceOf<Knobs>& space) {
  space.require("both tile sizes or none", [](const Knobs& k) { return (k.tile_first == 0) == (k.tile_second == 0); })
      .require("a tile of 64 to 1024 threads within the launch bounds", [](const Knobs& k) {
        int most = 1024;
        if constexpr (requires { k.max_threads; })
          if (k.max_threads > 0) most = k.max_threads;
        const int threads = k.tile_first * k.tile_second;
        return threads == 0 || (threads >= 64 && threads <= most);
      });
}

/// A policy with that team size, or Kokkos::AUTO for 0, and `scratch` bytes of team scratch memory. Throws
/// CallableRefusal for more threads than `body` can have: Kokkos itself would end the process.
template <class Body, class Tag>
Kokkos::TeamPolicy<KokkosSpace> team_policy(const KokkosSpace& space, int league, int team_size, int vector_length,
                                            int scratch, const Body& body, Tag tag) {
  using Policy = Kokkos::TeamPolicy<KokkosSpace>;
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

/// Whether threads run in parallel; otherwise one thread adds up everything in order.
inline constexpr bool kKokkosIsParallel =
#ifdef KOKKOS_ENABLE_CUDA
    true;
#else
    false;
#endif

}  // namespace warpwright::baselines
