// cuBLAS, opened at run time: what every callable of it needs.
#pragma once

#include <cublas_v2.h>

#include <stdexcept>
#include <string>

#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/toolkit_library.hpp"
#include "kernels/system/shared_library.hpp"

namespace warpwright::baselines {

/// Throws std::runtime_error, with what to do, where there is no cuBLAS.
class Cublas {
 public:
  static const Cublas& opened() {
    static const Cublas library;
    return library;
  }

  /// Sets `function` to the function of that name; throws std::runtime_error when the library is too old to have it.
  template <class F>
  void load(F*& function, const char* name) const {
    library_.load(function, name);
  }

  void check(cublasStatus_t status, const char* call) const {
    if (status != CUBLAS_STATUS_SUCCESS) throw std::runtime_error(std::string(call) + ": " + status_text_(status));
  }

  std::string version() const {
    return version_text([this](libraryPropertyType part) {
      int number = 0;
      check(property_(part, &number), "cublasGetProperty");
      return number;
    });
  }

 private:
  friend class CublasHandle;

  Cublas()
      : library_(toolkit_paths("libcublas.so." + std::to_string(CUBLAS_VER_MAJOR)),
                 "cuBLAS was not found: put the folder of libcublas.so on LD_LIBRARY_PATH, or set CUDA_HOME") {
    load(create_, "cublasCreate_v2");
    load(destroy_, "cublasDestroy_v2");
    load(set_stream_, "cublasSetStream_v2");
    load(property_, "cublasGetProperty");
    load(status_text_, "cublasGetStatusString");
  }

  gpu::SharedLibrary library_;
  decltype(&cublasCreate_v2) create_ = nullptr;
  decltype(&cublasDestroy_v2) destroy_ = nullptr;
  decltype(&cublasSetStream_v2) set_stream_ = nullptr;
  decltype(&cublasGetProperty) property_ = nullptr;
  decltype(&cublasGetStatusString) status_text_ = nullptr;
};

/// A handle whose work goes into one stream.
class CublasHandle {
 public:
  explicit CublasHandle(Stream stream) {
    const Cublas& cublas = Cublas::opened();
    cublas.check(cublas.create_(&handle_), "cublasCreate");
    cublas.check(cublas.set_stream_(handle_, stream), "cublasSetStream");
  }
  ~CublasHandle() { Cublas::opened().destroy_(handle_); }
  CublasHandle(const CublasHandle&) = delete;
  CublasHandle& operator=(const CublasHandle&) = delete;

  cublasHandle_t get() const { return handle_; }

 private:
  cublasHandle_t handle_ = nullptr;
};

/// Fills in the callable's version, or why it is missing.
inline void describe_cublas(Callable& callable) {
  try {
    callable.version = Cublas::opened().version();
  } catch (const std::runtime_error& none) {
    callable.missing = none.what();
  }
}

}  // namespace warpwright::baselines
