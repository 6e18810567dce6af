// Maps in Kokkos: a parallel_for over elements, in batches per thread.
#include <cmath>

#include "kernels/map/problems.hpp"
#include "kernels/map/ways.cuh"
#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/kokkos_range.hpp"

namespace warpwright::map {
namespace {

using baselines::KokkosSpace;
using baselines::KokkosView;

using Ranges = baselines::KokkosRanges<baselines::Choices<0>, baselines::Choices<1>, baselines::KokkosBatches>;

template <class T>
struct Axpy {
  KokkosView<const T*> x, y;
  T alpha;

  Axpy(const Problem& problem, const CallableBuffers& buffers)
      : x(static_cast<const T*>(buffers.at("x")), static_cast<std::size_t>(problem.elements())),
        y(static_cast<const T*>(buffers.at("y")), static_cast<std::size_t>(problem.elements())),
        alpha(static_cast<T>(problem.number("alpha"))) {}

  template <class Index>
  KOKKOS_INLINE_FUNCTION T value(const Index i) const {
    return alpha * x(i) + y(i);
  }
};

template <class T>
struct SqrtLoop {
  using real = std::conditional_t<std::is_same_v<T, int>, float, T>;
  KokkosView<const T*> x;
  real limit;

  SqrtLoop(const Problem& problem, const CallableBuffers& buffers)
      : x(static_cast<const T*>(buffers.at("x")), static_cast<std::size_t>(problem.elements())),
        limit(static_cast<real>(problem.number("limit"))) {}

  template <class Index>
  KOKKOS_INLINE_FUNCTION T value(const Index i) const {
    T counted = x(i);
    while (sqrt(static_cast<real>(counted)) < limit) counted += T(1);
    return counted;
  }
};

template <class T>
struct Switch {
  KokkosView<const T*> x;
  int ways;

  Switch(const Problem& problem, const CallableBuffers& buffers)
      : x(static_cast<const T*>(buffers.at("x")), static_cast<std::size_t>(problem.elements())),
        ways(static_cast<int>(problem.integer("ways"))) {}

  template <class Index>
  KOKKOS_INLINE_FUNCTION T value(const Index i) const {
    return passed_by_case(x(i), way_of(i, ways));
  }
};

template <class T, class Op, class Index>
struct MapBody {
  Op op;
  KokkosView<T*> z;

  KOKKOS_INLINE_FUNCTION void operator()(const Index i) const { z(i) = op.value(i); }
};

template <class T, class Op>
std::unique_ptr<PreparedCallable> with_knobs(const CallableRequest& request) {
  return Ranges::with(request.knobs, [&]<class Range>(Range) {
    const auto count = Range::count(request.problem.elements());
    const KokkosSpace space = baselines::kokkos_space(request.stream);
    return make_prepared([space, count, problem = request.problem](Stream, const CallableBuffers& buffers) {
      const MapBody<T, Op, typename Range::Index> body{
          Op(problem, buffers), KokkosView<T*>(static_cast<T*>(buffers.at("z")), static_cast<std::size_t>(count))};
      Kokkos::parallel_for("map", Range::policy(space, count), body);
    });
  });
}

std::unique_ptr<PreparedCallable> prepare(const CallableRequest& request) {
  const auto with_op = [&]<class T>() {
    if constexpr (!std::is_same_v<T, int>)
      if (is_axpy(request.problem)) return with_knobs<T, Axpy<T>>(request);
    return is_sqrt_loop(request.problem) ? with_knobs<T, SqrtLoop<T>>(request) : with_knobs<T, Switch<T>>(request);
  };
  switch (request.problem.type()) {
    case ElementType::f32:
      return with_op.template operator()<float>();
    case ElementType::f64:
      return with_op.template operator()<double>();
    default:
      return with_op.template operator()<int>();
  }
}

bool supports(const Problem& problem) {
  return problem.elements() > 0 && (!is_axpy(problem) || refuses_as_axpy(problem).empty());
}

}  // namespace

std::vector<Callable> map_kokkos() {
  return {baselines::kokkos_port(
      {.pattern = "map",
       .laws = {"linearity", "concatenation", "idempotence"},
       .supports = supports,
       // A product and a sum may be rounded together or each by itself, as the compiler likes; roots are exact.
       .depth = [](const Problem& problem, const Point&, const Device&) { return is_axpy(problem) ? 2.0 : 0.0; }},
      "parallel_for", prepare, Ranges::space())};
}

}  // namespace warpwright::map
