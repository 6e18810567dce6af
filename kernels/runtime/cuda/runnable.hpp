// What a ProblemOnGpu verifies and times: a plan or a callable, bound to buffers.
#pragma once

#include <map>
#include <stdexcept>
#include <string>

#include "kernels/runtime/cuda/driver.hpp"

namespace warpwright::gpu {

using Addresses = std::map<std::string, CUdeviceptr>;

/// The device refuses a launch; the text says why.
class NotLaunchable : public std::runtime_error {
 public:
  using runtime_error::runtime_error;
};

class Runnable {
 public:
  Runnable() = default;
  virtual ~Runnable() = default;
  Runnable(const Runnable&) = delete;
  Runnable& operator=(const Runnable&) = delete;

  /// Runs the steps before the timed part.
  virtual void prepare() {}
  /// Enqueues the timed part into the stream. Throws NotLaunchable.
  virtual void run_timed() = 0;
  /// Runs the steps after it.
  virtual void finish() {}
  /// Whether the timed part waits for the device. If so, it is timed by the host's clock.
  virtual bool synchronises() const { return false; }

  /// Whether the timed part is replayed as a graph.
  virtual bool uses_graph() const { return false; }

  /// Runs all three parts.
  void run() {
    prepare();
    run_timed();
    finish();
  }
};

}  // namespace warpwright::gpu
