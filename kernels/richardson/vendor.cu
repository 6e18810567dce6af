// Richardson's iteration with the toolkit's libraries, opened at run time: cuBLAS gemv, or cuSPARSE SpMV for a sparse
// matrix, onto x - alpha f.
#include <cusparse.h>

#include <limits>
#include <memory>
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

struct Cusparse : baselines::OptionalLibrary<Cusparse> {
  Cusparse() : OptionalLibrary("cuSPARSE", "libcusparse.so", CUSPARSE_VER_MAJOR) {}

  std::string version() const { return version_from(property, "cusparseGetProperty"); }

  decltype(&cusparseCreate) create = symbol("cusparseCreate");
  decltype(&cusparseDestroy) destroy = symbol("cusparseDestroy");
  decltype(&cusparseSetStream) set_stream = symbol("cusparseSetStream");
  decltype(&cusparseGetProperty) property = symbol("cusparseGetProperty");
  decltype(&cusparseCreateConstCsr) create_csr = symbol("cusparseCreateConstCsr");
  decltype(&cusparseDestroySpMat) destroy_matrix = symbol("cusparseDestroySpMat");
  decltype(&cusparseCreateDnVec) create_vector = symbol("cusparseCreateDnVec");
  decltype(&cusparseDestroyDnVec) destroy_vector = symbol("cusparseDestroyDnVec");
  decltype(&cusparseDnVecSetValues) set_values = symbol("cusparseDnVecSetValues");
  decltype(&cusparseSpMV_bufferSize) workspace = symbol("cusparseSpMV_bufferSize");
  decltype(&cusparseSpMV_preprocess) preprocess = symbol("cusparseSpMV_preprocess");
  decltype(&cusparseSpMV) multiply = symbol("cusparseSpMV");
};

struct spmv_knobs {
  cusparseSpMVAlg_t algorithm = CUSPARSE_SPMV_ALG_DEFAULT;
};

SpaceOf<spmv_knobs> spmv_space() {
  SpaceOf<spmv_knobs> space;
  space.axis("algorithm", &spmv_knobs::algorithm,
             {CUSPARSE_SPMV_ALG_DEFAULT, CUSPARSE_SPMV_CSR_ALG1, CUSPARSE_SPMV_CSR_ALG2});
  return space;
}

template <class To, class From>
__global__ void narrowed(const From* __restrict__ from, To* __restrict__ to, std::int64_t count) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) to[i] = static_cast<To>(from[i]);
}

/// to = from - alpha f
template <class T>
__global__ void less_than_before(const T* __restrict__ from, const T* __restrict__ f, T* __restrict__ to, T alpha,
                                 std::int64_t count) {
  const std::int64_t i = static_cast<std::int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i] - alpha * f[i];
}

/// What the library makes of the matrix before the first product is not timed: beginnings of rows in 32 bits, and its
/// own preprocessing.
template <class T>
class Spmv : public PreparedCallable {
 public:
  explicit Spmv(const CallableRequest& request)
      : rows_(request.problem.shape[0]),
        entries_(entries(request.problem)),
        sweeps_(request.problem.integer("sweeps")),
        alpha_(static_cast<T>(request.problem.number("alpha"))),
        algorithm_(spmv_space().params(request.knobs).algorithm) {
    const Cusparse& cusparse = Cusparse::opened();
    cusparse.check(cusparse.create(&handle_), "cusparseCreate");
    cusparse.check(cusparse.set_stream(handle_, request.stream), "cusparseSetStream");
  }
  ~Spmv() override {
    const Cusparse& cusparse = Cusparse::opened();
    forget();
    cudaFree(workspace_);
    cusparse.destroy(handle_);
  }

  std::int64_t scratch_bytes() const override { return starts_at() + (rows_ + 1) * std::int64_t{sizeof(int)}; }

  void prepare(Stream stream, const CallableBuffers& buffers) override {
    const Cusparse& cusparse = Cusparse::opened();
    forget();
    auto* const starts = reinterpret_cast<int*>(static_cast<char*>(buffers.at("scratch")) + starts_at());
    narrowed<<<blocks(rows_ + 1), kBlock, 0, stream>>>(static_cast<const std::int64_t*>(buffers.at("starts")), starts,
                                                       rows_ + 1);
    baselines::check(cudaGetLastError(), "narrowed");
    cusparse.check(cusparse.create_csr(&matrix_, rows_, rows_, entries_, starts, buffers.at("columns"), buffers.at("a"),
                                       CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, kType),
                   "cusparseCreateConstCsr");
    cusparse.check(cusparse.create_vector(&from_, rows_, buffers.at("x"), kType), "cusparseCreateDnVec");
    cusparse.check(cusparse.create_vector(&to_, rows_, buffers.at("scratch"), kType), "cusparseCreateDnVec");
    const T one = 1;
    std::size_t bytes = 0;
    cusparse.check(cusparse.workspace(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha_, matrix_, from_, &one, to_,
                                      kType, algorithm_, &bytes),
                   "cusparseSpMV_bufferSize");
    if (workspace_ == nullptr && bytes > 0) baselines::check(cudaMalloc(&workspace_, bytes), "cudaMalloc");
    cusparse.check(cusparse.preprocess(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha_, matrix_, from_, &one, to_,
                                       kType, algorithm_, workspace_),
                   "cusparseSpMV_preprocess");
  }

  void run(Stream stream, const CallableBuffers& buffers) override {
    const Cusparse& cusparse = Cusparse::opened();
    const T one = 1;
    void* from = buffers.at("start");
    if (sweeps_ == 0)
      baselines::check(cudaMemcpyAsync(buffers.at("x"), from, static_cast<std::size_t>(rows_) * sizeof(T),
                                       cudaMemcpyDeviceToDevice, stream),
                       "cudaMemcpyAsync");
    for (std::int64_t left = sweeps_; left > 0; --left) {
      auto* const to = static_cast<T*>(buffers.at(left % 2 == 1 ? "x" : "scratch"));
      less_than_before<<<blocks(rows_), kBlock, 0, stream>>>(static_cast<const T*>(from),
                                                             static_cast<const T*>(buffers.at("f")), to, alpha_, rows_);
      baselines::check(cudaGetLastError(), "less_than_before");
      cusparse.check(cusparse.set_values(from_, from), "cusparseDnVecSetValues");
      cusparse.check(cusparse.set_values(to_, to), "cusparseDnVecSetValues");
      cusparse.check(cusparse.multiply(handle_, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha_, matrix_, from_, &one, to_,
                                       kType, algorithm_, workspace_),
                     "cusparseSpMV");
      from = to;
    }
  }

 private:
  static constexpr cudaDataType kType = std::is_same_v<T, float> ? CUDA_R_32F : CUDA_R_64F;
  static constexpr unsigned kBlock = 256;
  static unsigned blocks(std::int64_t threads) { return static_cast<unsigned>((threads + kBlock - 1) / kBlock); }
  std::int64_t starts_at() const { return rows_ * std::int64_t{sizeof(T)}; }
  void forget() {
    const Cusparse& cusparse = Cusparse::opened();
    if (matrix_ != nullptr) cusparse.destroy_matrix(matrix_);
    for (const cusparseDnVecDescr_t vector : {from_, to_})
      if (vector != nullptr) cusparse.destroy_vector(vector);
    matrix_ = nullptr;
    from_ = to_ = nullptr;
  }

  std::int64_t rows_, entries_, sweeps_;
  T alpha_;
  cusparseSpMVAlg_t algorithm_;
  cusparseHandle_t handle_ = nullptr;
  cusparseConstSpMatDescr_t matrix_ = nullptr;
  cusparseDnVecDescr_t from_ = nullptr, to_ = nullptr;
  void* workspace_ = nullptr;
};

bool supports_spmv(const Problem& problem) {
  return problem.shape[0] > 0 && is_sparse(problem) && !stops_early(problem) &&
         entries(problem) <= std::numeric_limits<int>::max();
}

/// For any order of summation; products, and alpha times the sum or times A, may be rounded separately.
double depth(const Problem& problem, const Point&, const Device&) {
  return sweep_depth(problem, longest_row(problem) + 3);
}

}  // namespace

std::vector<Callable> richardson_vendor() {
  return {baselines::callable_of<Cublas>(
              {.pattern = "richardson",
               .implementation = "cublas",
               .idiom = "gemv",
               .supports =
                   [](const Problem& problem) {
                     return problem.shape[0] > 0 && !is_sparse(problem) && !stops_early(problem);
                   },
               .depth = depth,
               .prepare = [](const CallableRequest& request) -> std::unique_ptr<PreparedCallable> {
                 if (request.problem.type() == ElementType::f32) return std::make_unique<Gemv<float>>(request);
                 return std::make_unique<Gemv<double>>(request);
               }}),
          baselines::callable_of<Cusparse>(
              {.pattern = "richardson",
               .implementation = "cusparse",
               .idiom = "spmv",
               .knobs = spmv_space().space(),
               .default_knobs = spmv_space().point({}),
               .supports = supports_spmv,
               .depth = depth,
               .prepare = [](const CallableRequest& request) -> std::unique_ptr<PreparedCallable> {
                 if (request.problem.type() == ElementType::f32) return std::make_unique<Spmv<float>>(request);
                 return std::make_unique<Spmv<double>>(request);
               }})};
}

}  // namespace warpwright::richardson
