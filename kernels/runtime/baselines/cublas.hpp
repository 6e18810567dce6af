// cuBLAS, opened at run time; shared by all its callables.
#pragma once

#include <cublas_v2.h>

#include <string>

#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/optional_library.hpp"

namespace warpwright::baselines {

struct Cublas : OptionalLibrary<Cublas> {
  Cublas() : OptionalLibrary("cuBLAS", "libcublas.so", CUBLAS_VER_MAJOR) {}

  std::string text_of(cublasStatus_t status) const { return status_text(status); }
  std::string version() const { return version_from(property, "cublasGetProperty"); }

  decltype(&cublasCreate_v2) create = symbol("cublasCreate_v2");
  decltype(&cublasDestroy_v2) destroy = symbol("cublasDestroy_v2");
  decltype(&cublasSetStream_v2) set_stream = symbol("cublasSetStream_v2");
  decltype(&cublasGetProperty) property = symbol("cublasGetProperty");
  decltype(&cublasGetStatusString) status_text = symbol("cublasGetStatusString");
};

/// A handle whose work goes into one stream.
class CublasHandle {
 public:
  explicit CublasHandle(Stream stream) {
    const Cublas& cublas = Cublas::opened();
    cublas.check(cublas.create(&handle_), "cublasCreate");
    cublas.check(cublas.set_stream(handle_, stream), "cublasSetStream");
  }
  ~CublasHandle() { Cublas::opened().destroy(handle_); }
  CublasHandle(const CublasHandle&) = delete;
  CublasHandle& operator=(const CublasHandle&) = delete;

  cublasHandle_t get() const { return handle_; }

 private:
  cublasHandle_t handle_ = nullptr;
};

}  // namespace warpwright::baselines
