// Lists of neighbours in Kokkos: bodies are sorted into cells, then a parallel_for over bodies searches the cells
// around each.
#include "kernels/model/callable.hpp"
#include "kernels/neighbor/geometry.hpp"
#include "kernels/runtime/baselines/kokkos_cells.hpp"

namespace warpwright::neighbor {
namespace {

using baselines::KokkosCellKnobs;
using baselines::KokkosMemory;
using baselines::KokkosSpace;
using baselines::KokkosView;

/// What differs between the layouts of a list: where a row begins, and how far apart its slots are.
struct RowPlaces {
  std::int64_t row = 0;
  std::int64_t slot = 0;
};

template <class T, int Dim, bool Periodic>
struct Gather {
  using Cells = baselines::KokkosCells<T, Dim, Periodic>;

  Cells cells;
  KokkosView<int*> count = {};
  KokkosView<int*> list = {};
  Kokkos::View<int, KokkosMemory> overflow = {};
  RowPlaces places = {};
  T side = 0, cutoff_squared = 0;
  int bodies = 0, capacity = 0;

  void bind(const CallableBuffers& buffers) {
    const auto rows = static_cast<std::size_t>(bodies);
    count = KokkosView<int*>(static_cast<int*>(buffers.at("count")), rows);
    list = KokkosView<int*>(static_cast<int*>(buffers.at("list")), rows * static_cast<std::size_t>(capacity));
    overflow = Kokkos::View<int, KokkosMemory>(static_cast<int*>(buffers.at("overflow")));
  }

  KOKKOS_INLINE_FUNCTION bool are_near(const int a, const int b) const {
    T squared = 0;
    for (int axis = 0; axis < Dim; ++axis) {
      T apart = cells.coordinate(axis, a) - cells.coordinate(axis, b);
      if (apart < 0) apart = -apart;
      if (Periodic && side - apart < apart) apart = side - apart;
      squared += apart * apart;
    }
    return squared < cutoff_squared;
  }

  KOKKOS_INLINE_FUNCTION void operator()(const int place) const {
    const int body = cells.body_at(place);
    int found = 0;
    cells.for_each_around(place, [&](const int other) {
      if (other == place || !are_near(place, other)) return;
      if (found < capacity) list(body * places.row + found * places.slot) = cells.body_at(other);
      ++found;
    });
    count(body) = found;
    if (found > capacity) Kokkos::atomic_fetch_max(overflow.data(), found);
  }
};

template <class T, int Dim, bool Periodic, unsigned MaxThreads>
std::unique_ptr<PreparedCallable> prepared(const CallableRequest& request, const KokkosCellKnobs& knobs) {
  const Problem& problem = request.problem;
  const auto bodies = static_cast<int>(problem.shape[0]);
  const auto capacity = static_cast<int>(problem.integer("capacity"));
  const auto cutoff = static_cast<T>(problem.number("cutoff"));
  const auto side = static_cast<T>(side_of(problem)) / steps_per_angstrom;
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  Gather<T, Dim, Periodic> body{
      .cells = {bodies, static_cast<double>(side), problem.number("cutoff"), knobs.cells_per_cutoff},
      .side = static_cast<T>(side),
      .cutoff_squared = cutoff * cutoff,
      .bodies = bodies,
      .capacity = capacity};
  if (problem.option("layout") == "by_body")
    body.places = {capacity, 1};
  else
    body.places = {1, bodies};
  const auto policy = baselines::KokkosRange<0, MaxThreads>::policy(space, bodies);
  return make_prepared([space, policy, body](Stream, const CallableBuffers& buffers) {
    Gather<T, Dim, Periodic> bound = body;
    bound.bind(buffers);
    Kokkos::deep_copy(space, bound.overflow, 0);
    bound.cells.sort(space, KokkosView<const T**>(static_cast<const T*>(buffers.at("positions")), Dim,
                                                  static_cast<std::size_t>(bound.bodies)));
    Kokkos::parallel_for("neighbor", policy, bound);
  });
}

/// Calls the instance that was compiled for these knobs.
template <class T, int Dim, bool Periodic>
std::unique_ptr<PreparedCallable> with_bounds(const CallableRequest& request, const KokkosCellKnobs& knobs) {
  return baselines::with_choice(baselines::KokkosCellThreads(), knobs.max_threads,
                                [&]<int Threads>(std::integral_constant<int, Threads>) {
                                  return prepared<T, Dim, Periodic, Threads>(request, knobs);
                                });
}

template <class T>
std::unique_ptr<PreparedCallable> with_box(const CallableRequest& request, const KokkosCellKnobs& knobs) {
  const bool is_periodic = request.problem.option("boundary") == "periodic";
  if (dim_of(request.problem) == 2)
    return is_periodic ? with_bounds<T, 2, true>(request, knobs) : with_bounds<T, 2, false>(request, knobs);
  return is_periodic ? with_bounds<T, 3, true>(request, knobs) : with_bounds<T, 3, false>(request, knobs);
}

std::unique_ptr<PreparedCallable> prepare(const CallableRequest& request, const KokkosCellKnobs& knobs) {
  return request.problem.type() == ElementType::f64 ? with_box<double>(request, knobs)
                                                    : with_box<float>(request, knobs);
}

bool supports(const Problem& problem) {
  return problem.shape[0] > 0 && problem.shape[0] <= baselines::most_bodies_in_kokkos_cells;
}

}  // namespace

std::vector<Callable> neighbor_kokkos() {
  return {baselines::kokkos_port(
      {.pattern = "neighbor", .laws = {"symmetric", "even total", "permutation", "shift"}, .supports = supports},
      "cells", prepare, baselines::kokkos_cell_space<KokkosCellKnobs>())};
}

}  // namespace warpwright::neighbor
