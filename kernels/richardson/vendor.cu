// Richardson's iteration with the toolkit's libraries: cuBLAS gemv onto x - alpha f, opened at run time.
#include <type_traits>

#include "kernels/richardson/problems.hpp"
#include "kernels/runtime/baselines/cublas.hpp"
#include "kernels/runtime/baselines/cuda_check.hpp"

namespace warpwright::richardson {
namespace {

using baselines::Cublas;

/// A row-major matrix is the transposed column-major one. A sweep copies x, subtracts alpha f, and adds alpha A x by
/// gemv.
template <class T>
class Gemv : public PreparedCallable {
 public:
  explicit Gemv(const CallableRequest& request)
      : handle_(request.stream),
        rows_(request.problem.shape[0]),
        sweeps_(request.problem.integer("sweeps")),
        alpha_(static_cast<T>(request.problem.number("alpha"))) {
    const Cublas& cublas = Cublas::opened();
    cublas.load(gemv_, kIsFloat ? "cublasSgemv_v2_64" : "cublasDgemv_v2_64");
    cublas.load(axpy_, kIsFloat ? "cublasSaxpy_v2_64" : "cublasDaxpy_v2_64");
  }

  std::int64_t scratch_bytes() const override { return bytes(); }

  void run(Stream stream, const CallableBuffers& buffers) override {
    const Cublas& cublas = Cublas::opened();
    const T one = 1;
    const T minus = -alpha_;
    const auto* a = static_cast<const T*>(buffers.at("a"));
    const auto* f = static_cast<const T*>(buffers.at("f"));
    const void* from = buffers.at("start");
    if (sweeps_ == 0) copy(buffers.at("x"), from, stream);
    for (std::int64_t left = sweeps_; left > 0; --left) {
      auto* to = static_cast<T*>(buffers.at(left % 2 == 1 ? "x" : "scratch"));
      copy(to, from, stream);
      cublas.check(axpy_(handle_.get(), rows_, &minus, f, 1, to, 1), "cublas axpy");
      cublas.check(gemv_(handle_.get(), CUBLAS_OP_T, rows_, rows_, &alpha_, a, rows_, static_cast<const T*>(from), 1,
                         &one, to, 1),
                   "cublas gemv");
      from = to;
    }
  }

 private:
  static constexpr bool kIsFloat = std::is_same_v<T, float>;
  using GemvFunction = std::conditional_t<kIsFloat, decltype(&cublasSgemv_v2_64), decltype(&cublasDgemv_v2_64)>;
  using AxpyFunction = std::conditional_t<kIsFloat, decltype(&cublasSaxpy_v2_64), decltype(&cublasDaxpy_v2_64)>;

  std::int64_t bytes() const { return rows_ * static_cast<std::int64_t>(sizeof(T)); }
  void copy(void* to, const void* from, Stream stream) const {
    baselines::check(cudaMemcpyAsync(to, from, static_cast<std::size_t>(bytes()), cudaMemcpyDeviceToDevice, stream),
                     "cudaMemcpyAsync");
  }

  baselines::CublasHandle handle_;
  GemvFunction gemv_ = nullptr;
  AxpyFunction axpy_ = nullptr;
  std::int64_t rows_, sweeps_;
  T alpha_;
};

}  // namespace

std::vector<Callable> richardson_vendor() {
  return {baselines::callable_of<Cublas>(
      {.pattern = "richardson",
       .implementation = "cublas",
       .idiom = "gemv",
       .supports =
           [](const Problem& problem) { return problem.shape[0] > 0 && !is_sparse(problem) && !stops_early(problem); },
       // For any order of summation; products, and alpha times the sum or times A, may be rounded separately.
       .depth = [](const Problem& problem, const Point&,
                   const Device&) { return sweep_depth(problem, longest_row(problem) + 3); },
       .prepare = [](const CallableRequest& request) -> std::unique_ptr<PreparedCallable> {
         if (request.problem.type() == ElementType::f32) return std::make_unique<Gemv<float>>(request);
         return std::make_unique<Gemv<double>>(request);
       }})};
}

}  // namespace warpwright::richardson
