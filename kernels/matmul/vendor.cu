// The matrix product of the toolkit's libraries: cuBLAS gemm in plain float or double arithmetic, and of halves on
// tensor cores with sums of floats; opened at run time.
#include <type_traits>

#include "kernels/matmul/problems.hpp"
#include "kernels/runtime/baselines/cublas.hpp"

namespace warpwright::matmul {
namespace {

using baselines::Cublas;

struct gemm_knobs {
  bool pedantic = false;  ///< the library's strictest arithmetic, with one kernel for all sizes; otherwise its default
                          ///< for float
};

SpaceOf<gemm_knobs> gemm_space() {
  SpaceOf<gemm_knobs> space;
  space.axis("pedantic", &gemm_knobs::pedantic, {false, true});
  return space;
}

/// The arguments of every product of the library. A row-major matrix is the transposed column-major one: C^T = B^T A^T.
template <class Sum>
struct product_of {
  baselines::CublasHandle handle;
  extents sizes;
  Sum alpha, beta;
  cublasOperation_t of_b;

  explicit product_of(const CallableRequest& request)
      : handle(request.stream),
        sizes(extents_of(request.problem)),
        alpha(static_cast<Sum>(request.problem.number("alpha"))),
        beta(static_cast<Sum>(request.problem.number("beta"))),
        of_b(is_transposed(request.problem) ? CUBLAS_OP_T : CUBLAS_OP_N) {}
};

/// Neither mode rounds operands to TF32 or splits them into shorter numbers for tensor cores.
template <class T>
class Gemm : public PreparedCallable {
 public:
  explicit Gemm(const CallableRequest& request) : product_(request) {
    const Cublas& cublas = Cublas::opened();
    cublas.load(gemm_, std::is_same_v<T, float> ? "cublasSgemm_v2_64" : "cublasDgemm_v2_64");
    decltype(&cublasSetMathMode) set_math = nullptr;
    cublas.load(set_math, "cublasSetMathMode");
    const bool is_pedantic = gemm_space().params(request.knobs).pedantic;
    cublas.check(set_math(product_.handle.get(), is_pedantic ? CUBLAS_PEDANTIC_MATH : CUBLAS_DEFAULT_MATH),
                 "cublasSetMathMode");
  }

  void run(Stream, const CallableBuffers& buffers) override {
    Cublas::opened().check(gemm_(product_.handle.get(), product_.of_b, CUBLAS_OP_N, product_.sizes.n, product_.sizes.m,
                                 product_.sizes.k, &product_.alpha, static_cast<const T*>(buffers.at("b")),
                                 product_.sizes.ldb, static_cast<const T*>(buffers.at("a")), product_.sizes.lda,
                                 &product_.beta, static_cast<T*>(buffers.at("c")), product_.sizes.ldc),
                           "cublas gemm");
  }

 private:
  using Function =
      std::conditional_t<std::is_same_v<T, float>, decltype(&cublasSgemm_v2_64), decltype(&cublasDgemm_v2_64)>;

  product_of<T> product_;
  Function gemm_ = nullptr;
};

/// 16-bit operands with C, alpha and beta in float, like the kernels of this pattern. The library uses tensor cores.
class HalfGemm : public PreparedCallable {
 public:
  explicit HalfGemm(const CallableRequest& request)
      : product_(request),
        type_(request.problem.type() == ElementType::f16 ? CUDA_R_16F : CUDA_R_16BF),
        arithmetic_(gemm_space().params(request.knobs).pedantic ? CUBLAS_COMPUTE_32F_PEDANTIC : CUBLAS_COMPUTE_32F) {
    Cublas::opened().load(gemm_, "cublasGemmEx_64");
  }

  void run(Stream, const CallableBuffers& buffers) override {
    Cublas::opened().check(
        gemm_(product_.handle.get(), product_.of_b, CUBLAS_OP_N, product_.sizes.n, product_.sizes.m, product_.sizes.k,
              &product_.alpha, buffers.at("b"), type_, product_.sizes.ldb, buffers.at("a"), type_, product_.sizes.lda,
              &product_.beta, buffers.at("c"), CUDA_R_32F, product_.sizes.ldc, arithmetic_, CUBLAS_GEMM_DEFAULT),
        "cublasGemmEx");
  }

 private:
  product_of<float> product_;
  decltype(&cublasGemmEx_64) gemm_ = nullptr;
  cudaDataType type_;
  cublasComputeType_t arithmetic_;
};

/// For any order of summation, a term is added to all others at most, and a product may be rounded separately.
double depth(const Problem& problem, const Point&, const Device&) {
  const auto terms = static_cast<double>(problem.shape[2]);
  return has_halves(problem) ? matrix_unit_depth(terms) : chain_depth(terms + 1);
}

std::unique_ptr<PreparedCallable> prepare(const CallableRequest& request) {
  if (has_halves(request.problem)) return std::make_unique<HalfGemm>(request);
  if (request.problem.type() == ElementType::f32) return std::make_unique<Gemm<float>>(request);
  return std::make_unique<Gemm<double>>(request);
}

}  // namespace

std::vector<Callable> matmul_vendor() {
  return {baselines::callable_of<Cublas>({.pattern = "matmul",
                                          .implementation = "cublas",
                                          .idiom = "gemm",
                                          .knobs = gemm_space().space(),
                                          .default_knobs = gemm_space().point({}),
                                          .laws = {"distributivity", "the identity keeps A", "the transposed product"},
                                          .supports = has_elements,
                                          .depth = depth,
                                          .prepare = prepare})};
}

}  // namespace warpwright::matmul
