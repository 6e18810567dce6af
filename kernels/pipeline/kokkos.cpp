// The pipeline in Kokkos: deep_copy to the device, parallel_for, deep_copy back, chunk by chunk in execution spaces.
#include <algorithm>
#include <vector>

#include "kernels/model/callable.hpp"
#include "kernels/model/kernel.hpp"
#include "kernels/pipeline/element.cuh"
#include "kernels/runtime/baselines/kokkos_range.hpp"

namespace warpwright::pipeline {
namespace {

using baselines::KokkosMemory;
using baselines::KokkosSpace;

template <class T>
using HostView = Kokkos::View<T*, Kokkos::LayoutRight, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
template <class T>
using DeviceView = Kokkos::View<T*, Kokkos::LayoutRight, KokkosMemory>;

struct copy_knobs {
  int spaces = 1;  ///< execution space instances
  int chunks = 1;  ///< upper limit
};

SpaceOf<copy_knobs> copy_space() {
  SpaceOf<copy_knobs> space;
  space.axis("spaces", &copy_knobs::spaces, {1, 2, 4})
      .axis("chunks", &copy_knobs::chunks, {1, 4, 16})
      .require("no more spaces than chunks", [](const copy_knobs& k) { return k.spaces <= k.chunks; });
  return space;
}

template <class T>
struct WorkBody {
  DeviceView<T> in, out;
  int operations;

  template <class Index>
  KOKKOS_INLINE_FUNCTION void operator()(const Index i) const {
    out(i) = worked(in(i), operations);
  }
};

/// Instances of the execution space that work side by side, the given stream's first.
class Spaces {
 public:
  Spaces(Stream stream, int count) : spaces_{baselines::kokkos_space(stream)} {
    for (int i = 1; i < count; ++i) {
#ifdef KOKKOS_ENABLE_CUDA
      cudaStream_t more = nullptr;
      baselines::check(cudaStreamCreateWithFlags(&more, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
      streams_.push_back(more);
      spaces_.emplace_back(more);
#else
      spaces_.emplace_back();
#endif
    }
  }
  ~Spaces() {
#ifdef KOKKOS_ENABLE_CUDA
    spaces_.clear();
    for (cudaStream_t stream : streams_) cudaStreamDestroy(stream);
#endif
  }
  Spaces(const Spaces&) = delete;
  Spaces& operator=(const Spaces&) = delete;

  const KokkosSpace& of_chunk(std::size_t chunk) const {
    return spaces_[chunk % spaces_.size()];
  }
  void fence() const {
    for (const KokkosSpace& space : spaces_) space.fence();
  }

 private:
  std::vector<KokkosSpace> spaces_;
#ifdef KOKKOS_ENABLE_CUDA
  std::vector<cudaStream_t> streams_;
#endif
};

template <class T>
std::unique_ptr<PreparedCallable> prepared(const CallableRequest& request, const copy_knobs& knobs) {
  const auto spaces = std::make_shared<const Spaces>(request.stream, knobs.spaces);
  const std::int64_t count = request.problem.elements();
  const auto extent = static_cast<std::size_t>(count);
  const WorkBody<T> whole{DeviceView<T>("before", extent), DeviceView<T>("after", extent),
                          static_cast<int>(request.problem.integer("operations"))};
  const std::int64_t size = divide_up(count, knobs.chunks);
  return baselines::with_range_over(count, [&]<class Range>(Range) {
    return make_prepared([spaces, whole, count, size](Stream, const CallableBuffers& buffers) {
      const HostView<const T> in(static_cast<const T*>(buffers.at("in")), static_cast<std::size_t>(count));
      const HostView<T> out(static_cast<T*>(buffers.at("out")), static_cast<std::size_t>(count));
      for (std::int64_t begin = 0; begin < count; begin += size) {
        const std::int64_t end = std::min(begin + size, count);
        const KokkosSpace& space = spaces->of_chunk(static_cast<std::size_t>(begin / size));
        const Kokkos::pair<std::int64_t, std::int64_t> chunk(begin, end);
        Kokkos::deep_copy(space, Kokkos::subview(whole.in, chunk), Kokkos::subview(in, chunk));
        Kokkos::parallel_for("pipeline", typename Range::Policy(space, begin, end), whole);
        Kokkos::deep_copy(space, Kokkos::subview(out, chunk), Kokkos::subview(whole.out, chunk));
      }
      spaces->fence();
    });
  });
}

std::unique_ptr<PreparedCallable> prepare(const CallableRequest& request, const copy_knobs& knobs) {
  return request.problem.type() == ElementType::f64 ? prepared<double>(request, knobs)
                                                    : prepared<float>(request, knobs);
}

}  // namespace

std::vector<Callable> pipeline_kokkos() {
  return {baselines::kokkos_port({.pattern = "pipeline",
                                  .synchronises = true,
                                  .laws = {"chunking does not change the result"},
                                  .supports = [](const Problem& problem) { return problem.elements() > 0; }},
                                 "deep_copy", prepare, copy_space())};
}

}  // namespace warpwright::pipeline
