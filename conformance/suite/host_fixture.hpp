// Test fixture for cases on the simulator: a compiler with the tests' cache, and checkers.
#pragma once

#include <gtest/gtest.h>

#include "conformance/checks/checker.hpp"
#include "kernels/runtime/build/build_service.hpp"

namespace warpwright::conformance {

class HostFixture : public testing::Test {
 protected:
  void SetUp() override {
    if (!compiler_.toolchain().host_error.empty()) GTEST_SKIP() << compiler_.toolchain().host_error;
  }

  static std::filesystem::path cache_folder() { return std::filesystem::path(WARPWRIGHT_BINARY_DIR) / "test_cache"; }

  worker::BuildService build_{catalogue().sources(), cache_folder()};
  DiskCache& cache_ = build_.cache;
  worker::Pool& pool_ = build_.pool;
  worker::Compiler& compiler_ = build_.compiler;

  Checker checker_with(worker::Process& process, const Catalogue& all = catalogue()) {
    return {all, process, compiler_};
  }
};

}  // namespace warpwright::conformance
