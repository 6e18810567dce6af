// Calls cuda_occupancy.h, and converts its result to a fraction and a word.
#include "tuner/cost_model/occupancy.hpp"

#include <cuda_occupancy.h>
#include <fmt/format.h>

#include <stdexcept>

namespace warpwright::tuner {
namespace {

constexpr int warp_size = 32;

cudaOccDeviceProp properties_of(const Device& device) {
  cudaOccDeviceProp properties;
  properties.computeMajor = device.compute_capability / 10;
  properties.computeMinor = device.compute_capability % 10;
  properties.maxThreadsPerBlock = device.max_threads_per_block;
  properties.maxThreadsPerMultiprocessor = device.max_threads_per_sm;
  properties.regsPerBlock = device.registers_per_block;
  properties.regsPerMultiprocessor = device.registers_per_sm;
  properties.warpSize = warp_size;
  properties.sharedMemPerBlock = static_cast<std::size_t>(device.shared_per_block);
  properties.sharedMemPerMultiprocessor = static_cast<std::size_t>(device.shared_per_sm);
  properties.numSms = device.sm_count;
  properties.sharedMemPerBlockOptin = static_cast<std::size_t>(device.shared_per_block_optin);
  properties.reservedSharedMemPerBlock = static_cast<std::size_t>(device.shared_reserved_per_block);
  return properties;
}

cudaOccFuncAttributes attributes_of(const BlockResources& block) {
  cudaOccFuncAttributes attributes;
  attributes.maxThreadsPerBlock = block.max_block_size;
  attributes.numRegs = block.registers;
  attributes.sharedSizeBytes = static_cast<std::size_t>(block.static_shared_bytes);
  attributes.partitionedGCConfig = PARTITIONED_GC_OFF;
  attributes.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  attributes.maxDynamicSharedSizeBytes = static_cast<std::size_t>(block.dynamic_shared_bytes);
  attributes.numBlockBarriers = 1;
  return attributes;
}

std::string word(unsigned factors) {
  if (factors & OCC_LIMIT_WARPS) return "warps";
  if (factors & OCC_LIMIT_REGISTERS) return "registers";
  if (factors & OCC_LIMIT_SHARED_MEMORY) return "shared memory";
  if (factors & OCC_LIMIT_BLOCKS) return "blocks";
  return "barriers";
}

}  // namespace

Occupancy occupancy(const Device& device, const BlockResources& block) {
  if (block.block_size <= 0 || block.registers < 0 || block.static_shared_bytes < 0 || block.dynamic_shared_bytes < 0) {
    throw std::invalid_argument(fmt::format("occupancy of a block of {} threads, {} registers, {} + {} shared bytes",
                                            block.block_size, block.registers, block.static_shared_bytes,
                                            block.dynamic_shared_bytes));
  }
  if (block.block_size > device.max_threads_per_block) return {0, 0, "block size"};
  if (block.block_size > block.max_block_size) return {0, 0, "launch bounds"};
  if (block.static_shared_bytes + block.dynamic_shared_bytes > device.shared_per_block_optin) {
    return {0, 0, "shared memory"};
  }
  const cudaOccDeviceProp properties = properties_of(device);
  const cudaOccFuncAttributes attributes = attributes_of(block);
  cudaOccDeviceState state;
  state.carveoutConfig = SHAREDMEM_CARVEOUT_MAX_SHARED;
  cudaOccResult result{};
  const cudaOccError error =
      cudaOccMaxActiveBlocksPerMultiprocessor(&result, &properties, &attributes, &state, block.block_size,
                                              static_cast<std::size_t>(block.dynamic_shared_bytes));
  if (error != CUDA_OCC_SUCCESS) {
    throw std::invalid_argument(fmt::format("cuda_occupancy.h: {} for {}",
                                            error == CUDA_OCC_ERROR_UNKNOWN_DEVICE ? "unknown device" : "invalid input",
                                            device.arch()));
  }
  const int warps = (block.block_size + warp_size - 1) / warp_size;
  const int resident = result.activeBlocksPerMultiprocessor;
  return {resident, static_cast<double>(resident * warps * warp_size) / device.max_threads_per_sm,
          word(result.limitingFactors)};
}

}  // namespace warpwright::tuner
