// For tests that need a GPU: skipped, never passed, without one.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>

#include "kernels/runtime/cuda/gpu_context.hpp"
#include "kernels/system/temporary_folder.hpp"

namespace warpwright::gpu {

class OnAGpu : public testing::Test {
 protected:
  void SetUp() override {
    try {
      if (list_gpus().empty()) GTEST_SKIP() << "this machine has no GPU";
    } catch (const std::runtime_error& none) {
      GTEST_SKIP() << none.what();
    }
    gpu_ = std::make_unique<Gpu>(0);
  }

  std::unique_ptr<Gpu> gpu_;
  const TemporaryFolder folder_;
};

}  // namespace warpwright::gpu
