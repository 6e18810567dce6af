// The transposition of the toolkit's libraries: cuBLAS geam, opened at run time.
#include <cublas_v2.h>

#include <cstdlib>
#include <limits>
#include <mutex>
#include <string>
#include <type_traits>

#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/cuda_check.hpp"
#include "kernels/runtime/cuda/shared_library.hpp"

namespace warpwright::transpose {
namespace {

struct Cublas {
  decltype(&cublasCreate_v2) create;
  decltype(&cublasDestroy_v2) destroy;
  decltype(&cublasSetStream_v2) set_stream;
  decltype(&cublasGetProperty) property;
  decltype(&cublasGetStatusString) status_text;
  decltype(&cublasSgeam) sgeam;
  decltype(&cublasDgeam) dgeam;

  Cublas() {
    static const gpu::SharedLibrary library(candidates(),
                                            "cuBLAS was not found: put the folder of libcublas.so on LD_LIBRARY_PATH, "
                                            "or set CUDA_HOME");
    library.load(create, "cublasCreate_v2");
    library.load(destroy, "cublasDestroy_v2");
    library.load(set_stream, "cublasSetStream_v2");
    library.load(property, "cublasGetProperty");
    library.load(status_text, "cublasGetStatusString");
    library.load(sgeam, "cublasSgeam");
    library.load(dgeam, "cublasDgeam");
  }

  void check(cublasStatus_t status, const char* call) const {
    if (status != CUBLAS_STATUS_SUCCESS) throw std::runtime_error(std::string(call) + ": " + status_text(status));
  }

  std::string version() const {
    std::string text;
    for (const libraryPropertyType part : {MAJOR_VERSION, MINOR_VERSION, PATCH_LEVEL}) {
      int number = 0;
      check(property(part, &number), "cublasGetProperty");
      text += (text.empty() ? "" : ".") + std::to_string(number);
    }
    return text;
  }

 private:
  static std::vector<std::string> candidates() {
    const std::string name = "libcublas.so." + std::to_string(CUBLAS_VER_MAJOR);
    std::vector<std::string> paths{name};
    for (const char* variable : {"CUDA_HOME", "CUDA_PATH"})
      if (const char* home = std::getenv(variable)) paths.push_back(std::string(home) + "/lib64/" + name);
    paths.push_back("/usr/local/cuda/lib64/" + name);
    return paths;
  }
};

const Cublas& cublas() {
  static const Cublas opened;
  return opened;
}

/// A row-major matrix is the column-major one with rows and columns exchanged.
template <class T>
class Geam : public PreparedCallable {
 public:
  explicit Geam(const CallableRequest& request)
      : transposes_(request.problem.option("op") == "transpose"),
        rows_(static_cast<int>(request.problem.shape[0])),
        columns_(static_cast<int>(request.problem.shape[1])) {
    cublas().check(cublas().create(&handle_), "cublasCreate");
    cublas().check(cublas().set_stream(handle_, request.stream), "cublasSetStream");
  }
  ~Geam() override { cublas().destroy(handle_); }

  void run(Stream, const CallableBuffers& buffers) override {
    if (rows_ == 0 || columns_ == 0) return;
    const T one = 1;
    const T zero = 0;
    const auto* in = static_cast<const T*>(buffers.at("in"));
    auto* out = static_cast<T*>(buffers.at("out"));
    const cublasOperation_t operation = transposes_ ? CUBLAS_OP_T : CUBLAS_OP_N;
    const int m = transposes_ ? rows_ : columns_;
    const int n = transposes_ ? columns_ : rows_;
    const auto geam = [] {
      if constexpr (std::is_same_v<T, float>)
        return cublas().sgeam;
      else
        return cublas().dgeam;
    }();
    cublas().check(geam(handle_, operation, CUBLAS_OP_N, m, n, &one, in, columns_, &zero, out, m, out, m),
                   "cublas geam");
  }

 private:
  cublasHandle_t handle_ = nullptr;
  bool transposes_;
  int rows_;
  int columns_;
};

}  // namespace

std::vector<Callable> transpose_vendor() {
  Callable geam{.pattern = "transpose",
                .implementation = "cublas",
                .idiom = "geam",
                .supports =
                    [](const Problem& problem) {
                      constexpr auto kLargest = std::numeric_limits<int>::max();
                      return is_floating(problem.type()) && problem.shape[0] <= kLargest &&
                             problem.shape[1] <= kLargest;
                    },
                .depth = [](const Problem&, const Point&, const Device&) { return 0.0; },
                .prepare = [](const CallableRequest& request) -> std::unique_ptr<PreparedCallable> {
                  if (request.problem.type() == ElementType::f32) return std::make_unique<Geam<float>>(request);
                  return std::make_unique<Geam<double>>(request);
                }};
  try {
    geam.version = cublas().version();
  } catch (const std::runtime_error& none) {
    geam.missing = none.what();
  }
  return {geam};
}

}  // namespace warpwright::transpose
