// Sorting in Kokkos: Kokkos::sort of a copy of the keys, sort_by_key of keys and values, and BinSort.
#include <Kokkos_Sort.hpp>

#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/kokkos_support.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::sort {
namespace {

using baselines::KokkosSpace;
using baselines::KokkosView;

/// Calls f(T()) with the problem's type of keys.
template <class F>
auto with_type(const Problem& problem, F f) {
  return with_type_of<unsigned, int, unsigned long long, float, double>(problem.type(), f);
}

bool descends(const Problem& problem) {
  return problem.option("order") == "descending";
}

/// A copy of a buffer in another one.
template <class T>
KokkosView<T*> copied(const KokkosSpace& space, const CallableBuffers& buffers, const char* from, const char* to,
                      std::size_t count) {
  const KokkosView<const T*> in(static_cast<const T*>(buffers.at(from)), count);
  const KokkosView<T*> out(static_cast<T*>(buffers.at(to)), count);
  Kokkos::deep_copy(space, out, in);
  return out;
}

/// Whether the problem has keys of a type that Kokkos' sorts take, and asks for all of their bits.
bool has_keys(const Problem& problem) {
  const ElementType type = problem.type();
  const bool known = type == ElementType::u32 || type == ElementType::i32 || type == ElementType::u64 ||
                     type == ElementType::f32 || type == ElementType::f64;
  return known && problem.number("begin_bit") == 0 &&
         problem.number("end_bit") >= 8.0 * static_cast<double>(size_of(type));
}
bool has_keys_alone(const Problem& problem) {
  return has_keys(problem) && problem.option("items") == "keys";
}

#if KOKKOS_VERSION >= 40300

/// The comparator for descending order.
struct Greater {
  template <class T>
  KOKKOS_INLINE_FUNCTION bool operator()(const T& a, const T& b) const {
    return b < a;
  }
};

std::unique_ptr<PreparedCallable> prepare_sort(const CallableRequest& request) {
  const auto space = baselines::kokkos_space(request.stream);
  const auto count = static_cast<std::size_t>(request.problem.elements());
  return with_type(request.problem, [&]<class T>(T) {
    return make_prepared([space, count, turned = descends(request.problem)](Stream, const CallableBuffers& buffers) {
      const KokkosView<T*> keys = copied<T>(space, buffers, "in", "out", count);
      if (turned)
        Kokkos::sort(space, keys, Greater());
      else
        Kokkos::sort(space, keys);
    });
  });
}

bool supports_sort(const Problem& problem) {
  return has_keys_alone(problem);
}

/// Kokkos does not promise a stable sort. On CUDA it calls that of Thrust, which is one; whether results are right is
/// checked as for any library.
std::unique_ptr<PreparedCallable> prepare_by_key(const CallableRequest& request) {
  const auto space = baselines::kokkos_space(request.stream);
  const auto count = static_cast<std::size_t>(request.problem.elements());
  return with_type(request.problem, [&]<class T>(T) {
    return make_prepared([space, count, turned = descends(request.problem)](Stream, const CallableBuffers& buffers) {
      const KokkosView<T*> keys = copied<T>(space, buffers, "in", "out", count);
      const KokkosView<unsigned*> values = copied<unsigned>(space, buffers, "values", "values_out", count);
      if (turned)
        Kokkos::Experimental::sort_by_key(space, keys, values, Greater());
      else
        Kokkos::Experimental::sort_by_key(space, keys, values);
    });
  });
}

#else  // no comparators, and no sort_by_key

std::unique_ptr<PreparedCallable> prepare_sort(const CallableRequest& request) {
  const auto space = baselines::kokkos_space(request.stream);
  const auto count = static_cast<std::size_t>(request.problem.elements());
  return with_type(request.problem, [&]<class T>(T) {
    return make_prepared([space, count](Stream, const CallableBuffers& buffers) {
      const KokkosView<T*> keys = copied<T>(space, buffers, "in", "out", count);
      space.fence();
      Kokkos::sort(keys);
    });
  });
}

bool supports_sort(const Problem& problem) {
  return has_keys_alone(problem) && !descends(problem);
}

#endif

struct bin_knobs {
  int keys_per_bin = 2;  ///< on average; Kokkos::sort takes 2 where it has bins
};

SpaceOf<bin_knobs> bin_space() {
  SpaceOf<bin_knobs> space;
  space.axis("keys_per_bin", &bin_knobs::keys_per_bin, {1, 2, 4, 8});
  return space;
}

struct RangeBody {
  KokkosView<const unsigned*> keys;

  KOKKOS_INLINE_FUNCTION void operator()(const int i, Kokkos::MinMaxScalar<unsigned>& part) const {
    if (keys(i) < part.min_val) part.min_val = keys(i);
    if (keys(i) > part.max_val) part.max_val = keys(i);
  }
};

/// One thread sorts each bin by insertion, unless a bin has room for one value only.
std::unique_ptr<PreparedCallable> prepare_bins(const CallableRequest& request, const bin_knobs& knobs) {
  const auto space = baselines::kokkos_space(request.stream);
  const auto count = static_cast<std::size_t>(request.problem.elements());
  return make_prepared([space, count, each = knobs.keys_per_bin](Stream, const CallableBuffers& buffers) {
    using Keys = KokkosView<unsigned*>;
    using Bins = Kokkos::BinOp1D<Keys>;
    const Keys keys = copied<unsigned>(space, buffers, "in", "out", count);
    Kokkos::MinMaxScalar<unsigned> range;
    Kokkos::parallel_reduce("range_of_keys", Kokkos::RangePolicy<KokkosSpace>(space, 0, count), RangeBody{keys},
                            Kokkos::MinMax<unsigned>(range));
    if (range.min_val == range.max_val) return;
    const int bins = static_cast<int>(count) / each + 1;
    const bool has_several = range.max_val - range.min_val > static_cast<unsigned>(bins);
    Kokkos::BinSort<Keys, Bins> sorter(keys, Bins(bins, range.min_val, range.max_val), has_several);
#if KOKKOS_VERSION >= 40200
    sorter.create_permute_vector(space);
    sorter.sort(space, keys);
#else
    sorter.create_permute_vector();
    sorter.sort(keys);
#endif
  });
}

/// Only for keys spread evenly over their range, because a bin of many keys takes a thread for very long; and without a
/// sign, because BinOp1D of older versions overflows if signed keys are far apart.
bool supports_bins(const Problem& problem) {
  constexpr std::int64_t kMost = std::int64_t{1} << 30;
  return has_keys_alone(problem) && !descends(problem) && problem.data == "uniform" && problem.elements() > 0 &&
         problem.elements() <= kMost && problem.type() == ElementType::u32;
}

}  // namespace

std::vector<Callable> sort_kokkos() {
  const Callable keys{.pattern = "sort",
                      .synchronises = true,
                      .laws = {"sorted", "permutation", "idempotence"},
                      .supports = supports_sort};
  Callable bins = keys;
  bins.supports = supports_bins;
  bins.laws = {"permutation"};  // the inputs of the others fill few bins
  std::vector<Callable> all{baselines::kokkos_port(keys, "sort", prepare_sort),
                            baselines::kokkos_port(bins, "bin_sort", prepare_bins, bin_space())};
#if KOKKOS_VERSION >= 40300
  Callable pairs = keys;
  pairs.supports = [](const Problem& problem) { return has_keys(problem) && problem.option("items") == "pairs"; };
  all.push_back(baselines::kokkos_port(pairs, "sort_by_key", prepare_by_key));
#endif
  return all;
}

}  // namespace warpwright::sort
