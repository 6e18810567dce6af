// The scaled sum of the toolkit's libraries: cuBLAS axpy onto a copy of y, and geam, which needs no copy.
#include <type_traits>

#include "kernels/map/problems.hpp"
#include "kernels/runtime/baselines/cublas.hpp"
#include "kernels/runtime/baselines/cuda_check.hpp"

namespace warpwright::map {
namespace {

using baselines::Cublas;

/// axpy works in place: z = y, then z = alpha x + z.
template <class T>
class Axpy : public PreparedCallable {
 public:
  explicit Axpy(const CallableRequest& request)
      : handle_(request.stream),
        alpha_(static_cast<T>(request.problem.number("alpha"))),
        count_(request.problem.elements()) {
    Cublas::opened().load(axpy_, std::is_same_v<T, float> ? "cublasSaxpy_v2_64" : "cublasDaxpy_v2_64");
  }

  void run(Stream stream, const CallableBuffers& buffers) override {
    auto* z = static_cast<T*>(buffers.at("z"));
    baselines::check(cudaMemcpyAsync(z, buffers.at("y"), static_cast<std::size_t>(count_) * sizeof(T),
                                     cudaMemcpyDeviceToDevice, stream),
                     "cudaMemcpyAsync");
    Cublas::opened().check(axpy_(handle_.get(), count_, &alpha_, static_cast<const T*>(buffers.at("x")), 1, z, 1),
                           "cublas axpy");
  }

 private:
  using Function =
      std::conditional_t<std::is_same_v<T, float>, decltype(&cublasSaxpy_v2_64), decltype(&cublasDaxpy_v2_64)>;

  baselines::CublasHandle handle_;
  Function axpy_ = nullptr;
  T alpha_;
  std::int64_t count_;
};

struct geam_knobs {
  int columns = 1;  ///< of the matrix as which the arrays are passed
};

SpaceOf<geam_knobs> geam_space() {
  SpaceOf<geam_knobs> space;
  space.axis("columns", &geam_knobs::columns, {1, 64, 1024});
  return space;
}

/// z = alpha x + 1 y, passed as matrices with this many columns.
template <class T>
class Geam : public PreparedCallable {
 public:
  explicit Geam(const CallableRequest& request)
      : handle_(request.stream),
        alpha_(static_cast<T>(request.problem.number("alpha"))),
        columns_(geam_space().params(request.knobs).columns),
        rows_(request.problem.elements() / columns_) {
    if (request.problem.elements() % columns_ != 0)
      throw CallableRefusal("no matrix of " + std::to_string(columns_) + " columns has so many elements");
    Cublas::opened().load(geam_, std::is_same_v<T, float> ? "cublasSgeam_64" : "cublasDgeam_64");
  }

  void run(Stream, const CallableBuffers& buffers) override {
    const T one = 1;
    Cublas::opened().check(
        geam_(handle_.get(), CUBLAS_OP_N, CUBLAS_OP_N, rows_, columns_, &alpha_, static_cast<const T*>(buffers.at("x")),
              rows_, &one, static_cast<const T*>(buffers.at("y")), rows_, static_cast<T*>(buffers.at("z")), rows_),
        "cublas geam");
  }

 private:
  using Function = std::conditional_t<std::is_same_v<T, float>, decltype(&cublasSgeam_64), decltype(&cublasDgeam_64)>;

  baselines::CublasHandle handle_;
  Function geam_ = nullptr;
  T alpha_;
  std::int64_t columns_;
  std::int64_t rows_;
};

template <template <class> class Routine>
std::unique_ptr<PreparedCallable> prepare(const CallableRequest& request) {
  if (request.problem.type() == ElementType::f32) return std::make_unique<Routine<float>>(request);
  return std::make_unique<Routine<double>>(request);
}

/// If alpha is 0, BLAS does not read x, so a NaN in x is lost.
bool supports(const Problem& problem) {
  return refuses_as_axpy(problem).empty() && problem.number("alpha") != 0 && problem.elements() > 0;
}

/// A product and a sum may be rounded together or each by itself: the library does not say.
double two_roundings(const Problem&, const Point&, const Device&) {
  return 2;
}

}  // namespace

std::vector<Callable> map_vendor() {
  return {baselines::callable_of<Cublas>({.pattern = "map",
                                          .implementation = "cublas",
                                          .idiom = "axpy",
                                          .laws = {"linearity", "concatenation"},
                                          .supports = supports,
                                          .depth = two_roundings,
                                          .prepare = prepare<Axpy>}),
          baselines::callable_of<Cublas>({.pattern = "map",
                                          .implementation = "cublas",
                                          .idiom = "geam",
                                          .knobs = geam_space().space(),
                                          .default_knobs = geam_space().point({}),
                                          .laws = {"linearity"},
                                          .supports = supports,
                                          .depth = two_roundings,
                                          .prepare = prepare<Geam>})};
}

}  // namespace warpwright::map
