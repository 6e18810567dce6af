// Scans in Kokkos: a parallel_scan whose final pass writes.
#include <limits>

#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/kokkos_range.hpp"

namespace warpwright::scan {
namespace {

using baselines::KokkosSpace;
using baselines::KokkosView;

struct Sum {
  template <class T>
  static T nothing() {
    return T(0);
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION static T combine(T a, T b) {
    return a + b;
  }
};
struct Product {
  template <class T>
  static T nothing() {
    return T(1);
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION static T combine(T a, T b) {
    return a * b;
  }
};
struct Min {
  template <class T>
  static T nothing() {
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? Limits::infinity() : Limits::max();
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION static T combine(T a, T b) {
    return b < a ? b : a;
  }
};
struct Max {
  template <class T>
  static T nothing() {
    using Limits = std::numeric_limits<T>;
    return Limits::has_infinity ? -Limits::infinity() : Limits::lowest();
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION static T combine(T a, T b) {
    return a < b ? b : a;
  }
};

using Ranges = baselines::KokkosRanges<baselines::Choices<0, 64>, baselines::Choices<1, 8>>;

template <class T, class Op, class Range>
struct ScanBody {
  using Index = typename Range::Index;
  using value_type = T;
  KokkosView<const T*> in;
  KokkosView<T*> out;
  Index count;
  bool is_inclusive;
  T nothing;

  KOKKOS_INLINE_FUNCTION void init(T& value) const { value = nothing; }
#if KOKKOS_VERSION < 40000
  KOKKOS_INLINE_FUNCTION void join(volatile T& to, const volatile T& with) const {
    to = Op::combine(static_cast<T>(to), static_cast<T>(with));
  }
#else
  KOKKOS_INLINE_FUNCTION void join(T& to, const T& with) const {
    to = Op::combine(to, with);
  }
#endif

  KOKKOS_INLINE_FUNCTION void operator()(const Index index, T& before, const bool is_final) const {
    const Index first = index * Range::items;
    for (int k = 0; k < Range::items; ++k) {
      if (count - first <= k) break;
      const T up_to = Op::combine(before, in(first + k));
      if (is_final) out(first + k) = is_inclusive ? up_to : before;
      before = up_to;
    }
  }
};

template <class T, class Op, class Range>
std::unique_ptr<PreparedCallable> prepared(const CallableRequest& request) {
  const KokkosSpace space = baselines::kokkos_space(request.stream);
  const bool is_inclusive = request.problem.option("kind") == "inclusive";
  return make_prepared(
      [space, count = Range::count(request.problem.elements()), is_inclusive](Stream, const CallableBuffers& buffers) {
        const auto extent = static_cast<std::size_t>(count);
        const ScanBody<T, Op, Range> body{KokkosView<const T*>(static_cast<const T*>(buffers.at("in")), extent),
                                          KokkosView<T*>(static_cast<T*>(buffers.at("out")), extent), count,
                                          is_inclusive, Op::template nothing<T>()};
        Kokkos::parallel_scan("scan", Range::policy(space, count), body);
      });
}

template <class T>
std::unique_ptr<PreparedCallable> with_operator(const CallableRequest& request) {
  const auto with_knobs = [&]<class Op>() {
    return Ranges::with(request.knobs, [&]<class Range>(Range) { return prepared<T, Op, Range>(request); });
  };
  const std::string& op = request.problem.option("op");
  if (op == "sum") return with_knobs.template operator()<Sum>();
  if (op == "product") return with_knobs.template operator()<Product>();
  if (op == "min") return with_knobs.template operator()<Min>();
  return with_knobs.template operator()<Max>();
}

std::unique_ptr<PreparedCallable> prepare(const CallableRequest& request) {
  switch (request.problem.type()) {
    case ElementType::f32:
      return with_operator<float>(request);
    case ElementType::f64:
      return with_operator<double>(request);
    case ElementType::i64:
      return with_operator<std::int64_t>(request);
    default:
      return with_operator<int>(request);
  }
}

bool supports(const Problem& problem) {
  const ElementType type = problem.type();
  return is_floating(type) || type == ElementType::i32 || type == ElementType::i64;
}

/// At least 32 threads on every SM process their part element by element, and combine the parts before it.
double depth(const Problem& problem, const Point& point, const Device& device) {
  constexpr double kLanesPerSm = 32;
  constexpr double kTrees = 128;
  const auto count = static_cast<double>(problem.elements());
  return baselines::kKokkosIsParallel
             ? count / (kLanesPerSm * device.sm_count) + kTrees + Ranges::space().params(point).items
             : count + 1;
}

}  // namespace

std::vector<Callable> scan_kokkos() {
  return {baselines::kokkos_port(
      {.pattern = "scan",
       .laws = {"last is the reduction", "difference is the input", "exclusive is inclusive shifted"},
       .supports = supports,
       .depth = depth},
      "scan", prepare, Ranges::space())};
}

}  // namespace warpwright::scan
