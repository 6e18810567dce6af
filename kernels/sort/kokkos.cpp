// Sorting in Kokkos: Kokkos::sort of a copy of the keys.
#include <Kokkos_Sort.hpp>

#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/kokkos_support.hpp"

namespace warpwright::sort {
namespace {

using baselines::KokkosView;

template <class T>
std::unique_ptr<PreparedCallable> prepared(const CallableRequest& request) {
  const auto space = baselines::kokkos_space(request.stream);
  const auto count = static_cast<std::size_t>(request.problem.elements());
  return make_prepared([space, count](Stream, const CallableBuffers& buffers) {
    const KokkosView<const T*> in(static_cast<const T*>(buffers.at("in")), count);
    const KokkosView<T*> out(static_cast<T*>(buffers.at("out")), count);
    Kokkos::deep_copy(space, out, in);
#if KOKKOS_VERSION >= 40200
    Kokkos::sort(space, out);
#else
    space.fence();
    Kokkos::sort(out);
#endif
  });
}

std::unique_ptr<PreparedCallable> prepare(const CallableRequest& request) {
  switch (request.problem.type()) {
    case ElementType::f32:
      return prepared<float>(request);
    case ElementType::f64:
      return prepared<double>(request);
    case ElementType::i32:
      return prepared<int>(request);
    case ElementType::u64:
      return prepared<unsigned long long>(request);
    default:
      return prepared<unsigned>(request);
  }
}

/// Kokkos promises no stability, so it sorts only keys without values and by all of their bits. Before Kokkos 4.2 it
/// supported only the order of `<`.
bool supports(const Problem& problem) {
  const ElementType type = problem.type();
  const bool known = type == ElementType::u32 || type == ElementType::i32 || type == ElementType::u64 ||
                     type == ElementType::f32 || type == ElementType::f64;
  return known && problem.option("items") == "keys" && problem.option("order") == "ascending" &&
         problem.number("begin_bit") == 0 && problem.number("end_bit") >= 8.0 * static_cast<double>(size_of(type));
}

}  // namespace

std::vector<Callable> sort_kokkos() {
  return {baselines::kokkos_port(
      {.pattern = "sort", .synchronises = true, .laws = {"sorted", "permutation", "idempotence"}, .supports = supports},
      "sort", prepare)};
}

}  // namespace warpwright::sort
