// Lists of neighbours in Kokkos: parallel_for over bodies, each of which looks at all others.
#include "kernels/model/callable.hpp"
#include "kernels/neighbor/geometry.hpp"
#include "kernels/runtime/baselines/kokkos_support.hpp"

namespace warpwright::neighbor {
namespace {

using baselines::KokkosMemory;
using baselines::KokkosSpace;
using baselines::KokkosView;

struct all_pairs_knobs {
  int max_threads = 0;  ///< LaunchBounds; 0: none
  int chunk = 0;        ///< bodies handed out together; 0: what Kokkos takes
};

SpaceOf<all_pairs_knobs> all_pairs_space() {
  SpaceOf<all_pairs_knobs> space;
  space.axis("max_threads", &all_pairs_knobs::max_threads, {0, 64, 128, 256})
      .axis("chunk", &all_pairs_knobs::chunk, {0, 32, 128, 512});
  return space;
}

/// What differs between the layouts of a list: where a row begins, and how far apart its slots are.
struct RowPlaces {
  std::int64_t row = 0;
  std::int64_t slot = 0;
};

template <class T, int Dim, bool Periodic>
struct Gather {
  KokkosView<const T**> positions;  ///< axis, body
  KokkosView<int*> count;
  KokkosView<int*> list;
  Kokkos::View<int, KokkosMemory> overflow;
  RowPlaces places;
  T side = 0, cutoff_squared = 0;
  int bodies = 0, capacity = 0;

  void bind(const CallableBuffers& buffers) {
    const auto rows = static_cast<std::size_t>(bodies);
    positions = KokkosView<const T**>(static_cast<const T*>(buffers.at("positions")), Dim, rows);
    count = KokkosView<int*>(static_cast<int*>(buffers.at("count")), rows);
    list = KokkosView<int*>(static_cast<int*>(buffers.at("list")), rows * static_cast<std::size_t>(capacity));
    overflow = Kokkos::View<int, KokkosMemory>(static_cast<int*>(buffers.at("overflow")));
  }

  KOKKOS_INLINE_FUNCTION bool are_near(const int a, const int b) const {
    T squared = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      T apart = positions(axis, a) - positions(axis, b);
      if (apart < 0) apart = -apart;
      if (Periodic && side - apart < apart) apart = side - apart;
      squared += apart * apart;
    }
    return squared < cutoff_squared;
  }

  KOKKOS_INLINE_FUNCTION void operator()(const int body) const {
    int found = 0;
    for (int other = 0; other < bodies; ++other) {
      if (other == body || !are_near(body, other)) continue;
      if (found < capacity) list(body * places.row + found * places.slot) = other;
      ++found;
    }
    count(body) = found;
    if (found > capacity) Kokkos::atomic_fetch_max(overflow.data(), found);
  }
};

template <class T, int Dim, bool Periodic, unsigned MaxThreads>
std::unique_ptr<PreparedCallable> prepared(const CallableRequest& request, int chunk) {
  using Policy = Kokkos::RangePolicy<KokkosSpace, Kokkos::IndexType<int>,
                                     Kokkos::LaunchBounds<MaxThreads, MaxThreads == 0 ? 0 : 1>>;
  const Problem& problem = request.problem;
  const auto bodies = static_cast<int>(problem.shape[0]);
  const auto capacity = static_cast<int>(problem.integer("capacity"));
  const auto cutoff = static_cast<T>(problem.number("cutoff"));
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  Policy policy(space, 0, bodies);
  if (chunk > 0) policy.set_chunk_size(chunk);
  Gather<T, Dim, Periodic> body;
  if (problem.option("layout") == "by_body")
    body.places = {capacity, 1};
  else
    body.places = {1, bodies};
  body.side = static_cast<T>(side_of(problem)) / steps_per_angstrom;
  body.cutoff_squared = cutoff * cutoff;
  body.bodies = bodies;
  body.capacity = capacity;
  return make_prepared([space, policy, body](Stream, const CallableBuffers& buffers) {
    Gather<T, Dim, Periodic> bound = body;
    bound.bind(buffers);
    Kokkos::deep_copy(space, bound.overflow, 0);
    Kokkos::parallel_for("neighbor", policy, bound);
  });
}

/// Calls what is compiled for the knobs of the request.
template <class T, int Dim, bool Periodic>
std::unique_ptr<PreparedCallable> with_bounds(const CallableRequest& request) {
  const all_pairs_knobs knobs = all_pairs_space().params(request.knobs);
  switch (knobs.max_threads) {
    case 64:
      return prepared<T, Dim, Periodic, 64>(request, knobs.chunk);
    case 128:
      return prepared<T, Dim, Periodic, 128>(request, knobs.chunk);
    case 256:
      return prepared<T, Dim, Periodic, 256>(request, knobs.chunk);
    default:
      return prepared<T, Dim, Periodic, 0>(request, knobs.chunk);
  }
}

template <class T>
std::unique_ptr<PreparedCallable> with_box(const CallableRequest& request) {
  const bool is_periodic = request.problem.option("boundary") == "periodic";
  if (dim_of(request.problem) == 2)
    return is_periodic ? with_bounds<T, 2, true>(request) : with_bounds<T, 2, false>(request);
  return is_periodic ? with_bounds<T, 3, true>(request) : with_bounds<T, 3, false>(request);
}

std::unique_ptr<PreparedCallable> prepare(const CallableRequest& request) {
  return request.problem.type() == ElementType::f64 ? with_box<double>(request) : with_box<float>(request);
}

/// Bodies are numbered by int.
bool supports(const Problem& problem) {
  constexpr std::int64_t kMostBodies = std::int64_t{1} << 30;
  return problem.shape[0] > 0 && problem.shape[0] <= kMostBodies;
}

}  // namespace

std::vector<Callable> neighbor_kokkos() {
  return {{.pattern = "neighbor",
           .implementation = "kokkos",
           .idiom = "all_pairs",
           .version = baselines::kokkos_version(),
           .knobs = all_pairs_space().space(),
           .default_knobs = all_pairs_space().point({}),
           .laws = {"symmetric", "even total", "permutation", "shift"},
           .supports = supports,
           .depth = [](const Problem&, const Point&, const Device&) { return 0.0; },
           .prepare = prepare}};
}

}  // namespace warpwright::neighbor
