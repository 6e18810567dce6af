// Device-wide functions of CUB. They are called twice; the first call, without scratch, returns how much they need.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>

#include "kernels/model/callable.hpp"
#include "kernels/runtime/baselines/cuda_check.hpp"

namespace warpwright::baselines {

/// The buffers of a call. In the first call, which touches no buffer, all are null.
class CubBuffers {
 public:
  CubBuffers() = default;
  explicit CubBuffers(const CallableBuffers& buffers) : buffers_(&buffers) {}

  template <class T>
  T* get(const std::string& name) const {
    return buffers_ == nullptr ? nullptr : static_cast<T*>(buffers_->at(name));
  }

 private:
  const CallableBuffers* buffers_ = nullptr;
};

/// `call(scratch, bytes, CubBuffers, stream)` calls the function of that name and returns its cudaError_t.
template <class Call>
std::unique_ptr<PreparedCallable> prepared_cub(const CallableRequest& request, const char* name, Call call) {
  std::size_t needed = 0;
  check(call(nullptr, needed, CubBuffers(), request.stream), name);
  return make_prepared(
      [call, name, needed](Stream stream, const CallableBuffers& buffers) {
        std::size_t bytes = needed;
        check(call(buffers.at("scratch"), bytes, CubBuffers(buffers), stream), name);
      },
      static_cast<std::int64_t>(std::max<std::size_t>(needed, 1)));
}

/// "3.0.1" of CUB_VERSION and THRUST_VERSION.
inline std::string cccl_version(int number) {
  return std::to_string(number / 100000) + "." + std::to_string(number / 100 % 1000) + "." +
         std::to_string(number % 100);
}

}  // namespace warpwright::baselines
