// For tests that need a GPU: skipped, never passed, without one.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "kernels/runtime/cuda/gpu_context.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright::gpu {

/// Why tests that need a GPU cannot run here; empty if they can.
inline std::string why_no_gpu() {
  try {
    return list_gpus().empty() ? "this machine has no GPU" : "";
  } catch (const std::runtime_error& none) {
    return none.what();
  }
}

class OnAGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (const std::string reason = why_no_gpu(); !reason.empty()) GTEST_SKIP() << reason;
    gpu_ = std::make_unique<Gpu>(0);
  }

  std::unique_ptr<Gpu> gpu_;
  const TemporaryFolder folder_;
};

}  // namespace warpwright::gpu
