// Eigenvalues with the toolkit's libraries: cuSOLVER's batched Jacobi sweeps and its batched driver, opened at run
// time.
#include <cusolverDn.h>

#include <limits>
#include <memory>
#include <type_traits>

#include "kernels/eigen/problems.hpp"
#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/cuda_check.hpp"
#include "kernels/runtime/baselines/optional_library.hpp"

namespace warpwright::eigen {
namespace {

struct Cusolver : baselines::OptionalLibrary<Cusolver> {
  Cusolver() : OptionalLibrary("cuSOLVER", "libcusolver.so", CUSOLVER_VER_MAJOR) {}

  std::string version() const { return version_from(property, "cusolverGetProperty"); }

  decltype(&cusolverDnCreate) create = symbol("cusolverDnCreate");
  decltype(&cusolverDnDestroy) destroy = symbol("cusolverDnDestroy");
  decltype(&cusolverDnSetStream) set_stream = symbol("cusolverDnSetStream");
  decltype(&cusolverDnCreateSyevjInfo) create_info = symbol("cusolverDnCreateSyevjInfo");
  decltype(&cusolverDnDestroySyevjInfo) destroy_info = symbol("cusolverDnDestroySyevjInfo");
  decltype(&cusolverDnXsyevjSetSortEig) set_sorted = symbol("cusolverDnXsyevjSetSortEig");
  decltype(&cusolverGetProperty) property = symbol("cusolverGetProperty");
};

using Handle = std::unique_ptr<std::remove_pointer_t<cusolverDnHandle_t>, decltype(&cusolverDnDestroy)>;
using Info = std::unique_ptr<std::remove_pointer_t<syevjInfo_t>, decltype(&cusolverDnDestroySyevjInfo)>;

Handle make_handle(Stream stream) {
  const Cusolver& cusolver = Cusolver::opened();
  cusolverDnHandle_t made = nullptr;
  cusolver.check(cusolver.create(&made), "cusolverDnCreate");
  Handle handle(made, cusolver.destroy);
  cusolver.check(cusolver.set_stream(made, stream), "cusolverDnSetStream");
  return handle;
}

Info make_info() {
  const Cusolver& cusolver = Cusolver::opened();
  syevjInfo_t made = nullptr;
  cusolver.check(cusolver.create_info(&made), "cusolverDnCreateSyevjInfo");
  return {made, cusolver.destroy_info};
}

/// The library's functions for a type of entries, and the type of the eigenvalues.
template <class Entry>
struct Jacobi;
template <>
struct Jacobi<float> {
  using Value = float;
  decltype(&cusolverDnSsyevjBatched) run = nullptr;
  decltype(&cusolverDnSsyevjBatched_bufferSize) size = nullptr;
  static constexpr const char* name = "cusolverDnSsyevjBatched";
};
template <>
struct Jacobi<double> {
  using Value = double;
  decltype(&cusolverDnDsyevjBatched) run = nullptr;
  decltype(&cusolverDnDsyevjBatched_bufferSize) size = nullptr;
  static constexpr const char* name = "cusolverDnDsyevjBatched";
};
template <>
struct Jacobi<cuComplex> {
  using Value = float;
  decltype(&cusolverDnCheevjBatched) run = nullptr;
  decltype(&cusolverDnCheevjBatched_bufferSize) size = nullptr;
  static constexpr const char* name = "cusolverDnCheevjBatched";
};
template <>
struct Jacobi<cuDoubleComplex> {
  using Value = double;
  decltype(&cusolverDnZheevjBatched) run = nullptr;
  decltype(&cusolverDnZheevjBatched_bufferSize) size = nullptr;
  static constexpr const char* name = "cusolverDnZheevjBatched";
};

/// The matrices are copied to the buffer of the vectors, and the library works in place. Its scratch memory is followed
/// by a word for each matrix.
template <class Entry>
class SyevjBatched : public PreparedCallable {
 public:
  using Value = typename Jacobi<Entry>::Value;

  explicit SyevjBatched(const CallableRequest& request)
      : handle_(make_handle(request.stream)),
        info_(make_info()),
        order_(static_cast<int>(order_of(request.problem))),
        matrices_(static_cast<int>(request.problem.shape[0])) {
    const Cusolver& cusolver = Cusolver::opened();
    cusolver.load(of_.run, Jacobi<Entry>::name);
    cusolver.load(of_.size, (std::string(Jacobi<Entry>::name) + "_bufferSize").c_str());
    cusolver.check(cusolver.set_sorted(info_.get(), 1), "cusolverDnXsyevjSetSortEig");
    cusolver.check(of_.size(handle_.get(), CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, order_, nullptr, order_,
                            nullptr, &numbers_, info_.get(), matrices_),
                   Jacobi<Entry>::name);
  }

  std::int64_t scratch_bytes() const override {
    return work_bytes() + matrices_ * static_cast<std::int64_t>(sizeof(int));
  }

  void run(Stream stream, const CallableBuffers& buffers) override {
    const Cusolver& cusolver = Cusolver::opened();
    auto* vectors = static_cast<Entry*>(buffers.at("vectors"));
    auto* scratch = static_cast<char*>(buffers.at("scratch"));
    const std::size_t bytes = sizeof(Entry) * static_cast<std::size_t>(order_) * static_cast<std::size_t>(order_) *
                              static_cast<std::size_t>(matrices_);
    baselines::check(cudaMemcpyAsync(vectors, buffers.at("matrix"), bytes, cudaMemcpyDeviceToDevice, stream),
                     "cudaMemcpyAsync");
    cusolver.check(of_.run(handle_.get(), CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, order_, vectors, order_,
                           static_cast<Value*>(buffers.at("values")), reinterpret_cast<Entry*>(scratch), numbers_,
                           reinterpret_cast<int*>(scratch + work_bytes()), info_.get(), matrices_),
                   Jacobi<Entry>::name);
  }

 private:
  std::int64_t work_bytes() const { return numbers_ * static_cast<std::int64_t>(sizeof(Entry)); }

  Handle handle_;
  Info info_;
  Jacobi<Entry> of_;
  int order_, matrices_;
  int numbers_ = 0;
};

std::unique_ptr<PreparedCallable> prepare(const CallableRequest& request) {
  const bool is_float = request.problem.type() == ElementType::f32;
  if (is_complex(request.problem)) {
    if (is_float) return std::make_unique<SyevjBatched<cuComplex>>(request);
    return std::make_unique<SyevjBatched<cuDoubleComplex>>(request);
  }
  if (is_float) return std::make_unique<SyevjBatched<float>>(request);
  return std::make_unique<SyevjBatched<double>>(request);
}

}  // namespace

std::vector<Callable> eigen_vendor() {
  return {baselines::callable_of<Cusolver>(
      {.pattern = "eigen",
       .implementation = "cusolver",
       .idiom = "syevj_batched",
       .supports =
           [](const Problem& problem) {
             return problem.shape[0] > 0 && problem.shape[0] <= std::numeric_limits<int>::max();
           },
       // The library's own limit on sweeps.
       .depth = [](const Problem& problem, const Point&,
                   const Device&) { return turning_depth(100, cyclic_stages(problem) + 2); },
       .prepare = prepare})};
}

}  // namespace warpwright::eigen
