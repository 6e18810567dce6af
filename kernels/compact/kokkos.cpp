// Compaction in Kokkos: a parallel_scan whose final pass writes; a partition first counts with a parallel_reduce.
#include "kernels/compact/operation.hpp"
#include "kernels/compact/predicates.cuh"
#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/kokkos_range.hpp"

namespace warpwright::compact {
namespace {

using baselines::KokkosSpace;
using baselines::KokkosView;

using Ranges = baselines::KokkosRanges<baselines::Choices<0, 64>, baselines::Choices<1, 8>>;

template <class T>
struct Views {
  KokkosView<const T*> in;
  KokkosView<const T*> packed;  ///< for a split
  KokkosView<T*> out;
  KokkosView<std::int64_t*> kept;  ///< unused by a split; a partition knows it beforehand
};

template <class T, class Predicate, operation Operation, class Range>
struct ScanBody {
  using Index = typename Range::Index;
  using value_type = Index;
  Views<T> views;
  Index count;

  KOKKOS_INLINE_FUNCTION void operator()(const Index index, Index& before, const bool is_final) const {
    const Index first = index * Range::items;
    for (int k = 0; k < Range::items; ++k) {
      if (count - first <= k) break;
      const bool is_kept = Predicate::keeps(views.in(first + k));
      if (is_final) write(first + k, before, is_kept);
      if (is_kept) ++before;
    }
    if (Operation == operation::select && is_final && count - first <= Range::items) views.kept(0) = before;
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

template <class T, class Predicate, operation Operation, class Range>
std::unique_ptr<PreparedCallable> prepared(const CallableRequest& request) {
  using Index = typename Range::Index;
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  return make_prepared([space, count = Range::count(request.problem.elements())](Stream,
                                                                                 const CallableBuffers& buffers) {
    const auto extent = static_cast<std::size_t>(count);
    Views<T> views{.in = elements<T>(buffers, "in", extent),
                   .packed = {},
                   .out = KokkosView<T*>(static_cast<T*>(buffers.at("out")), extent),
                   .kept = {}};
    if constexpr (Operation == operation::split)
      views.packed = elements<T>(buffers, "packed", extent);
    else
      views.kept = KokkosView<std::int64_t*>(static_cast<std::int64_t*>(buffers.at("count")), 1);
    // The result goes to a device view, so that the host need not wait for it.
    if constexpr (Operation == operation::partition)
      Kokkos::parallel_reduce("count", typename Range::Policy(space, 0, count),
                              CountBody<T, Predicate, Index>{views.in}, KokkosView<std::int64_t>(views.kept.data()));
    const ScanBody<T, Predicate, Operation, Range> body{views, count};
    Kokkos::parallel_scan("compact", Range::policy(space, count), body);
  });
}

template <class T, class Predicate>
std::unique_ptr<PreparedCallable> with_operation(const CallableRequest& request) {
  const auto with_knobs = [&]<operation Operation>() {
    return Ranges::with(request.knobs,
                        [&]<class Range>(Range) { return prepared<T, Predicate, Operation, Range>(request); });
  };
  switch (operation_of(request.problem)) {
    case operation::partition:
      return with_knobs.template operator()<operation::partition>();
    case operation::split:
      return with_knobs.template operator()<operation::split>();
    default:
      return with_knobs.template operator()<operation::select>();
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

/// A scan over nothing has no final pass, so nothing would write the count.
bool supports(const Problem& problem) {
  const ElementType type = problem.type();
  const bool known = type == ElementType::f32 || type == ElementType::f64 || type == ElementType::i32 ||
                     type == ElementType::i64 || type == ElementType::u32;
  return known && problem.elements() > 0;
}

}  // namespace

std::vector<Callable> compact_kokkos() {
  return {baselines::kokkos_port({.pattern = "compact",
                                  .laws = {"count", "concatenation", "idempotence", "pack then split"},
                                  .supports = supports},
                                 "scan", prepare, Ranges::space())};
}

}  // namespace warpwright::compact
