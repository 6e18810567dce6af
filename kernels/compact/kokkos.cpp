// Compaction in Kokkos: a parallel_scan whose final pass writes; for a partition behind a parallel_reduce that counts.
#include <limits>

#include "kernels/compact/operation.hpp"
#include "kernels/compact/predicates.cuh"
#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/kokkos_support.hpp"

namespace warpwright::compact {
namespace {

using baselines::KokkosSpace;
using baselines::KokkosView;

struct scan_knobs {
  int index_bits = 64;  ///< of indices and counts: 32 where the extent allows
  int max_threads = 0;  ///< LaunchBounds; 0: none
  int items = 1;        ///< neighbouring elements per index
};

SpaceOf<scan_knobs> scan_space() {
  SpaceOf<scan_knobs> space;
  space.axis("index_bits", &scan_knobs::index_bits, {64, 32})
      .axis("max_threads", &scan_knobs::max_threads, {0, 128})
      .axis("items", &scan_knobs::items, {1, 8});
  return space;
}

template <class T>
struct Views {
  KokkosView<const T*> in;
  KokkosView<const T*> packed;  ///< of a split
  KokkosView<T*> out;
  KokkosView<std::int64_t*> kept;  ///< of the others; a partition has it from the start
};

template <class T, class Predicate, operation Operation, class Index, int Items>
struct ScanBody {
  using value_type = Index;
  Views<T> views;
  Index count;

  KOKKOS_INLINE_FUNCTION void operator()(const Index index, Index& before, const bool is_final) const {
    const Index first = index * Items;
    for (int k = 0; k < Items; ++k) {
      if (count - first <= k) break;
      const bool is_kept = Predicate::keeps(views.in(first + k));
      if (is_final) write(first + k, before, is_kept);
      if (is_kept) ++before;
    }
    if (Operation == operation::select && is_final && count - first <= Items) views.kept(0) = before;
  }

  KOKKOS_INLINE_FUNCTION void write(const Index at, const Index before, const bool is_kept) const {
    if constexpr (Operation == operation::split)
      views.out(at) = is_kept ? views.packed(before) : T(0);
    else if (is_kept)
      views.out(before) = views.in(at);
    else if constexpr (Operation == operation::partition)
      views.out(static_cast<Index>(views.kept(0)) + at - before) = views.in(at);
  }
};

template <class T, class Predicate, class Index>
struct CountBody {
  KokkosView<const T*> in;

  KOKKOS_INLINE_FUNCTION void operator()(const Index index, std::int64_t& kept) const {
    if (Predicate::keeps(in(index))) ++kept;
  }
};

template <class T>
KokkosView<const T*> elements(const CallableBuffers& buffers, const char* name, std::size_t extent) {
  return KokkosView<const T*>(static_cast<const T*>(buffers.at(name)), extent);
}

template <class T, class Predicate, operation Operation, class Index, int Items, unsigned MaxThreads>
std::unique_ptr<PreparedCallable> prepared(const CallableRequest& request) {
  using Policy = Kokkos::RangePolicy<KokkosSpace, Kokkos::IndexType<Index>,
                                     Kokkos::LaunchBounds<MaxThreads, MaxThreads == 0 ? 0 : 1>>;
  const std::int64_t elements_asked = request.problem.elements();
  if (elements_asked > std::numeric_limits<Index>::max() - Items)
    throw CallableRefusal("indices of " + std::to_string(8 * sizeof(Index)) + " bits do not reach all elements");
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  return make_prepared([space, count = static_cast<Index>(elements_asked)](Stream, const CallableBuffers& buffers) {
    const auto extent = static_cast<std::size_t>(count);
    Views<T> views{.in = elements<T>(buffers, "in", extent),
                   .packed = {},
                   .out = KokkosView<T*>(static_cast<T*>(buffers.at("out")), extent),
                   .kept = {}};
    if constexpr (Operation == operation::split)
      views.packed = elements<T>(buffers, "packed", extent);
    else
      views.kept = KokkosView<std::int64_t*>(static_cast<std::int64_t*>(buffers.at("count")), 1);
    // A result in a view of the device: nobody waits for it.
    if constexpr (Operation == operation::partition)
      Kokkos::parallel_reduce("count", Policy(space, 0, count), CountBody<T, Predicate, Index>{views.in},
                              KokkosView<std::int64_t>(views.kept.data()));
    const ScanBody<T, Predicate, Operation, Index, Items> body{views, count};
    Kokkos::parallel_scan("compact", Policy(space, 0, (count + (Items - 1)) / Items), body);
  });
}

template <class T, class Predicate, operation Operation, class Index>
std::unique_ptr<PreparedCallable> with_knobs(const CallableRequest& request, const scan_knobs& knobs) {
  const auto with_bounds = [&]<int Items>() {
    return knobs.max_threads == 0 ? prepared<T, Predicate, Operation, Index, Items, 0>(request)
                                  : prepared<T, Predicate, Operation, Index, Items, 128>(request);
  };
  return knobs.items == 8 ? with_bounds.template operator()<8>() : with_bounds.template operator()<1>();
}

template <class T, class Predicate>
std::unique_ptr<PreparedCallable> with_operation(const CallableRequest& request) {
  const scan_knobs knobs = scan_space().params(request.knobs);
  const auto with_index = [&]<operation Operation>() {
    return knobs.index_bits == 32 ? with_knobs<T, Predicate, Operation, std::int32_t>(request, knobs)
                                  : with_knobs<T, Predicate, Operation, std::int64_t>(request, knobs);
  };
  switch (operation_of(request.problem)) {
    case operation::partition:
      return with_index.template operator()<operation::partition>();
    case operation::split:
      return with_index.template operator()<operation::split>();
    default:
      return with_index.template operator()<operation::select>();
  }
}

template <class T>
std::unique_ptr<PreparedCallable> with_predicate(const CallableRequest& request) {
  return request.problem.option("predicate") == "non_zero" ? with_operation<T, non_zero>(request)
                                                           : with_operation<T, positive>(request);
}

std::unique_ptr<PreparedCallable> prepare(const CallableRequest& request) {
  switch (request.problem.type()) {
    case ElementType::f32:
      return with_predicate<float>(request);
    case ElementType::f64:
      return with_predicate<double>(request);
    case ElementType::i64:
      return with_predicate<std::int64_t>(request);
    case ElementType::u32:
      return with_predicate<unsigned>(request);
    default:
      return with_predicate<int>(request);
  }
}

/// A scan over nothing has no final pass that would write the count.
bool supports(const Problem& problem) {
  const ElementType type = problem.type();
  const bool known = type == ElementType::f32 || type == ElementType::f64 || type == ElementType::i32 ||
                     type == ElementType::i64 || type == ElementType::u32;
  return known && problem.elements() > 0;
}

}  // namespace

std::vector<Callable> compact_kokkos() {
  return {{.pattern = "compact",
           .implementation = "kokkos",
           .idiom = "scan",
           .version = baselines::kokkos_version(),
           .knobs = scan_space().space(),
           .default_knobs = scan_space().point({}),
           .laws = {"count", "concatenation", "idempotence", "pack then split"},
           .supports = supports,
           .depth = [](const Problem&, const Point&, const Device&) { return 0.0; },
           .prepare = prepare}};
}

}  // namespace warpwright::compact
