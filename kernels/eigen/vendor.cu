// Eigenvalues with the toolkit's libraries: cuSOLVER's batched Jacobi sweeps and its batched driver by reduction to a
// tridiagonal matrix, opened at run time.
#include <cusolverDn.h>

#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

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

/// The driver that reduces each matrix to a tridiagonal one, from cuSOLVER 11.7 on. It works in place as well.
class XsyevBatched : public PreparedCallable {
 public:
  explicit XsyevBatched(const CallableRequest& request)
      : handle_(make_handle(request.stream)),
        order_(order_of(request.problem)),
        matrices_(request.problem.shape[0]),
        bytes_(static_cast<std::size_t>(matrices_ * square_of(request.problem)) * size_of(request.problem.type())) {
    const bool is_float = request.problem.type() == ElementType::f32;
    value_ = is_float ? CUDA_R_32F : CUDA_R_64F;
    entry_ = !is_complex(request.problem) ? value_ : is_float ? CUDA_C_32F : CUDA_C_64F;
    const Cusolver& cusolver = Cusolver::opened();
    decltype(&cusolverDnXsyevBatched_bufferSize) size = nullptr;
    decltype(&cusolverDnCreateParams) create = nullptr;
    try {
      cusolver.load(run_, "cusolverDnXsyevBatched");
      cusolver.load(size, "cusolverDnXsyevBatched_bufferSize");
      cusolver.load(create, "cusolverDnCreateParams");
      cusolver.load(destroy_params_, "cusolverDnDestroyParams");
    } catch (const std::runtime_error& old) {
      throw CallableRefusal(old.what());
    }
    cusolver.check(create(&params_), "cusolverDnCreateParams");
    std::size_t on_host = 0;
    cusolver.check(size(handle_.get(), params_, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, order_, entry_,
                        nullptr, order_, value_, nullptr, entry_, &on_device_, &on_host, matrices_),
                   "cusolverDnXsyevBatched_bufferSize");
    on_host_.resize(on_host);
  }
  ~XsyevBatched() override {
    if (params_ != nullptr) destroy_params_(params_);
  }

  std::int64_t scratch_bytes() const override {
    return work_bytes() + matrices_ * static_cast<std::int64_t>(sizeof(int));
  }

  void run(Stream stream, const CallableBuffers& buffers) override {
    void* const vectors = buffers.at("vectors");
    auto* const scratch = static_cast<char*>(buffers.at("scratch"));
    baselines::check(cudaMemcpyAsync(vectors, buffers.at("matrix"), bytes_, cudaMemcpyDeviceToDevice, stream),
                     "cudaMemcpyAsync");
    Cusolver::opened().check(
        run_(handle_.get(), params_, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, order_, entry_, vectors, order_,
             value_, buffers.at("values"), entry_, scratch, on_device_, on_host_.data(), on_host_.size(),
             reinterpret_cast<int*>(scratch + work_bytes()), matrices_),
        "cusolverDnXsyevBatched");
  }

 private:
  /// A multiple of the words that follow it.
  std::int64_t work_bytes() const {
    constexpr std::size_t kWord = sizeof(int);
    return static_cast<std::int64_t>((on_device_ + kWord - 1) / kWord * kWord);
  }

  Handle handle_;
  std::int64_t order_, matrices_;
  std::size_t bytes_;
  cudaDataType value_ = CUDA_R_32F, entry_ = CUDA_R_32F;
  decltype(&cusolverDnXsyevBatched) run_ = nullptr;
  decltype(&cusolverDnDestroyParams) destroy_params_ = nullptr;
  cusolverDnParams_t params_ = nullptr;
  std::size_t on_device_ = 0;
  std::vector<char> on_host_;
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
  const Callable batched{.pattern = "eigen",
                         .implementation = "cusolver",
                         .supports =
                             [](const Problem& problem) {
                               return problem.shape[0] > 0 && problem.shape[0] <= std::numeric_limits<int>::max();
                             },
                         // The library's own limit on sweeps. Reduction and iteration turn each value less often.
                         .depth = [](const Problem& problem, const Point&,
                                     const Device&) { return turning_depth(100, cyclic_stages(problem) + 2); }};
  Callable jacobi = batched;
  jacobi.idiom = "syevj_batched";
  jacobi.prepare = prepare;
  Callable driver = batched;
  driver.idiom = "syev_batched";
  driver.prepare = [](const CallableRequest& request) -> std::unique_ptr<PreparedCallable> {
    return std::make_unique<XsyevBatched>(request);
  };
  return {baselines::callable_of<Cusolver>(jacobi), baselines::callable_of<Cusolver>(driver)};
}

}  // namespace warpwright::eigen
