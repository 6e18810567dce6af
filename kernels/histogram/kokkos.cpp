// Histograms in Kokkos: a ScatterView, plain atomics, and teams that count in their scratch memory.
#include <Kokkos_ScatterView.hpp>

#include "kernels/block/binning.cuh"
#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/kokkos_range.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::histogram {
namespace {

using baselines::KokkosSpace;
using baselines::KokkosView;
using Bins = KokkosView<unsigned*>;

/// Calls f(Key()) with the problem's type of keys.
template <class F>
auto with_key(const Problem& problem, F f) {
  return with_type_of<std::uint8_t, std::uint16_t, std::uint32_t, float>(problem.type(), f);
}

template <class Key>
struct Operands {
  KokkosView<const Key*> in;
  Bins out;
  block::binning<Key, false> ranges;

  Operands(const CallableBuffers& buffers, std::int64_t count, unsigned bins)
      : in(static_cast<const Key*>(buffers.at("in")), static_cast<std::size_t>(count)),
        out(static_cast<unsigned*>(buffers.at("out")), bins),
        ranges{bins} {}
};

using Ranges = baselines::KokkosRanges<baselines::Choices<0>, baselines::Choices<1, 8, 32>>;

/// Calls count_in(bin) for the keys of an index.
template <class Range, class Key, class Index, class Count>
KOKKOS_INLINE_FUNCTION void count_keys(const Operands<Key>& of, const Index index, const Index count, Count count_in) {
  const Index first = index * Range::items;
  for (int k = 0; k < Range::items; ++k) {
    if (count - first <= k) break;
    const unsigned bin = of.ranges.of(of.in(first + k));
    if (of.ranges.has(bin)) count_in(bin);
  }
}

template <class Key, class Range>
struct AtomicBody {
  using Index = typename Range::Index;
  Operands<Key> of;
  Index count;

  KOKKOS_INLINE_FUNCTION void operator()(const Index index) const {
    count_keys<Range>(of, index, count, [&](unsigned bin) { Kokkos::atomic_add(&of.out(bin), 1U); });
  }
};

using Scattered = decltype(Kokkos::Experimental::create_scatter_view(std::declval<Bins>()));

template <class Key, class Range>
struct ScatterBody {
  using Index = typename Range::Index;
  Operands<Key> of;
  Index count;
  Scattered scattered;

  KOKKOS_INLINE_FUNCTION void operator()(const Index index) const {
    const auto bins = scattered.access();
    count_keys<Range>(of, index, count, [&](unsigned bin) { bins(bin) += 1; });
  }
};

template <bool Scatters, class Key, class Range>
std::unique_ptr<PreparedCallable> prepared_range(const CallableRequest& request) {
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  const auto bins = static_cast<unsigned>(request.problem.integer("bins"));
  return make_prepared(
      [space, bins, count = Range::count(request.problem.elements())](Stream, const CallableBuffers& buffers) {
        const Operands<Key> operands(buffers, count, bins);
        const auto policy = Range::policy(space, count);
        Kokkos::deep_copy(space, operands.out, 0U);
        if constexpr (Scatters) {
          const Scattered scattered = Kokkos::Experimental::create_scatter_view(operands.out);
          Kokkos::parallel_for("histogram", policy, ScatterBody<Key, Range>{operands, count, scattered});
          Bins bins_of_all = operands.out;
          Kokkos::Experimental::contribute(space, bins_of_all, scattered);
        } else {
          Kokkos::parallel_for("histogram", policy, AtomicBody<Key, Range>{operands, count});
        }
      });
}

template <bool Scatters>
std::unique_ptr<PreparedCallable> prepare_range(const CallableRequest& request) {
  return with_key(request.problem, [&]<class Key>(Key) {
    return Ranges::with(request.knobs,
                        [&]<class Range>(Range) { return prepared_range<Scatters, Key, Range>(request); });
  });
}

struct team_knobs {
  int team_size = 0;  ///< 0: Kokkos::AUTO
  int team_elements = 65536;
  int copies = 1;  ///< of the bins, in a team's scratch memory
};

SpaceOf<team_knobs> team_space() {
  SpaceOf<team_knobs> space;
  space.axis("team_size", &team_knobs::team_size, {0, 128, 256, 512, 1024})
      .axis("team_elements", &team_knobs::team_elements, {8192, 65536, 524288})
      .axis("copies", &team_knobs::copies, {1, 2, 4, 8, 16, 32});
  return space;
}

/// Neighbouring threads count in different copies of the bins, so that equal keys collide less. A bin's copies lie next
/// to each other, and so in different banks.
template <class Key>
struct TeamBody {
  using Member = typename Kokkos::TeamPolicy<KokkosSpace>::member_type;
  using Scratch = Kokkos::View<unsigned**, Kokkos::LayoutRight, KokkosSpace::scratch_memory_space,
                               Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  Operands<Key> of;
  std::int64_t count;
  std::int64_t team_elements;
  int copies;

  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const std::int64_t first = member.league_rank() * team_elements;
    const std::int64_t last = first + team_elements < count ? first + team_elements : count;
    const unsigned bins = of.ranges.bins;
    const int copy = member.team_rank() % copies;
    const Scratch counts(member.team_scratch(0), bins, copies);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, bins * copies),
                         [&](const unsigned at) { counts.data()[at] = 0; });
    member.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, first, last), [&](const std::int64_t i) {
      const unsigned bin = of.ranges.of(of.in(i));
      if (of.ranges.has(bin)) Kokkos::atomic_add(&counts(bin, copy), 1U);
    });
    member.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(member, bins), [&](const unsigned bin) {
      unsigned sum = 0;
      for (int from = 0; from < copies; ++from) sum += counts(bin, from);
      Kokkos::atomic_add(&of.out(bin), sum);
    });
  }
};

template <class Key>
std::unique_ptr<PreparedCallable> prepared_team(const CallableRequest& request, const team_knobs& knobs) {
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  const std::int64_t count = request.problem.elements();
  const auto bins = static_cast<unsigned>(request.problem.integer("bins"));
  const auto league = static_cast<int>((count + knobs.team_elements - 1) / knobs.team_elements);
  const TeamBody<Key> unbound{Operands<Key>({{"in", nullptr}, {"out", nullptr}}, count, bins), count,
                              knobs.team_elements, knobs.copies};
  const auto scratch = TeamBody<Key>::Scratch::shmem_size(bins, static_cast<std::size_t>(knobs.copies));
  const auto policy =
      baselines::team_policy(space, league, knobs.team_size, 1, scratch, unbound, Kokkos::ParallelForTag());
  return make_prepared([space, policy, unbound, bins](Stream, const CallableBuffers& buffers) {
    const Operands<Key> operands(buffers, unbound.count, bins);
    Kokkos::deep_copy(space, operands.out, 0U);
    TeamBody<Key> body = unbound;
    body.of = operands;
    Kokkos::parallel_for("histogram", policy, body);
  });
}

std::unique_ptr<PreparedCallable> prepare_team(const CallableRequest& request, const team_knobs& knobs) {
  return with_key(request.problem, [&]<class Key>(Key) { return prepared_team<Key>(request, knobs); });
}

bool supports(const Problem& problem) {
  const ElementType type = problem.type();
  return type == ElementType::u8 || type == ElementType::u16 || type == ElementType::u32 || type == ElementType::f32;
}

}  // namespace

std::vector<Callable> histogram_kokkos() {
  const Callable port{
      .pattern = "histogram", .laws = {"sum", "permutation", "equal keys", "concatenation"}, .supports = supports};
  return {baselines::kokkos_port(port, "scatter_view", prepare_range<true>, Ranges::space()),
          baselines::kokkos_port(port, "atomics", prepare_range<false>, Ranges::space()),
          baselines::kokkos_port(port, "team_scratch", prepare_team, team_space())};
}

}  // namespace warpwright::histogram
