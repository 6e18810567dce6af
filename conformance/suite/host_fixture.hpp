// Test fixture for cases on the simulator: a compiler with the tests' cache, and checkers.
#pragma once

#include <gtest/gtest.h>

#include "conformance/checks/checker.hpp"
#include "kernels/runtime/build/compiler.hpp"

namespace warpwright::conformance {

class HostFixture : public testing::Test {
 protected:
  void SetUp() override {
    if (!compiler_.toolchain().host_error.empty()) GTEST_SKIP() << compiler_.toolchain().host_error;
  }

  DiskCache cache_{std::filesystem::path(WARPWRIGHT_BINARY_DIR) / "test_cache"};
  worker::Pool pool_;
  worker::Compiler compiler_{pool_, cache_, catalogue().sources()};

  Checker checker_with(worker::Process& process, const Catalogue& all = catalogue()) {
    return {all, process, compiler_};
  }
};

}  // namespace warpwright::conformance
