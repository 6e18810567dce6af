// cuDNN, opened at run time; shared by all its callables. It declares what they use, because cuDNN's header is not part
// of the CUDA toolkit.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/optional_library.hpp"

namespace warpwright::baselines {

struct Cudnn : OptionalLibrary<Cudnn> {
  // Values of cuDNN's enumerators, the same in versions 8 and 9.
  using Status = int;
  static constexpr Status kSuccess = 0;
  static constexpr int kFloat = 0;     // CUDNN_DATA_FLOAT
  static constexpr int kDouble = 1;    // CUDNN_DATA_DOUBLE
  static constexpr int kHalf = 2;      // CUDNN_DATA_HALF
  static constexpr int kBfloat16 = 9;  // CUDNN_DATA_BFLOAT16
  static constexpr int kRowMajor = 0;  // CUDNN_TENSOR_NCHW

  Cudnn()
      : OptionalLibrary(
            paths(),
            "cuDNN was not found: name libcudnn.so or its folder in WARPWRIGHT_CUDNN (pip installs it below "
            "site-packages/nvidia/cudnn/lib), or put that folder on LD_LIBRARY_PATH") {}

  using OptionalLibrary::symbol;  // for functions that only some callables use

  std::string text_of(Status status) const { return status_text(status); }

  /// 91900 is 9.19.0; up to version 8 the minor version had one digit.
  std::string version() const {
    const std::size_t number = version_number();
    const std::size_t major = number >= 90000 ? 10000 : 1000;
    return std::to_string(number / major) + "." + std::to_string(number % major / 100) + "." +
           std::to_string(number % 100);
  }

  std::size_t (*version_number)() = symbol("cudnnGetVersion");
  const char* (*status_text)(Status) = symbol("cudnnGetErrorString");
  Status (*create)(void**) = symbol("cudnnCreate");
  Status (*destroy)(void*) = symbol("cudnnDestroy");
  Status (*set_stream)(void*, Stream) = symbol("cudnnSetStream");
  Status (*create_tensor)(void**) = symbol("cudnnCreateTensorDescriptor");
  Status (*destroy_tensor)(void*) = symbol("cudnnDestroyTensorDescriptor");
  Status (*set_tensor)(void*, int format, int type, int n, int c, int h, int w) = symbol("cudnnSetTensor4dDescriptor");

 private:
  /// The path in WARPWRIGHT_CUDNN (a file or a folder), then the folders of the toolkit's libraries.
  static std::vector<std::string> paths() {
    std::vector<std::string> all;
    for (const std::string name : {"libcudnn.so.9", "libcudnn.so.8"}) {
      if (const char* given = std::getenv("WARPWRIGHT_CUDNN"); given != nullptr)
        all.push_back(std::filesystem::is_directory(given) ? std::string(given) + "/" + name : given);
      for (const std::string& path : toolkit_paths(name)) all.push_back(path);
      all.push_back("/usr/local/cuda/lib/" + name);
    }
    return all;
  }
};

/// A handle or a descriptor of cuDNN.
using CudnnOwned = std::unique_ptr<void, Cudnn::Status (*)(void*)>;

inline CudnnOwned cudnn_owned(Cudnn::Status (*create)(void**), Cudnn::Status (*destroy)(void*), const char* call) {
  void* made = nullptr;
  Cudnn::opened().check(create(&made), call);
  return {made, destroy};
}

/// A handle whose work goes into one stream.
inline CudnnOwned cudnn_handle(Stream stream) {
  const Cudnn& cudnn = Cudnn::opened();
  CudnnOwned handle = cudnn_owned(cudnn.create, cudnn.destroy, "cudnnCreate");
  cudnn.check(cudnn.set_stream(handle.get(), stream), "cudnnSetStream");
  return handle;
}

/// The descriptor of n images of c channels, h x w elements each.
inline CudnnOwned cudnn_tensor(int type, int n, int c, int h, int w) {
  const Cudnn& cudnn = Cudnn::opened();
  CudnnOwned tensor = cudnn_owned(cudnn.create_tensor, cudnn.destroy_tensor, "cudnnCreateTensorDescriptor");
  cudnn.check(cudnn.set_tensor(tensor.get(), Cudnn::kRowMajor, type, n, c, h, w), "cudnnSetTensor4dDescriptor");
  return tensor;
}

}  // namespace warpwright::baselines
