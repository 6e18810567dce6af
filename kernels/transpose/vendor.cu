// The transposition of the toolkit's libraries: cuBLAS geam, opened at run time.
#include <limits>
#include <type_traits>

#include "kernels/runtime/baselines/cublas.hpp"

namespace warpwright::transpose {
namespace {

using baselines::Cublas;

/// A row-major matrix is the column-major one with rows and columns exchanged.
template <class T>
class Geam : public PreparedCallable {
 public:
  explicit Geam(const CallableRequest& request)
      : handle_(request.stream),
        transposes_(request.problem.option("op") == "transpose"),
        rows_(static_cast<int>(request.problem.shape[0])),
        columns_(static_cast<int>(request.problem.shape[1])) {
    Cublas::opened().load(geam_, std::is_same_v<T, float> ? "cublasSgeam" : "cublasDgeam");
  }

  void run(Stream, const CallableBuffers& buffers) override {
    if (rows_ == 0 || columns_ == 0) return;
    const T one = 1;
    const T zero = 0;
    const auto* in = static_cast<const T*>(buffers.at("in"));
    auto* out = static_cast<T*>(buffers.at("out"));
    const cublasOperation_t operation = transposes_ ? CUBLAS_OP_T : CUBLAS_OP_N;
    const int m = transposes_ ? rows_ : columns_;
    const int n = transposes_ ? columns_ : rows_;
    Cublas::opened().check(
        geam_(handle_.get(), operation, CUBLAS_OP_N, m, n, &one, in, columns_, &zero, out, m, out, m), "cublas geam");
  }

 private:
  using Function = std::conditional_t<std::is_same_v<T, float>, decltype(&cublasSgeam), decltype(&cublasDgeam)>;

  baselines::CublasHandle handle_;
  Function geam_ = nullptr;
  bool transposes_;
  int rows_;
  int columns_;
};

}  // namespace

std::vector<Callable> transpose_vendor() {
  return {baselines::callable_of<Cublas>(
      {.pattern = "transpose",
       .implementation = "cublas",
       .idiom = "geam",
       .supports =
           [](const Problem& problem) {
             constexpr auto kLargest = std::numeric_limits<int>::max();
             return is_floating(problem.type()) && problem.shape[0] <= kLargest && problem.shape[1] <= kLargest;
           },
       .prepare = [](const CallableRequest& request) -> std::unique_ptr<PreparedCallable> {
         if (request.problem.type() == ElementType::f32) return std::make_unique<Geam<float>>(request);
         return std::make_unique<Geam<double>>(request);
       }})};
}

}  // namespace warpwright::transpose
