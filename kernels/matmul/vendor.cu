// The matrix product of the toolkit's libraries: cuBLAS gemm in plain float or double arithmetic, opened at run time.
#include <type_traits>

#include "kernels/matmul/problems.hpp"
#include "kernels/runtime/baselines/cublas.hpp"

namespace warpwright::matmul {
namespace {

using baselines::Cublas;

struct gemm_knobs {
  bool pedantic = false;  ///< the library's strictest arithmetic, one kernel for all; else what it takes for float
};

SpaceOf<gemm_knobs> gemm_space() {
  SpaceOf<gemm_knobs> space;
  space.axis("pedantic", &gemm_knobs::pedantic, {false, true});
  return space;
}

/// A row-major matrix is the transposed column-major one: C^T = B^T A^T. Neither mode rounds operands to TF32 or takes
/// them apart for tensor cores of fewer bits.
template <class T>
class Gemm : public PreparedCallable {
 public:
  explicit Gemm(const CallableRequest& request)
      : handle_(request.stream),
        sizes_(extents_of(request.problem)),
        alpha_(static_cast<T>(request.problem.number("alpha"))),
        beta_(static_cast<T>(request.problem.number("beta"))),
        of_b_(is_transposed(request.problem) ? CUBLAS_OP_T : CUBLAS_OP_N) {
    const Cublas& cublas = Cublas::opened();
    cublas.load(gemm_, std::is_same_v<T, float> ? "cublasSgemm_v2_64" : "cublasDgemm_v2_64");
    decltype(&cublasSetMathMode) set_math = nullptr;
    cublas.load(set_math, "cublasSetMathMode");
    const bool is_pedantic = gemm_space().params(request.knobs).pedantic;
    cublas.check(set_math(handle_.get(), is_pedantic ? CUBLAS_PEDANTIC_MATH : CUBLAS_DEFAULT_MATH),
                 "cublasSetMathMode");
  }

  void run(Stream, const CallableBuffers& buffers) override {
    Cublas::opened().check(
        gemm_(handle_.get(), of_b_, CUBLAS_OP_N, sizes_.n, sizes_.m, sizes_.k, &alpha_,
              static_cast<const T*>(buffers.at("b")), sizes_.ldb, static_cast<const T*>(buffers.at("a")), sizes_.lda,
              &beta_, static_cast<T*>(buffers.at("c")), sizes_.ldc),
        "cublas gemm");
  }

 private:
  using Function =
      std::conditional_t<std::is_same_v<T, float>, decltype(&cublasSgemm_v2_64), decltype(&cublasDgemm_v2_64)>;

  baselines::CublasHandle handle_;
  Function gemm_ = nullptr;
  extents sizes_;
  T alpha_, beta_;
  cublasOperation_t of_b_;
};

}  // namespace

std::vector<Callable> matmul_vendor() {
  Callable gemm{.pattern = "matmul",
                .implementation = "cublas",
                .idiom = "gemm",
                .knobs = gemm_space().space(),
                .default_knobs = gemm_space().point({}),
                .laws = {"distributivity", "the identity keeps A", "the transposed product"},
                .supports = has_elements,
                // In whatever order it adds up: a term meets all others at most; a product may be rounded by itself.
                .depth = [](const Problem& problem, const Point&,
                            const Device&) { return chain_depth(static_cast<double>(problem.shape[2]) + 1); },
                .prepare = [](const CallableRequest& request) -> std::unique_ptr<PreparedCallable> {
                  if (request.problem.type() == ElementType::f32) return std::make_unique<Gemm<float>>(request);
                  return std::make_unique<Gemm<double>>(request);
                }};
  baselines::describe_cublas(gemm);
  return {gemm};
}

}  // namespace warpwright::matmul
