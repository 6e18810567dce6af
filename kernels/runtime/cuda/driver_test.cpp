// Tests which errors of the CUDA driver a kernel cannot cause.
#include "kernels/runtime/cuda/driver.hpp"

#include <gtest/gtest.h>

namespace warpwright::gpu {
namespace {

TEST(Driver, ALostOrDamagedDeviceIsAFaultOfTheEnvironment) {
  for (const CUresult result : {CUDA_ERROR_ECC_UNCORRECTABLE, CUDA_ERROR_DEVICE_UNAVAILABLE, CUDA_ERROR_NO_DEVICE,
                                CUDA_ERROR_NVLINK_UNCORRECTABLE, CUDA_ERROR_SYSTEM_NOT_READY})
    EXPECT_TRUE(is_environment_fault(result, "cuStreamSynchronize")) << result;
}

TEST(Driver, ErrorsThatAKernelCanCauseAreNot) {
  for (const CUresult result : {CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_MISALIGNED_ADDRESS, CUDA_ERROR_LAUNCH_FAILED,
                                CUDA_ERROR_ILLEGAL_INSTRUCTION, CUDA_ERROR_ASSERT, CUDA_ERROR_LAUNCH_TIMEOUT})
    EXPECT_FALSE(is_environment_fault(result, "cuStreamSynchronize")) << result;
}

TEST(Driver, MissingMemoryIsAFaultOfTheEnvironmentExceptAtALaunch) {
  EXPECT_TRUE(is_environment_fault(CUDA_ERROR_OUT_OF_MEMORY, "cuMemAlloc"));
  EXPECT_TRUE(is_environment_fault(CUDA_ERROR_OUT_OF_MEMORY, "cuDevicePrimaryCtxRetain"));
  EXPECT_FALSE(is_environment_fault(CUDA_ERROR_OUT_OF_MEMORY, "cuLaunchKernelEx"));
}

}  // namespace
}  // namespace warpwright::gpu
