// Tests of the number of other processes on a GPU, computed from the process numbers of the management library.
#include "kernels/runtime/cuda/nvml.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace warpwright::gpu {
namespace {

TEST(OtherProcesses, AreCountedWithoutOurOwnUnderAnyNumber) {
  const std::vector<unsigned> pids{10, 11, 12};
  EXPECT_EQ(other_processes(pids, 11, true), 2);
  EXPECT_EQ(other_processes(pids, 99, false), 3);
  // In a container our own process has another number outside.
  EXPECT_EQ(other_processes(pids, 99, true), 2);
  EXPECT_EQ(other_processes({}, 99, true), 0);
}

}  // namespace
}  // namespace warpwright::gpu
