// The matrix product of the toolkit's libraries: cuBLAS gemm in plain float or double arithmetic, and of short elements
// on tensor cores with sums of floats or ints, those of 8-bit floats by cuBLASLt; opened at run time.
#include <cublasLt.h>

#include <algorithm>
#include <array>
#include <type_traits>

#include "kernels/matmul/problems.hpp"
#include "kernels/runtime/baselines/cublas.hpp"
#include "kernels/runtime/storage.hpp"

namespace warpwright::matmul {
namespace {

using baselines::Cublas;

/// cuBLASLt, opened at run time.
struct CublasLt : baselines::OptionalLibrary<CublasLt> {
  CublasLt() : OptionalLibrary("cuBLASLt", "libcublasLt.so", CUBLAS_VER_MAJOR) {}

  std::string text_of(cublasStatus_t status) const { return Cublas::opened().text_of(status); }

  decltype(&cublasLtCreate) create = symbol("cublasLtCreate");
  decltype(&cublasLtDestroy) destroy = symbol("cublasLtDestroy");
  decltype(&cublasLtMatmulDescCreate) create_product = symbol("cublasLtMatmulDescCreate");
  decltype(&cublasLtMatmulDescDestroy) destroy_product = symbol("cublasLtMatmulDescDestroy");
  decltype(&cublasLtMatmulDescSetAttribute) set = symbol("cublasLtMatmulDescSetAttribute");
  decltype(&cublasLtMatrixLayoutCreate) create_layout = symbol("cublasLtMatrixLayoutCreate");
  decltype(&cublasLtMatrixLayoutDestroy) destroy_layout = symbol("cublasLtMatrixLayoutDestroy");
  decltype(&cublasLtMatmulPreferenceCreate) create_preference = symbol("cublasLtMatmulPreferenceCreate");
  decltype(&cublasLtMatmulPreferenceDestroy) destroy_preference = symbol("cublasLtMatmulPreferenceDestroy");
  decltype(&cublasLtMatmulAlgoGetHeuristic) choose = symbol("cublasLtMatmulAlgoGetHeuristic");
  decltype(&cublasLtMatmul) multiply = symbol("cublasLtMatmul");
};

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
        alpha(static_cast<Sum>(factor_of(request.problem, "alpha"))),
        beta(static_cast<Sum>(factor_of(request.problem, "beta"))),
        of_b(is_transposed(request.problem) ? CUBLAS_OP_T : CUBLAS_OP_N) {}
};

/// With the default and the pedantic mode, operands are not rounded to TF32 or split into shorter numbers for tensor
/// cores.
template <class T>
class Gemm : public PreparedCallable {
 public:
  Gemm(const CallableRequest& request, cublasMath_t mode) : product_(request) {
    const Cublas& cublas = Cublas::opened();
    cublas.load(gemm_, std::is_same_v<T, float> ? "cublasSgemm_v2_64" : "cublasDgemm_v2_64");
    decltype(&cublasSetMathMode) set_math = nullptr;
    cublas.load(set_math, "cublasSetMathMode");
    cublas.check(set_math(product_.handle.get(), mode), "cublasSetMathMode");
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

/// How the library calls elements of a type.
cudaDataType data_type(ElementType type) {
  switch (type) {
    case ElementType::f16:
      return CUDA_R_16F;
    case ElementType::bf16:
      return CUDA_R_16BF;
    case ElementType::e4m3:
      return CUDA_R_8F_E4M3;
    case ElementType::i8:
      return CUDA_R_8I;
    case ElementType::i32:
      return CUDA_R_32I;
    case ElementType::f64:
      return CUDA_R_64F;
    default:
      return CUDA_R_32F;
  }
}

cublasComputeType_t arithmetic_of(const Problem& problem, bool is_pedantic) {
  if (problem.type() == ElementType::i8) return is_pedantic ? CUBLAS_COMPUTE_32I_PEDANTIC : CUBLAS_COMPUTE_32I;
  if (problem.type() == ElementType::f64) return is_pedantic ? CUBLAS_COMPUTE_64F_PEDANTIC : CUBLAS_COMPUTE_64F;
  if (problem.type() == ElementType::tf32) return CUBLAS_COMPUTE_32F_FAST_TF32;
  return is_pedantic ? CUBLAS_COMPUTE_32F_PEDANTIC : CUBLAS_COMPUTE_32F;
}

/// The library's general interface, for short operands and for several products. C, alpha and beta have the type of
/// sums, as in the kernels of this pattern. Short operands go through tensor cores.
template <class Sum>
class ExtendedGemm : public PreparedCallable {
 public:
  explicit ExtendedGemm(const CallableRequest& request)
      : product_(request),
        products_(products_of(request.problem)),
        rows_of_b_(rows_of_b(request.problem)),
        type_(data_type(request.problem.type())),
        sums_(data_type(sum_type(request.problem.types))),
        arithmetic_(arithmetic_of(request.problem, gemm_space().params(request.knobs).pedantic)) {
    Cublas::opened().load(one_, "cublasGemmEx_64");
    Cublas::opened().load(several_, "cublasGemmStridedBatchedEx_64");
  }

  void run(Stream, const CallableBuffers& buffers) override {
    const extents& e = product_.sizes;
    const void* const a = buffers.at("a");
    const void* const b = buffers.at("b");
    void* const c = buffers.at("c");
    const Cublas& cublas = Cublas::opened();
    if (products_ == 1)
      cublas.check(one_(product_.handle.get(), product_.of_b, CUBLAS_OP_N, e.n, e.m, e.k, &product_.alpha, b, type_,
                        e.ldb, a, type_, e.lda, &product_.beta, c, sums_, e.ldc, arithmetic_, CUBLAS_GEMM_DEFAULT),
                   "cublasGemmEx");
    else
      cublas.check(several_(product_.handle.get(), product_.of_b, CUBLAS_OP_N, e.n, e.m, e.k, &product_.alpha, b, type_,
                            e.ldb, rows_of_b_ * e.ldb, a, type_, e.lda, e.m * e.lda, &product_.beta, c, sums_, e.ldc,
                            e.m * e.ldc, products_, arithmetic_, CUBLAS_GEMM_DEFAULT),
                   "cublasGemmStridedBatchedEx");
  }

 private:
  product_of<Sum> product_;
  std::int64_t products_, rows_of_b_;
  decltype(&cublasGemmEx_64) one_ = nullptr;
  decltype(&cublasGemmStridedBatchedEx_64) several_ = nullptr;
  cudaDataType type_, sums_;
  cublasComputeType_t arithmetic_;
};

/// 8-bit floats by cuBLASLt, which takes a transposed B only, and rows of multiples of 16 bytes.
class Float8Gemm : public PreparedCallable {
 public:
  explicit Float8Gemm(const CallableRequest& request) : product_(request) {
    const CublasLt& lt = CublasLt::opened();
    const extents& e = product_.sizes;
    lt.check(lt.create(&handle_), "cublasLtCreate");
    lt.check(lt.create_product(&description_, CUBLAS_COMPUTE_32F, CUDA_R_32F), "cublasLtMatmulDescCreate");
    constexpr cublasOperation_t kTransposed = CUBLAS_OP_T;
    lt.check(lt.set(description_, CUBLASLT_MATMUL_DESC_TRANSA, &kTransposed, sizeof(kTransposed)),
             "cublasLtMatmulDescSetAttribute");
    lt.check(lt.create_layout(&of_b_, CUDA_R_8F_E4M3, e.k, e.n, e.ldb), "cublasLtMatrixLayoutCreate");
    lt.check(lt.create_layout(&of_a_, CUDA_R_8F_E4M3, e.k, e.m, e.lda), "cublasLtMatrixLayoutCreate");
    lt.check(lt.create_layout(&of_c_, CUDA_R_32F, e.n, e.m, e.ldc), "cublasLtMatrixLayoutCreate");
    lt.check(lt.create_preference(&preference_), "cublasLtMatmulPreferenceCreate");
    int found = 0;
    lt.check(lt.choose(handle_, description_, of_b_, of_a_, of_c_, of_c_, preference_, 1, &chosen_, &found),
             "cublasLtMatmulAlgoGetHeuristic");
  }
  ~Float8Gemm() override {
    const CublasLt& lt = CublasLt::opened();
    lt.destroy_preference(preference_);
    for (cublasLtMatrixLayout_t layout : {of_a_, of_b_, of_c_}) lt.destroy_layout(layout);
    lt.destroy_product(description_);
    lt.destroy(handle_);
  }
  Float8Gemm(const Float8Gemm&) = delete;
  Float8Gemm& operator=(const Float8Gemm&) = delete;

  void run(Stream stream, const CallableBuffers& buffers) override {
    const CublasLt& lt = CublasLt::opened();
    lt.check(
        lt.multiply(handle_, description_, &product_.alpha, buffers.at("b"), of_b_, buffers.at("a"), of_a_,
                    &product_.beta, buffers.at("c"), of_c_, buffers.at("c"), of_c_, &chosen_.algo, nullptr, 0, stream),
        "cublasLtMatmul");
  }

 private:
  product_of<float> product_;
  cublasLtHandle_t handle_ = nullptr;
  cublasLtMatmulDesc_t description_ = nullptr;
  cublasLtMatrixLayout_t of_a_ = nullptr, of_b_ = nullptr, of_c_ = nullptr;
  cublasLtMatmulPreference_t preference_ = nullptr;
  cublasLtMatmulHeuristicResult_t chosen_ = {};
};

/// For any order of summation, a term is added to all others at most, and a product may be rounded separately.
double depth(const Problem& problem, const Point&, const Device&) {
  const auto terms = static_cast<double>(problem.shape[2]);
  if (problem.type() == ElementType::e4m3) return float8_depth(terms, terms);  // it may sum all terms with few bits
  return has_short_elements(problem) ? matrix_unit_depth(terms) : chain_depth(terms + 1);
}

/// The library takes rows of 8-bit integers at multiples of 4 bytes, and those of 8-bit floats at multiples of 16, with
/// B transposed.
bool supports(const Problem& problem) {
  const extents e = extents_of(problem);
  const auto fits = [&](std::int64_t multiple) {
    return std::ranges::all_of(std::array{e.k, e.n, e.lda, e.ldb},
                               [=](std::int64_t size) { return size % multiple == 0; });
  };
  if (!has_elements(problem)) return false;
  if (problem.type() == ElementType::e4m3)
    return products_of(problem) == 1 && e.k > 0 && is_transposed(problem) && e.m % 16 == 0 && fits(16);
  return problem.type() != ElementType::i8 || fits(4);
}

std::unique_ptr<PreparedCallable> prepare(const CallableRequest& request) {
  if (request.problem.type() == ElementType::e4m3) return std::make_unique<Float8Gemm>(request);
  if (has_short_elements(request.problem) || products_of(request.problem) > 1)
    return with_type_of<float, double, int>(sum_type(request.problem.types),
                                            [&]<class Sum>(Sum) -> std::unique_ptr<PreparedCallable> {
                                              return std::make_unique<ExtendedGemm<Sum>>(request);
                                            });
  const cublasMath_t mode = gemm_space().params(request.knobs).pedantic ? CUBLAS_PEDANTIC_MATH : CUBLAS_DEFAULT_MATH;
  if (request.problem.type() == ElementType::f32) return std::make_unique<Gemm<float>>(request, mode);
  return std::make_unique<Gemm<double>>(request, mode);
}

/// Floats as three bfloat16 numbers each, nine products for one: the library's counterpart of the kernels that split.
std::unique_ptr<PreparedCallable> prepare_emulated(const CallableRequest& request) {
  constexpr int kFirst = 100;
  if (request.device.compute_capability < kFirst)
    throw CallableRefusal("cuBLAS splits floats for tensor cores from sm_100 only");
  return std::make_unique<Gemm<float>>(request, CUBLAS_FP32_EMULATED_BF16X9_MATH);
}

}  // namespace

std::vector<Callable> matmul_vendor() {
  const std::vector<std::string> laws{"distributivity", "the identity keeps A", "the transposed product"};
  return {baselines::callable_of<Cublas>({.pattern = "matmul",
                                          .implementation = "cublas",
                                          .idiom = "gemm",
                                          .knobs = gemm_space().space(),
                                          .default_knobs = gemm_space().point({}),
                                          .laws = laws,
                                          .supports = supports,
                                          .depth = depth,
                                          .prepare = prepare}),
          baselines::callable_of<Cublas>(
              {.pattern = "matmul",
               .implementation = "cublas",
               .idiom = "gemm_emulated",
               .laws = laws,
               .supports =
                   [](const Problem& problem) {
                     return problem.type() == ElementType::f32 && supports(problem) && products_of(problem) == 1;
                   },
               // Nine products of parts for each term, summed by matrix units.
               .depth = [](const Problem& problem, const Point&,
                           const Device&) { return matrix_unit_depth(9 * static_cast<double>(problem.shape[2])); },
               .prepare = prepare_emulated})};
}

}  // namespace warpwright::matmul
