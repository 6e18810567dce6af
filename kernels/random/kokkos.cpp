// Random numbers in Kokkos: its XorShift generator pools in a parallel_for. Their sequence depends on how work is
// divided, so only the laws check the results.
#include <Kokkos_Random.hpp>
#include <algorithm>

#include "kernels/model/callable.hpp"
#include "kernels/random/problems.hpp"
#include "kernels/runtime/baselines/kokkos_range.hpp"

namespace warpwright::random {
namespace {

using baselines::KokkosSpace;
using baselines::KokkosView;

struct pool_knobs {
  int items = 128;  ///< numbers drawn per generator taken from the pool
};

SpaceOf<pool_knobs> pool_space() {
  SpaceOf<pool_knobs> space;
  space.axis("items", &pool_knobs::items, {16, 64, 128, 512});
  return space;
}

/// Writes numbers index, index + indices, index + 2 indices, ..., so that neighbouring threads write neighbouring
/// numbers.
template <class T, class Pool, bool Normal, class Index>
struct DrawBody {
  KokkosView<T*> out;
  Pool pool;
  Index count;
  Index indices;

  KOKKOS_INLINE_FUNCTION void operator()(const Index index) const {
    auto generator = pool.get_state();
    for (Index i = index; i < count; i += indices) {
      if constexpr (Normal)
        out(i) = static_cast<T>(generator.normal());
      else if constexpr (std::is_same_v<T, float>)
        out(i) = generator.frand();
      else if constexpr (std::is_same_v<T, double>)
        out(i) = generator.drand();
      else
        out(i) = generator.urand();
    }
    pool.free_state(generator);
  }
};

template <class Pool, class T, bool Normal>
std::unique_ptr<PreparedCallable> prepared(const CallableRequest& request, const pool_knobs& knobs) {
  constexpr std::uint64_t kSeed = 20111112;
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  const std::int64_t count = request.problem.elements();
  const std::int64_t indices = (count + knobs.items - 1) / knobs.items;
  return baselines::with_range_over(count + indices, [&]<class Range>(Range) {
    using Index = typename Range::Index;
    return make_prepared([space, pool = Pool(kSeed), count, indices](Stream, const CallableBuffers& buffers) {
      const DrawBody<T, Pool, Normal, Index> body{
          KokkosView<T*>(static_cast<T*>(buffers.at("out")), static_cast<std::size_t>(count)), pool,
          static_cast<Index>(count), static_cast<Index>(indices)};
      Kokkos::parallel_for("random", Range::policy(space, body.indices), body);
    });
  });
}

template <class Pool>
std::unique_ptr<PreparedCallable> prepare(const CallableRequest& request, const pool_knobs& knobs) {
  if (request.problem.type() == ElementType::u32) return prepared<Pool, unsigned, false>(request, knobs);
  const auto with_type = [&]<class T>() {
    return is_normal(request.problem) ? prepared<Pool, T, true>(request, knobs)
                                      : prepared<Pool, T, false>(request, knobs);
  };
  return request.problem.type() == ElementType::f32 ? with_type.template operator()<float>()
                                                    : with_type.template operator()<double>();
}

/// Kokkos has one transform for normal numbers; it is compared with our default one.
bool supports(const Problem& problem) {
  return refuses(problem).empty() && !is_inverse(problem) && problem.elements() > 0;
}

}  // namespace

std::vector<Callable> random_kokkos() {
  const Callable port{.pattern = "random", .has_oracle = false, .laws = {"moments"}, .supports = supports};
  return {
      baselines::kokkos_port(port, "xor_shift_64", prepare<Kokkos::Random_XorShift64_Pool<KokkosSpace>>, pool_space()),
      baselines::kokkos_port(port, "xor_shift_1024", prepare<Kokkos::Random_XorShift1024_Pool<KokkosSpace>>,
                             pool_space())};
}

}  // namespace warpwright::random
