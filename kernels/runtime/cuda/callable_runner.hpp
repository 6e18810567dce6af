// A callable bound to device buffers, ready to run on a GPU's stream.
#pragma once

#include <memory>

#include "kernels/model/callable.hpp"
#include "kernels/runtime/cuda/gpu_context.hpp"
#include "kernels/runtime/cuda/runnable.hpp"
#include "kernels/runtime/messages/gpu.hpp"

namespace warpwright::gpu {

/// A callable failed such that the context may be damaged.
class CallableFailed : public std::runtime_error {
 public:
  using runtime_error::runtime_error;
};

class CallableRunner : public Runnable {
 public:
  /// Throws std::invalid_argument for an unknown callable, NotLaunchable for knobs that it does not accept.
  CallableRunner(const Gpu& gpu, const std::vector<Callable>& callables, const CallableChoice& choice);

  /// Size in bytes of the buffer "scratch" that it needs.
  std::int64_t scratch_bytes() const { return inputs_->scratch_bytes(); }
  /// Sets the buffers that it works on; must be called before the first run.
  void bind(const Addresses& addresses);

  /// Both throw CallableFailed for any exception of the library.
  void prepare() override;
  void run_timed() override;
  bool synchronises() const override { return callable_.synchronises; }

 private:
  const Gpu& gpu_;
  const Callable& callable_;
  std::unique_ptr<PreparedCallable> inputs_;
  CallableBuffers buffers_;
};

}  // namespace warpwright::gpu
