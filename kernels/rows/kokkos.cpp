// Softmax, layernorm and rmsnorm of rows in Kokkos: a team per row, with a reduction for each pass.
#include <cmath>
#include <limits>

#include "kernels/model/callable.hpp"
#include "kernels/rows/problems.hpp"
#include "kernels/runtime/baselines/kokkos_support.hpp"

namespace warpwright::rows {
namespace {

using baselines::KokkosSpace;
using baselines::KokkosView;

struct team_knobs {
  int team_size = 0;  ///< 0: Kokkos::AUTO
  int vector_length = 1;
};

SpaceOf<team_knobs> team_space() {
  SpaceOf<team_knobs> space;
  space.axis("team_size", &team_knobs::team_size, {0, 1, 4, 8, 32, 64, 128, 256, 512, 1024})
      .axis("vector_length", &team_knobs::vector_length, {1, 8, 32})
      .require("at most 1024 threads",
               [](const team_knobs& knobs) { return knobs.team_size * knobs.vector_length <= 1024; });
  return space;
}

template <operation Op>
struct TeamBody {
  using Member = typename Kokkos::TeamPolicy<KokkosSpace>::member_type;
  KokkosView<const float**> in;
  KokkosView<float**> out;
  KokkosView<const float*> weight, bias;
  float epsilon = 0;

  KOKKOS_INLINE_FUNCTION void operator()(const Member& member) const {
    const int row = member.league_rank();
    const int columns = static_cast<int>(in.extent(1));
    const auto over_row = Kokkos::TeamVectorRange(member, columns);
    float center = 0;
    if constexpr (Op == operation::softmax) {
      Kokkos::parallel_reduce(
          over_row,
          [&](const int c, float& largest) {
            if (in(row, c) > largest) largest = in(row, c);
          },
          Kokkos::Max<float>(center));
    } else if constexpr (Op == operation::layernorm) {
      Kokkos::parallel_reduce(
          over_row, [&](const int c, float& sum) { sum += in(row, c); }, center);
      center /= static_cast<float>(columns);
    }
    float sum = 0;
    Kokkos::parallel_reduce(
        over_row,
        [&](const int c, float& part) {
          const float apart = in(row, c) - center;
          part += Op == operation::softmax ? std::exp(apart) : apart * apart;
        },
        sum);
    const float factor =
        Op == operation::softmax ? 1 / sum : 1 / std::sqrt(sum / static_cast<float>(columns) + epsilon);
    Kokkos::parallel_for(over_row, [&](const int c) {
      const float apart = in(row, c) - center;
      if constexpr (Op == operation::softmax)
        out(row, c) = std::exp(apart) * factor;
      else
        out(row, c) = apart * factor * weight(c) + (Op == operation::layernorm ? bias(c) : 0);
    });
  }
};

template <operation Op>
std::unique_ptr<PreparedCallable> prepared(const CallableRequest& request, const team_knobs& knobs) {
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  const auto rows = static_cast<int>(request.problem.shape[0]);
  TeamBody<Op> unbound;
  unbound.epsilon = static_cast<float>(request.problem.number("epsilon"));
  const auto policy =
      baselines::team_policy(space, rows, knobs.team_size, knobs.vector_length, 0, unbound, Kokkos::ParallelForTag());
  return make_prepared([policy, unbound, rows, columns = static_cast<std::size_t>(request.problem.shape[1])](
                           Stream, const CallableBuffers& buffers) {
    TeamBody<Op> body = unbound;
    body.in = decltype(body.in)(static_cast<const float*>(buffers.at("in")), static_cast<std::size_t>(rows), columns);
    body.out = decltype(body.out)(static_cast<float*>(buffers.at("out")), static_cast<std::size_t>(rows), columns);
    if (Op != operation::softmax)
      body.weight = decltype(body.weight)(static_cast<const float*>(buffers.at("weight")), columns);
    if (Op == operation::layernorm)
      body.bias = decltype(body.bias)(static_cast<const float*>(buffers.at("bias")), columns);
    Kokkos::parallel_for("rows", policy, body);
  });
}

std::unique_ptr<PreparedCallable> prepare_team(const CallableRequest& request, const team_knobs& knobs) {
  switch (operation_of(request.problem)) {
    case operation::softmax:
      return prepared<operation::softmax>(request, knobs);
    case operation::layernorm:
      return prepared<operation::layernorm>(request, knobs);
    case operation::rmsnorm:
      return prepared<operation::rmsnorm>(request, knobs);
  }
  return nullptr;
}

/// Kokkos' short floats are other types on other backends. A league of no teams cannot be launched.
bool supports(const Problem& problem) {
  constexpr std::int64_t kMost = std::numeric_limits<int>::max();
  return problem.type() == ElementType::f32 && problem.elements() > 0 && problem.shape[0] <= kMost &&
         problem.shape[1] <= kMost;
}

/// A team has at least 32 lanes if threads run in parallel.
double depth(const Problem& problem, const Point&, const Device&) {
  const auto columns = static_cast<double>(problem.shape[1]);
  constexpr double kTree = 32 + 10;
  return depth_of_passes(baselines::kKokkosIsParallel ? columns / 32 + kTree : columns);
}

}  // namespace

std::vector<Callable> rows_kokkos() {
  return {baselines::kokkos_port({.pattern = "rows", .supports = supports, .depth = depth}, "team", prepare_team,
                                 team_space())};
}

}  // namespace warpwright::rows
